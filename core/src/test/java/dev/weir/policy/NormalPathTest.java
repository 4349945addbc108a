package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalPathTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "'', /",
        "/api/users, /api/users",
        "/api/users/, /api/users/",
        "/api/../admin, /admin",
        "/%61pi, /api",
        "/%7euser/%2D%5f, /~user/-_",
        "/caf%c3%a9, /caf%C3%A9",
        "/a%2fb, /a%2Fb",
        "/%2e%2e/admin, /admin",
        "/a/%2E/b, /a/b",
        "/a/./b/../../c, /c",
        "/.., /",
        "/../../x, /x",
        "/a/.., /",
        "/a/b/.., /a/",
        "/a/., /a/",
        "//api, /api",
        "/a///b//, /a/b/",
        "/a//../b, /b",
        "/a/..b/.c/...; /x, /a/..b/.c/...; /x",
        "/..;/admin, /..;/admin",
        "/100%, /100%25",
        "/%zz%4, /%25zz%254",
        "/%2561, /%2561",
        "*, *",
        "api, /api",
        "/a b, /a b",
    })
    void normalForm(String raw, String normal) {
        assertThat(NormalPath.of(raw)).isEqualTo(normal);
        assertThat(NormalPath.of(normal)).isEqualTo(normal);
    }

    @Test
    void aNormalPathIsNotCopied() {
        String path = "/api/v1/users.json/a..b/~x";
        assertThat(NormalPath.of(path)).isSameAs(path);
    }

    @Test
    void normalisingTwiceIsNormalisingOnce() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String alphabet = "//..%%2eE2fF5cC6160ab;\\?*~\u00e9\u0000";
        for (int round = 0; round < 200_000; round++) {
            StringBuilder raw = new StringBuilder();
            for (int chars = random.nextInt(20); chars > 0; chars--) {
                raw.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            String once = NormalPath.of(raw.toString());
            assertThat(NormalPath.of(once)).as("seed %d: %s", seed, raw).isEqualTo(once);
            if (!once.equals("*")) {
                assertThat(once).as("seed %d: %s", seed, raw).startsWith("/").doesNotContain("//", "/./", "/../");
            }
            String target = raw.toString();
            if (NormalPath.ambiguity(target).isEmpty() && target.startsWith("/")) {
                // What is not ambiguous keeps all its segments.
                String path = NormalPath.pathOf(target);
                assertThat(NormalPath.of(path).chars().filter(c -> c == '/').count())
                        .as("seed %d: %s", seed, raw)
                        .isEqualTo(path.chars().filter(c -> c == '/').count());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/a%2fb | an encoded slash or backslash",
                "/a%2Fb | an encoded slash or backslash",
                "/a%5Cb | an encoded slash or backslash",
                "/a%5cb | an encoded slash or backslash",
                "/a\\b | a backslash",
                "/api/../admin | a dot segment",
                "/api/.. | a dot segment",
                "/./api | a dot segment",
                "/%2e%2e/admin | a dot segment",
                "/.%2E/admin | a dot segment",
                "/a/%2e?x | a dot segment",
                "/..;/admin | a semicolon in a dot segment",
                "/.;x=1/admin | a semicolon in a dot segment",
                "/%2e.;a/admin | a semicolon in a dot segment",
                "/..%3b/admin | a semicolon in a dot segment",
                "//api | two slashes together",
                "/api// | two slashes together",
                "http://h//x | two slashes together",
                "http://h/a/../b?c | a dot segment",
                "/a%00 | an encoded control character",
                "/a%0d%0aX | an encoded control character",
                "/a%7f | an encoded control character",
                "/a% | a percent sign that begins no escape",
                "/a%g0 | a percent sign that begins no escape",
                "/caf\u00e9 | a character that is not ASCII",
                "/a#b | a fragment",
                "/a?b#c | a fragment",
                "/a b | a control character or a space",
                "/a?b\tc | a control character or a space",
                "api | neither a path, nor an absolute form, nor *",
                "host:443 | neither a path, nor an absolute form, nor *",
                "'' | neither a path, nor an absolute form, nor *",
                "?q | neither a path, nor an absolute form, nor *",
                "*x | neither a path, nor an absolute form, nor *",
            })
    void ambiguous(String target, String reason) {
        assertThat(NormalPath.ambiguity(target)).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api/users?x=../..//%2f",
                "/%61pi",
                "/a;v=1/b",
                "/...",
                "/..a/.b",
                "/caf%C3%A9",
                "*",
                "http://host",
                "https://host/x?y",
                "HTTP://host?x",
                "/a%252e",
                "/?q=%zz\u00e9"
            })
    void readByAllAlike(String target) {
        assertThat(NormalPath.ambiguity(target)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "/a/b | /a/b | none",
                "/a?x=1?2 | /a | x=1?2",
                "/a? | /a | ''",
                "/a#f?x | /a | none",
                "/a?x#f | /a | x",
                "http://host/a?x | /a | x",
                "https://host | / | none",
                "http://host?x=/y | / | x=/y",
                "'' | / | none",
                "?x | / | x",
                "* | * | none",
            })
    void targetsAreSplit(String target, String path, String query) {
        assertThat(NormalPath.pathOf(target)).isEqualTo(path);
        assertThat(NormalPath.queryOf(target).orElse(null)).isEqualTo(query);
    }
}
