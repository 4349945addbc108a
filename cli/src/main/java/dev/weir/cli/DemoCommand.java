package dev.weir.cli;

import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayException;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;

/** {@code weir demo}: the gateway before a sample service, and what to try on it. */
@Command(
        name = "demo",
        description = "Run the gateway in front of a sample service and say what to try. Ctrl-C stops both.")
final class DemoCommand implements Callable<Integer> {

    private static final int SERVICE_PORT = 8081;
    private static final Path IN_THE_REPOSITORY = Path.of("cli/src/main/resources/dev/weir/cli/demo/gateway.yaml");

    private final Streams streams;

    DemoCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path policy = Files.exists(IN_THE_REPOSITORY) ? IN_THE_REPOSITORY : copied("gateway.yaml");
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("WEIR_DEMO_SECRET", UUID.randomUUID().toString());
        String token = UUID.randomUUID().toString();
        environment.put("WEIR_DEMO_TOKEN", token);
        Vertx vertx = Vertx.vertx();
        startService(vertx);
        Gateway gateway;
        try {
            gateway = Gateway.start(policy, environment, System.out, streams.err()::println);
        } catch (GatewayException e) {
            vertx.close();
            throw new BadInput("the demo cannot start:\n  " + e.getMessage());
        }
        tell(policy, token);
        GatewayCommand.runUntilTold(gateway, streams);
        return Main.OK;
    }

    private static void startService(Vertx vertx) throws InterruptedException {
        try {
            SampleService.start(vertx, SERVICE_PORT)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            vertx.close();
            throw new BadInput("the demo cannot start:\n  the sample service needs port " + SERVICE_PORT
                    + " on 127.0.0.1, which is taken: stop what listens there.");
        }
    }

    private void tell(Path policy, String token) {
        streams.out().print("""
                The gateway listens on http://127.0.0.1:8080, its admin API on http://127.0.0.1:9090,
                and the sample service behind it on http://127.0.0.1:8081. They run by this policy:

                  %s

                Things to try from another terminal:

                  # Five calls at once are let through, the next ones wait for their tokens: 429, Retry-After: 1.
                  for i in 1 2 3 4 5 6 7 8; do curl -s -o /dev/null -w '%%{http_code} ' -H 'X-Api-Key: A' http://127.0.0.1:8080/trees; done; echo

                  # Another partner is not touched by that. What is left stands in RateLimit.
                  curl -i -H 'X-Api-Key: B' http://127.0.0.1:8080/trees

                  # Why? Trusted peers may ask.
                  curl -si -H 'X-Api-Key: A' -H 'X-Weir-Debug: 1' http://127.0.0.1:8080/trees | grep -i weir-debug

                  # Only wrong passwords count: the sixth is refused, and not told by what.
                  for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%%{http_code} ' -d password=pear http://127.0.0.1:8080/login; done; echo

                  # Two event streams for each partner; the third is refused until one ends.
                  for i in 1 2 3; do curl -s -o /dev/null -w '%%{http_code}\\n' -H 'X-Api-Key: C' http://127.0.0.1:8080/events & done; wait

                  # Slow the service down and leave: nothing stays behind.
                  curl 'http://127.0.0.1:8081/slow?millis=3000'; curl --max-time 1 http://127.0.0.1:8080/trees; curl 'http://127.0.0.1:8081/slow?millis=0'

                  # A brownout: answers take 100 ms instead of 5, and a hundred customers keep asking. Of each thousand calls some wait a moment, some
                  # get less (no goes_well_with), and the rest are told to come back; reports first.
                  shop() { curl --no-progress-meter -Z --parallel-max 100 -w '\\n%%{http_code}\\n' 'http://127.0.0.1:8080/shop/pears?[1-1000]' |
                    grep -oE '^(200|503)|goes_well_with' | sort | uniq -c; }
                  shop; curl 'http://127.0.0.1:8081/slow?millis=100'; shop; shop
                  shop & sleep 1; curl -si http://127.0.0.1:8080/reports/today; wait
                  curl 'http://127.0.0.1:8081/slow?millis=0'; shop

                  # What was decided, what the limits and the gate stand at, and why the gate's limit moved.
                  curl 'http://127.0.0.1:9090/decisions?top=3'; curl http://127.0.0.1:9090/limits; curl http://127.0.0.1:9090/gates

                  # Edit the policy: it is in force a moment later. Or ask for it:
                  curl -X POST -H 'Authorization: Bearer %s' http://127.0.0.1:9090/reload

                What a policy would have done to yesterday's traffic: ./weir replay POLICY YOUR-ACCESS-LOG.
                Ctrl-C stops.
                """.formatted(policy, token));
        streams.out().flush();
    }

    private static Path copied(String name) {
        try (InputStream in = DemoCommand.class.getResourceAsStream("demo/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the demo's " + name + " is missing from this build");
            }
            Path folder = Files.createTempDirectory("weir-demo");
            Path copy = folder.resolve(name);
            Files.copy(in, copy);
            folder.toFile().deleteOnExit();
            copy.toFile().deleteOnExit();
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
