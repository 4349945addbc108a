package dev.weir.cli.log;

import static dev.weir.cli.log.ReadLine.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFormatTest {

    private static final String TIME = "2026-03-02T07:15:30Z";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // As nginx, with everything as text.
                "{\"time_iso8601\":\"2026-03-02T08:15:30+01:00\",\"remote_addr\":\"::1\",\"request\":\"GET /a?b HTTP/1.1\",\"status\":\"200\","
                        + "\"body_bytes_sent\":\"7\",\"request_time\":\"0.012\",\"http_user_agent\":\"\",\"http_x_forwarded_for\":\"-\"}"
                        + " | ::1 GET /a?b 200 7 took=12000000",
                // As Caddy, with nested names, a time with a fraction and headers in lists. Its duration must be
                // mapped.
                "{\"ts\":1772435730.0,\"request\":{\"remote_ip\":\"198.51.100.4\",\"method\":\"PUT\",\"host\":\"h.example\",\"uri\":\"/a\","
                        + "\"headers\":{\"User-Agent\":[\"curl/8\"],\"X-Forwarded-For\":[\"203.0.113.4\",\"203.0.113.5\"]}},\"status\":204,\"size\":0,"
                        + "\"duration\":0.5}"
                        + " | 198.51.100.4 PUT /a 204 0 host=h.example User-Agent=curl/8 X-Forwarded-For=203.0.113.4, 203.0.113.5",
                // As Traefik, with a duration in nanoseconds.
                "{\"StartUTC\":\"2026-03-02T07:15:30Z\",\"ClientHost\":\"::1\",\"RequestMethod\":\"GET\",\"RequestPath\":\"/a\","
                        + "\"DownstreamStatus\":200,\"DownstreamContentSize\":3,\"Duration\":1500,\"request_User-Agent\":\"x\",\"ClientUsername\":\"-\"}"
                        + " | ::1 GET /a 200 3 took=1500 User-Agent=x",
                // As the Elastic Common Schema, dotted and nested.
                "{\"@timestamp\":\"2026-03-02T07:15:30.000Z\",\"client.ip\":\"::1\",\"http\":{\"request\":{\"method\":\"GET\"},"
                        + "\"response.status_code\":200,\"response\":{\"body\":{\"bytes\":4}}},\"url.path\":\"/a\",\"url\":{\"query\":\"b=c\"},"
                        + "\"event\":{\"duration\":77}}"
                        + " | ::1 GET /a?b=c 200 4 took=77",
                // A port behind the address, null for nothing, a list that is not looked for, milliseconds.
                "{\"time\":1772435730000,\"client_ip\":\"198.51.100.4:5555\",\"method\":\"GET\",\"path\":\"/a\",\"user\":null,\"tags\":[1,{\"status\":5}],"
                        + "\"bytes\":null,\"took_ms\":1.5} | 198.51.100.4 GET /a - - took=1500000",
                "{\"time\":\"[02/Mar/2026:08:15:30 +0100]\",\"ip\":\"::1\"} | ::1 - - - -",
                "{\"time\":\"1772435730\",\"ip\":\"::1\"} | ::1 - - - -",
                "{\"time\":1.77243573E9,\"ip\":\"::1\"} | ::1 - - - -",
                "{\"time\":1772435730000000,\"ip\":\"::1\"} | ::1 - - - -",
                "{\"time\":1772435730000000000,\"ip\":\"::1\"} | ::1 - - - -",
                // Where a line has two names for one field, the order of the table counts, not that of the line.
                "{\"ip\":\"::2\",\"remote_addr\":\"::1\",\"ts\":5,\"time\":1772435730} | ::1 - - - -",
            })
    void findsTheUsualNames(String line, String expected) {
        assertThat(read("json", line)).isEqualTo(TIME + " " + expected);
    }

    @Test
    void aMappingSaysWhereTheNamesDiffer() {
        String format =
                "json:time=when,peer=from.addr,method=req.verb,target=req.what,status=code,bytes=out,duration_ms=took,"
                        + "header.X-Api-Key=key,cookie.sid=session,response-header.X-Cost=cost,attribute.user=who";
        String line =
                "{\"when\":\"2026-03-02 07:15:30\",\"from\":{\"addr\":\"::1\"},\"req\":{\"verb\":\"GET\",\"what\":\"/a\"},\"code\":200,"
                        + "\"out\":5,\"took\":2,\"key\":\"k\",\"session\":\"s\",\"cost\":3,\"who\":\"rosa\",\"http_referer\":\"r\"}";

        assertThat(read(format, line))
                .isEqualTo(TIME + " ::1 GET /a 200 5 took=2000000 user=rosa Referer=r X-Api-Key=k Cookie=sid=s cost=3");
    }

    @Test
    void aMappedFieldIsLookedForNowhereElse() {
        assertThat(read("json:time=when", "{\"time\":1772435730,\"ip\":\"::1\"}"))
                .isEqualTo("malformed: there is no time");
    }

    @Test
    void aDurationMaySayItsUnit() {
        assertThat(read("json:duration_s=d", "{\"time\":1772435730,\"ip\":\"::1\",\"d\":\"12ms\"}"))
                .endsWith("took=12000000");
        assertThat(read("json:duration_s=d", "{\"time\":1772435730,\"ip\":\"::1\",\"d\":12}"))
                .endsWith("took=12000000000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[1] | column 1: a JSON object was expected, found '[1]'",
                "x | column 1: the line is no JSON from here on",
                "{\"time\":1772435730,\"ip\":\"::1\" | column 30: the line is no JSON from here on",
                "{\"time\":1772435730,\"ip\":\"::1\"} {} | more text stands behind the JSON object",
                "{\"time\":1772435730} | there is no client address",
                "{\"ip\":\"::1\"} | there is no time",
                "{\"time\":\"soon\",\"ip\":\"::1\"} | field 'time': a time such as 2000-10-10T13:55:36Z, 10/Oct/2000:13:55:36 -0700 or 971211336.000 was expected, found 'soon'",
                "{\"time\":\"2026-02-30T00:00:00Z\",\"ip\":\"::1\"} | there is no day 2026-2-30",
                "{\"time\":1772435730,\"ip\":\"a b\"} | field 'ip': a client address was expected, found 'a b'",
                "{\"time\":1772435730,\"ip\":\"::1\",\"status\":\"fine\"} | field 'status': a status of three digits was expected, found 'fine'",
                "{\"time\":1772435730,\"ip\":\"::1\",\"status\":1e999999999} | field 'status': a status of three digits was expected, found '1e999999999'",
            })
    void namesWhatIsWrong(String line, String expected) {
        assertThat(read("json", line)).isEqualTo("malformed: " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "json:when=ts | log format 'json:when=ts', position 6: 'when' is not one of time, peer, request",
                "json:time=ts,sheader.X=y | position 14: 'sheader.X' is not one of time, peer",
                "json:time | position 6: 'time' is not FIELD=NAME, such as time=ts",
                "json: time=ts,peer= | position 15: 'peer=' is not FIELD=NAME",
                "json:time=a,time=b | position 13: 'time' is mapped twice; give it once",
                "json:duration_s=a,duration_ms=b | position 19: 'duration_ms' is mapped twice; give it once",
                "json:time=a,peer=a | position 13: 'a' is mapped to two fields; give it once",
            })
    void refusesAMappingItDoesNotUnderstand(String format, String message) {
        assertThatThrownBy(() -> LogFormat.of(format.replace("json: ", "json:")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message.replace("position 15: 'peer=", "position 14: 'peer="));
    }

    @Test
    void theTableCanBeShown() {
        assertThat(LogFormat.jsonFields())
                .contains("duration_s: request_time, duration_s")
                .hasSizeGreaterThan(15);
    }
}
