package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The OpenAPI file tells what the admin port does, no more and no less. */
class OpenApiTest {

    private static final String SETTINGS = "{ address: \"127.0.0.1:0\", write-token: \"${WRITE}\" }";
    private static final String[] TOKEN = {"Authorization", "Bearer " + AdminSetting.WRITE};

    @TempDir
    Path folder;

    private AdminSetting setting;
    private JsonNode document;

    @BeforeEach
    void start() throws IOException, GatewayException, InterruptedException {
        setting = new AdminSetting(folder, SETTINGS);
        document = setting.json("/openapi.json");
        setting.call("/trees", "a");
        setting.call("/trees", "a");
        setting.call("/trees", "a");
    }

    @AfterEach
    void stop() {
        setting.close();
    }

    @Test
    void theFileListsWhatIsServedWithItsParameters() {
        Map<String, Set<String>> served = new TreeMap<>();
        for (Endpoint endpoint : setting.gateway.adminEndpoints()) {
            served.put(endpoint.method() + " " + endpoint.path(), new TreeSet<>(endpoint.parameters()));
        }
        Map<String, Set<String>> listed = new TreeMap<>();
        document.get("paths")
                .propertyStream()
                .forEach(path -> path.getValue()
                        .propertyStream()
                        .forEach(operation -> listed.put(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                queryParameters(operation.getValue()))));

        assertThat(listed).isEqualTo(served);
    }

    private static Set<String> queryParameters(JsonNode operation) {
        return operation
                .path("parameters")
                .valueStream()
                .filter(parameter -> parameter.get("in").asString().equals("query"))
                .map(parameter -> parameter.get("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /healthz, /healthz, 200",
        "GET, /healthz, /healthz?x=1, 400",
        "GET, /readyz, /readyz, 200",
        "GET, /policy, /policy, 200",
        "GET, /gates, /gates, 200",
        "GET, /limits, /limits, 200",
        "GET, /gates, /gates, 200",
        "GET, /outbound, /outbound, 200",
        "GET, /store, /store, 404",
        "GET, /instances, /instances, 404",
        "GET, /limits/{name}/keys, /limits/partners/keys, 200",
        "GET, /limits/{name}/keys, /limits/none/keys, 404",
        "GET, /keys/{key}, /keys/a, 200",
        "GET, /decisions, /decisions, 200",
        "GET, /shadow, /shadow, 200",
        "PUT, /overrides/{limit}/{field}, /overrides/partners/rate?value=7/h&why=test, 200",
        "PUT, /overrides/{limit}/{field}, /overrides/partners/rate?value=7&why=test, 400",
        "DELETE, /overrides/{limit}/{field}, /overrides/partners/rate, 200",
        "DELETE, /keys/{key}, /keys/a, 503",
        "GET, /overrides, /overrides, 200",
        "GET, /audit, /audit, 200",
        "POST, /reload, /reload, 200",
        "GET, /openapi.json, /openapi.json, 200",
    })
    void answersAreAsTheFileSays(String method, String path, String asked, int status) throws Exception {
        HttpResponse<String> answer = setting.ask(method, asked, TOKEN);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertFits(method, path, answer);
    }

    @Test
    void refusedChangesAreAsTheFileSays() throws Exception {
        assertFits("POST", "/reload", setting.ask("POST", "/reload"));
        setting.write("limits: { partners: { key: nothing } }\n", SETTINGS);
        HttpResponse<String> refused = setting.ask("POST", "/reload", TOKEN);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertFits("POST", "/reload", refused);
    }

    private void assertFits(String method, String path, HttpResponse<String> answer) {
        JsonNode response = document.get("paths")
                .get(path)
                .get(method.toLowerCase(Locale.ROOT))
                .get("responses")
                .get(String.valueOf(answer.statusCode()));
        if (response.has("$ref")) {
            response = document.at(response.get("$ref").asString().substring(1));
        }
        JsonNode content = response.get("content")
                .get(answer.headers().firstValue("Content-Type").orElseThrow());
        assertThat(new Schemas(document).problems(content.get("schema"), AdminSetting.json(answer)))
                .isEmpty();
    }
}
