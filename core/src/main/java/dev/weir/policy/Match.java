package dev.weir.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a call. Within a field any value is enough; all fields given must hold; a field without values does not count. Immutable.
 *
 * @param path patterns over the normalised path
 * @param method request methods, case-sensitive
 * @param host hosts in any case, without port; {@code *.example.com} is every name below it
 * @param header by name, the values of which one must be the first of that header; {@code *} is any
 * @param query by name, the values of which one must be the first of that parameter; {@code *} is any
 * @param peer ranges of the connection's peer
 * @param route names of routes
 * @param attribute by name, the values of which one must be that attribute; {@code *} is any
 */
public record Match(
        List<PathPattern> path,
        List<String> method,
        List<String> host,
        Map<String, List<String>> header,
        Map<String, List<String>> query,
        List<AddressRange> peer,
        List<String> route,
        Map<String, List<String>> attribute) {

    /** Every call. */
    public static final Match ANY =
            new Match(List.of(), List.of(), List.of(), Map.of(), Map.of(), List.of(), List.of(), Map.of());

    public Match {
        path = List.copyOf(path);
        method = List.copyOf(method);
        host = List.copyOf(host);
        header = Map.copyOf(header);
        query = Map.copyOf(query);
        peer = List.copyOf(peer);
        route = List.copyOf(route);
        attribute = Map.copyOf(attribute);
    }

    /** Calls whose path fits one of the patterns; every call when there are none. */
    public static Match path(String... patterns) {
        return new Match(
                Arrays.stream(patterns).map(PathPattern::parse).toList(),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    /** Whether the call fulfils every field. */
    public boolean matches(Call call) {
        return (path.isEmpty() || matchesPath(call.path()))
                && (method.isEmpty() || method.contains(call.method()))
                && (host.isEmpty() || matchesHost(KeyReader.hostName(call.host())))
                && (peer.isEmpty() || matchesPeer(call.peer()))
                && (route.isEmpty() || (call.route() != null && route.contains(call.route())))
                && (header.isEmpty() || matchesHeaders(call))
                && (query.isEmpty() || matchesQuery(call))
                && (attribute.isEmpty() || matchesAttributes(call));
    }

    private boolean matchesHeaders(Call call) {
        return header.entrySet().stream()
                .allMatch(wanted -> oneOf(wanted.getValue(), KeyReader.first(call.headers(wanted.getKey()))));
    }

    private boolean matchesQuery(Call call) {
        return query.entrySet().stream()
                .allMatch(wanted -> oneOf(wanted.getValue(), KeyReader.queryParameter(call.query(), wanted.getKey())));
    }

    private boolean matchesAttributes(Call call) {
        return attribute.entrySet().stream()
                .allMatch(wanted -> oneOf(wanted.getValue(), call.attribute(wanted.getKey())));
    }

    private boolean matchesPath(String called) {
        for (PathPattern pattern : path) {
            if (pattern.matches(called)) {
                return true;
            }
        }
        return false;
    }

    private boolean matchesHost(@Nullable String called) {
        return called != null && isHostOf(host, called);
    }

    /** Whether a host, in small letters and without port, is one of these names or below one that begins with {@code *.}. */
    static boolean isHostOf(List<String> names, String called) {
        for (String name : names) {
            String wanted = name.toLowerCase(Locale.ROOT);
            if (wanted.startsWith("*.") ? called.endsWith(wanted.substring(1)) : called.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean matchesPeer(String address) {
        for (AddressRange range : peer) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private static boolean oneOf(List<String> wanted, @Nullable String value) {
        return value != null && (wanted.contains("*") || wanted.contains(value));
    }
}
