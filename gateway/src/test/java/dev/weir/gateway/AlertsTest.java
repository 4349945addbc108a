package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The alert rules speak of metrics and labels that there are, and tell people what to do. */
class AlertsTest {

    private static final Pattern METRIC = Pattern.compile("weir_[a-z_]+");
    private static final Pattern ROW = Pattern.compile("\\| `(weir_[a-z_]+)` \\|([^|]*)\\|.*");
    private static final Pattern LABEL = Pattern.compile("\\$labels\\.([a-z_]+)");

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, Object> file =
                (Map<String, Object>) new Load(LoadSettings.builder().build())
                        .loadFromString(Files.readString(Path.of("alerts/weir.rules.yaml")));
        List<Map<String, Object>> groups = (List<Map<String, Object>>) file.get("groups");
        return (List<Map<String, Object>>) groups.get(0).get("rules");
    }

    private static Map<String, String> listed() throws IOException {
        Map<String, String> listed = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/operations.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                listed.put(row.group(1), row.group(2));
            }
        }
        return listed;
    }

    @Test
    void everyMetricOfARuleIsInTheManual() throws IOException {
        Set<String> known = listed().keySet();
        for (Map<String, Object> rule : rules()) {
            Set<String> used = new TreeSet<>();
            Matcher metric = METRIC.matcher((String) rule.get("expr"));
            while (metric.find()) {
                used.add(metric.group().replaceAll("_seconds_(bucket|count|sum)$", "_seconds"));
            }
            assertThat(used).as("metrics of %s", rule.get("alert")).isNotEmpty();
            assertThat(known).as("the manual").containsAll(used);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void everyRuleTellsPeopleWhatItMeans() throws IOException {
        List<Map<String, Object>> rules = rules();
        assertThat(rules).hasSizeGreaterThan(5);
        assertThat(rules.stream().map(rule -> rule.get("alert"))).doesNotHaveDuplicates();
        for (Map<String, Object> rule : rules) {
            Map<String, String> annotations = (Map<String, String>) rule.get("annotations");
            assertThat(annotations).containsOnlyKeys("summary", "description");
            assertThat((Map<String, String>) rule.get("labels")).containsKey("severity");
            Matcher label = LABEL.matcher(annotations.get("summary"));
            while (label.find()) {
                String name = label.group(1);
                assertThat(listed().entrySet().stream()
                                .filter(row -> ((String) rule.get("expr")).contains(row.getKey()))
                                .anyMatch(row -> row.getValue().contains(name)))
                        .as("%s is a label of what %s looks at", name, rule.get("alert"))
                        .isTrue();
            }
        }
    }
}
