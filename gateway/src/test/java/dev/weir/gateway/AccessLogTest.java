package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policyfile.GatewaySettings;
import io.vertx.core.MultiMap;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class AccessLogTest {

    private static CallRecord record(String target, String referer, String userAgent) {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap().set("Host", "a");
        if (referer != null) {
            fields.set("Referer", referer);
        }
        if (userAgent != null) {
            fields.set("User-Agent", userAgent);
        }
        CallRecord call = new CallRecord(
                "id-1", "10.0.0.1", true, "1.2.3.4", "https", "GET", target, "h2", 0, 1_773_479_405_123L, fields);
        call.status = 200;
        call.bodyBytes = 5;
        call.durationNanos = 1_234_567;
        call.ended = CallRecord.Ended.CLIENT_LEFT;
        return call;
    }

    @Test
    void aJsonLineIsOneObjectWhateverItTells() {
        String nasty = "\"\\\r\n\t\u0000\u007f\u00e9\u2028</script>";
        String line = AccessLog.json(record("/x?" + nasty, nasty, null));
        assertThat(line.lines()).hasSize(1);
        JsonNode object = new ObjectMapper().readTree(line);
        assertThat(object.get("time").asString()).isEqualTo("2026-03-14T09:10:05.123Z");
        assertThat(object.get("target").asString()).isEqualTo("/x?" + nasty);
        assertThat(object.get("referer").asString()).isEqualTo(nasty);
        assertThat(object.get("user_agent").isNull()).isTrue();
        assertThat(object.get("limit").isNull()).isTrue();
        assertThat(object.get("ended").asString()).isEqualTo("client-left");
        assertThat(object.get("duration_us").asLong()).isEqualTo(1_234);
        assertThat(object.get("protocol").asString()).isEqualTo("h2");
    }

    @Test
    void aCombinedLineCannotBeForged() {
        assertThat(AccessLog.combined(record("/x", null, "")))
                .isEqualTo("1.2.3.4 - - [14/Mar/2026:09:10:05 +0000] \"GET /x HTTP/2.0\" 200 5 \"-\" \"-\"");
        assertThat(AccessLog.combined(record("/x\"\\", "b\r\nc", "d\u007f\u0000 e")))
                .isEqualTo(
                        "1.2.3.4 - - [14/Mar/2026:09:10:05 +0000] \"GET /x\\\"\\\\ HTTP/2.0\" 200 5 \"b\\x0d\\x0ac\" \"d\\x7f\\x00 e\"");
    }

    @Test
    void aFirstLineThatCouldNotBeReadIsNotTold() {
        CallRecord call = new CallRecord(
                "id-1",
                "10.0.0.1",
                false,
                "10.0.0.1",
                "http",
                null,
                null,
                null,
                0,
                1_773_479_405_123L,
                MultiMap.caseInsensitiveMultiMap());
        call.status = 400;

        assertThat(AccessLog.combined(call))
                .isEqualTo("10.0.0.1 - - [14/Mar/2026:09:10:05 +0000] \"-\" 400 0 \"-\" \"-\"");
        assertThat(AccessLog.json(call)).contains("\"method\":null,\"target\":null,\"protocol\":null");
    }

    @Test
    void linesAreWrittenInOrderAndAllBeforeItIsClosed() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (AccessLog log = new AccessLog(new PrintStream(out, true, UTF_8))) {
            for (int line = 0; line < 5_000; line++) {
                log.add(GatewaySettings.AccessLog.COMBINED, record("/" + line, null, null));
                log.add(GatewaySettings.AccessLog.OFF, record("/never", null, null));
            }
            assertThat(log.dropped()).isZero();
        }
        List<String> lines = out.toString(UTF_8).lines().toList();
        assertThat(lines).hasSize(5_000);
        for (int line = 0; line < lines.size(); line++) {
            assertThat(lines.get(line)).contains("\"GET /" + line + " HTTP");
        }
    }
}
