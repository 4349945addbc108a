package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What operators are answered, and who is turned away. */
class AdminPortTest {

    @TempDir
    Path folder;

    private AdminSetting setting;

    @BeforeEach
    void start() throws IOException, GatewayException {
        setting = new AdminSetting(folder, "127.0.0.1:0");
    }

    @AfterEach
    void stop() {
        setting.close();
    }

    @Test
    void theGatewayIsHealthyAndReadyWhileItRuns() throws Exception {
        assertThat(setting.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(setting.get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void limitsAreToldWithWhatTheirTablesHold() throws Exception {
        setting.call("/trees", "a");
        setting.call("/trees", "b");

        JsonNode limits = setting.json("/limits");

        assertThat(limits.get("total").asInt()).isEqualTo(3);
        JsonNode partners = limits.get("limits").get(0);
        assertThat(partners.get("name").asString()).isEqualTo("partners");
        assertThat(partners.get("budget").asString()).isEqualTo("token-bucket 1/h burst 2");
        assertThat(partners.get("keys").asInt()).isEqualTo(2);
        assertThat(limits.get("limits").get(1).get("mode").asString()).isEqualTo("shadow");
    }

    @Test
    void aListIsToldInParts() throws Exception {
        JsonNode part = setting.json("/limits?offset=1&limit=1");

        assertThat(part.get("limits")).hasSize(1);
        assertThat(part.get("limits").get(0).get("name").asString()).isEqualTo("quiet");
    }

    @Test
    void metricsAreToldToPrometheus() throws Exception {
        setting.call("/trees", "a");

        HttpResponse<String> metrics = setting.get("/metrics");

        assertThat(metrics.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body())
                .contains("weir_limit_charges_total{limit=\"partners\",result=\"granted\",scope=\"instance\"} 1.0");
    }

    @Test
    void theBusiestKeysOfALimitAreToldAsHashes() throws Exception {
        setting.call("/trees", "often");
        setting.call("/trees", "often");
        setting.call("/trees", "often");
        setting.call("/trees", "seldom");

        HttpResponse<String> answer = setting.get("/limits/partners/keys?top=5");

        JsonNode first = AdminSetting.json(answer).get("keys").get(0);
        assertThat(first.get("key").asString()).isEqualTo(KeyAnswers.hashed("often"));
        assertThat(first.get("decisions").asInt()).isEqualTo(3);
        assertThat(first.get("refusals").asInt()).isEqualTo(1);
        assertThat(answer.body()).doesNotContain("often").doesNotContain("seldom");
    }

    @Test
    void aKeyIsFoundByItsTextAndByItsHash() throws Exception {
        setting.call("/trees", "a b/c");

        JsonNode byText = setting.json("/keys/a%20b%2Fc");
        JsonNode byHash = setting.json("/keys/" + KeyAnswers.hashed("a b/c"));

        assertThat(byText.get("named").asString()).isEqualTo("a b/c");
        assertThat(byText.get("limits").get(0).get("standing").get("remaining").asInt())
                .isEqualTo(1);
        assertThat(byHash.get("limits").get(0).get("standing").get("remaining").asInt())
                .isEqualTo(1);
        assertThat(byHash.has("named")).isFalse();
        assertThat(setting.get("/keys/" + KeyAnswers.hashed("nobody")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void askingAboutAKeyHoldsNone() throws Exception {
        setting.get("/keys/stranger");

        assertThat(setting.json("/limits").get("limits").get(0).get("keys").asInt())
                .isZero();
    }

    @Test
    void refusedCallsAreExplained() throws Exception {
        setting.call("/trees", "a");
        setting.call("/trees", "a");
        setting.call("/trees", "a");
        setting.call("/free", "a");

        JsonNode decisions =
                setting.json("/decisions?outcome=refused&limit=partners").get("decisions");

        assertThat(decisions).hasSize(1);
        JsonNode refused = decisions.get(0);
        assertThat(refused.get("reason").asString()).isEqualTo("over-limit");
        assertThat(refused.get("status").asInt()).isEqualTo(429);
        assertThat(refused.get("path").asString()).isEqualTo("/trees");
        assertThat(refused.get("limits").get(0).get("standing").get("remaining").asInt())
                .isZero();
        String id = refused.get("id").asString();
        assertThat(setting.json("/decisions?id=" + id).get("decisions")).hasSize(1);
        assertThat(setting.json("/decisions?top=2").get("decisions")).hasSize(2);
    }

    @Test
    void whatAShadowWouldHaveRefusedIsTold() throws Exception {
        setting.call("/trees", "a");
        setting.call("/trees", "a");

        JsonNode quiet = setting.json("/shadow").get("limits").get(0);

        assertThat(quiet.get("limit").asString()).isEqualTo("quiet");
        assertThat(quiet.get("judged").asInt()).isEqualTo(2);
        assertThat(quiet.get("would_have_refused").asInt()).isEqualTo(1);
        assertThat(quiet.get("confidence").get("share").asDouble()).isEqualTo(0.5);
        // One of two, as the interval's tables have it.
        assertThat(quiet.get("confidence").get("low").asDouble()).isCloseTo(0.0945, within(0.0001));
        assertThat(quiet.get("confidence").get("high").asDouble()).isCloseTo(0.9055, within(0.0001));
        assertThat(quiet.get("keys").asInt()).isEqualTo(1);
        assertThat(quiet.get("examples")).hasSize(1);
    }

    @Test
    void signalsOfAGateAreToldInTheirOwnUnits() throws Exception {
        setting.call("/trees", "a");

        JsonNode signals = setting.json("/gates").get("gates").get(0).get("signals");

        assertThat(signals.get(0).get("name").asString()).isEqualTo("p99");
        assertThat(signals.get(0).get("threshold").asDouble()).isEqualTo(2);
        assertThat(signals.get(0).get("value").asDouble()).isBetween(0.0, 2.0);
        assertThat(signals.get(0).get("above").asBoolean()).isFalse();
        assertThat(signals.get(1).get("name").asString()).isEqualTo("pool:nowhere");
        assertThat(signals.get(1).get("value").isNull()).isTrue();
        assertThat(setting.get("/metrics").body())
                .contains("weir_signal_threshold{gate=\"service\",signal=\"p99\"} 2.0")
                .contains("weir_signal{gate=\"service\",signal=\"pool:nowhere\"} NaN");
    }

    @Test
    void whatIsNotUnderstoodIsNamed() throws Exception {
        HttpResponse<String> unknown = setting.get("/limits?size=3");

        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(unknown.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(AdminSetting.json(unknown).get("detail").asString())
                .contains("size")
                .contains("known: limit, offset");
        assertThat(setting.get("/limits?limit=0").statusCode()).isEqualTo(400);
        assertThat(setting.get("/limits?limit=1&limit=2").statusCode()).isEqualTo(400);
        assertThat(setting.get("/decisions?outcome=maybe").statusCode()).isEqualTo(400);
        assertThat(setting.get("/limits/none/keys").statusCode()).isEqualTo(404);
        assertThat(setting.get("/nowhere").statusCode()).isEqualTo(404);
    }

    @Test
    void anotherMethodIsToldWhichAreAllowed() throws Exception {
        HttpResponse<String> answer = setting.ask("PUT", "/limits");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
        assertThat(setting.ask("GET", "/reload").headers().firstValue("Allow")).hasValue("POST");
    }

    @Test
    void headIsAnsweredLikeGetWithoutTheBody() throws Exception {
        HttpResponse<String> head = setting.ask("HEAD", "/limits");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void withoutAWriteTokenNothingCanBeChangedAndTheAnswerSaysHowToSetOne() throws Exception {
        HttpResponse<String> answer = setting.ask("POST", "/reload", "Authorization", "Bearer any");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(AdminSetting.json(answer).get("detail").asString()).contains("gateway.admin.write-token");
    }

    @Test
    void onlyNamesThatCannotBeOthersAreAnsweredTo() throws Exception {
        assertThat(statusForHost("localhost:1")).isEqualTo(200);
        assertThat(statusForHost("127.0.0.1")).isEqualTo(200);
        assertThat(statusForHost("[::1]:9090")).isEqualTo(200);
        assertThat(statusForHost("evil.example")).isEqualTo(421);
        assertThat(statusForHost("127.0.0.1.evil.example")).isEqualTo(421);
        assertThat(statusForHost("192.0.2.1")).isEqualTo(421);
    }

    private int statusForHost(String host) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), setting.gateway.adminPort())) {
            socket.getOutputStream()
                    .write(("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    @Test
    void anAddressThatIsTakenIsNamedAndNothingRuns() {
        assertThatThrownBy(() -> new AdminSetting(folder, "127.0.0.1:" + setting.gateway.adminPort()))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("gateway.admin: '127.0.0.1:" + setting.gateway.adminPort() + "' is taken");
    }
}
