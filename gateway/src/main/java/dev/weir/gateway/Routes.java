package dev.weir.gateway;

import dev.weir.policy.Call;
import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.GatewaySettings.Route;
import dev.weir.policyfile.GatewaySettings.Upstream;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Which upstream serves which call: the first route that matches. Immutable; a reload makes another one. */
final class Routes {

    /** A route and the connections of its upstream. */
    record Way(Route route, UpstreamPool pool) {}

    /** An upstream, and what the files held with which TLS is spoken to it. */
    private record Spoken(Upstream upstream, List<Buffer> files) {}

    private final List<Way> ways;
    private final Map<Spoken, UpstreamPool> pools;

    private Routes(List<Way> ways, Map<Spoken, UpstreamPool> pools) {
        this.ways = ways;
        this.pools = pools;
    }

    /** Routes by the settings; an upstream that the old ones had as well keeps its connections. Routes of equal upstreams share one. */
    static Routes of(
            Vertx vertx,
            GatewaySettings settings,
            TlsFiles tls,
            int doors,
            Consumer<String> events,
            Optional<Routes> old) {
        Map<Spoken, UpstreamPool> pools = new HashMap<>();
        List<Way> ways = new ArrayList<>();
        for (Route route : settings.routes()) {
            UpstreamPool pool = pools.computeIfAbsent(
                    new Spoken(route.upstream(), tls.contents(route.upstream().tls())),
                    spoken -> old.map(routes -> routes.pools.get(spoken))
                            .orElseGet(() -> new UpstreamPool(vertx, spoken.upstream(), tls, doors, events)));
            ways.add(new Way(route, pool));
        }
        return new Routes(List.copyOf(ways), Map.copyOf(pools));
    }

    /** The route of a call; empty when none matches. */
    Optional<Way> of(Call call) {
        for (Way way : ways) {
            if (way.route().match().matches(call)) {
                return Optional.of(way);
            }
        }
        return Optional.empty();
    }

    List<Way> ways() {
        return ways;
    }

    Collection<UpstreamPool> pools() {
        return pools.values();
    }

    /** The upstreams by the names of the routes that they serve. */
    Map<String, UpstreamPool> byUpstream() {
        Map<UpstreamPool, String> names = new LinkedHashMap<>();
        ways.forEach(way -> names.merge(way.pool(), way.route().name(), (one, other) -> one + ", " + other));
        Map<String, UpstreamPool> named = new LinkedHashMap<>();
        names.forEach((pool, name) -> named.put(name, pool));
        return named;
    }

    /** Lets go of the upstreams that the new routes do not have. */
    void retireAllBut(Routes kept) {
        pools.forEach((spoken, pool) -> {
            if (!kept.pools.containsKey(spoken)) {
                pool.retire();
            }
        });
    }
}
