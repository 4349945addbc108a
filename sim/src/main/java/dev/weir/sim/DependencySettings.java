package dev.weir.sim;

import dev.weir.rate.RateLimit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A service that some calls need, behind what stands for the outbound half of admission control.
 *
 * @param share of the calls that need it, spread evenly
 * @param latencyNanos how long its answer takes
 * @param refusalNanos how long its refusal takes
 * @param contract sends in a rolling second that it takes, refused ones counted; absent: any number
 * @param outbound what each instance allows itself
 * @param retry what follows a refusal by the dependency
 */
record DependencySettings(
        String name,
        double share,
        Steps<ServiceTime> latencyNanos,
        long refusalNanos,
        OptionalInt contract,
        Outbound outbound,
        Optional<RetrySettings> retry) {

    /**
     * Bounds on what one instance sends.
     *
     * @param rate a leaky queue
     * @param maxWaitNanos how long a send may wait for its turn
     * @param inFlight sends that may be unanswered
     */
    record Outbound(Optional<RateLimit> rate, long maxWaitNanos, OptionalInt inFlight) {}
}
