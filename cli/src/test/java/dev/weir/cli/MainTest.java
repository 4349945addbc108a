package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {
    private static final String X = "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    private static final String OMEGA = "sha256:e3c622e5fd53065d82b70802b06f30aee09e564e033a7d13c773fa67d5fcf1e8";

    @ParameterizedTest
    @CsvSource({
        "hash x, 0, sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        "hash --json x, 0, '{\"hash\":\"sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\"}'",
    })
    void prints(String line, int exitCode, String out) {
        Ran ran = run("", line.split(" "));

        assertThat(ran).isEqualTo(new Ran(exitCode, out + "\n", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''            | 'A command is missing: give one of demo, gateway, check, explain, trace, replay, simulate, size, keys, set, hash. ''weir --help'' says more.'",
                "hahs          | '''hahs'' is not a command of ''weir'': did you mean ''hash''? ''weir --help'' says more.'",
                "hahs --help   | '''hahs'' is not a command of ''weir'': did you mean ''hash''? ''weir --help'' says more.'",
                "frobnicate    | '''frobnicate'' is not a command of ''weir'': give one of demo, gateway, check, explain, trace, replay, simulate, size, keys, set, hash. ''weir --help'' says more.'",
                "hash          | '''weir hash'' needs KEY. ''weir hash --help'' says more.'",
                "hash --jsno x | '''--jsno'' is not an option of ''weir hash'': did you mean ''--json''? ''weir hash --help'' says more.'",
                "hash x y      | '''y'' is one argument too many for ''weir hash'': leave it out, or quote an argument that holds spaces. ''weir hash --help'' says more.'",
            })
    void refusesInOneSentenceWithTheRemedy(String line, String sentence) {
        Ran ran = run("", line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(ran).isEqualTo(new Ran(2, "", "weir: " + sentence + "\n"));
    }

    @Test
    void readsTheKeyFromStandardInputWithoutItsLineEnd() {
        assertThat(run("x", "hash", "-").out).isEqualTo(X + "\n");
        assertThat(run("x\n", "hash", "-").out).isEqualTo(X + "\n");
        assertThat(run("x\r\n", "hash", "-").out).isEqualTo(X + "\n");
        assertThat(run("Ω\n", "hash", "-").out).isEqualTo(OMEGA + "\n");
        assertThat(run("", "hash", "Ω").out).isEqualTo(OMEGA + "\n");
    }

    @Test
    void refusesWhatIsNoKey() {
        assertThat(run("", "hash", ""))
                .returns(2, Ran::exitCode)
                .extracting(Ran::err)
                .asString()
                .contains("KEY is empty");
        assertThat(run("", "hash", "-").err).contains("KEY is empty");
        assertThat(run("a\nb\n", "hash", "-").err).contains("holds 2 lines");
        assertThat(run(new byte[] {(byte) 0xff}, "hash", "-").err).contains("no UTF-8");
        assertThat(run("", "hash", "a\uFFFD").err).contains("no UTF-8");
    }

    @Test
    void everyCommandHasAHelpPageOnStandardOutput() {
        CommandLine weir = Main.commandLine(
                Streams.of(System.in, OutputStream.nullOutputStream(), OutputStream.nullOutputStream()));

        assertThat(run("", "--help").out)
                .contains("Usage: weir")
                .contains(weir.getSubcommands().keySet());
        assertThat(weir.getSubcommands().keySet()).allSatisfy(command -> {
            Ran ran = run("", command, "--help");
            assertThat(ran.exitCode).isZero();
            assertThat(ran.err).isEmpty();
            assertThat(ran.out).startsWith("Usage: weir " + command);
        });
    }

    @Test
    void namesItsVersion() {
        assertThat(run("", "--version").out).startsWith("weir ").hasLineCount(1);
    }

    @Test
    void endsQuietlyWhenTheReaderHasGone() {
        assertThat(runWithBrokenOutput("Broken pipe")).isEqualTo(new Ran(141, "", ""));
    }

    @Test
    void saysSoWhenTheOutputCannotBeWritten() {
        assertThat(runWithBrokenOutput("No space left on device"))
                .isEqualTo(new Ran(
                        2,
                        "",
                        "weir: Standard output cannot be written (No space left on device): send it elsewhere.\n"));
    }

    record Ran(int exitCode, String out, String err) {}

    private static Ran run(String in, String... args) {
        return run(in.getBytes(StandardCharsets.UTF_8), args);
    }

    private static Ran run(byte[] in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Main.run(Streams.of(new ByteArrayInputStream(in), out, err), args);
        return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static Ran runWithBrokenOutput(String failure) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(failure);
            }
        };
        int exitCode = Main.run(Streams.of(System.in, new Streams.FailingLoudly(broken), err), "hash", "x");
        return new Ran(exitCode, "", err.toString(StandardCharsets.UTF_8));
    }
}
