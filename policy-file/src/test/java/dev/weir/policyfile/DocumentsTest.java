package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parser, schema and reference page know the same fields, and the committed files are what the definitions say. After a change of
 * {@link Definitions}, write the files anew with
 *
 * <pre>mvn -q test -pl policy-file -am -Dtest=DocumentsTest -Dsurefire.failIfNoSpecifiedTests=false -Dweir.docs=write</pre>
 */
class DocumentsTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final JsonNode SCHEMA = JsonMapper.shared().readTree(PolicySchema.json());

    @Test
    void theCommittedSchemaIsTheGeneratedOne() throws IOException {
        compare(DOCS.resolve("policy.schema.json"), PolicySchema.json());
    }

    @Test
    void theCommittedPageIsTheGeneratedOne() throws IOException {
        compare(DOCS.resolve("policy-reference.md"), PolicyReference.markdown());
    }

    private static void compare(Path file, String generated) throws IOException {
        if ("write".equals(System.getProperty("weir.docs"))) {
            Files.createDirectories(DOCS);
            Files.writeString(file, generated);
        }
        assertThat(file).content().isEqualTo(generated);
    }

    @Test
    void parserSchemaAndPageListTheSameFields() {
        Map<String, List<String>> defined = new LinkedHashMap<>();
        for (Shape.Group group : Sections.groups()) {
            defined.put(group.name(), group.fields().stream().map(Field::name).toList());
        }
        assertThat(inSchema()).isEqualTo(defined);
        assertThat(inPage()).isEqualTo(defined);
        assertThat(inParser()).isEqualTo(defined);
    }

    private static Map<String, List<String>> inSchema() {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        fields.put("policy", List.copyOf(SCHEMA.get("properties").propertyNames()));
        for (Map.Entry<String, JsonNode> group : SCHEMA.get("$defs").properties()) {
            fields.put(
                    group.getKey(),
                    List.copyOf(group.getValue().get("properties").propertyNames()));
        }
        return fields;
    }

    private static Map<String, List<String>> inPage() {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (String line : PolicyReference.markdown().lines().toList()) {
            Matcher heading = Pattern.compile("## (.+)").matcher(line);
            Matcher field = Pattern.compile("(?:\\| |- )`([a-z0-9-]+)`.*").matcher(line);
            if (heading.matches()) {
                names = new ArrayList<>();
                fields.put(heading.group(1), names);
            } else if (field.matches()) {
                names.add(field.group(1));
            }
        }
        fields.remove("Warnings");
        return fields;
    }

    /** What the parser itself says it knows where it meets a field that it does not. */
    private static Map<String, List<String>> inParser() {
        Map<String, String> places = new LinkedHashMap<>();
        places.put("policy", "X: 1");
        places.put("identity", "identity: { X: 1 }");
        places.put("call", "call: { X: 1 }");
        places.put("match", "exempt: { X: 1 }");
        places.put("plans", "plans: { X: 1 }");
        places.put("answers", "answers: { X: 1 }");
        places.put("dependency", "outbound: { a: { X: 1 } }");
        places.put("retry", "outbound: { a: { retry: { X: 1 } } }");
        places.put("throttle", "outbound: { a: { throttle: { X: 1 } } }");
        places.put("limit", "limits: { a: { X: 1 } }");
        String limit = "limits: { a: { key: client-ip, rate: 1/s, FIELD } }";
        places.put("cost-rule", limit.replace("FIELD", "cost: [{ X: 1 }]"));
        places.put("cost-estimate", limit.replace("FIELD", "cost: { X: 1 }"));
        places.put("plan-budget", "plans: { from: attribute:p }\n" + limit.replace("FIELD", "plans: { p: { X: 1 } }"));
        places.put("override", limit.replace("FIELD", "overrides: { k: { X: 1 } }"));
        places.put("keep-if", limit.replace("FIELD", "keep-if: { X: 1 }"));
        places.put("criticality", "criticality: { X: 1 }");
        places.put("gate", "load: { a: { X: 1 } }");
        String gate = "load: { a: { concurrency: 5, FIELD } }";
        places.put("limit-found", "load: { a: { concurrency: { X: 1 } } }");
        places.put("limit-range", "load: { a: { concurrency: { aimd: { X: 1 } } } }");
        places.put("limit-target", "load: { a: { concurrency: { target-latency: { X: 1 } } } }");
        places.put("pool", gate.replace("FIELD", "pools: { p: { X: 1 } }"));
        places.put("tenants", gate.replace("FIELD", "tenants: { X: 1 }"));
        places.put("queue", gate.replace("FIELD", "queue: { X: 1 }"));
        places.put("shed", gate.replace("FIELD", "shed: { X: 1 }"));
        places.put("reserve", gate.replace("FIELD", "reserve: { X: 1 }"));
        places.put("degrade", gate.replace("FIELD", "degrade: [{ X: 1 }]"));
        places.put("criticality-rule", "criticality: { rules: [{ X: 1 }] }");
        places.put("gateway", "gateway: { X: 1 }");
        places.put("store", "store: { X: 1 }");
        places.put("redis", "store: { redis: { X: 1 } }");
        places.put("sentinel", "store: { redis: { url: redis://a, sentinel: { X: 1 } } }");
        places.put("redis-tls", "store: { redis: { url: rediss://a, tls: { X: 1 } } }");
        String gateway = "gateway: { routes: [{ match: { path: /** }, upstream: http://a }], FIELD }";
        places.put("listen", gateway.replace("FIELD", "listen: { X: 1 }"));
        places.put("tls", gateway.replace("FIELD", "listen: { tls: { X: 1 } }"));
        places.put("admin", gateway.replace("FIELD", "admin: { X: 1 }"));
        places.put("route", "gateway: { routes: [{ X: 1 }] }");
        String upstream = "gateway: { routes: [{ match: { path: /** }, upstream: { FIELD } }] }";
        places.put("upstream", upstream.replace("FIELD", "X: 1"));
        places.put("health", upstream.replace("FIELD", "url: https://a, health: { X: 1 }"));
        places.put("upstream-tls", upstream.replace("FIELD", "url: https://a, tls: { X: 1 }"));
        Map<String, List<String>> fields = new LinkedHashMap<>();
        places.forEach((group, yaml) -> {
            List<Problem> problems = Reads.problems("weir: 1\n" + yaml + "\n");
            assertThat(problems).as(yaml).hasSize(1);
            Matcher known = Pattern.compile("'X' is not a field of (\\S+?);.* known are (.*)")
                    .matcher(problems.get(0).message());
            assertThat(known.matches()).as(problems.toString()).isTrue();
            assertThat(known.group(1)).isEqualTo(group);
            fields.put(group, List.of(known.group(2).split(", ", -1)));
        });
        return fields;
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference.yaml", "good.yaml", "warned.yaml"})
    void filesThatLoadFitTheSchema(String file) {
        assertThat(misfits(yaml(Reads.text(file)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weir: 2",
                "identity: { client-ip: peer }",
                "weir: 1\nidentity: {}",
                "weir: 1\nload: {}",
                "weir: 1\nlimits: { a: { key: all, rate: 10 } }",
                "weir: 1\nlimits: { a: { key: nobody, rate: 10/s } }",
                "weir: 1\nlimits: { a: { key: all, rate: 10/s, brust: 20 } }",
                "weir: 1\nlimits: { a: { key: all, rate: 10/s, burst: \"20\" } }",
                "weir: 1\nlimits: { a: { key: all, rate: 10/s, mode: 10 } }",
                "weir: 1\nlimits: { a: { key: [], rate: 10/s } }",
                "weir: 1\nexempt: { method: get }",
                "weir: 1\ngateway: { listen: 8080 }",
                "weir: 1\nstore: { redis: { url: http://a } }",
                "weir: 1\nstore: { redis: { url: redis://a, timeout: 5 } }",
                "weir: 1\ngateway: { routes: [] }",
                "weir: 1\ngateway: { routes: [{ match: { path: /a }, upstream: 10.0.0.1:80 }] }",
                "weir: 1\ngateway: { routes: [{ match: { path: /a }, upstream: http://a/b }] }",
            })
    void filesThatAreRefusedForTheirFormDoNotFitTheSchema(String text) {
        assertThat(Reads.loaded(text)).isInstanceOf(Loaded.Refused.class);
        assertThat(misfits(yaml(text))).isNotEmpty();
    }

    @Test
    void everyExampleFitsItsField() {
        for (Shape.Group group : Sections.groups()) {
            for (Field field : group.fields()) {
                JsonNode properties = group.name().equals("policy")
                        ? SCHEMA.get("properties")
                        : SCHEMA.get("$defs").get(group.name()).get("properties");
                List<String> misfits = new ArrayList<>();
                JsonSchema.check(yaml(field.example()), properties.get(field.name()), SCHEMA, field.name(), misfits);
                assertThat(misfits).as(group.name() + "." + field.name()).isEmpty();
            }
        }
    }

    private static List<String> misfits(Object value) {
        List<String> misfits = new ArrayList<>();
        JsonSchema.check(value, SCHEMA, SCHEMA, "", misfits);
        return misfits;
    }

    private static Object yaml(String text) {
        return new Load(LoadSettings.builder().build()).loadFromString(text);
    }
}
