package dev.weir.gateway;

import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the next hop is told about the client. A trusted proxy's account is kept and continued; anybody else's is deleted, so that an
 * upstream that believes these fields believes us. Pure.
 */
final class ForwardedFields {

    private static final String FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED_PROTO = "X-Forwarded-Proto";
    private static final String FORWARDED_HOST = "X-Forwarded-Host";
    private static final String FORWARDED = "Forwarded";

    private ForwardedFields() {}

    /**
     * Writes them into the fields to be sent.
     *
     * @param trusted whether the peer is a trusted proxy
     * @param peer its address
     * @param host the host that was asked for; null when there was none
     */
    static void write(MultiMap fields, boolean trusted, String peer, String scheme, @Nullable String host) {
        String before = trusted ? String.join(", ", fields.getAll(FORWARDED_FOR)) : "";
        String beforeElements = trusted ? String.join(", ", fields.getAll(FORWARDED)) : "";
        if (!trusted) {
            deleteClientCopies(fields);
        }
        fields.set(FORWARDED_FOR, joined(before, peer));
        if (!fields.contains(FORWARDED_PROTO)) {
            fields.set(FORWARDED_PROTO, scheme);
        }
        if (host != null && !fields.contains(FORWARDED_HOST)) {
            fields.set(FORWARDED_HOST, host);
        }
        fields.set(FORWARDED, joined(beforeElements, element(peer, scheme, host)));
    }

    private static void deleteClientCopies(MultiMap fields) {
        List<String> theirs = new ArrayList<>(4);
        for (String name : fields.names()) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (lower.startsWith("x-forwarded-") || lower.equals("forwarded") || lower.equals("x-real-ip")) {
                theirs.add(name);
            }
        }
        theirs.forEach(fields::remove);
    }

    private static String joined(String before, String own) {
        return before.isBlank() ? own : before + ", " + own;
    }

    /** One element of RFC 7239. */
    private static String element(String peer, String scheme, @Nullable String host) {
        String node = peer.contains(":") ? "\"[" + peer + "]\"" : peer;
        String element = "for=" + node + ";proto=" + scheme;
        return host == null ? element : element + ";host=\"" + host + "\"";
    }
}
