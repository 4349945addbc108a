package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessLogsTest {

    private static final InputStream NOTHING = InputStream.nullInputStream();

    @TempDir
    private Path directory;

    private static AccessLogs logs(String format) {
        return new AccessLogs(LogFormat.of(format), TimeIs.START, Progress.none());
    }

    private static String line(String peer, int second) {
        return "%s - - [02/Mar/2026:08:15:%02d +0000] \"GET /p HTTP/1.1\" 200 5\n".formatted(peer, second);
    }

    private String file(String name, String text) throws IOException {
        return file(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private String file(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes).toString();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = new byte[one.length + other.length];
        System.arraycopy(one, 0, both, 0, one.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** The peers in order of time. */
    private static List<String> peers(AccessLogs logs, List<String> files, InputStream in) throws IOException {
        List<String> peers = new ArrayList<>();
        try (SortedCalls calls = logs.read(files, in)) {
            calls.forEachRemaining(call -> peers.add(call.peer()));
        }
        return peers;
    }

    @Test
    void callsComeInOrderOfTimeThenFileThenLine() throws IOException {
        String one = file("one.log", line("a", 3) + line("b", 1) + line("c", 3) + line("d", 2));
        String two = file("two.log", line("e", 3) + line("f", 1) + line("g", 0));

        try (SortedCalls calls = logs("combined").read(List.of(one, two), NOTHING)) {
            assertThat(calls.events()).isEqualTo(7);
            assertThat(calls.from()).contains(Instant.parse("2026-03-02T08:15:00Z"));
            assertThat(calls.to()).contains(Instant.parse("2026-03-02T08:15:03Z"));
            assertThat(calls.fileNames()).containsExactly(one, two);
            List<String> seen = new ArrayList<>();
            calls.forEachRemaining(call -> seen.add(call.peer() + "@" + call.fileIndex() + ":" + call.line()));
            assertThat(seen).containsExactly("g@1:3", "b@0:2", "f@1:2", "d@0:4", "a@0:1", "c@0:3", "e@1:1");
        }
        assertThat(peers(logs("combined"), List.of(two, one), NOTHING))
                .containsExactly("g", "f", "b", "d", "e", "a", "c");
    }

    @Test
    void shufflingLinesOfDifferentSecondsChangesNothing() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            lines.add(line("host" + second, second));
        }
        List<String> inOrder = peers(logs("common"), List.of(file("order.log", String.join("", lines))), NOTHING);
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(lines, new Random(seed));
            String shuffled = file("shuffled.log", String.join("", lines));
            assertThat(peers(logs("common"), List.of(shuffled), NOTHING))
                    .as("seed %d", seed)
                    .isEqualTo(inOrder);
        }
    }

    @Test
    void malformedLinesAreCountedAndNamedAndEmptyOnesAreNothing() throws IOException {
        String file = file(
                "mixed.log", "what\n" + line("a", 1) + "\n\r\n" + line("b", 2).replace("200", "2x0") + line("c", 3));

        try (SortedCalls calls = logs("combined").read(List.of(file), NOTHING)) {
            assertThat(calls.events()).isEqualTo(2);
            assertThat(calls.malformedCount()).isEqualTo(2);
            assertThat(calls.malformed())
                    .containsExactly(
                            new MalformedLine(file, 1, "the line ends before the field %l"),
                            new MalformedLine(
                                    file, 5, "column 54: a status of three digits was expected, found '2x0'"));
        }
    }

    @Test
    void onlySoManyMalformedLinesAreNamed() throws IOException {
        try (SortedCalls calls = logs("combined").read(List.of(file("bad.log", "bad\n".repeat(1_500))), NOTHING)) {
            assertThat(calls.malformedCount()).isEqualTo(1_500);
            assertThat(calls.malformed()).hasSize(AccessLogs.MALFORMED_NAMED);
            assertThat(calls.events()).isZero();
            assertThat(calls.from()).isEmpty();
            assertThat(calls.to()).isEmpty();
            assertThat(calls.hasNext()).isFalse();
        }
    }

    @Test
    void linesMayEndAsTheyLike() throws IOException {
        String text = "\ufeff" + line("a", 1).replace("\n", "\r\n") + line("b", 2)
                + line("c", 3).strip();
        assertThat(peers(logs("combined"), List.of(file("ends.log", text)), NOTHING))
                .containsExactly("a", "b", "c");
    }

    @Test
    void aLineThatNeverEndsIsMalformed() throws IOException {
        int longest = LineReader.LONGEST_BYTES;
        String agent = line("b", 2).strip() + " \"-\" \"";
        String justFits = agent + "x".repeat(longest - agent.length() - 1) + "\"\n";
        String file = file(
                "long.log",
                line("a", 1) + "x".repeat(longest + 1) + "\n" + justFits + "y".repeat(3 * longest) + "\n" + line("c", 3)
                        + "z".repeat(longest + 7));

        try (SortedCalls calls = logs("combined").read(List.of(file), NOTHING)) {
            assertThat(calls.malformed())
                    .containsExactly(
                            new MalformedLine(file, 2, "the line is longer than 1048576 bytes"),
                            new MalformedLine(file, 4, "the line is longer than 1048576 bytes"),
                            new MalformedLine(file, 6, "the line is longer than 1048576 bytes"));
            assertThat(calls.next().line()).isEqualTo(1);
            assertThat(calls.next().headers("User-Agent").get(0)).hasSizeGreaterThan(longest - 100);
            assertThat(calls.next().line()).isEqualTo(5);
            assertThatThrownBy(calls::next).isInstanceOf(java.util.NoSuchElementException.class);
        }
    }

    @Test
    void whatIsCompressedIsKnownByItsBytes() throws IOException {
        byte[] parts = joined(gzip(line("a", 1)), gzip(line("b", 2)));
        String named = file("plain.log", parts);
        String misnamed = file("plain.log.gz", line("c", 3));

        assertThat(peers(logs("combined"), List.of(named, misnamed), NOTHING)).containsExactly("a", "b", "c");
    }

    @Test
    void theStandardInputIsReadToItsEndAndLeftOpen() throws IOException {
        byte[] parts = joined(gzip(line("a", 1)), gzip(line("b", 2)));
        boolean[] closed = new boolean[1];
        // Gives one byte at a time and never says that there are more, as a slow pipe.
        InputStream pipe = new FilterInputStream(new ByteArrayInputStream(parts)) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return super.read(bytes, offset, Math.min(1, length));
            }

            @Override
            public int available() {
                return 0;
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        };

        assertThat(peers(logs("combined"), List.of("-"), pipe)).containsExactly("a", "b");
        assertThat(closed[0]).isFalse();
    }

    @Test
    void anEmptyFileHasNoCalls() throws IOException {
        assertThat(peers(logs("combined"), List.of(file("empty.log", "")), NOTHING))
                .isEmpty();
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        String good = file("good.log", line("a", 1));
        String missing = directory.resolve("missing.log").toString();
        byte[] whole = gzip(line("a", 1).repeat(500));
        String cut = file("cut.gz", java.util.Arrays.copyOf(whole, whole.length / 2));
        String stub = file("stub.gz", java.util.Arrays.copyOf(whole, 4));

        assertThatThrownBy(() -> logs("combined").read(List.of(good, missing), NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessage(missing + ": there is no such file");
        assertThatThrownBy(() -> logs("combined").read(List.of(directory.toString()), NOTHING))
                .hasMessage(directory + ": this is a directory; name the logs in it");
        assertThatThrownBy(() -> logs("combined").read(List.of(cut), NOTHING))
                .hasMessageStartingWith(cut + ": cannot be read behind line ")
                .hasMessageEndingWith("; is the file whole?");
        assertThatThrownBy(() -> logs("combined").read(List.of(stub), NOTHING))
                .hasMessageStartingWith(stub + ": cannot be read");
        assertThatThrownBy(() -> logs("combined").read(List.of("-", "-"), NOTHING))
                .hasMessage("-: the standard input can be read once only");
        assertThatThrownBy(() -> logs("combined").read(List.of(), NOTHING))
                .hasMessageStartingWith("there is no log to read");
        assertThatThrownBy(() -> logs("combined").read(List.of("\0"), NOTHING)).hasMessageContaining("no file name");
    }

    @Test
    void timesMayBeThoseOfTheAnswer() throws IOException {
        String format = "%h %t \"%r\" %>s %b %D";
        String text = """
                a [02/Mar/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 5 2500000
                b [02/Mar/2026:08:15:29 +0000] "GET / HTTP/1.1" 200 5 1000
                c [02/Mar/2026:08:15:28 +0000] "GET / HTTP/1.1" 200 5 -
                """;
        String file = file("ends.log", text);

        assertThat(peers(logs(format), List.of(file), NOTHING)).containsExactly("c", "b", "a");
        AccessLogs ends = new AccessLogs(LogFormat.of(format), TimeIs.END, Progress.none());
        try (SortedCalls calls = ends.read(List.of(file), NOTHING)) {
            assertThat(calls.eventsWithDuration()).isEqualTo(2);
            assertThat(calls.next().time()).isEqualTo("2026-03-02T08:15:27.500Z");
            assertThat(calls.next().time()).isEqualTo("2026-03-02T08:15:28Z");
            assertThat(calls.next().time()).isEqualTo("2026-03-02T08:15:28.999Z");
        }
        assertThat(TimeIs.END.optionName()).isEqualTo("end");
    }

    @Test
    void bytesThatAreNotUtf8AreReadAsLatin1() throws IOException {
        byte[] text = line("a", 1).replace("/p", "/p\u00eache").getBytes(StandardCharsets.ISO_8859_1);
        try (SortedCalls calls = logs("combined").read(List.of(file("latin.log", text)), NOTHING)) {
            assertThat(calls.next().path()).isEqualTo("/p\u00eache");
        }
    }

    @Test
    void theSampleLogIsAsItsReadersExpect() throws IOException {
        try (InputStream sample = AccessLogs.class.getResourceAsStream("/dev/weir/cli/demo/access.log");
                SortedCalls calls = logs("combined").read(List.of("-"), sample)) {
            assertThat(calls.events()).isEqualTo(1_486);
            assertThat(calls.malformed()).extracting(MalformedLine::line).containsExactly(378L, 1_103L);
            assertThat(calls.from()).contains(Instant.parse("2026-03-14T09:00:05Z"));
            assertThat(calls.to()).contains(Instant.parse("2026-03-14T09:29:50Z"));
        }
    }
}
