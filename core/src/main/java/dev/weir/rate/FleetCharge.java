package dev.weir.rate;

import java.util.Objects;

/**
 * One limit's line on a bill that a {@link RateStore} decides: who is counted, what that one may use, and what the call costs.
 *
 * <p>Its count is identified by limit, key and {@link #window}: another rate or burst under the same three keeps the units that were used,
 * another algorithm or window starts fresh.
 *
 * @param limit the limit's name
 * @param key who is counted
 * @param use what the key may use
 * @param cost units the call costs, 0 or more; of calls in flight always 1
 * @param enforced whether the line can refuse the call; a shadow line is judged as if it, and no other shadow, were enforced
 */
public record FleetCharge(String limit, StoreKey key, Use use, long cost, boolean enforced) {

    /** What one key may use. */
    public sealed interface Use {}

    /**
     * Units over time.
     *
     * @param limit how many. A bucket or queue that never refills is refused, since a store keeps no key for ever, and so are windows that
     *     are not whole microseconds, a store's unit of time
     */
    public record Rate(RateLimit limit) implements Use {
        public Rate {
            boolean bucket = limit.algorithm() == Algorithm.TOKEN_BUCKET || limit.algorithm() == Algorithm.LEAKY_QUEUE;
            if (bucket && limit.count() == 0) {
                throw new IllegalArgumentException(
                        limit + " never refills, and a store keeps no key for ever: count it on one instance");
            }
            if (!bucket && limit.periodNanos() % 1_000 != 0) {
                throw new IllegalArgumentException(limit + " has a window of " + limit.periodNanos()
                        + " ns, and stores count in whole microseconds: make it a multiple of 1000 ns");
            }
        }
    }

    /**
     * Calls at once, over all instances, each held until its receipt is released.
     *
     * @param calls how many, 0 or more
     */
    public record InFlight(int calls) implements Use {
        public InFlight {
            if (calls < 0) {
                throw new IllegalArgumentException("in-flight " + calls + " is below 0");
            }
        }
    }

    public FleetCharge {
        Objects.requireNonNull(key, "key");
        if (limit.isEmpty()) {
            throw new IllegalArgumentException("a charge needs the name of its limit");
        }
        if (cost < 0) {
            throw new IllegalArgumentException("cost " + cost + " is below 0: give back by the receipt");
        }
        if (use instanceof InFlight && cost != 1) {
            throw new IllegalArgumentException("a call in flight counts once, not " + cost + " times");
        }
    }

    /**
     * What beside limit and key identifies the count: the algorithm, and the length of the window or the calendar where there is one. Text
     * without a colon or a space.
     */
    public String window() {
        if (!(use instanceof Rate rate)) {
            return "in-flight";
        }
        RateLimit numbers = rate.limit();
        String name = numbers.algorithm().policyName();
        return switch (numbers.algorithm()) {
            case TOKEN_BUCKET, LEAKY_QUEUE -> name;
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> name + "-" + numbers.periodNanos();
            case QUOTA ->
                name + "-" + numbers.calendarPeriod().orElseThrow().policyName() + "-"
                        + numbers.zone().getId().replace(':', '.');
        };
    }
}
