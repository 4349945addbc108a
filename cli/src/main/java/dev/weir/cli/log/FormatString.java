package dev.weir.cli.log;

import dev.weir.cli.log.Column.Field;
import dev.weir.cli.log.NamedColumn.Kind;
import dev.weir.cli.log.TextFormat.Piece;
import dev.weir.cli.log.TextFormat.Text;
import dev.weir.cli.log.TextFormat.Time;
import dev.weir.cli.log.TextFormat.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a format string as it stands in the configuration of Apache ({@code %h}) or nginx ({@code $remote_addr}). */
final class FormatString {

    static final String APACHE =
            "%h %a %{c}a %l %u %t %{FORMAT}t %r %s %b %B %O %I %D %T %{UNIT}T %v %V %p %m %U %q %H %f %A %k %L %P %R %S %X"
                    + " %{NAME}i %{NAME}o %{NAME}C %{NAME}e %{NAME}n %%";
    static final String NGINX =
            "$remote_addr $realip_remote_addr $remote_user $time_local $time_iso8601 $msec $request $request_method"
                    + " $request_uri $uri $args $query_string $is_args $host $server_name $status $body_bytes_sent $bytes_sent $request_time"
                    + " $upstream_response_time $proxy_add_x_forwarded_for $http_NAME $sent_http_NAME $upstream_http_NAME $cookie_NAME, and to skip"
                    + " $request_length $request_id $scheme $server_protocol $server_port $pipe $connection $upstream_NAME $ssl_NAME $skip and others";

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** Directives of Apache that say nothing about what a policy reads. */
    private static final String APACHE_SKIPPED = "lIpHfAkLPRSXen";

    private static final Set<String> NGINX_SKIPPED = Set.of(
            "skip",
            "request_length",
            "request_id",
            "request_completion",
            "request_body",
            "request_filename",
            "scheme",
            "https",
            "http2",
            "http3",
            "server_protocol",
            "server_port",
            "server_addr",
            "remote_port",
            "realip_remote_port",
            "pid",
            "pipe",
            "connection",
            "connection_requests",
            "connection_time",
            "content_length",
            "content_type",
            "document_root",
            "document_uri",
            "gzip_ratio",
            "hostname",
            "nginx_version",
            "limit_rate",
            "limit_req_status",
            "limit_conn_status",
            "proxy_host",
            "proxy_port",
            "invalid_referer");

    private static final List<String> NGINX_SKIPPED_PREFIXES =
            List.of("upstream_", "ssl_", "geoip_", "geoip2_", "tcpinfo_", "proxy_protocol_", "arg_", "sent_trailer_");

    private final String format;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();
    private final List<NamedColumn> named = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder timeParts = new StringBuilder();
    private final StringBuilder endParts = new StringBuilder();
    private boolean startKnown;
    private boolean connectionPeer;

    private FormatString(String format) {
        this.format = format;
    }

    /** Whether a text is meant as a format string. */
    static boolean is(String text) {
        return text.indexOf('%') >= 0 || text.indexOf('$') >= 0;
    }

    /**
     * Compiles a format string.
     *
     * @param lenient whether lines may end behind the bytes and may have more fields at their end, as the well-known formats allow
     */
    static TextFormat compile(String format, boolean lenient) {
        FormatString compiler = new FormatString(format);
        if (nginx(format)) {
            compiler.readNginx();
        } else {
            compiler.readApache();
        }
        return compiler.toFormat(lenient);
    }

    private static boolean nginx(String format) {
        int dollar = format.indexOf('$');
        int percent = format.indexOf('%');
        return dollar >= 0 && (percent < 0 || dollar < percent);
    }

