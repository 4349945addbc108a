package dev.weir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs jcstress tests in JVMs of their own. */
public final class Jcstress {

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

    private Jcstress() {}

    /** How a run ended, and what it printed. */
    public record Run(int exit, String output) {}

    /** Runs the jcstress tests of a package. */
    public static Run run(String tests, Path results) throws IOException, InterruptedException {
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
}
