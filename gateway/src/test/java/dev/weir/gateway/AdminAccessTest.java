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

/** Tokens, and what they are good for. */
class AdminAccessTest {

    private static final String SETTINGS =
            "{ address: \"127.0.0.1:0\", read-token: \"${READ}\", write-token: \"${WRITE}\" }";
    private static final String READ = "Bearer " + AdminSetting.READ;
    private static final String WRITE = "Bearer " + AdminSetting.WRITE;

    @TempDir
    Path folder;

    private AdminSetting setting;

    @BeforeEach
    void start() throws IOException, GatewayException {
        setting = new AdminSetting(folder, SETTINGS);
    }

    @AfterEach
    void stop() {
        setting.close();
    }

    private int status(String method, String path, String... fields) throws IOException, InterruptedException {
        return setting.ask(method, path, fields).statusCode();
    }

    @Test
    void readsNeedTheReadTokenOrTheWriteToken() throws Exception {
        HttpResponse<String> without = setting.get("/limits");

        assertThat(without.statusCode()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(status("GET", "/limits", "Authorization", READ)).isEqualTo(200);
        assertThat(status("GET", "/limits", "Authorization", WRITE)).isEqualTo(200);
        assertThat(status("GET", "/limits", "Authorization", "Bearer other")).isEqualTo(401);
        assertThat(status("GET", "/metrics")).isEqualTo(401);
        assertThat(status("GET", "/openapi.json")).isEqualTo(401);
    }

    @Test
    void loadBalancersNeedNoToken() throws Exception {
        assertThat(status("GET", "/healthz")).isEqualTo(200);
        assertThat(status("GET", "/readyz")).isEqualTo(200);
    }

    @Test
    void changesNeedTheWriteTokenAndNoBrowser() throws Exception {
        assertThat(status("POST", "/reload")).isEqualTo(401);
        assertThat(status("POST", "/reload", "Authorization", READ)).isEqualTo(401);
        assertThat(status("POST", "/reload", "Authorization", WRITE, "Origin", "http://evil.example"))
                .isEqualTo(403);
        assertThat(status("POST", "/reload", "Authorization", WRITE)).isEqualTo(200);
    }

    @Test
    void aReloadTellsWhatItDidAndThePolicyWhatItIs() throws Exception {
        setting.write("limits: { partners: { key: header:X-Api-Key, rate: 5/h } }\n", SETTINGS);

        JsonNode done = AdminSetting.json(setting.ask("POST", "/reload", "Authorization", WRITE));
        JsonNode policy = AdminSetting.json(setting.ask("GET", "/policy", "Authorization", READ));

        assertThat(done.get("changes").get("kept").get(0).asString()).isEqualTo("partners");
        assertThat(policy.get("version").asInt()).isGreaterThan(1);
        assertThat(policy.get("hash").asString()).startsWith("sha256:");
        assertThat(policy.get("previous").get("version").asInt())
                .isEqualTo(policy.get("version").asInt() - 1);
    }

    @Test
    void aFileWithErrorsIsRefusedWithAllOfThem() throws Exception {
        setting.write("limits: { partners: { key: nothing, rate: often } }\n", SETTINGS);

        HttpResponse<String> refused = setting.ask("POST", "/reload", "Authorization", WRITE);

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(AdminSetting.json(refused).get("errors")).hasSize(2);
    }
}
