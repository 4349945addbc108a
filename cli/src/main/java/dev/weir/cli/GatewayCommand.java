package dev.weir.cli;

import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir gateway POLICY}: the reverse proxy, until it is told to stop. */
@Command(
        name = "gateway",
        description =
                "Run the gateway that a policy describes. Ctrl-C or SIGTERM lets calls end and stops; SIGHUP reloads.",
        footer = {
            "",
            "The policy's gateway section says where to listen and what to forward; the file is read again when it changes.",
            "The access log goes to standard output, everything else to standard error."
        })
final class GatewayCommand implements Callable<Integer> {

    @Parameters(paramLabel = "POLICY", description = "The policy file.")
    private Path policy = Path.of("");

    private final Streams streams;

    GatewayCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws InterruptedException {
        Gateway gateway = start(policy, streams);
        streams.err().println("weir: listening on " + gateway.address() + ", forwarding by '" + policy + "'");
        runUntilTold(gateway, streams);
        return Main.OK;
    }

    /** A gateway that writes its access log to the process's own output. */
    static Gateway start(Path policy, Streams streams) {
        try {
            return Gateway.start(policy, System.getenv(), System.out, streams.err()::println);
        } catch (GatewayException e) {
            throw new BadInput("the gateway cannot start:\n  "
                    + String.valueOf(e.getMessage()).replace("\n", "\n  "));
        }
    }

    /** Waits for the end of the process, and ends the gateway in good order then. */
    static void runUntilTold(Gateway gateway, Streams streams) throws InterruptedException {
        Thread drain = new Thread(
                () -> {
                    streams.err()
                            .println("weir: stopping; calls under way may take " + Gateway.DRAIN.toSeconds()
                                    + " s to end");
                    gateway.close();
                    streams.err().println("weir: stopped");
                },
                "weir-drain");
        Runtime.getRuntime().addShutdownHook(drain);
        new CountDownLatch(1).await();
    }
}
