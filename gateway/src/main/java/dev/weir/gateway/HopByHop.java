package dev.weir.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which fields end at this hop (RFC 9110 section 7.6.1): the known ones, and those that the sender's Connection names. Pure. */
final class HopByHop {

    /** What a message cannot do without, whatever its Connection says: a sender must not be able to have it dropped on the way. */
    private static final Set<String> KEPT = Set.of("host", "content-length", "content-type", "authorization", "cookie");

    private HopByHop() {}

    /** Copies the fields that go on to the next hop. Names and the order of lines stay. */
    static void copyEndToEnd(MultiMap from, MultiMap to) {
        copyEndToEnd(from, to, name -> false);
    }

    /** Copies the fields that go on to the next hop, but for those dropped by name. Names and the order of lines stay. */
    static void copyEndToEnd(MultiMap from, MultiMap to, Predicate<String> dropped) {
        Set<String> named = namedByConnection(from);
        for (Map.Entry<String, String> field : from) {
            String name = field.getKey();
            boolean ends = isKnown(name)
                    || name.startsWith(":")
                    || (!named.isEmpty() && named.contains(name.toLowerCase(Locale.ROOT)));
            if (!ends && !dropped.test(name)) {
                to.add(name, field.getValue());
            }
        }
    }

    private static boolean isKnown(String name) {
        return switch (name.length()) {
            case 2 -> name.equalsIgnoreCase("te");
            case 7 -> name.equalsIgnoreCase("trailer") || name.equalsIgnoreCase("upgrade");
            case 10 -> name.equalsIgnoreCase("connection") || name.equalsIgnoreCase("keep-alive");
            case 14 -> name.equalsIgnoreCase("http2-settings");
            case 16 -> name.equalsIgnoreCase("proxy-connection");
            case 17 -> name.equalsIgnoreCase("transfer-encoding");
            case 18 -> name.equalsIgnoreCase("proxy-authenticate");
            case 19 -> name.equalsIgnoreCase("proxy-authorization");
            default -> false;
        };
    }

    /** The names in Connection, in lower case; those of {@link #KEPT} do not count. */
    static Set<String> namedByConnection(MultiMap fields) {
        if (!fields.contains(HttpHeaders.CONNECTION)) {
            return Set.of();
        }
        List<String> lines = fields.getAll(HttpHeaders.CONNECTION);
        if (lines.size() == 1
                && (lines.get(0).equalsIgnoreCase("keep-alive") || lines.get(0).equalsIgnoreCase("close"))) {
            return Set.of();
        }
        Set<String> named = new HashSet<>();
        for (String line : lines) {
            for (String name : line.split(",", -1)) {
                named.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        named.removeAll(KEPT);
        return named;
    }

    /** Whether Connection says, alone or among other things, that this message is the last one (RFC 9112 section 9.6). */
    static boolean closes(MultiMap fields) {
        return lists(fields, HttpHeaders.CONNECTION, "close");
    }

    /** Whether Transfer-Encoding names more than the one coding that is undone here. */
    static boolean isCoded(MultiMap fields) {
        if (!fields.contains(HttpHeaders.TRANSFER_ENCODING)) {
            return false;
        }
        List<String> codings = fields.getAll(HttpHeaders.TRANSFER_ENCODING);
        return codings.size() > 1 || !codings.get(0).equalsIgnoreCase("chunked");
    }

    /** Whether TE says that trailers are understood, the one thing of it that may be passed on. */
    static boolean takesTrailers(MultiMap fields) {
        return lists(fields, FieldNames.TE, "trailers");
    }

    private static boolean lists(MultiMap fields, CharSequence name, String item) {
        if (!fields.contains(name)) {
            return false;
        }
        for (String line : fields.getAll(name)) {
            for (String one : line.split(",", -1)) {
                if (one.strip().equalsIgnoreCase(item)) {
                    return true;
                }
            }
        }
        return false;
    }
}
