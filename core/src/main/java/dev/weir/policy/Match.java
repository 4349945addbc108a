package dev.weir.policy;

import java.util.List;
import java.util.Map;

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

    /** Calls whose path fits the pattern. */
    public static Match path(String pattern) {
        return new Match(
                List.of(PathPattern.parse(pattern)),
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
        return call.method().isEmpty();
    }
}
