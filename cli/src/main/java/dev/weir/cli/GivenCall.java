package dev.weir.cli;

import dev.weir.policy.Call;
import dev.weir.policy.NormalPath;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call as a command line describes it.
 *
 * @param method the request method
 * @param target path and query as they would come
 * @param headersByName header lines by lower-case name
 * @param peer the peer's address
 * @param route the route's name; null when none was given
 * @param attributes what the service would have proved
 */
record GivenCall(
        String method,
        String target,
        Map<String, List<String>> headersByName,
        String peer,
        @Nullable String route,
        Map<String, String> attributes)
        implements Call {

    @Override
    public String path() {
        return NormalPath.of(NormalPath.pathOf(target));
    }

    @Override
    public @Nullable String query() {
        return NormalPath.queryOf(target).orElse(null);
    }

    @Override
    public List<String> headers(String name) {
        return headersByName.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public @Nullable String attribute(String name) {
        return attributes.get(name);
    }

    /** The same call once its route is known. */
    GivenCall on(String known) {
        return new GivenCall(method, target, headersByName, peer, known, attributes);
    }
}