    private void readApache() {
        int at = 0;
        while (at < format.length()) {
            char c = format.charAt(at);
            if (c != '%') {
                at = literal(at);
                continue;
            }
            int start = at++;
            while (at < format.length() && "!<>,0123456789".indexOf(format.charAt(at)) >= 0) {
                at++;
            }
            @Nullable String argument = null;
            if (at < format.length() && format.charAt(at) == '{') {
                int end = format.indexOf('}', at);
                if (end < 0) {
                    throw error(start, "'" + format.substring(start) + "' has no closing brace");
                }
                argument = format.substring(at + 1, end);
                at = end + 1;
            }
            if (at >= format.length()) {
                throw error(start, "'" + format.substring(start) + "' has no letter at its end, such as %h");
            }
            apache(start, format.charAt(at), argument, format.substring(start, at + 1));
            at++;
        }
    }

    private void apache(int start, char letter, @Nullable String argument, String whole) {
        switch (letter) {
            case '%' -> text.append('%');
            case 'h', 'a' -> {
                boolean connection = "c".equals(argument);
                connectionPeer |= connection;
                add(start, connection ? CONNECTION_PEER : Column.of(Field.PEER, letter == 'a' ? 1 : 2));
            }
            case 'u' -> add(start, Column.of(Field.USER));
            case 'r' -> add(start, Column.of(Field.REQUEST));
            case 's' -> add(start, Column.of(Field.STATUS));
            case 'b', 'B' -> add(start, Column.of(Field.BYTES));
            case 'O' -> add(start, Column.of(Field.BYTES, 1));
            case 'D' -> add(start, Column.duration(MICRO, 0));
            case 'T' -> {
                switch (argument == null ? "s" : argument) {
                    case "us" -> add(start, Column.duration(MICRO, 0));
                    case "ms" -> add(start, Column.duration(MILLI, 1));
                    case "s" -> add(start, Column.duration(SECOND, 2));
                    default -> throw error(start, "'" + whole + "' has no such unit: us, ms or s");
                }
            }
            case 'V' -> add(start, Column.of(Field.HOST, 1));
            case 'v' -> add(start, Column.of(Field.HOST, 2));
            case 'm' -> add(start, Column.of(Field.METHOD));
            case 'U' -> add(start, Column.of(Field.PATH), "/");
            case 'q' -> add(start, Column.of(Field.QUERY), "?");
            case 'i', 'o', 'C' -> {
                if (argument == null || argument.isEmpty()) {
                    throw error(start, "'" + whole + "' lacks a name, such as %{Name}" + letter);
                }
                Kind kind = letter == 'i' ? Kind.HEADER : letter == 'o' ? Kind.RESPONSE_HEADER : Kind.COOKIE;
                addNamed(start, kind, argument, 0);
            }
            case 't' -> apacheTime(start, argument);
            default -> {
                if (APACHE_SKIPPED.indexOf(letter) < 0) {
                    throw error(
                            start,
                            "'" + whole + "' is not known; known are " + APACHE
                                    + "; write %l in its place to skip that column");
                }
                skip(start, whole);
            }
        }
    }

    private void apacheTime(int start, @Nullable String argument) {
        if (argument == null) {
            text.append('[');
            addTime(start, TimePattern.COMMON, false);
            text.append(']');
            return;
        }
        boolean end = argument.startsWith("end:");
        String pattern =
                end || argument.startsWith("begin:") ? argument.substring(argument.indexOf(':') + 1) : argument;
        try {
            addTime(
                    start,
                    switch (pattern) {
                        case "" -> TimePattern.COMMON;
                        case "sec" -> TimePattern.WHOLE_SECONDS;
                        case "msec" -> TimePattern.MILLIS;
                        case "usec" -> TimePattern.MICROS;
                        case "msec_frac" -> TimePattern.MILLI_FRACTION;
                        case "usec_frac" -> TimePattern.MICRO_FRACTION;
                        default -> TimePattern.strftime(pattern);
                    },
                    end);
        } catch (IllegalArgumentException e) {
            throw error(start, e.getMessage());
        }
    }

