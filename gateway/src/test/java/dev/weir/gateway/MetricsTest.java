package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

    private static final Path LIST = Path.of("../docs/operations.md");
    private static final Pattern ROW = Pattern.compile("\\| `(weir_[a-z_]+)` \\|([^|]*)\\|.*");
    private static final Pattern SAMPLE = Pattern.compile("(weir_[a-z_]+)(\\{[^}]*\\})? .*");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"[^\"]*\"");

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

    private String metrics() throws IOException, InterruptedException {
        HttpResponse<String> answer = setting.get("/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void theManualListsWhatIsMeasuredWithItsLabels() throws Exception {
        Map<String, Set<String>> listed = new TreeMap<>();
        for (String line : Files.readAllLines(LIST)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Set<String> labels = new TreeSet<>(Set.of(row.group(2).trim().split(", *", -1)));
                labels.remove("");
                listed.put(row.group(1), labels);
            }
        }
        Map<String, Set<String>> measured = new TreeMap<>();
        measured(metrics(), measured);
        try (ScriptedUpstream upstream = ScriptedUpstream.obliging();
                GatewayFixture withStore = GatewayFixture.before(
                        upstream,
                        "store: { redis: { url: redis://127.0.0.1:1 } }\nlimits: { a: { key: client-ip, rate: 1/s } }")) {
            measured(withStore.metrics(), measured);
        }

        assertThat(listed).isEqualTo(measured);
    }

    private static void measured(String metrics, Map<String, Set<String>> measured) {
        for (String line : metrics.lines().toList()) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                // A histogram has three families of samples and, beside them, the longest of the last minutes.
                String name = sample.group(1).replaceAll("_seconds_(bucket|count|sum|max)$", "_seconds");
                Set<String> labels = measured.computeIfAbsent(name, added -> new TreeSet<>());
                Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
                while (label.find()) {
                    labels.add(label.group(1));
                }
                labels.remove("le");
            }
        }
    }

    @Test
    void everyCallIsCountedOnceByItsOutcome() throws Exception {
        setting.call("/trees", "a");
        setting.call("/trees", "a");
        setting.call("/trees", "a");

        assertThat(metrics())
                .contains("weir_decisions_total{outcome=\"admitted\",point=\"gateway\",reason=\"none\"} 2.0")
                .contains("weir_decisions_total{outcome=\"refused\",point=\"gateway\",reason=\"over-limit\"} 1.0")
                .contains("weir_decision_time_seconds_count{point=\"gateway\"} 3");
    }

    @Test
    void aLimitIsChargedOnlyForCallsThatWereLetIn() throws Exception {
        setting.call("/trees", "a");
        setting.call("/trees", "a");
        setting.call("/trees", "a");

        assertThat(metrics())
                .contains(charges("partners", "granted", 2))
                .contains(charges("partners", "refused", 1))
                .contains(charges("held", "granted", 2))
                .contains(charges("held", "refused", 0))
                .contains(charges("quiet", "granted", 1))
                .contains(charges("quiet", "shadow-refused", 2))
                .contains("weir_limit_keys{limit=\"partners\"} 1.0");
    }

    private static String charges(String limit, String result, int times) {
        return "weir_limit_charges_total{limit=\"" + limit + "\",result=\"" + result + "\",scope=\"instance\"} " + times
                + ".0";
    }

    @Test
    void whenAllCallsAreOverNothingIsHeld() throws Exception {
        setting.call("/trees", "a");

        assertThat(metrics())
                .contains("weir_permits_oldest_seconds 0.0")
                .contains("weir_permits_leaked_total 0.0")
                .contains("weir_gateway_inflight{route=\"everything\"} 0.0");
    }

    @Test
    void aLimitThatIsNoLongerThereIsNotShown() throws Exception {
        setting.write("limits: { other: { key: header:X-Api-Key, rate: 5/h } }\n", "127.0.0.1:0");
        setting.gateway.reload();

        assertThat(metrics())
                .contains("limit=\"other\"")
                .doesNotContain("limit=\"partners\"")
                .containsPattern("weir_policy_version [23]\\.0");
    }

    @Test
    void noKeyIsInAnyLabel() throws Exception {
        setting.call("/trees/secret-path", "secret-key");

        assertThat(metrics()).doesNotContain("secret");
    }
}
