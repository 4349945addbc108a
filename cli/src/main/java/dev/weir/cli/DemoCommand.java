package dev.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir demo}: what the other commands show, on data that comes along. */
@Command(name = "demo", description = "Show what Weir does, on a sample log and an example policy that come along.")
final class DemoCommand implements Callable<Integer> {

    private static final String ARRIVALS =
            "0.70,0.75,0.80,0.85,0.90,0.95,1.00,1.05,1.10,1.15,1.20,1.25,1.30,1.35,1.62,1.87,2.12,2.37,2.62,2.87";

    private final Streams streams;

    DemoCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        Path here = Path.of("cli/src/main/resources/dev/weir/cli/demo");
        if (Files.exists(here.resolve("policy.yaml")) && Files.exists(here.resolve("access.log"))) {
            return show(here.resolve("policy.yaml"), here.resolve("access.log"));
        }
        Path folder = Files.createTempDirectory("weir-demo");
        Path policy = folder.resolve("policy.yaml");
        Path log = folder.resolve("access.log");
        try {
            copy("policy.yaml", policy);
            copy("access.log", log);
            return show(policy, log);
        } finally {
            Files.deleteIfExists(policy);
            Files.deleteIfExists(log);
            Files.deleteIfExists(folder);
        }
    }

    private int show(Path policy, Path log) throws IOException {
        show("How each algorithm decides about the same twenty arrivals, at 5 a second:");
        run("trace", "--rate", "5/s", "--at", ARRIVALS);
        show("The example policy:");
        Files.readAllLines(policy).forEach(line -> streams.out().println("  " + line));
        show("What it says about one call:");
        run("explain", policy.toString(), "--method", "POST", "--path", "/login", "--peer", "203.0.113.7");
        show("What it would have refused of half an hour of an invented API:");
        run("replay", policy.toString(), log.toString());
        show("Next: write a policy of your own, then ./weir check POLICY and ./weir replay POLICY YOUR-LOG.");
        return Main.OK;
    }

    private void show(String title) {
        streams.out().println();
        streams.out().println("== " + title);
        streams.out().println();
    }

    private void run(String... command) {
        streams.out().println("$ ./weir " + String.join(" ", command));
        Main.run(streams, command);
    }

    private static void copy(String name, Path to) {
        try (InputStream in = DemoCommand.class.getResourceAsStream("demo/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the demo's " + name + " is missing from this build");
            }
            Files.copy(in, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
