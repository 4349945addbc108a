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

    @Test
    void noForbiddenOutcome(@TempDir Path results) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                "dev.weir.rate",
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
        int exit = process.waitFor();
        System.out.println(output.substring(Math.max(0, output.length() - 1500)));
        assertThat(exit).as(output).isZero();
        assertThat(output)
                .contains("All remaining tests: 6 matching")
                .containsPattern("Failed tests:\\s+No matches")
                .containsPattern("Error tests:\\s+No matches");
    }
}
