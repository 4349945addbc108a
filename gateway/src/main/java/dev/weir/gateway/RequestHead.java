package dev.weir.gateway;

import dev.weir.policy.NormalPath;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request that two readers can only read one way, or the reason why it is refused. Pure.
 *
 * @param target what is forwarded: the path and query as they came, in origin form
 * @param host the one host that was asked for, as it came but for an empty port; null when an HTTP/1.0 request names none
 */
record RequestHead(String target, @Nullable String host) {

    RequestHead {
        if (host != null && host.endsWith(":")) {
            host = host.substring(0, host.length() - 1); // an empty port is none (RFC 3986 section 6.2.3)
        }
    }

    /** How many field lines a request may have. */
    static final int MAX_FIELDS = 200;

    /** What Allow says where a method is not served; the upstream may serve less of them, and others too. */
    static final String ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /** Why a request is not served, and how that is said. */
    record Refused(int status, String detail) {}

    /** Either a head or a refusal. */
    record Checked(Optional<RequestHead> head, Optional<Refused> refused) {
        private static Checked no(int status, String detail) {
            return new Checked(Optional.empty(), Optional.of(new Refused(status, detail)));
        }
    }

    /**
     * Reads a head.
     *
     * @param method as it came
     * @param target the request target as it came
     * @param authority HTTP/2's :authority; null in HTTP/1
     */
    static Checked check(
            HttpVersion version, String method, String target, @Nullable String authority, MultiMap fields) {
        if (method.equals("CONNECT") || method.equals("TRACE")) {
            return Checked.no(405, method + " is not served here");
        }
        if (hasTooMany(fields)) {
            return Checked.no(431, "more than " + MAX_FIELDS + " field lines");
        }
        if (fields.contains(FieldNames.NONE)) {
            return Checked.no(400, "a field without a name");
        }
        List<String> hosts = fields.getAll(HttpHeaders.HOST);
        if (hosts.size() > 1) {
            return Checked.no(400, "more than one Host");
        }
        String host = authority != null ? authority : hosts.isEmpty() ? null : hosts.get(0);
        if (authority != null && !hosts.isEmpty() && !hosts.get(0).equalsIgnoreCase(authority)) {
            return Checked.no(400, "Host and :authority differ");
        }
        if (host == null && version != HttpVersion.HTTP_1_0) {
            return Checked.no(400, "no Host");
        }
        if (host != null && !isHost(host)) {
            return Checked.no(400, "a Host that is not a name or address with an optional port");
        }
        if (version == HttpVersion.HTTP_1_0 && fields.contains(HttpHeaders.TRANSFER_ENCODING)) {
            return Checked.no(400, "Transfer-Encoding in HTTP/1.0");
        }
        String length = ambiguousLength(fields);
        if (length != null) {
            return Checked.no(400, length);
        }
        for (String expected : fields.getAll(HttpHeaders.EXPECT)) {
            if (!expected.equalsIgnoreCase("100-continue")) {
                return Checked.no(417, "an expectation other than 100-continue");
            }
        }
        if (method.equals("OPTIONS") && fields.contains(FieldNames.MAX_FORWARDS)) {
            List<String> forwards = fields.getAll(FieldNames.MAX_FORWARDS);
            if (forwards.size() > 1 || wholeNumber(forwards.get(0)) < 0) {
                return Checked.no(400, "a Max-Forwards that is not one number");
            }
        }
        if (target.equals("*") && !method.equals("OPTIONS")) {
            return Checked.no(400, "the target * without OPTIONS");
        }
        Optional<String> ambiguity = NormalPath.ambiguity(target);
        if (ambiguity.isPresent()) {
            return Checked.no(400, "a request target with " + ambiguity.get());
        }
        if (target.startsWith("/") || target.equals("*")) {
            return new Checked(Optional.of(new RequestHead(target, host)), Optional.empty());
        }
        return absolute(target, host);
    }

