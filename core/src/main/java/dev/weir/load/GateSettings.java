package dev.weir.load;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * What a gate does. Immutable.
 *
 * @param name what identifies it over a reload
 * @param concurrency how much may be in flight
 * @param pools its parts; none for one that has no parts
 * @param tenantAtMost the share of a pool's slots that one tenant may have while slots are scarce
 * @param queue where calls wait
 * @param shed who is refused early
 * @param signals what else makes the gate full
 * @param degrade what is done cheaper, and from when on
 * @param longCallNanos how long a call counts for the limit; longer ones only count for the ceiling
 */
public record GateSettings(
        String name,
        ConcurrencyLimit concurrency,
        List<PoolSettings> pools,
        OptionalDouble tenantAtMost,
        QueueSettings queue,
        Shedding shed,
        List<SignalThreshold> signals,
        List<DegradeStep> degrade,
        long longCallNanos) {

    /** How long a call counts for the limit unless told otherwise. */
    public static final Duration DEFAULT_LONG_CALL = Duration.ofSeconds(30);

    public GateSettings {
        pools = List.copyOf(pools);
        signals = List.copyOf(signals);
        degrade = List.copyOf(degrade);
        if (pools.stream().map(PoolSettings::name).distinct().count() < pools.size()) {
            throw new IllegalArgumentException("two pools of gate " + name + " have one name: "
                    + pools.stream().map(PoolSettings::name).collect(Collectors.joining(", ")));
        }
        double guaranteed = pools.stream().mapToDouble(PoolSettings::guarantee).sum();
        if (guaranteed > 1 + 1e-9) {
            throw new IllegalArgumentException(
                    "the pools of gate " + name + " are guaranteed " + guaranteed + " of it: it can be at most 1");
        }
        if (tenantAtMost.isPresent() && !(tenantAtMost.getAsDouble() > 0 && tenantAtMost.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("a tenant of gate " + name + " may have " + tenantAtMost.getAsDouble()
                    + ": it must be above 0, and at most 1");
        }
        if (longCallNanos <= 0) {
            throw new IllegalArgumentException(
                    "long-call of gate " + name + " is " + longCallNanos + " ns, it must be above 0");
        }
    }

    /** A gate that bounds what is in flight and does nothing else. */
    public static GateSettings of(String name, ConcurrencyLimit concurrency) {
        return new GateSettings(
                name,
                concurrency,
                List.of(),
                OptionalDouble.empty(),
                QueueSettings.NONE,
                Shedding.NONE,
                List.of(),
                List.of(),
                DEFAULT_LONG_CALL.toNanos());
    }

    /** The same with these pools. */
    public GateSettings withPools(PoolSettings... parts) {
        return new GateSettings(
                name, concurrency, List.of(parts), tenantAtMost, queue, shed, signals, degrade, longCallNanos);
    }

    /** The same with this share for a tenant while slots are scarce. */
    public GateSettings withTenantAtMost(double share) {
        return new GateSettings(
                name, concurrency, pools, OptionalDouble.of(share), queue, shed, signals, degrade, longCallNanos);
    }

    /** The same with this queue. */
    public GateSettings withQueue(QueueSettings waiting) {
        return new GateSettings(name, concurrency, pools, tenantAtMost, waiting, shed, signals, degrade, longCallNanos);
    }

    /** The same with this early shedding. */
    public GateSettings withShedding(Shedding early) {
        return new GateSettings(name, concurrency, pools, tenantAtMost, queue, early, signals, degrade, longCallNanos);
    }

    /** The same with these signals. */
    public GateSettings withSignals(SignalThreshold... thresholds) {
        return new GateSettings(
                name, concurrency, pools, tenantAtMost, queue, shed, List.of(thresholds), degrade, longCallNanos);
    }

    /** The same with these steps, cheapest first. */
    public GateSettings withDegrade(DegradeStep... steps) {
        return new GateSettings(
                name, concurrency, pools, tenantAtMost, queue, shed, signals, List.of(steps), longCallNanos);
    }

    /** The same with another age from which on a call is long. */
    public GateSettings withLongCall(Duration age) {
        return new GateSettings(name, concurrency, pools, tenantAtMost, queue, shed, signals, degrade, age.toNanos());
    }

    /** Whether a slot is all that a call can be refused for: then a call needs no lock. */
    boolean isPlain() {
        return pools.isEmpty()
                && tenantAtMost.isEmpty()
                && queue.size() == 0
                && shed.equals(Shedding.NONE)
                && signals.isEmpty()
                && degrade.isEmpty();
    }
}
