package dev.weir.cli.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How the lines of an access log are written. Immutable.
 *
 * <p><b>By name.</b> {@code common}, {@code combined} (also called {@code nginx}: its default is the same) and {@code vhost-combined}, which has
 * the host in front. These take what servers really write: a line of {@code combined} may end behind the bytes, as one of {@code common} does,
 * and more fields may follow as long as their quotes are in order.
 *
 * <p><b>By format string</b>, as it stands in the configuration of Apache or nginx: {@code %h %l %u %t "%r" %>s %b %D}. Such a line must be
 * exactly that. A directive that is not known is an error. Skipped, since no policy reads them, are {@code %l %I %p %H %f %A %k %L %P %R %S %X},
 * {@code %{NAME}e} and {@code %{NAME}n}; of nginx what is about the server, the connection and the request's body, and {@code $upstream_NAME},
 * {@code $ssl_NAME}, {@code $geoip_NAME}, {@code $arg_NAME} and {@code $skip}, which is ours. Without the peer's address, the last address of
 * {@code X-Forwarded-For} stands for it. Where a format has both the connection's peer ({@code %{c}a}, {@code $realip_remote_addr}) and the
 * address the server made of it, the peer counts if a forwarding header is logged as well.
 *
 * <p><b>JSON lines:</b> {@code json} looks for the names that servers usually give; {@code json:time=ts,peer=client.ip} says where they differ.
 * A name may lead into objects, with dots. {@link #jsonFields} lists fields and usual names.
 *
 * <p>A dash or nothing is an absent value, since logs do not tell the two apart; a time without a zone is UTC.
 *
 * <p>The rule for odd requests: a call happened and was answered, so a line whose time and client address can be read is a call, whatever its
 * request looks like; one that was never understood has neither method nor target. Everything else that does not fit its format is malformed.
 */
public final class LogFormat {

    private static final String COMMON = "%h %l %u %t \"%r\" %>s %b";
    private static final String AGENT = " \"%{Referer}i\" \"%{User-Agent}i\"";

    private static final Map<String, String> NAMED = new LinkedHashMap<>();

    static {
        NAMED.put("common", COMMON);
        NAMED.put("combined", COMMON + AGENT);
        NAMED.put("vhost-combined", "%v %h %l %u %t \"%r\" %>s %O" + AGENT);
        NAMED.put("nginx", COMMON + AGENT);
    }

    /** What {@link #of} accepts, for help and error texts. */
    public static final String ALLOWED =
            "common, combined, vhost-combined, nginx, json, json:FIELD=NAME,... or a format string of Apache"
                    + " (%h %l %u %t \"%r\" %>s %b) or nginx ($remote_addr ...)";

    private final String text;
    private final LineParser parser;

    private LogFormat(String text, LineParser parser) {
        this.text = text;
        this.parser = parser;
    }

    /** Reads a format's name, mapping or string. Throws {@link IllegalArgumentException} that names the position and what is allowed. */
    public static LogFormat of(String text) {
        String named = NAMED.get(text);
        if (named != null) {
            return new LogFormat(text, FormatString.compile(named, true));
        }
        if (text.equals("json") || text.startsWith("json:")) {
            return new LogFormat(text, JsonFormat.of(text.equals("json") ? "" : text.substring("json:".length())));
        }
        if (FormatString.is(text)) {
            return new LogFormat(text, FormatString.compile(text, false));
        }
        throw new IllegalArgumentException("log format '" + text + "' is not one of " + ALLOWED);
    }

    /** The request headers that this format can hold, so that a reader can be told what a policy asks for in vain. */
    public Set<String> headerNames() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (NamedColumn column : parser.named()) {
            if (column.kind() == NamedColumn.Kind.HEADER) {
                names.add(column.name());
            }
        }
        return names;
    }

    /** The fields of a JSON mapping and the names each is looked for by default: one line a field. */
    public static List<String> jsonFields() {
        return new ArrayList<>(JsonNames.describe());
    }

    LineParser parser() {
        return parser;
    }

    /** The format as it was given. */
    @Override
    public String toString() {
        return text;
    }
}
