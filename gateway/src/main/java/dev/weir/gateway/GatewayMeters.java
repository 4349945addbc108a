package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings.Route;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is counted about requests and upstreams. Thread safe. */
final class GatewayMeters {

    /** The label of requests that no route serves. */
    static final String NO_ROUTE = "none";

    private final MeterRegistry registry;
    private final Map<String, RouteMeters> routes = new ConcurrentHashMap<>();
    private final RouteMeters none;
    private final AtomicInteger connections = new AtomicInteger();
    private final MultiGauge well;
    private final MultiGauge inFlight;

    GatewayMeters(MeterRegistry registry, AccessLog log) {
        this.registry = registry;
        none = new RouteMeters(registry, NO_ROUTE);
        well = MultiGauge.builder("weir.gateway.upstream.well")
                .description("1 while calls are sent to the address, 0 while it rests.")
                .register(registry);
        inFlight = MultiGauge.builder("weir.gateway.upstream.inflight")
                .description("Calls under way at the address.")
                .register(registry);
        Gauge.builder("weir.gateway.connections", connections, AtomicInteger::get)
                .description("Connections of clients that are open.")
                .register(registry);
        FunctionCounter.builder("weir.gateway.log.dropped", log, AccessLog::dropped)
                .description("Lines of the access log that were dropped, since nobody took them.")
                .register(registry);
    }

    /** Clients' connections came or went. */
    void connections(int more) {
        connections.addAndGet(more);
    }

    private RouteMeters route(@Nullable String name) {
        if (name == null) {
            return none;
        }
        RouteMeters known = routes.get(name);
        return known != null ? known : routes.computeIfAbsent(name, added -> new RouteMeters(registry, added));
    }

    /** A call was let in. */
    void entered(@Nullable String route) {
        route(route).entered();
    }

    /** A request is over. */
    void ended(CallRecord record) {
        route(record.route).ended(record);
    }

    /** Brings up to date what is read rather than counted. */
    void refresh(Running.Snapshot now) {
        Set<String> names = now.settings().routes().stream().map(Route::name).collect(Collectors.toSet());
        names.forEach(this::route);
        routes.entrySet().removeIf(entry -> {
            boolean gone = !names.contains(entry.getKey()) && entry.getValue().inFlight() == 0;
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
        List<MultiGauge.Row<?>> wellRows = new ArrayList<>();
        List<MultiGauge.Row<?>> inFlightRows = new ArrayList<>();
        long nanos = System.nanoTime();
        now.routes().byUpstream().forEach((upstream, pool) -> {
            for (UpstreamAddress address : pool.addresses()) {
                Tags tags = Tags.of("upstream", upstream, "address", address.text());
                wellRows.add(MultiGauge.Row.of(tags, address.isWell(nanos) ? 1 : 0));
                inFlightRows.add(MultiGauge.Row.of(tags, address.inFlight()));
            }
        });
        well.register(wellRows, true);
        inFlight.register(inFlightRows, true);
    }
}
