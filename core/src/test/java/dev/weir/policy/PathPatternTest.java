package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

    @ParameterizedTest
    @CsvSource({
        "/, /, true",
        "/, /x, false",
        "/x, /x, true",
        "/x, /x/, false",
        "/x/, /x/, true",
        "/x/, /x, false",
        "/x, /X, false",
        "/**, /, true",
        "/**, /a/b/c/, true",
        "/**, *, true",
        "/*, *, true",
        "/*, /, false",
        "/*, /a, true",
        "/*, /a/, false",
        "/x/**, /x, true",
        "/x/**, /x/, true",
        "/x/**, /x/a/b, true",
        "/x/**, /xy, false",
        "/x/**, /, false",
        "/x/*, /x/, false",
        "/x/*, /x/a, true",
        "/**/x, /x, true",
        "/**/x, /a/b/x, true",
        "/**/x, /a/x/b, false",
        "/a/**/z, /a/z, true",
        "/a/**/z, /a/z/z, true",
        "/a/**/z, /a/b/c/z, true",
        "/a/**/z, /a/b/c, false",
        "/a/**/b/**/c, /a/x/b/y/b/z/c, true",
        "/a/**/b/**/c, /a/x/y/c, false",
        "/a/**/, /a/b/, true",
        "/a/**/, /a/b, false",
        "/users/{id}, /users/7, true",
        "/users/{id}, /users/, false",
        "/users/{id}/orders, /users/7/orders, true",
        "/caf%c3%a9, /caf%C3%A9, true",
        "/%61pi, /api, true",
        "/a.b, /axb, false",
    })
    void matches(String pattern, String path, boolean matches) {
        assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "/users/{id}, /users/7, id, 7",
                "/users/{id}, /users/7/x, id, none",
                "/users/{id}, /users/7, name, none",
                "/{a}/{b}, /1/2, b, 2",
                "/**/{last}, /a/b/c, last, c",
                "/{first}/**, /a/b/c, first, a",
                "/**/x/{id}, /x/1/x/2, id, 2",
                "/**/{a}/x/**, /p/x/q/x, a, p",
                "/{only}, *, only, *",
            })
    void variables(String pattern, String path, String name, String value) {
        assertThat(PathPattern.parse(pattern).variable(path, name)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api | does not begin with a slash",
                "'' | does not begin with a slash",
                "/a* | mixes a wildcard with text",
                "/{} | mixes a wildcard with text",
                "/{1a} | mixes a wildcard with text",
                "/*** | mixes a wildcard with text",
                "/{a}/{a} | names the variable {a} twice",
                "/a//b | two slashes together",
                "// | two slashes together",
                "/a/../b | a dot segment",
                "/a/%2e%2e | a dot segment",
                "/a?x=1 | over the path alone",
                "/a#b | over the path alone",
            })
    void refusesWithARemedy(String pattern, String message) {
        assertThatThrownBy(() -> PathPattern.parse(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + pattern + "'")
                .hasMessageContaining(message);
    }

    @Test
    void agreesWithTheObviousMatcher() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] parts = {"a", "b", "*", "**", "{v}", "**"};
        for (int round = 0; round < 100_000; round++) {
            StringBuilder pattern = new StringBuilder();
            boolean named = false;
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                String part = parts[random.nextInt(parts.length)];
                part = part.equals("{v}") && named ? "a" : part;
                named |= part.equals("{v}");
                pattern.append('/').append(part);
            }
            StringBuilder path = new StringBuilder();
            for (int n = 1 + random.nextInt(7); n > 0; n--) {
                path.append('/').append(random.nextInt(9) == 0 && n == 1 ? "" : random.nextBoolean() ? "a" : "b");
            }
            Map<String, String> variables = new HashMap<>();
            boolean expected = obvious(split(pattern.toString()), split(path.toString()), variables);
            PathPattern compiled = PathPattern.parse(pattern.toString());
            assertThat(compiled.matches(path.toString()))
                    .as("seed %d: %s %s", seed, pattern, path)
                    .isEqualTo(expected);
            assertThat(Optional.ofNullable(compiled.variable(path.toString(), "v")))
                    .as("seed %d: %s %s", seed, pattern, path)
                    .isEqualTo(expected && named ? Optional.of(variables.get("v")) : Optional.empty());
        }
    }

    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>(List.of(path.split("/", -1)));
        segments.remove(0);
        return segments;
    }

    private static boolean obvious(List<String> pattern, List<String> path, Map<String, String> variables) {
        if (pattern.isEmpty()) {
            return path.isEmpty();
        }
        List<String> rest = pattern.subList(1, pattern.size());
        if (pattern.get(0).equals("**")) {
            for (int taken = 0; taken <= path.size(); taken++) {
                if (obvious(rest, path.subList(taken, path.size()), variables)) {
                    return true;
                }
            }
            return false;
        }
        if (path.isEmpty()) {
            return false;
        }
        String segment = path.get(0);
        boolean variable = pattern.get(0).startsWith("{");
        boolean any = variable || pattern.get(0).equals("*");
        boolean fits = any ? !segment.isEmpty() : pattern.get(0).equals(segment);
        if (!fits || !obvious(rest, path.subList(1, path.size()), variables)) {
            return false;
        }
        if (variable) {
            variables.put(pattern.get(0).substring(1, pattern.get(0).length() - 1), segment);
        }
        return true;
    }

    @Test
    void manyWildcardsStayCheap() {
        PathPattern pattern = PathPattern.parse("/**/a".repeat(60) + "/z");
        String path = "/a".repeat(4_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertThat(pattern.matches(path)).isFalse());
    }
}
