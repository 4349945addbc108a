package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {

    private static MultiMap fields(String lines) {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap();
        for (String line : lines.split("\\|", -1)) {
            if (!line.isEmpty()) {
                fields.add(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
        }
        return fields;
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1_1, GET, /x, , host=a, 0",
        "HTTP_1_1, GET, /x, , '', 400",
        "HTTP_1_1, GET, /x, , host=a|host=a, 400",
        "HTTP_1_1, GET, /x, , host=a/b, 400",
        "HTTP_1_0, GET, /x, , '', 0",
        "HTTP_1_0, POST, /x, , host=a|transfer-encoding=chunked, 400",
        "HTTP_2, GET, /x, a, '', 0",
        "HTTP_2, GET, /x, a, host=A, 0",
        "HTTP_2, GET, /x, a, host=b, 400",
        "HTTP_2, GET, /x, , '', 400",
        "HTTP_1_1, POST, /x, , host=a|content-length=5, 0",
        "HTTP_1_1, POST, /x, , host=a|content-length=+5, 400",
        "HTTP_1_1, POST, /x, , 'host=a|content-length=5, 5', 400",
        "HTTP_1_1, POST, /x, , host=a|content-length=5|content-length=5, 400",
        "HTTP_1_1, POST, /x, , host=a|content-length=1234567890123456789, 400",
        "HTTP_1_1, POST, /x, , host=a|transfer-encoding=Chunked, 0",
        "HTTP_1_1, POST, /x, , host=a|transfer-encoding=gzip, 400",
        "HTTP_1_1, POST, /x, , host=a|transfer-encoding=chunked|transfer-encoding=chunked, 400",
        "HTTP_1_1, POST, /x, , host=a|transfer-encoding=chunked|content-length=5, 400",
        "HTTP_1_1, GET, /x, , host=a|=b, 400",
        "HTTP_1_1, GET, /x, , host=a|expect=100-Continue, 0",
        "HTTP_1_1, GET, /x, , host=a|expect=x, 417",
        "HTTP_1_1, CONNECT, a:80, , host=a, 405",
        "HTTP_1_1, TRACE, /x, , host=a, 405",
        "HTTP_1_1, OPTIONS, *, , host=a, 0",
        "HTTP_1_1, GET, *, , host=a, 400",
        "HTTP_1_1, GET, /a/../b, , host=a, 400",
    })
    void headsAreServedOrRefused(
            HttpVersion version, String method, String target, String authority, String lines, int status) {
        RequestHead.Checked checked = RequestHead.check(version, method, target, authority, fields(lines));
        assertThat(checked.refused().map(RequestHead.Refused::status).orElse(0)).isEqualTo(status);
        assertThat(checked.head().isPresent()).isEqualTo(status == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "/x?y, /x?y",
        "http://a/x?y, /x?y",
        "HTTPS://A/x, /x",
        "http://a, /",
        "http://a?y, /?y",
        "http://b/x, ",
        "http://a:80/x, ",
        "http://u@a/x, ",
        "ftp://a/x, ",
    })
    void anAbsoluteTargetIsForwardedInOriginForm(String target, String forwarded) {
        RequestHead.Checked checked = RequestHead.check(HttpVersion.HTTP_1_1, "GET", target, null, fields("host=a"));
        assertThat(checked.head().map(RequestHead::target).orElse(null)).isEqualTo(forwarded);
    }

    @Test
    void fieldsAreCountedByLines() {
        MultiMap fields = fields("host=a");
        for (int line = 1; line < RequestHead.MAX_FIELDS; line++) {
            fields.add("x", "y");
        }
        assertThat(RequestHead.check(HttpVersion.HTTP_1_1, "GET", "/x", null, fields)
                        .refused())
                .isEmpty();
        fields.add("x", "y");
        assertThat(RequestHead.check(HttpVersion.HTTP_1_1, "GET", "/x", null, fields)
                        .refused())
                .map(RequestHead.Refused::status)
                .contains(431);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A.b-c_d.", "127.0.0.1", "a:80", "a:", "[::1]", "[::1]:8080", "[::ffff:1.2.3.4]:1"})
    void hostsAreNamesAndAddresses(String host) {
        assertThat(RequestHead.isHost(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "a:b",
                "a:65536",
                "a:123456",
                "a b",
                "a/b",
                "a?b",
                "a@b",
                "a,b",
                "[",
                "[]",
                "[::1",
                "::1]",
                "[g]",
                "a\u00e9",
                "a%41"
            })
    void othersAreNot(String host) {
        assertThat(RequestHead.isHost(host)).isFalse();
    }
}
