package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jcstress tests of this module in JVMs of their own. */
final class StressTest {

    /** One way to compile and run instead of all that the JVM has. */
    private static final List<String> SHORT = List.of(
            "-m",
            "quick",
            "-sc",
            "false",
            "-f",
            "1",
            "-fsm",
            "1",
            "-iters",
            "1",
            "-time",
            "400",
            "-jvmArgs",
            "-Xmx256m");

    private static final List<String> DEEP = List.of("-m", "quick");

    /** How a run ended, and what it printed. */
    record Run(int exit, String output) {}

    /** Runs the jcstress tests of a package. */
    static Run run(String tests, Path results) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                tests,
                "-af",
                "NONE",
                "-r",
                results.toString()));
        command.addAll(Boolean.getBoolean("weir.deep") ? DEEP : SHORT);
        Process process = new ProcessBuilder(command)
                .directory(results.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    @Test
    void noForbiddenOutcome(@TempDir Path results) throws IOException, InterruptedException {
        Run run = run("dev.weir.rate", results);
        System.out.println(run.output.substring(Math.max(0, run.output.length() - 1500)));
        assertThat(run.exit).as(run.output).isZero();
        assertThat(run.output)
                .contains("All remaining tests: 6 matching")
                .containsPattern("Failed tests:\\s+No matches")
                .containsPattern("Error tests:\\s+No matches");
    }
}
