package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What this process can carry, over sockets: who waits, who is refused, who is served cheaper, and what is told onwards. */
class GateTest {

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;

    @BeforeEach
    void start() throws Exception {
        upstream = MoodyUpstream.start();
    }

    @AfterEach
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
        upstream.close();
    }

    private void gate(String fields, String... sections) throws Exception {
        gateway = GatewayFixture.before(
                upstream,
                "load: { service: { " + fields + " } }\n" + String.join("\n", sections),
                "response: 30s, idle: 30s");
    }

    private static String get(String path, String... fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + lines(fields) + "\r\n";
    }

    private static String lines(String... fields) {
        StringBuilder lines = new StringBuilder();
        for (String field : fields) {
            lines.append(field).append("\r\n");
        }
        return lines.toString();
    }

    private RawClient hold(String path) throws IOException {
        RawClient holder = gateway.client().send(get(path));
        Eventually.holds("the call is there", () -> upstream.received().contains(path));
        return holder;
    }

    @Test
    void whoFindsTheGateFullIsToldWhenToComeBack() throws Exception {
        gate("concurrency: 1", "limits: { few: { key: all, rate: 2/h } }");
        try (RawClient holder = hold("/silent");
                RawClient next = gateway.client()) {
            Message refused = next.send(get("/ok")).answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(Integer.parseInt(refused.head().field("retry-after").orElseThrow()))
                    .isBetween(1, 60);
            assertThat(refused.head().field("cache-control")).contains("no-store");
            assertThat(refused.head().field("ratelimit"))
                    .as("of limits that were not asked")
                    .isEmpty();
            assertThat(refused.text()).contains("#temporary-reduced-capacity", "\"reason\":\"full\"");
            holder.reset();
            Eventually.holds("the upstream is free", () -> upstream.open() == 0);
            assertThat(next.send(get("/ok")).answer().status())
                    .as("the refusal was not charged")
                    .isEqualTo(200);
        }
        gateway.awaitLines(1, "\"reason\":\"full\"");
    }

    private static final String REPORTS_ARE_SHEDDABLE =
            "criticality: { default: critical, rules: [ { match: { path: /stall }, is: sheddable } ] }";

    private List<RawClient> holdAll(String path, int count) throws IOException {
        List<RawClient> holders = new ArrayList<>();
        for (int held = 0; held < count; held++) {
            holders.add(gateway.client().send(get(path)));
        }
        Eventually.holds("the calls are there", () -> calls(path) == count);
        return holders;
    }

    private long calls(String path) {
        return upstream.received()
                .lines()
                .filter(line -> line.startsWith("GET " + path + " "))
                .count();
    }

    /** Eight in flight, the last two slots for critical calls, and everybody within the quota. */
    @Test
    void theLastSlotsAreForCriticalCalls() throws Exception {
        gate(
                "concurrency: 8, shed: { sheddable: 75% }",
                REPORTS_ARE_SHEDDABLE, "limits: { quota: { key: all, rate: 9/h } }");
        List<RawClient> holders = holdAll("/stall", 6);
        try (RawClient next = gateway.client()) {
            Message report = next.send(get("/stall")).answer();
            assertThat(report.status()).isEqualTo(503);
            assertThat(Integer.parseInt(report.head().field("retry-after").orElseThrow()))
                    .isBetween(1, 3);
            assertThat(report.text()).contains("#temporary-reduced-capacity", "\"reason\":\"shed\"");
            holders.addAll(holdAll("/silent", 2));
            assertThat(next.send(get("/silent")).answer().status()).isEqualTo(503);
            holders.forEach(RawClient::close);
            Eventually.holds("all is free", () -> upstream.open() == 0);
            assertThat(next.send(get("/ok")).answer().status())
                    .as("neither refusal was charged")
                    .isEqualTo(200);
            assertThat(next.send(get("/ok")).answer().status()).isEqualTo(429);
        }
    }

    @Test
    void theReserveIsNoCap() throws Exception {
        gate("concurrency: 8, shed: { sheddable: 75% }", REPORTS_ARE_SHEDDABLE);
        holdAll("/silent", 8).forEach(RawClient::close);
    }

    @Test
    void aWaitingCallIsServedWhenASlotIsFree() throws Exception {
        gate("concurrency: 1, queue: { size: 2, max-wait: 30s }");
        try (RawClient holder = hold("/silent");
                RawClient waiting = gateway.client()) {
            waiting.send(get("/ok"));
            Eventually.holds(
                    "it waits", () -> gateway.metrics().contains("weir_gate_queue{gate=\"service\",pool=\"all\"} 1.0"));
            holder.reset();
            assertThat(waiting.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aCallThatWaitsTooLongIsRefused() throws Exception {
        gate("concurrency: 1, queue: { size: 2, max-wait: 20ms }");
        try (RawClient holder = hold("/silent");
                RawClient waiting = gateway.client()) {
            Message refused = waiting.send(get("/ok")).answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("wait-exceeded");
            holder.reset();
        }
    }

    @Test
    void aClientThatLeavesWhileItWaitsLeavesItsPlace() throws Exception {
        gate("concurrency: 1, queue: { size: 1, max-wait: 30s }");
        try (RawClient holder = hold("/silent");
                RawClient leaving = gateway.client();
                RawClient next = gateway.client()) {
            leaving.send(get("/ok"));
            Eventually.holds(
                    "it waits", () -> gateway.metrics().contains("weir_gate_queue{gate=\"service\",pool=\"all\"} 1.0"));
            leaving.reset();
            Eventually.holds(
                    "it is gone",
                    () -> gateway.metrics().contains("weir_gate_queue{gate=\"service\",pool=\"all\"} 0.0"));
            gateway.awaitLines(1, "\"ended\":\"client-left\"");
            next.send(get("/ok"));
            holder.reset();
            assertThat(next.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aShortBodyThatComesSlowlyHoldsNoSlot() throws Exception {
        gate("concurrency: 1");
        try (RawClient slow = gateway.client();
                RawClient other = gateway.client()) {
            slow.send("POST /ok HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello");
            for (int i = 0; i < 3; i++) {
                assertThat(other.send(get("/ok")).answer().status()).isEqualTo(200);
            }
            slow.send("world");
            assertThat(slow.answer().status()).isEqualTo(200);
        }
        assertThat(upstream.received()).contains("helloworld");
    }

    @Test
    void aStreamHoldsItsSlotToItsEnd() throws Exception {
        gate("concurrency: 1");
        try (RawClient stream = gateway.client();
                RawClient other = gateway.client()) {
            stream.send(get("/events")).head();
            Eventually.holds("it is long", () -> gateway.metrics().contains("weir_gate_long{gate=\"service\"} 1.0"));
            assertThat(other.send(get("/ok")).answer().status()).isEqualTo(503);
            stream.reset();
            Eventually.holds("the upstream is free", () -> upstream.open() == 0);
            assertThat(other.send(get("/ok")).answer().status()).isEqualTo(200);
        }
    }

    @Test
    void healthChecksAreNeverHeldBack() throws Exception {
        gate("concurrency: 1", "exempt: { path: /ok }");
        try (RawClient holder = hold("/silent");
                RawClient check = gateway.client()) {
            assertThat(check.send(get("/ok")).answer().status()).isEqualTo(200);
            holder.reset();
        }
    }

    @Test
    void aShadowGateOnlySaysWhatItWouldHaveDone() throws Exception {
        gate("concurrency: 1, mode: shadow", "identity: { trusted-proxies: 127.0.0.1/32 }");
        try (RawClient holder = hold("/silent");
                RawClient next = gateway.client()) {
            Message answer = next.send(get("/ok", "X-Weir-Debug: 1")).answer();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.head().field("x-weir-debug").orElse("")).contains("gate service shadow refused=full");
            holder.reset();
        }
    }

    @Test
    void whatNeedsARouteThatIsOutIsRefusedBeforeItIsTried() throws Exception {
        gate("concurrency: 5, pools: { orders: { match: { path: /orders }, needs: all } }");
        upstream.close();
        try (RawClient client = gateway.client()) {
            assertThat(client.send(get("/ok")).answer().status()).isEqualTo(502);
            Eventually.holds("it is known to be out", () -> {
                Message answer = client.send(get("/orders")).answer();
                return answer.status() == 503 && answer.text().contains("dependency-out");
            });
        }
    }

    @Test
    void strangersDoNotSayHowTheirCallMatters() throws Exception {
        gate("concurrency: 5", "call: { criticality: header:X-Importance, deadline: header:X-Time-Left }");
        try (RawClient client = gateway.client()) {
            client.send(get(
                            "/ok",
                            "X-Importance: critical-plus",
                            "X-Time-Left: 5s",
                            "Weir-Degrade: stale",
                            "Weir-Attempt: 3"))
                    .answer();
        }
        assertThat(upstream.received())
                .contains("X-Importance: critical\r\n")
                .doesNotContain("critical-plus", "X-Time-Left", "Weir-Degrade", "Weir-Attempt");
    }

    @Test
    void whatATrustedPeerSaysTravelsOn() throws Exception {
        gate(
                "concurrency: 5",
                "identity: { trusted-proxies: 127.0.0.1/32 }",
                "call: { criticality: header:X-Importance, deadline: header:X-Time-Left }");
        try (RawClient client = gateway.client()) {
            client.send(get("/ok", "X-Importance: sheddable", "X-Time-Left: 20s", "Weir-Attempt: 3"))
                    .answer();
        }
        assertThat(upstream.received()).contains("X-Importance: sheddable\r\n", "Weir-Attempt: 3");
        assertThat(upstream.received()).containsPattern("X-Time-Left: (20000|1[0-9]{4})ms\r\n");
    }

    @Test
    void nobodyIsAskedForLongerThanTheCallerWaits() throws Exception {
        gate("concurrency: 5", "identity: { trusted-proxies: 127.0.0.1/32 }", "call: { deadline: header:X-Time-Left }");
        try (RawClient client = gateway.client()) {
            assertThat(client.send(get("/silent", "X-Time-Left: 300ms"))
                            .answer()
                            .status())
                    .isEqualTo(504);
        }
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
    }
}
