package dev.weir.gateway;

import io.vertx.core.MultiMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the next hop is told about the client. A trusted proxy's account is kept and continued; anybody else's is deleted, so that an
 * upstream that believes these fields believes us. Pure.
 */
final class ForwardedFields {

    private ForwardedFields() {}

    /** Whether a field is an account of earlier hops, which only a trusted proxy can give. */
    static boolean isOne(String name) {
        return name.regionMatches(true, 0, "x-forwarded-", 0, 12)
                || name.equalsIgnoreCase("forwarded")
                || name.equalsIgnoreCase("x-real-ip");
    }

    /**
     * Continues what the fields say so far: a trusted proxy's account, or none.
     *
     * @param peer the address of the peer
     * @param host the host that was asked for; null when there was none
     */
    static void write(MultiMap fields, String peer, String scheme, @Nullable String host) {
        fields.set(FieldNames.FORWARDED_FOR, joined(fields.getAll(FieldNames.FORWARDED_FOR), peer));
        if (!fields.contains(FieldNames.FORWARDED_PROTO)) {
            fields.set(FieldNames.FORWARDED_PROTO, scheme);
        }
        if (host != null && !fields.contains(FieldNames.FORWARDED_HOST)) {
            fields.set(FieldNames.FORWARDED_HOST, host);
        }
        fields.set(FieldNames.FORWARDED, joined(fields.getAll(FieldNames.FORWARDED), element(peer, scheme, host)));
    }

    private static String joined(List<String> before, String own) {
        return before.isEmpty() || (before.size() == 1 && before.get(0).isBlank())
                ? own
                : String.join(", ", before) + ", " + own;
    }

    /** One element of RFC 7239. */
    private static String element(String peer, String scheme, @Nullable String host) {
        String node = peer.contains(":") ? "\"[" + peer + "]\"" : peer;
        String element = "for=" + node + ";proto=" + scheme;
        return host == null ? element : element + ";host=\"" + host + "\"";
    }
}