    private void readNginx() {
        int at = 0;
        while (at < format.length()) {
            if (format.charAt(at) != '$') {
                at = literal(at);
                continue;
            }
            int start = at++;
            boolean braced = at < format.length() && format.charAt(at) == '{';
            at += braced ? 1 : 0;
            int end = at;
            while (end < format.length()
                    && (Character.isLetterOrDigit(format.charAt(end)) || format.charAt(end) == '_')) {
                end++;
            }
            if (end == at || (braced && (end == format.length() || format.charAt(end) != '}'))) {
                throw error(start, "'$' begins no variable's name, such as $remote_addr");
            }
            nginx(start, format.substring(at, end));
            at = braced ? end + 1 : end;
        }
    }

    private void nginx(int start, String name) {
        switch (name) {
            case "remote_addr" -> add(start, Column.of(Field.PEER, 1));
            case "realip_remote_addr" -> {
                connectionPeer = true;
                add(start, CONNECTION_PEER);
            }
            case "remote_user" -> add(start, Column.of(Field.USER));
            case "time_local" -> addTime(start, TimePattern.COMMON, false);
            case "time_iso8601" -> addTime(start, TimePattern.ISO, false);
            case "msec" -> addTime(start, TimePattern.SECONDS, false);
            case "request" -> add(start, Column.of(Field.REQUEST));
            case "request_method" -> add(start, Column.of(Field.METHOD));
            case "request_uri" -> add(start, Column.of(Field.TARGET), "/");
            case "uri" -> add(start, Column.of(Field.PATH), "/");
            case "is_args" -> add(start, Column.of(Field.QUESTION_MARK), "?");
            case "args", "query_string" -> add(start, Column.of(Field.QUERY));
            case "host" -> add(start, Column.of(Field.HOST, 0));
            case "server_name" -> add(start, Column.of(Field.HOST, 2));
            case "status" -> add(start, Column.of(Field.STATUS));
            case "body_bytes_sent" -> add(start, Column.of(Field.BYTES));
            case "bytes_sent" -> add(start, Column.of(Field.BYTES, 1));
            case "request_time" -> add(start, Column.duration(SECOND, 1));
            case "upstream_response_time" -> add(start, Column.duration(SECOND, 3));
            case "proxy_add_x_forwarded_for" -> addNamed(start, Kind.HEADER, "X-Forwarded-For", 1);
            default -> nginxNamed(start, name);
        }
    }

    private void nginxNamed(int start, String name) {
        if (name.startsWith("http_") && name.length() > 5) {
            addNamed(start, Kind.HEADER, header(name.substring(5)), 0);
        } else if (name.startsWith("sent_http_")) {
            addNamed(start, Kind.RESPONSE_HEADER, header(name.substring(10)), 0);
        } else if (name.startsWith("upstream_http_")) {
            addNamed(start, Kind.RESPONSE_HEADER, header(name.substring(14)), 1);
        } else if (name.startsWith("cookie_")) {
            addNamed(start, Kind.COOKIE, name.substring(7), 0);
        } else if (NGINX_SKIPPED.contains(name)
                || NGINX_SKIPPED_PREFIXES.stream().anyMatch(name::startsWith)) {
            skip(start, "$" + name);
        } else {
            throw error(
                    start,
                    "'$" + name + "' is not known; known are " + NGINX
                            + "; write $skip in its place to skip that column");
        }
    }

    /** A header's name from a variable's: nginx writes dashes as underscores. */
    private static String header(String name) {
        return name.replace('_', '-');
    }

    /** Takes one character that is no directive. A backslash before a quote, as in configuration files, goes. */
    private int literal(int at) {
        boolean escape = format.startsWith("\\\"", at) || format.startsWith("\\\\", at);
        text.append(format.charAt(escape ? at + 1 : at));
        return escape ? at + 2 : at + 1;
    }

