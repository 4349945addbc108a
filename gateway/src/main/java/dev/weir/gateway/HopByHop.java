package dev.weir.gateway;

import io.vertx.core.MultiMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which fields end at this hop (RFC 9110 section 7.6.1): the known ones, and those that the sender's Connection names. Pure. */
final class HopByHop {

    private static final Set<String> KNOWN = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** What a message cannot do without, whatever its Connection says: a sender must not be able to have it dropped on the way. */
    private static final Set<String> KEPT = Set.of("host", "content-length", "content-type", "authorization", "cookie");

    private HopByHop() {}

    /** Copies the fields that go on to the next hop. Names and the order of lines stay. */
    static void copyEndToEnd(MultiMap from, MultiMap to) {
        Set<String> named = namedByConnection(from);
        for (Map.Entry<String, String> field : from) {
            String name = field.getKey();
            if (!isHopByHop(name, named)) {
                to.add(name, field.getValue());
            }
        }
    }

    private static boolean isHopByHop(String name, Set<String> named) {
        String lower = name.toLowerCase(Locale.ROOT);
        return KNOWN.contains(lower) || named.contains(lower) || lower.startsWith(":");
    }

    /** The names in Connection, in lower case; those of {@link #KEPT} do not count. */
    static Set<String> namedByConnection(MultiMap fields) {
        List<String> lines = fields.getAll("connection");
        if (lines.isEmpty()) {
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

    /** Whether TE says that trailers are understood, the one thing of it that may be passed on. */
    static boolean takesTrailers(MultiMap fields) {
        for (String line : fields.getAll("te")) {
            for (String coding : line.split(",", -1)) {
                if (coding.strip().equalsIgnoreCase("trailers")) {
                    return true;
                }
            }
        }
        return false;
    }
}
