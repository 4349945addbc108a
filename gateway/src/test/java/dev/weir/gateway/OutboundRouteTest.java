package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An upstream that is asked as a dependency of the policy. */
@Timeout(120)
class OutboundRouteTest {

    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private static String answer(int status, String... fields) {
        return "HTTP/1.1 " + status + " Said\r\n" + String.join("", fields) + "Content-Length: 2\r\n\r\nok";
    }

    private static JsonNode dependency(GatewayFixture gateway) throws Exception {
        return JsonMapper.shared()
                .readTree(gateway.admin("/outbound"))
                .get("dependencies")
                .get(0);
    }

    @Test
    void anUpstreamThatSaysWhenIsNotAskedBefore() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (ScriptedUpstream upstream = ScriptedUpstream.doing(connection -> {
                    while (connection.request() != null) {
                        asked.incrementAndGet();
                        connection.send(answer(429, "Retry-After: 600\r\n"));
                    }
                });
                GatewayFixture gateway = GatewayFixture.asking(
                        upstream, "pay", "outbound: { pay: { max-wait: 1ms, max-pause: 1h, timeout: 5s } }");
                RawClient client = gateway.client()) {
            assertThat(client.send(GET).answer().status()).isEqualTo(429);
            Message refused = client.send(GET).answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(Long.parseLong(refused.head().field("retry-after").orElseThrow()))
                    .isBetween(590L, 1400L);
            assertThat(asked.get()).isEqualTo(1);
            assertThat(dependency(gateway).get("paused_ms").asLong()).isPositive();
            assertThat(dependency(gateway).get("refusals").get("paused").asLong())
                    .isEqualTo(1);
            assertThat(gateway.metrics())
                    .contains("weir_outbound_refusals_total{dependency=\"pay\",reason=\"paused\"} 1.0")
                    .contains("weir_outbound_attempts_total{dependency=\"pay\"} 1.0")
                    .contains("weir_permits_leaked_total 0.0");
        }
    }

    @Test
    void noMoreIsUnderWayThanAllowedAndALeaverFreesItsSlot() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.doing(connection -> {
                    connection.request();
                    connection.awaitClosed();
                });
                GatewayFixture gateway =
                        GatewayFixture.asking(upstream, "pay", "outbound: { pay: { in-flight: 1, timeout: 60s } }");
                RawClient other = gateway.client()) {
            try (RawClient first = gateway.client()) {
                first.send(GET);
                upstream.next();
                assertThat(other.send(GET).answer().status()).isEqualTo(503);
            }
            Eventually.holds("the slot is free", () -> inFlight(gateway) == 0);
            assertThat(dependency(gateway).get("answers").get("ignored").asLong())
                    .isEqualTo(1);
        }
    }

    private static long inFlight(GatewayFixture gateway) {
        try {
            return dependency(gateway).get("in_flight").asLong();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCallThatIsNotSentIsNotCharged() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.answering(answer(503, "Retry-After: 600\r\n"));
                GatewayFixture gateway = GatewayFixture.asking(
                        upstream,
                        "pay",
                        "limits: { all: { key: all, rate: 1/h, burst: 2 } }\noutbound: { pay: { max-wait: 1ms, timeout: 5s } }");
                RawClient client = gateway.client()) {
            assertThat(client.send(GET).answer().status()).isEqualTo(503);
            for (int call = 0; call < 5; call++) {
                Message refused = client.send(GET).answer();
                assertThat(refused.status()).as("never 429").isEqualTo(503);
            }
            assertThat(upstream.next()).isNotNull();
            assertThat(upstream.waiting()).isZero();
        }
    }

    @Test
    void callsWaitForTheirTurn() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.obliging();
                GatewayFixture gateway = GatewayFixture.asking(
                        upstream,
                        "pay",
                        "outbound: { pay: { rate: 20/s, pacing: smooth, max-wait: 30s, timeout: 60s } }")) {
            List<RawClient> clients = List.of(gateway.client(), gateway.client(), gateway.client());
            for (RawClient client : clients) {
                client.send(GET);
            }
            for (RawClient client : clients) {
                assertThat(client.answer().status()).isEqualTo(200);
                client.close();
            }
            assertThat(dependency(gateway).get("refusals").get("rate").asLong()).isZero();
            assertThat(dependency(gateway).get("attempts").asLong()).isEqualTo(3);
        }
    }
}