    /** The peer of the connection, until it is known whether its rank is before or behind the address that the server derived. */
    private static final Column CONNECTION_PEER = Column.of(Field.PEER, 3);

    private void addNamed(int start, Kind kind, String name, int rank) {
        int slot = 0;
        while (slot < named.size() && !named.get(slot).is(kind, name)) {
            slot++;
        }
        if (slot == named.size()) {
            named.add(new NamedColumn(kind, name));
        }
        flush();
        positions.add(start);
        pieces.add(new Value(Column.named(slot, rank), name, kind == Kind.HEADER, ""));
    }

    private void skip(int start, String directive) {
        flush();
        positions.add(start);
        pieces.add(new Value(Column.SKIPPED, "the field " + directive, true, ""));
    }

    private void add(int start, Column column) {
        add(start, column, "");
    }

    private void add(int start, Column column, String opens) {
        flush();
        positions.add(start);
        pieces.add(new Value(column, column.field().words(), column.field() == Field.DURATION, opens));
    }

    private void addTime(int start, TimePattern pattern, boolean end) {
        flush();
        positions.add(start);
        pieces.add(new Time(pattern, !end));
        (end ? endParts : timeParts).append(pattern.parts());
        startKnown |= !end;
    }

    private void flush() {
        if (!text.isEmpty()) {
            pieces.add(new Text(text.toString()));
            positions.add(0);
            text.setLength(0);
        }
    }

    private TextFormat toFormat(boolean lenient) {
        flush();
        boolean forwarded =
                named.stream().anyMatch(n -> n.is(Kind.HEADER, "X-Forwarded-For") || n.is(Kind.HEADER, "Forwarded"));
        int mayEndBefore = pieces.size();
        boolean peer = named.stream().anyMatch(n -> n.is(Kind.HEADER, "X-Forwarded-For"));
        for (int i = 0; i < pieces.size(); i++) {
            if (!(pieces.get(i) instanceof Value value)) {
                continue;
            }
            peer |= value.column().field() == Field.PEER;
            if (connectionPeer && forwarded && value.column().equals(CONNECTION_PEER)) {
                pieces.set(i, new Value(Column.of(Field.PEER, 0), value.words(), false, ""));
            }
            if (i + 1 < pieces.size()
                    && pieces.get(i + 1) instanceof Value next
                    && next.opens().isEmpty()
                    && !ends(value)) {
                throw error(
                        positions.get(i + 1), "two values stand side by side: put text between them, such as a space");
            }
            if (i + 1 < pieces.size() && pieces.get(i + 1) instanceof Time) {
                throw error(
                        positions.get(i + 1),
                        "a time stands directly behind a value: put text between them, such as a space");
            }
            if (lenient && value.column().field() == Field.BYTES) {
                mayEndBefore = i + 1;
            }
        }
        if (!peer) {
            throw error(
                    0,
                    "there is no client address; give %h, %a, %{X-Forwarded-For}i, $remote_addr or $http_x_forwarded_for");
        }
        if (!startKnown) {
            pieces.replaceAll(piece -> piece instanceof Time time ? new Time(time.pattern(), true) : piece);
        }
        String parts = (startKnown ? timeParts : endParts).toString();
        boolean calendar = "YmdHMS".chars().allMatch(part -> parts.indexOf(part) >= 0);
        if (parts.indexOf('s') < 0 && !calendar) {
            throw error(0, "there is no whole time; give %t, %{sec}t, $time_local, $time_iso8601 or $msec");
        }
        return new TextFormat(pieces, named, mayEndBefore, lenient);
    }

    /** Whether a value knows its own end: {@code $is_args} is a question mark or nothing. */
    private static boolean ends(Value value) {
        return value.column().field() == Field.QUESTION_MARK;
    }

    private IllegalArgumentException error(int start, @Nullable String what) {
        return new IllegalArgumentException("log format '" + format + "', position " + (start + 1) + ": " + what);
    }
}
