package dev.weir.sim;

import java.util.Optional;

/**
 * The instances and how calls are spread over them.
 *
 * @param slow the one instance that is slower than the others, if one is
 */
record FleetSettings(int instances, Balance balance, ServerSettings server, Optional<Slow> slow) {

    /** How an instance is chosen for a call. */
    enum Balance {
        ROUND_ROBIN,
        LEAST_LOADED
    }

    /** The first instance takes this many times as long as the others. */
    record Slow(Steps<Double> times) {}

    /** How many times as long work takes on an instance. */
    double slowness(int instance, long nanos) {
        return instance == 0 && slow.isPresent() ? slow.get().times().at(nanos) : 1;
    }

    /** How many of so many calls a second the fleet can answer at most. */
    double answerable(double offeredPerSecond, long nanos) {
        double capacity = server.capacity(nanos);
        if (balance == Balance.LEAST_LOADED || slow.isEmpty()) {
            return Math.min(offeredPerSecond, capacity * (instances - 1 + 1 / slowness(0, nanos)));
        }
        double each = offeredPerSecond / instances;
        return Math.min(each, capacity / slowness(0, nanos)) + (instances - 1) * Math.min(each, capacity);
    }
}
