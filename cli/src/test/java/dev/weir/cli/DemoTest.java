package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.Gateway;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the demo prints to try, tried on the demo's own policy and service, on ports of their own. */
class DemoTest {

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private Gateway gateway;
    private int servicePort;

    @BeforeEach
    void start() throws Exception {
        servicePort = SampleService.start(vertx, 0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS)
                .actualPort();
        Path policy = folder.resolve("gateway.yaml");
        Files.writeString(
                policy,
                demoPolicy()
                        .replace("127.0.0.1:8080", "127.0.0.1:0")
                        .replace("127.0.0.1:9090", "127.0.0.1:0")
                        .replace("127.0.0.1:8081", "127.0.0.1:" + servicePort));
        gateway = Gateway.start(
                policy,
                Map.of("WEIR_DEMO_SECRET", "a secret of sixteen", "WEIR_DEMO_TOKEN", "a token of sixteen!"),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                events::add);
    }

    @AfterEach
    void stop() throws Exception {
        gateway.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static String demoPolicy() throws IOException {
        try (InputStream in = DemoCommand.class.getResourceAsStream("demo/gateway.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void onePartnerUsesItsShareAndAnotherIsNotTouched() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        HttpResponse<String> last = get("/trees", "A");
        for (int call = 1; call <= 8; call++) {
            statuses.add(last.statusCode());
            last = get("/trees", "A");
        }

        assertThat(statuses.subList(0, 5)).containsOnly(200);
        assertThat(statuses).contains(429);
        assertThat(last.statusCode()).isEqualTo(429);
        assertThat(last.headers().firstValue("Retry-After")).contains("1");
        assertThat(last.body()).contains("quota-exceeded", "\"violated-policies\":[\"partners\"]");
        HttpResponse<String> other = get("/trees", "B");
        assertThat(other.statusCode()).isEqualTo(200);
        assertThat(other.headers().firstValue("RateLimit").orElse("")).startsWith("\"partners\";r=4;");
    }

    @Test
    void onlyWrongPasswordsCountAndTheGuesserIsNotToldByWhat() throws Exception {
        for (int attempt = 1; attempt <= 8; attempt++) {
            assertThat(logIn("orchard").statusCode()).isEqualTo(200);
        }
        for (int attempt = 1; attempt <= 5; attempt++) {
            assertThat(logIn("pear").statusCode()).isEqualTo(401);
        }
        HttpResponse<String> sixth = logIn("pear");
        assertThat(sixth.statusCode()).isEqualTo(429);
        assertThat(sixth.body()).isEmpty();
        assertThat(sixth.headers().map()).doesNotContainKeys("retry-after", "ratelimit", "ratelimit-policy");
    }

    @Test
    void whyIsAnsweredToATrustedPeer() throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri("/trees"))
                        .header("X-Api-Key", "D")
                        .header("X-Weir-Debug", "1")
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("X-Weir-Debug").orElse(""))
                .startsWith("admitted; id=")
                .contains("partners granted key=sha256:", "left=4 of=5");
    }

    private HttpResponse<String> get(String path, String key) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri(path)).header("X-Api-Key", key).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> logIn(String password) throws Exception {
        return client.send(
                HttpRequest.newBuilder(uri("/login"))
                        .POST(BodyPublishers.ofString("password=" + password))
                        .build(),
                BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create(gateway.address() + path);
    }
}
