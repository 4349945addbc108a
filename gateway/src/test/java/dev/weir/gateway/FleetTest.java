package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several gateways and one real store. */
class FleetTest {

    private final HttpClient client = HttpClient.newHttpClient();

    private static String sections(RedisServer redis, String limit) {
        return "store: { redis: { url: \"" + redis.url() + "\", timeout: 500ms } }\nlimits:\n  shared: { " + limit
                + " }";
    }

    private HttpResponse<String> call(GatewayFixture gateway, String key) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"))
                        .header("X-Api-Key", key)
                        .header("X-Weir-Debug", "1")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void untilConnected(GatewayFixture gateway) {
        Eventually.holds("three instances are heard of", () -> {
            try {
                return gateway.metrics().contains("weir_fleet_instances 3.0");
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    void threeGatewaysGrantFiveOfSixCalls() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ScriptedUpstream upstream = ScriptedUpstream.obliging()) {
            String sections = sections(redis, "key: header:X-Api-Key, rate: 5/h");
            try (GatewayFixture one = GatewayFixture.before(upstream, sections);
                    GatewayFixture two = GatewayFixture.before(upstream, sections);
                    GatewayFixture three = GatewayFixture.before(upstream, sections)) {
                List<GatewayFixture> gateways = List.of(one, two, three);
                gateways.forEach(FleetTest::untilConnected);
                List<Integer> statuses = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    statuses.add(call(gateways.get(i % 3), "A").statusCode());
                }
                assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429);
                HttpResponse<String> other = call(one, "B");
                assertThat(other.statusCode()).isEqualTo(200);
                assertThat(other.headers().firstValue("RateLimit").orElse("")).startsWith("\"shared\";r=4");
                assertThat(one.metrics())
                        .contains("weir_store_state{state=\"closed\",store=\"redis\"} 1.0")
                        .contains("weir_limit_charges_total{limit=\"shared\",result=\"granted\",scope=\"fleet\"} 3.0");
            }
        }
    }

    @Test
    void whatIsChangedOnOneGatewayIsInForceOnAll() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ScriptedUpstream upstream = ScriptedUpstream.obliging()) {
            String sections = sections(redis, "key: header:X-Api-Key, rate: 5/h");
            try (GatewayFixture one = GatewayFixture.before(upstream, sections);
                    GatewayFixture two = GatewayFixture.before(upstream, sections);
                    GatewayFixture three = GatewayFixture.before(upstream, sections)) {
                List.of(one, two, three).forEach(FleetTest::untilConnected);
                assertThat(change(one, "PUT", "/overrides/shared/rate?value=2/h&why=drill"))
                        .isEqualTo(200);
                assertThat(call(one, "A").statusCode()).isEqualTo(200);
                Eventually.holds(
                        "the others have heard",
                        () -> limits(two).contains("2/h") && limits(three).contains("2/h"));
                assertThat(call(two, "A").statusCode()).isEqualTo(200);
                assertThat(call(three, "A").statusCode()).isEqualTo(429);
                assertThat(change(three, "DELETE", "/overrides/shared/rate")).isEqualTo(200);
                Eventually.holds("the file decides again", () -> limits(one).contains("5/h"));
                assertThat(call(one, "A").statusCode()).isEqualTo(200);
            }
        }
    }

    private int change(GatewayFixture gateway, String method, String path) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(gateway.adminAddress() + path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .header("Authorization", "Bearer " + GatewayFixture.WRITE_TOKEN)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private String limits(GatewayFixture gateway) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "/limits"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutItsStoreALimitDecidesByItsChoice() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ScriptedUpstream upstream = ScriptedUpstream.obliging()) {
            redis.kill();
            try (GatewayFixture open =
                            GatewayFixture.before(upstream, sections(redis, "key: header:X-Api-Key, rate: 1/h"));
                    GatewayFixture closed = GatewayFixture.before(
                            upstream, sections(redis, "key: header:X-Api-Key, rate: 1/h, on-store-failure: closed"));
                    GatewayFixture local = GatewayFixture.before(
                            upstream, sections(redis, "key: header:X-Api-Key, rate: 1/h, on-store-failure: local"))) {
                assertThat(call(open, "A").statusCode()).isEqualTo(200);
                assertThat(call(open, "A").statusCode()).isEqualTo(200);
                assertThat(call(closed, "A").statusCode()).isEqualTo(503);
                assertThat(call(local, "A").statusCode()).isEqualTo(200);
                assertThat(call(local, "A").statusCode()).isEqualTo(429);
                open.awaitLines(2, "\"without_store\":true");
                closed.awaitLines(1, "\"reason\":\"store-away\"");
                assertThat(open.events()).anyMatch(event -> event.contains("the store gave no answer"));
            }
        }
    }
}
