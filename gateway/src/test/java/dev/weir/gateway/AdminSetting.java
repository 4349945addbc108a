package dev.weir.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway before a service that answers everything, and how an operator asks it. */
final class AdminSetting implements AutoCloseable {

    static final String READ = "read-me";
    static final String WRITE = "write-me";

    private static final String LIMITS = """
            limits:
              partners: { except: { path: /free }, key: header:X-Api-Key, rate: 1/h, burst: 2 }
              quiet: { key: header:X-Api-Key, rate: 1/h, burst: 1, mode: shadow }
              held: { key: header:X-Api-Key, in-flight: 50 }
            load:
              service: { concurrency: 100, signals: { p99: 2s, "pool:nowhere": 90% } }
            outbound:
              payments: { rate: 200/s, in-flight: 8, retry: { budget: 10% }, throttle: { k: 2 }, timeout: 2s }
            """;

    final Gateway gateway;
    final List<String> events = new CopyOnWriteArrayList<>();
    final Path policy;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer service;
    /** A call of /slow has reached the service. */
    final CountDownLatch slowIsThere = new CountDownLatch(1);
    /** Lets it be answered. */
    final CountDownLatch slowMayEnd = new CountDownLatch(1);

    /** In HTTP/1.1: Java 17's client gives up all its HTTP/2 calls when a server announces that it takes no more. */
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    AdminSetting(Path folder, String adminSettings) throws IOException, GatewayException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        service.createContext("/slow", exchange -> {
            slowIsThere.countDown();
            awaitUninterrupted(slowMayEnd);
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        service.setExecutor(threads);
        service.start();
        policy = folder.resolve("policy.yaml");
        write(LIMITS, adminSettings);
        gateway = Gateway.start(
                policy,
                Map.of("READ", READ, "WRITE", WRITE),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                events::add);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody answers at the upstream any more. */
    void stopService() {
        service.stop(0);
    }

    /** Writes the policy with other limits. */
    void write(String limits, String adminSettings) throws IOException {
        Files.writeString(
                policy,
                "weir: 1\n" + limits
                        + """
                gateway:
                  listen: 127.0.0.1:0
                  admin: %s
                  access-log: off
                  routes:
                    - match: { path: /** }
                      name: everything
                      upstream: { url: "http://127.0.0.1:%d", connect: 1s, response: 5s }
                """.formatted(adminSettings, service.getAddress().getPort()));
    }

    /** A call through the gateway; its status. */
    int call(String path, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path))
                .header("X-Api-Key", key)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** What the admin port answers, sent with fields in pairs. */
    HttpResponse<String> ask(String method, String path, String... fields) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminPort() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return ask("GET", path);
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return json(get(path));
    }

    static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    @Override
    public void close() {
        gateway.close();
        service.stop(0);
        threads.shutdownNow();
    }
}
