package dev.weir.cli.log;

import static dev.weir.cli.log.ReadLine.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextFormatTest {

    private static final String DATE = "[02/Mar/2026:08:15:30 +0100]";
    private static final String TIME = "2026-03-02T07:15:30Z";

    record Row(String format, String line, String expected) {
        @Override
        public String toString() {
            return format + " <- " + line;
        }
    }

    private static Row row(String format, String line, String expected) {
        return new Row(format, line, expected);
    }

    static List<Row> wellFormed() {
        return List.of(
                row(
                        "common",
                        "198.51.100.4 - - " + DATE + " \"GET /pears?page=2 HTTP/1.1\" 200 512",
                        TIME + " 198.51.100.4 GET /pears?page=2 200 512"),
                row(
                        "combined",
                        "2001:db8::7 - rosa " + DATE
                                + " \"PUT /pears/1 HTTP/2.0\" 204 - \"https://a.example/\" \"curl/8\"",
                        TIME
                                + " 2001:db8::7 PUT /pears/1 204 - user=rosa Referer=https://a.example/ User-Agent=curl/8"),
                // A line of the common format among combined ones.
                row("combined", "::1 - - " + DATE + " \"GET /x HTTP/1.1\" 404 12", TIME + " ::1 GET /x 404 12"),
                // The client sent nothing in time.
                row("combined", "198.51.100.4 - - " + DATE + " \"-\" 408 -", TIME + " 198.51.100.4 - - 408 -"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"-\" 408 152 \"-\" \"-\"",
                        TIME + " 198.51.100.4 - - 408 152"),
                row("nginx", "198.51.100.4 - - " + DATE + " \"\" 400 0 \"-\" \"-\"", TIME + " 198.51.100.4 - - 400 0"),
                // One field more, in quotes; several more.
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"a b\" \"-\"",
                        TIME + " 198.51.100.4 GET / 200 1 User-Agent=a b"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE
                                + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" 77 \"front one\" \"http://192.0.2.1:80\" 4ms",
                        TIME + " 198.51.100.4 GET / 200 1"),
                row(
                        "common",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
                        TIME + " 198.51.100.4 GET / 200 1"),
                // A host's name instead of an address.
                row(
                        "combined",
                        "probe-3.internal - - " + DATE + " \"GET / HTTP/1.0\" 200 1",
                        TIME + " probe-3.internal GET / 200 1"),
                row(
                        "vhost-combined",
                        "shop.example:443 203.0.113.9 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"",
                        TIME + " 203.0.113.9 GET / 200 1 host=shop.example:443 User-Agent=x"),
                // Escapes, and quotes within an agent.
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE
                                + " \"GET /a HTTP/1.1\" 200 1 \"-\" \"say \\\"hi\\\" \\\\ \\x41\\t.\"",
                        TIME + " 198.51.100.4 GET /a 200 1 User-Agent=say \"hi\" \\ A\t."),
                // The beginning of a TLS handshake on a plain port, and other noise.
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"\\x16\\x03\\x01\\x02\" 400 226 \"-\" \"-\"",
                        TIME + " 198.51.100.4 - - 400 226"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"\\x03\\x00 /*\\xe0\" 400 226 \"-\" \"-\"",
                        TIME + " 198.51.100.4 - - 400 226"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"hello\" 400 226 \"-\" \"-\"",
                        TIME + " 198.51.100.4 - - 400 226"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"t4 10.1\\n\" 400 226 \"-\" \"-\"",
                        TIME + " 198.51.100.4 - - 400 226"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET /\" 200 9 \"-\" \"-\"",
                        TIME + " 198.51.100.4 GET / 200 9"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET /two words and a half.txt HTTP/1.1\" 404 9 \"-\" \"-\"",
                        TIME + " 198.51.100.4 GET /two words and a half.txt 404 9"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"CONNECT db.example:22 HTTP/1.1\" 405 0",
                        TIME + " 198.51.100.4 CONNECT db.example:22 405 0"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 000 0",
                        TIME + " 198.51.100.4 GET / - 0"),
                // A port behind an address.
                row(
                        "combined",
                        "198.51.100.4:51234 - - " + DATE + " \"GET / HTTP/1.1\" 200 0",
                        TIME + " 198.51.100.4 GET / 200 0"),
                row(
                        "combined",
                        "[2001:db8::7]:51234 - - " + DATE + " \"GET / HTTP/1.1\" 200 0",
                        TIME + " 2001:db8::7 GET / 200 0"),
                // The last day of February in a leap year, a zone west of Greenwich, a leap second.
                row("common", "::1 - - [29/Feb/2024:23:59:60 -0330] \"-\" 408 -", "2024-03-01T03:30:00Z ::1 - - 408 -"),
                row(
                        "%h %l %u %t \"%r\" %>s %b %D",
                        "::1 - - " + DATE + " \"GET / HTTP/1.1\" 200 7 1500", TIME + " ::1 GET / 200 7 took=1500000"),
                row(
                        "%a %{begin:%Y-%m-%dT%H:%M:%S}t.%{begin:msec_frac}t%{begin:%z}t \"%m %U%q %H\" %s %O %{ms}T %V:%p",
                        "::1 2026-03-02T07:15:30.250+0000 \"GET /a?b=c HTTP/1.1\" 200 7 12 h.example:80",
                        "2026-03-02T07:15:30.250Z ::1 GET /a?b=c 200 7 took=12000000 host=h.example"),
                row(
                        "%a %{sec}t \"%m %U%q\" %400,500{X-Api-Key}i \"%{sid}C\" %{X-Cost}o %T",
                        "::1 1772435730 \"GET /a\" k1 \"s 1\" 5 3",
                        TIME + " ::1 GET /a - - took=3000000000 X-Api-Key=k1 Cookie=sid=s 1 cost=5"),
                row(
                        "%{usec}t %h %{end:usec}t %D",
                        "1772435730000001 ::1 1772435731000000 5", "2026-03-02T07:15:30.000001Z ::1 - - - - took=5000"),
                row(
                        "%{msec}t,%h,%%,%f,%{x}e,%k",
                        "1772435730001,::1,%,/srv/a,-,0", "2026-03-02T07:15:30.001Z ::1 - - - -"),
                // The finer of two durations, wherever it stands.
                row("%h %t %T %D", "::1 " + DATE + " 2 1999999", TIME + " ::1 - - - - took=1999999000"),
                // The peer of the connection counts when the chain it sent is there as well.
                row("%{c}a %a %t", "192.0.2.1 198.51.100.4 " + DATE, TIME + " 198.51.100.4 - - - -"),
                row(
                        "%{c}a %a %t \"%{X-Forwarded-For}i\"",
                        "192.0.2.1 198.51.100.4 " + DATE + " \"198.51.100.4\"",
                        TIME + " 192.0.2.1 - - - - X-Forwarded-For=198.51.100.4"),
                // A chain of addresses, bare and in quotes, before the peer and instead of it.
                row(
                        "%{X-Forwarded-For}i %h %l %u %t \"%r\" %>s %b",
                        "203.0.113.4, 2001:db8::9 192.0.2.1 - - " + DATE + " \"GET / HTTP/1.1\" 200 7",
                        TIME + " 192.0.2.1 GET / 200 7 X-Forwarded-For=203.0.113.4, 2001:db8::9"),
                row(
                        "\"$http_x_forwarded_for\" $remote_addr - $remote_user [$time_local] \"$request\" $status",
                        "\"203.0.113.4, 203.0.113.5\" 192.0.2.1 - - " + DATE + " \"GET / HTTP/1.1\" 200",
                        TIME + " 192.0.2.1 GET / 200 - X-Forwarded-For=203.0.113.4, 203.0.113.5"),
                row(
                        "$http_x_forwarded_for - $remote_user [$time_local] \"$request\" $status",
                        "203.0.113.4, 203.0.113.5 - - " + DATE + " \"GET / HTTP/1.1\" 200",
                        TIME + " 203.0.113.5 GET / 200 - X-Forwarded-For=203.0.113.4, 203.0.113.5"),
                row(
                        "$remote_addr [$time_iso8601] ${request_method} $host$request_uri $status $body_bytes_sent $bytes_sent"
                                + " $request_time \"$http_x_api_key\" \"$cookie_sid\" \"$cookie_tz\" $sent_http_x_cost $request_id",
                        "::1 [2026-03-02T08:15:30+01:00] GET h.example/a?b 200 7 300 0.012 \"k\" \"1\" \"2\" 9 0af3",
                        TIME
                                + " ::1 GET /a?b 200 7 took=12000000 host=h.example X-Api-Key=k Cookie=sid=1; tz=2 cost=9"),
                row(
                        "$msec $remote_addr $request_method $uri$is_args$args $status",
                        "1772435730.125 ::1 GET /a?b=c&d 200",
                        "2026-03-02T07:15:30.125Z ::1 GET /a?b=c&d 200 -"),
                row(
                        "$msec $remote_addr $request_method $uri$is_args$args $status",
                        "1772435730.125 ::1 GET /a 200",
                        "2026-03-02T07:15:30.125Z ::1 GET /a 200 -"),
                row(
                        "$remote_addr $upstream_response_time [$time_local] $upstream_addr",
                        "::1 0.100, 0.050 : - " + DATE + " 192.0.2.1:80, 192.0.2.2:80 : x",
                        TIME + " ::1 - - - - took=150000000"),
                row(
                        "$remote_addr [$time_local] $skip $upstream_status \"$ssl_protocol\"",
                        "::1 " + DATE + " ? 200 \"\"",
                        TIME + " ::1 - - - -"));
    }

    @ParameterizedTest
    @MethodSource
    void wellFormed(Row row) {
        assertThat(read(row.format, row.line)).isEqualTo(row.expected);
    }

    static List<Row> malformed() {
        return List.of(
                row("combined", "", "the line ends before the client address"),
                row("combined", "198.51.100.4", "the line ends before the field %l"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"cut",
                        "column 75: the quote before User-Agent is not closed"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\"",
                        "the line ends before User-Agent"),
                row("combined", "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\"", "the line ends before the status"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200",
                        "the line ends before the bytes"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" OK 1 \"-\" \"-\"",
                        "column 64: a status of three digits was expected, found 'OK'"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 20 1",
                        "column 64: a status of three digits was expected, found '20'"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 -5",
                        "column 68: a number of bytes was expected, found '-5'"),
                row("common", "198.51.100.4 - - [31/Apr/2026:08:15:30 +0100] \"-\" 408 -", "there is no day 2026-4-31"),
                row("common", "198.51.100.4 - - [29/Feb/2025:08:15:30 +0100] \"-\" 408 -", "there is no day 2025-2-29"),
                row("common", "198.51.100.4 - - [29/Feb/2026:24:15:30 +0100] \"-\" 408 -", "there is no day 2026-2-29"),
                row(
                        "common",
                        "198.51.100.4 - - [28/Feb/2026:24:15:30 +0100] \"-\" 408 -",
                        "there is no time of day 24:15:30"),
                row(
                        "common",
                        "198.51.100.4 - - [28/Feb/9999:12:15:30 +0100] \"-\" 408 -",
                        "a year from 1970 to 2261 was expected, found 9999"),
                row(
                        "common",
                        "198.51.100.4 - - [01/Jan/1970:00:15:30 +0100] \"-\" 408 -",
                        "a time from 1970 to 2261 was expected"),
                row(
                        "common",
                        "198.51.100.4 - - [28/Foo/2026:12:15:30 +0100] \"-\" 408 -",
                        "column 19: a time such as 10/Oct/2000:13:55:36 -0700 was expected, found '28/Foo/2026:12:15:30 +0100] \"-\" 408 -'"),
                // A chain of addresses needs a format that says so.
                row(
                        "combined",
                        "203.0.113.4, 203.0.113.5 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
                        "column 1: a client address was expected, found '203.0.113.4,'"),
                row(
                        "combined",
                        "\"203.0.113.4, 203.0.113.5\" 192.0.2.1 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
                        "column 1: the client address without quotes was expected, found"
                                + " '\"203.0.113.4, 203.0.113.5\" 192.0.2.1 - -...'"),
                // So does the host in front.
                row(
                        "combined",
                        "shop.example 203.0.113.9 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
                        "column 28: '[' before the time was expected, found '- " + DATE + " \"GET / HT...'"),
                row(
                        "vhost-combined",
                        "203.0.113.9 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
                        "column 39: '[' before the time was expected, found '+0100] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"'"),
                row("combined", "- - - " + DATE + " \"GET / HTTP/1.1\" 200 1", "there is no client address"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" \"a\"b\" 3ms",
                        "column 81: a space behind a field was expected, found 'b\" 3ms'"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" a\"b",
                        "column 79: a quote stands within a field without quotes"),
                row(
                        "combined",
                        "198.51.100.4 - - " + DATE + " \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" \"a",
                        "column 78: the quote before a further field is not closed"),
                row(
                        "%h %t %>s",
                        "::1 " + DATE + " 200 7", "column 34: a status of three digits was expected, found '200 7'"),
                row("%h %t", "::1 " + DATE + " x", "column 33: the end of the line was expected, found ' x'"),
                row(
                        "%h %t %D",
                        "::1 " + DATE + " fast", "column 34: a duration of at most a year was expected, found 'fast'"),
                row(
                        "%h %t %T",
                        "::1 " + DATE + " 99999999999",
                        "column 34: a duration of at most a year was expected, found '99999999999'"),
                row(
                        "%h %t %T",
                        "::1 " + DATE + " .", "column 34: a duration of at most a year was expected, found '.'"),
                row(
                        "%h %t \"%r\"",
                        "::1 " + DATE + " GET", "column 34: '\"' before the request was expected, found 'GET'"));
    }

    @ParameterizedTest
    @MethodSource
    void malformed(Row row) {
        assertThat(read(row.format, row.line)).isEqualTo("malformed: " + row.expected);
    }

    /** Every cut of a good line, and every good line with one byte replaced, is a call or malformed, and nothing else happens. */
    @Test
    void neverFailsOtherwise() {
        for (Row row : wellFormed()) {
            for (int i = 0; i < row.line.length(); i++) {
                assertThat(read(row.format, row.line.substring(0, i))).isNotNull();
                for (char c : new char[] {'"', ' ', '\\', '-', ':', '9', '[', 0}) {
                    assertThat(read(row.format, row.line.substring(0, i) + c + row.line.substring(i + 1)))
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void anUnknownRequestHasNoTargetAndTheRootPath() throws Malformed {
        LoggedCall call = ReadLine.call("combined", "::1 - - " + DATE + " \"-\" 408 -");

        assertThat(call.target()).isNull();
        assertThat(call.method()).isEqualTo("-");
        assertThat(call.path()).isEqualTo("/");
        assertThat(call.query()).isNull();
    }

    @Test
    void pathAndQueryArePartsOfTheTarget() throws Malformed {
        LoggedCall call = ReadLine.call("combined", "::1 - - " + DATE + " \"GET /a/b?c=d?e HTTP/1.1\" 200 -");
        assertThat(call.path()).isEqualTo("/a/b");
        assertThat(call.query()).isEqualTo("c=d?e");

        LoggedCall proxied =
                ReadLine.call("combined", "::1 - - " + DATE + " \"GET http://h.example/a?b HTTP/1.1\" 200 -");
        assertThat(proxied.path()).isEqualTo("/a");
        assertThat(proxied.query()).isEqualTo("b");

        LoggedCall root = ReadLine.call("combined", "::1 - - " + DATE + " \"GET http://h.example HTTP/1.1\" 200 -");
        assertThat(root.path()).isEqualTo("/");
    }

    @Test
    void anAbsentHeaderIsAbsentAndNeverEmpty() throws Malformed {
        String format = "%h %t \"%{X-Api-Key}i\"";
        assertThat(ReadLine.call(format, "::1 " + DATE + " \"-\"").headers("X-Api-Key"))
                .isEmpty();
        assertThat(ReadLine.call(format, "::1 " + DATE + " \"\"").headers("X-Api-Key"))
                .isEmpty();
        assertThat(ReadLine.call(format, "::1 " + DATE + " \"k\"").headers("x-api-key"))
                .containsExactly("k");
        assertThat(ReadLine.call(format, "::1 " + DATE + " \"k\"").headers("Authorization"))
                .isEmpty();
    }

    @Test
    void theHostIsAHeaderToo() throws Malformed {
        assertThat(ReadLine.call("%v %h %t", "h.example ::1 " + DATE).headers("host"))
                .containsExactly("h.example");
        assertThat(ReadLine.call("%{Host}i %h %t", "h.example ::1 " + DATE).host())
                .isEqualTo("h.example");
    }

    @Test
    void differentBytesStayDifferentText() {
        // UTF-8 as it is, and as Apache escapes it; bytes that are not UTF-8 as ISO 8859-1.
        String line = "::1 " + DATE + " \"%s\"";
        assertThat(read("%h %t \"%{User-Agent}i\"", line.formatted("p\u00eache")))
                .endsWith("User-Agent=p\u00eache");
        assertThat(read("%h %t \"%{User-Agent}i\"", line.formatted("p\\xc3\\xaache")))
                .endsWith("User-Agent=p\u00eache");
        assertThat(read("%h %t \"%{User-Agent}i\"", line.formatted("p\\xeache")))
                .endsWith("User-Agent=p\u00eache");
        assertThat(read("%h %t \"%{User-Agent}i\"", line.formatted("p\\xebche")))
                .endsWith("User-Agent=p\u00ebche");
        assertThat(read("%h %t \"%{User-Agent}i\"", line.formatted("p\\xzzche")))
                .endsWith("User-Agent=p\\xzzche");
    }
}
