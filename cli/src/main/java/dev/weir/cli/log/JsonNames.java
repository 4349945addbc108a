package dev.weir.cli.log;

import dev.weir.cli.log.Column.Field;
import dev.weir.cli.log.NamedColumn.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a JSON mapping, and under which names common servers and libraries log each: nginx, Apache, Caddy, Traefik, Envoy and the
 * Elastic Common Schema. The earlier name counts where a line has several. A bare {@code duration} is not among them, since servers mean
 * seconds, milliseconds or nanoseconds by it: it must be mapped to a field that says its unit.
 */
final class JsonNames {

    /**
     * One field of the mapping.
     *
     * @param field what stands left of the equals sign
     * @param names where it is looked for when the mapping does not say
     */
    record Entry(String field, List<String> names) {}

    private static final List<Entry> ENTRIES = List.of(
            entry(
                    "time",
                    "time",
                    "timestamp",
                    "@timestamp",
                    "ts",
                    "time_iso8601",
                    "msec",
                    "time_local",
                    "start_time",
                    "StartUTC"),
            entry(
                    "peer",
                    "remote_addr",
                    "client_ip",
                    "clientip",
                    "client.ip",
                    "remote_ip",
                    "request.remote_ip",
                    "request.remote_addr",
                    "ClientHost",
                    "source.ip",
                    "downstream_remote_address",
                    "remote_host",
                    "peer",
                    "ip"),
            entry("request", "request", "request_line"),
            entry(
                    "method",
                    "method",
                    "request_method",
                    "request.method",
                    "req.method",
                    "http.request.method",
                    "RequestMethod"),
            entry(
                    "target",
                    "request_uri",
                    "uri",
                    "url",
                    "target",
                    "request.uri",
                    "request.url",
                    "req.url",
                    "url.original",
                    "RequestPath"),
            entry("path", "path", "request_path", "request.path", "url.path"),
            entry("query", "query", "args", "query_string", "url.query"),
            entry(
                    "host",
                    "host",
                    "http_host",
                    "request.host",
                    "req.host",
                    "vhost",
                    "authority",
                    "url.domain",
                    "RequestHost"),
            entry("user", "user", "remote_user", "user_id", "user.name", "ClientUsername"),
            entry(
                    "status",
                    "status",
                    "status_code",
                    "response_code",
                    "response.status",
                    "http.response.status_code",
                    "DownstreamStatus"),
            entry(
                    "bytes",
                    "bytes",
                    "body_bytes_sent",
                    "bytes_sent",
                    "size",
                    "response.bytes",
                    "http.response.body.bytes",
                    "DownstreamContentSize"),
            entry("duration_s", "request_time", "duration_s"),
            entry("duration_ms", "duration_ms", "took_ms", "latency_ms", "request_time_ms", "response_time_ms"),
            entry("duration_us", "duration_us"),
            entry("duration_ns", "duration_ns", "event.duration", "Duration"),
            header("Referer", "http_referer", "referer", "referrer", "request_Referer", "http.request.referrer"),
            header("User-Agent", "http_user_agent", "user_agent", "user_agent.original", "agent", "request_User-Agent"),
            header("X-Forwarded-For", "http_x_forwarded_for", "x_forwarded_for", "request_X-Forwarded-For"),
            header("X-Api-Key", "http_x_api_key", "request_X-Api-Key"),
            header("Authorization", "http_authorization", "request_Authorization"));

    /** What may stand left of the equals sign. */
    static final String ALLOWED =
            "time, peer, request, method, target, path, query, host, user, status, bytes, duration_s, duration_ms,"
                    + " duration_us, duration_ns, header.NAME, cookie.NAME, response-header.NAME or attribute.NAME";

    private JsonNames() {}

    private static Entry entry(String field, String... names) {
        return new Entry(field, List.of(names));
    }

    /** A header, also where Caddy logs it. */
    private static Entry header(String name, String... names) {
        List<String> all = new ArrayList<>(List.of(names));
        all.add("request.headers." + name);
        return new Entry("header." + name, all);
    }

    static List<Entry> entries() {
        return ENTRIES;
    }

    static List<String> describe() {
        return ENTRIES.stream()
                .map(entry -> entry.field() + ": " + String.join(", ", entry.names()))
                .toList();
    }

    /** The column that a field of the mapping is; named ones are added to the list. Throws IllegalArgumentException for an unknown field. */
    static Column column(String field, int rank, List<NamedColumn> named) {
        int dot = field.indexOf('.');
        if (dot > 0 && dot + 1 < field.length()) {
            String name = field.substring(dot + 1);
            return switch (field.substring(0, dot)) {
                case "header" -> named(Kind.HEADER, name, rank, named);
                case "cookie" -> named(Kind.COOKIE, name, rank, named);
                case "response-header" -> named(Kind.RESPONSE_HEADER, name, rank, named);
                case "attribute" -> named(Kind.ATTRIBUTE, name, rank, named);
                default -> throw unknown(field);
            };
        }
        return switch (field) {
            case "time" -> Column.of(Field.TIME, rank);
            case "peer" -> Column.of(Field.PEER, rank);
            case "request" -> Column.of(Field.REQUEST, rank);
            case "method" -> Column.of(Field.METHOD, rank);
            case "target" -> Column.of(Field.TARGET, rank);
            case "path" -> Column.of(Field.PATH, rank);
            case "query" -> Column.of(Field.QUERY, rank);
            case "host" -> Column.of(Field.HOST, rank);
            case "user" -> Column.of(Field.USER, rank);
            case "status" -> Column.of(Field.STATUS, rank);
            case "bytes" -> Column.of(Field.BYTES, rank);
            case "duration_ns" -> Column.duration(1, rank);
            case "duration_us" -> Column.duration(1_000, 100 + rank);
            case "duration_ms" -> Column.duration(1_000_000, 200 + rank);
            case "duration_s" -> Column.duration(1_000_000_000, 300 + rank);
            default -> throw unknown(field);
        };
    }

    private static Column named(Kind kind, String name, int rank, List<NamedColumn> named) {
        int slot = 0;
        while (slot < named.size() && !named.get(slot).is(kind, name)) {
            slot++;
        }
        if (slot == named.size()) {
            named.add(new NamedColumn(kind, name));
        }
        return Column.named(slot, rank);
    }

    private static IllegalArgumentException unknown(String field) {
        return new IllegalArgumentException("'" + field + "' is not one of " + ALLOWED);
    }
}
