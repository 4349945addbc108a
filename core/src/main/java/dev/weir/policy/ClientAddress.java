package dev.weir.policy;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who is calling, from what the connection and its trusted proxies say. Pure functions.
 *
 * <p>A forwarding header grows on its right: each proxy appends the address it was called from. So everything left of the first proxy
 * that is not ours was written by somebody whom we do not believe. The header is therefore read from the right, for as long as the
 * address that wrote a part is trusted; the first address that is not trusted is the client. Whatever a client puts in front of that
 * cannot change the answer.
 *
 * <pre>
 * X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.9        peer 10.0.0.1, trusted: 10.0.0.0/8
 *                  ^ forged ^ the client  ^ ours
 * </pre>
 *
 * <ul>
 *   <li>The peer of the connection is not trusted: the header is not read, the peer is the client.
 *   <li>Only the configured header is read; the other is ignored even where the configured one is absent.
 *   <li>Several header lines are one list in their order. Empty parts are dropped and count for nothing.
 *   <li>Ports and brackets are dropped: {@code 192.0.2.1:80}, {@code [2001:db8::1]:80}.
 *   <li>All addresses are trusted: the leftmost is the client.
 *   <li>A part met on the way that is no address ({@code unknown}, {@code _hidden}, a Forwarded element without {@code for}, garbage): the
 *       peer of the connection is the client. What stands left of it cannot be attributed to anybody.
 *   <li>At most {@value #MAX_HOPS} addresses and {@value #MAX_CHARS} characters are read; then the last trusted address reached is the
 *       client.
 * </ul>
 */
public final class ClientAddress {

    /** How many addresses of a forwarding header are read at most. */
    static final int MAX_HOPS = 64;
    /** How many characters of a forwarding header are read at most. */
    static final int MAX_CHARS = 16_384;

    private ClientAddress() {}

    /**
     * The client's address: a dotted quad for IPv4 and IPv4-mapped addresses, RFC 5952 for IPv6. Where the peer is no IP address (a unix
     * socket) it is never trusted and its text is the answer. Never throws on what came over the wire.
     *
     * @param identity whom to believe, and which header
     * @param peer the address that the connection came from, without port
     * @param xForwardedForLines the lines of {@code X-Forwarded-For}, in order
     * @param forwardedLines the lines of {@code Forwarded} (RFC 7239), in order
     */
    public static String of(
            Identity identity, String peer, List<String> xForwardedForLines, List<String> forwardedLines) {
        return Address.parse(peer)
                .map(connection ->
                        client(identity, connection, rfc7239 -> rfc7239 ? forwardedLines : xForwardedForLines))
                .map(Address::toString)
                .orElse(peer);
    }

    /** Whose connection it is, or for whom a trusted proxy has it. Asks for the lines of the one header that is believed, if one is. */
    private static Address client(
            Identity identity, Address connection, Function<Boolean, List<String>> linesOfRfc7239) {
        if (identity.clientIp() == ClientIp.PEER || !identity.trusts(connection)) {
            return connection;
        }
        boolean rfc7239 = identity.clientIp() == ClientIp.FORWARDED;
        return walk(identity, connection, linesOfRfc7239.apply(rfc7239), rfc7239);
    }

    /** The caller that a call counts as: the {@link #prefix} of its client. Asks for a header only where it is believed. */
    static String caller(Identity identity, Call call) {
        String peer = call.peer();
        Optional<Address> address = Address.parse(peer);
        if (address.isEmpty()) {
            return peer;
        }
        Address connection = address.get();
        Address client =
                client(identity, connection, rfc7239 -> call.headers(rfc7239 ? "Forwarded" : "X-Forwarded-For"));
        boolean asItIs = client.equals(connection) && identity.ipv4Prefix() == 32 && Address.isQuad(peer);
        return asItIs ? peer : prefix(identity, client);
    }

    private static Address walk(Identity identity, Address connection, List<String> lines, boolean forwarded) {
        Address client = connection;
        int hops = 0;
        int chars = 0;
        for (int line = lines.size() - 1; line >= 0; line--) {
            String text = lines.get(line);
            int end = text.length();
            while (end >= 0) {
                int part = partStart(text, end, MAX_CHARS - chars, forwarded);
                chars += end - part + 1;
                if (chars > MAX_CHARS) {
                    return client;
                }
                int from = skipBlanks(text, part, end);
                int to = dropBlanks(text, from, end);
                end = part - 1;
                if (from == to) {
                    continue;
                }
                if (++hops > MAX_HOPS) {
                    return client;
                }
                Optional<Address> hop = forwarded ? elementFor(text, from, to) : node(text, from, to);
                if (hop.isEmpty()) {
                    return connection;
                }
                client = hop.get();
                if (!identity.trusts(client)) {
                    return client;
                }
            }
        }
        return client;
    }

    /**
     * Where the part that ends at {@code end} begins: behind the next comma to its left. In Forwarded a comma within a quoted string does
     * not count. Quotes are paired from the right as well, so that an open quote on the left, which a client may have sent, hides nothing
     * that a proxy appended to it.
     */
    private static int partStart(String text, int end, int maxChars, boolean quotes) {
        boolean quoted = false;
        int stop = Math.max(0, end - maxChars - 1);
        for (int at = end - 1; at >= stop; at--) {
            char c = text.charAt(at);
            if (c == ',' && !quoted) {
                return at + 1;
            }
            if (quotes && c == '"' && !escaped(text, at)) {
                quoted = !quoted;
            }
        }
        return stop;
    }

    private static boolean escaped(String text, int at) {
        int backslashes = 0;
        while (at - backslashes > 0 && text.charAt(at - backslashes - 1) == '\\') {
            backslashes++;
        }
        return (backslashes & 1) == 1;
    }

    /** The address of the one {@code for} of a forwarded-element (RFC 7239 section 4); empty when the element is malformed or has none. */
    private static Optional<Address> elementFor(String text, int start, int end) {
        Optional<Address> found = Optional.empty();
        boolean seen = false;
        int at = start;
        while (at < end) {
            at = skipBlanks(text, at, end);
            if (at < end && text.charAt(at) == ';') {
                at++;
                continue;
            }
            int equals = text.indexOf('=', at);
            if (equals < 0 || equals >= end) {
                return Optional.empty();
            }
            boolean isFor = equals - at == 3 && text.regionMatches(true, at, "for", 0, 3);
            String value;
            at = equals + 1;
            if (at < end && text.charAt(at) == '"') {
                StringBuilder unquoted = new StringBuilder();
                at++;
                while (at < end && text.charAt(at) != '"') {
                    if (text.charAt(at) == '\\') {
                        at++;
                    }
                    if (at < end) {
                        unquoted.append(text.charAt(at));
                    }
                    at++;
                }
                if (at >= end) {
                    return Optional.empty();
                }
                at++;
                value = unquoted.toString();
            } else {
                int first = at;
                while (at < end && text.charAt(at) != ';' && text.charAt(at) != '"' && !isBlank(text.charAt(at))) {
                    at++;
                }
                value = text.substring(first, at);
            }
            at = skipBlanks(text, at, end);
            if (at < end && text.charAt(at) != ';') {
                return Optional.empty();
            }
            if (isFor) {
                if (seen) {
                    return Optional.empty();
                }
                seen = true;
                found = node(value, 0, value.length());
            }
        }
        return found;
    }

    /** An address with or without port: {@code 192.0.2.1:80}, {@code [2001:db8::1]:80}, {@code 2001:db8::1}. */
    private static Optional<Address> node(String text, int start, int end) {
        if (start < end && text.charAt(start) == '[') {
            int close = text.indexOf(']', start);
            int colon = text.indexOf(':', start);
            boolean bracketed = close >= 0 && close < end && colon >= 0 && colon < close;
            return bracketed && (close + 1 == end || isPort(text, close + 1, end))
                    ? Address.parse(text, start + 1, close)
                    : Optional.empty();
        }
        int colon = text.indexOf(':', start);
        boolean one = colon >= 0 && colon < end && text.lastIndexOf(':', end - 1) == colon;
        if (!one) {
            return Address.parse(text, start, end);
        }
        return isPort(text, colon, end) ? Address.parse(text, start, colon) : Optional.empty();
    }

    /** A colon, then a number or an obfuscated port ({@code _name}). */
    private static boolean isPort(String text, int colon, int end) {
        int first = colon + 1;
        if (text.charAt(colon) != ':' || first >= end) {
            return false;
        }
        boolean obfuscated = text.charAt(first) == '_';
        for (int at = first; at < end; at++) {
            char c = text.charAt(at);
            boolean digit = c >= '0' && c <= '9';
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
            if (!digit && !(obfuscated && letter)) {
                return false;
            }
        }
        return obfuscated || end - first <= 5;
    }

    private static int skipBlanks(String text, int from, int end) {
        int at = from;
        while (at < end && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int dropBlanks(String text, int from, int end) {
        int at = end;
        while (at > from && isBlank(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /**
     * The caller that an address counts as: with the default prefixes an IPv4 address itself and the /64 of an IPv6 one, {@code
     * 2001:db8:1:2::/64}, since a subscriber has all of it. A prefix of the full length is the address alone. Text that is no IP address
     * is answered as it is.
     */
    public static String prefix(Identity identity, String address) {
        return Address.parse(address).map(parsed -> prefix(identity, parsed)).orElse(address);
    }

    private static String prefix(Identity identity, Address address) {
        boolean v4 = address.isV4();
        int length = v4 ? identity.ipv4Prefix() : identity.ipv6Prefix();
        int bits = v4 ? length + Address.V4_OFFSET_BITS : length;
        return bits == 128 ? address.toString() : address.prefix(bits) + "/" + length;
    }
}
