package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
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
}
