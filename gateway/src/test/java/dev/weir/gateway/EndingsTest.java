package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * However calls end, nothing of them is left: no place in a limit, no connection, no file. {@code -Dweir.endings=N} makes it N calls
 * instead of {@value #CALLS}.
 */
class EndingsTest {

    private static final int CALLS = 500;
    private static final int CLIENTS = 8;
    private static final int PLACES = 24;

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = MoodyUpstream.start();
        gateway = GatewayFixture.before(
                upstream, "limits: { some: { key: all, in-flight: " + PLACES + " } }", "response: 200ms, idle: 200ms");
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void nothingIsLeftOfCallsHoweverTheyEnd() throws Exception {
        int calls = Integer.getInteger("weir.endings", CALLS);
        long seed = Long.getLong("weir.seed", new Random().nextLong());
        System.out.println("EndingsTest: -Dseed=" + seed);
        end(CLIENTS * 10, seed + 1); // what is made once, is made here
        awaitAllOver(CLIENTS * 10);
        long filesBefore = openFiles();
        end(calls, seed);
        awaitAllOver(CLIENTS * 10 + calls);
        Eventually.holds(
                "no client's connection is left", () -> gateway.metrics().contains("weir_gateway_connections 0.0"));
        assertThat(upstream.open()).as("idle connections to the upstream").isLessThanOrEqualTo(PLACES);
        Eventually.holds("no files are left", () -> openFiles() <= filesBefore + 2 * CLIENTS);
        assertAllPlacesAreFree();
    }

    private void awaitAllOver(int calls) {
        gateway.awaitLines(calls, "\"target\":");
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private void end(int calls, long seed) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(seed * CLIENTS + client);
                int share = calls / CLIENTS + (client < calls % CLIENTS ? 1 : 0);
                work.add(() -> {
                    for (int call = 0; call < share; call++) {
                        end(random);
                    }
                    return null;
                });
            }
            for (Future<Void> done : clients.invokeAll(work)) {
                done.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** One call, on a connection of its own. */
    private void end(Random random) throws IOException {
        try (RawClient client = gateway.client()) {
            switch (random.nextInt(12)) {
                case 0 -> client.send(get("/silent")).reset();
                case 1 -> client.send(get("/silent")).halfClose();
                case 2 -> client.send(get("/silent")).close();
                case 3 -> headOf(client, "/events").reset();
                case 4 -> headOf(client, "/stall").close();
                case 5 -> headOf(client, "/flood").reset();
                case 6 -> client.send(get("/ws")).head();
                case 7 ->
                    client.send("POST /ok HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello")
                            .head();
                case 8 ->
                    client.send("POST /silent HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello")
                            .reset();
                case 9 -> client.send(get("/silent")).head();
                case 10 ->
                    client.send(get(pick(random, "/cut", "/cut-chunks", "/reset-chunks", "/broken-chunks")))
                            .isClosedNext();
                default ->
                    client.send(get(pick(random, "/ok", "/no-answer", "/reset", "/garbage", "/half-a-head")))
                            .answer();
            }
        }
    }

    private static String pick(Random random, String... paths) {
        return paths[random.nextInt(paths.length)];
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private static RawClient headOf(RawClient client, String path) throws IOException {
        client.send(get(path)).head();
        return client;
    }

    private void assertAllPlacesAreFree() throws IOException {
        List<RawClient> holders = new ArrayList<>();
        try {
            for (int place = 0; place < PLACES; place++) {
                RawClient holder = gateway.client();
                holders.add(holder);
                assertThat(holder.send(get("/events")).head().status()).isEqualTo(200);
            }
            try (RawClient oneMore = gateway.client()) {
                assertThat(oneMore.send(get("/ok")).answer().status()).isEqualTo(429);
            }
        } finally {
            holders.forEach(RawClient::close);
        }
    }
}