    /** By lines: the size of the fields is that of their names. */
    private static boolean hasTooMany(MultiMap fields) {
        int lines = 0;
        for (Iterator<?> line = fields.iterator(); line.hasNext(); line.next()) {
            lines++;
        }
        return lines > MAX_FIELDS;
    }

    /** Why it is not clear where the body ends; null when it is. */
    private static @Nullable String ambiguousLength(MultiMap fields) {
        List<String> lengths = fields.getAll(HttpHeaders.CONTENT_LENGTH);
        if (lengths.size() > 1) {
            return "more than one Content-Length";
        }
        if (!lengths.isEmpty() && wholeNumber(lengths.get(0)) < 0) {
            return "a Content-Length that is not a number of bytes";
        }
        List<String> codings = fields.getAll(HttpHeaders.TRANSFER_ENCODING);
        if (HopByHop.isCoded(fields)) {
            return "a Transfer-Encoding other than chunked";
        }
        return codings.isEmpty() || lengths.isEmpty() ? null : "both Content-Length and Transfer-Encoding";
    }

    /** Whether a body can follow the head. In HTTP/2 only the end of the stream says that none does. */
    static boolean mayHaveBody(HttpVersion version, MultiMap fields) {
        String length = fields.get(HttpHeaders.CONTENT_LENGTH);
        return length == null
                ? version == HttpVersion.HTTP_2 || fields.contains(HttpHeaders.TRANSFER_ENCODING)
                : !length.equals("0");
    }

    /** How many more hops an OPTIONS may pass (RFC 9110 section 7.6.2); -1 when nothing limits that. */
    static long maxForwards(HttpMethod method, MultiMap fields) {
        String forwards = method.equals(HttpMethod.OPTIONS) ? fields.get(FieldNames.MAX_FORWARDS) : null;
        return forwards == null ? -1 : wholeNumber(forwards);
    }

    /** A number of at most 18 digits and nothing else; -1 for any other text. */
    static long wholeNumber(String text) {
        if (text.isEmpty() || text.length() > 18) {
            return -1;
        }
        long number = 0;
        for (int at = 0; at < text.length(); at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** An absolute form is served when it names the host that Host names; the origin form of it is forwarded (RFC 9112 section 3.2.2). */
    private static Checked absolute(String target, @Nullable String host) {
        int authorityStart = target.indexOf("://") + 3;
        int authorityEnd = authorityStart;
        while (authorityEnd < target.length() && "/?".indexOf(target.charAt(authorityEnd)) < 0) {
            authorityEnd++;
        }
        String scheme = target.substring(0, authorityStart - 3);
        if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
            return Checked.no(400, "a target that is not http or https");
        }
        if (host == null || !target.substring(authorityStart, authorityEnd).equalsIgnoreCase(host)) {
            return Checked.no(400, "an absolute target whose host is not the one in Host");
        }
        String rest = target.substring(authorityEnd);
        String origin = rest.startsWith("/") ? rest : "/" + rest;
        return new Checked(Optional.of(new RequestHead(origin, host)), Optional.empty());
    }

    /** A reg-name, an IPv4 address or an IP literal in brackets, and a port or none (RFC 3986 section 3.2, without user and password). */
    static boolean isHost(String host) {
        int end = host.length();
        int colon = host.lastIndexOf(':');
        int bracket = host.lastIndexOf(']');
        if (colon > bracket) {
            boolean noPort = colon == host.length() - 1;
            long port = noPort ? 0 : wholeNumber(host.substring(colon + 1));
            if (port < 0 || port > 65_535 || host.length() - colon > 6) {
                return false;
            }
            end = colon;
        }
        if (end == 0 || end > 255) {
            return false;
        }
        return host.charAt(0) == '[' ? isLiteral(host, end) : isName(host, end);
    }

    private static boolean isLiteral(String host, int end) {
        for (int at = 1; at < end - 1; at++) {
            char c = host.charAt(at);
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return false;
            }
        }
        return end > 2 && host.charAt(end - 1) == ']';
    }

    private static boolean isName(String host, int end) {
        for (int at = 0; at < end; at++) {
            char c = host.charAt(at);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '-'
                    || c == '_';
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
