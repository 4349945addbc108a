package dev.weir.gateway;

import dev.weir.Weir;
import dev.weir.fleet.FleetFigures;
import dev.weir.rate.Charged;
import dev.weir.rate.StoreFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What is counted about the store and about this instance's part in its fleet. Thread safe. */
final class FleetMeters {

    /** The label of the one kind of store that there is. */
    private static final String STORE = "redis";

    private final MeterRegistry registry;
    private final Weir weir;
    private final Timer time;
    private final Set<String> limits = ConcurrentHashMap.newKeySet();

    /** Meters of a Weir that has a store. */
    FleetMeters(MeterRegistry registry, Weir weir) {
        this.registry = registry;
        this.weir = weir;
        time = Timer.builder("weir.store.time")
                .description("How long the store took to answer, or until it was given up.")
                .tag("store", STORE)
                .serviceLevelObjectives(Metrics.micros(200, 500, 1_000, 2_000, 5_000, 10_000, 50_000))
                .register(registry);
        counter("weir.store.calls", "Bills that were decided or tried.", StoreFigures::calls);
        counter(
                "weir.store.oom",
                "Bills without an answer, since the store had no memory left.",
                store -> without(store, Charged.Cause.OUT_OF_MEMORY));
        counter(
                "weir.store.lost",
                "Bills whose answer was lost or late; they count as charged.",
                store -> without(store, Charged.Cause.TIMEOUT) + without(store, Charged.Cause.CONNECTION_LOST));
        counter(
                "weir.store.evicted",
                "Keys that the store threw out to make room, and their counts with them.",
                StoreFigures::evicted);
        for (StoreFigures.State state : StoreFigures.State.values()) {
            Gauge.builder("weir.store.state", this, meters -> meters.store(s -> s.state() == state ? 1 : 0))
                    .description("1 for whether the store is asked (closed), left alone (open) or tried (half-open).")
                    .tag("store", STORE)
                    .tag("state", state.word())
                    .register(registry);
        }
        Gauge.builder("weir.fleet.instances", this, FleetMeters::instances)
                .description("Instances that live, as last heard; 0 when nothing was heard.")
                .register(registry);
    }

    private void counter(String name, String description, ToDoubleFunction<StoreFigures> value) {
        FunctionCounter.builder(name, this, meters -> meters.store(value))
                .description(description)
                .tag("store", STORE)
                .register(registry);
    }

    private static double without(StoreFigures store, Charged.Cause cause) {
        return store.unavailable().getOrDefault(cause, 0L);
    }

    private double store(ToDoubleFunction<StoreFigures> value) {
        return weir.fleet().map(fleet -> value.applyAsDouble(fleet.store())).orElse(0.0);
    }

    private double instances() {
        return weir.fleet().map(fleet -> fleet.instances().orElse(0)).orElse(0);
    }

    void asked(long tookNanos) {
        time.record(tookNanos, TimeUnit.NANOSECONDS);
    }

    /** Shows the leases of limits that were not there before. */
    void refresh() {
        weir.policy().limits().stream()
                .filter(limit -> limit.isFleet() && limits.add(limit.name()))
                .forEach(limit -> leases(limit.name()));
    }

    private void leases(String limit) {
        lease("weir.lease.units", "Units that were taken in advance.", limit, FleetFigures.Lease::units);
        lease(
                "weir.lease.trips.saved",
                "Calls that were decided by units in advance, without asking the store.",
                limit,
                FleetFigures.Lease::tripsSaved);
        lease("weir.lease.dropped", "Units in advance that expired unspent.", limit, FleetFigures.Lease::dropped);
    }

    private void lease(String name, String description, String limit, ToDoubleFunction<FleetFigures.Lease> value) {
        FunctionCounter.builder(
                        name,
                        weir,
                        of -> of.fleet()
                                .flatMap(fleet ->
                                        Optional.ofNullable(fleet.leases().get(limit)))
                                .map(value::applyAsDouble)
                                .orElse(0.0))
                .description(description)
                .tag("limit", limit)
                .register(registry);
    }
}
