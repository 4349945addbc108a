package dev.weir.fleet;

import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.Standing;

/**
 * How many units are taken in advance and how long they may lie: pure arithmetic.
 *
 * <p>A unit that was charged may be spent at most its lease's life later. So whatever the number of instances, a key of rate r and burst b
 * is granted at most {@code b + r * (t + L)} in any time t, where L is the longest life, at most {@link #MAX_LIFE_NANOS}. What was taken and
 * not spent is lost to all: therefore only what was used lately is taken, never more than an instance's part of a quarter of the burst, and
 * nothing while less than a quarter is left.
 */
final class LeaseTerms {

    /** How far back use is looked at. */
    static final long USE_NANOS = 50_000_000L;
    /** The shortest life: a lease of what was used in 50 ms is spent by then, also by half as many calls. */
    static final long MIN_LIFE_NANOS = 2 * USE_NANOS;
    /** The longest life. */
    static final long MAX_LIFE_NANOS = 500_000_000L;
    /** Below this a lease would save no trip. */
    private static final long LEAST_UNITS = 2;

    private static final long QUARTER = 4;

    private LeaseTerms() {}

    /** Whether units of such a limit may be spent later than they were charged: not where the time of each grant counts. */
    static boolean leasable(RateLimit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET, FIXED_WINDOW, QUOTA -> true;
            case SLIDING_WINDOW, SLIDING_LOG, LEAKY_QUEUE -> false;
        };
    }

    /** The most units that one of so many instances may hold in advance. */
    static long mostUnits(RateLimit limit, int instances) {
        return limit.capacity() / (QUARTER * instances);
    }

    /** How many units to hold, after so many were used in the last {@link #USE_NANOS}; 0: none. */
    static long units(RateLimit limit, int instances, long usedLately, long remaining) {
        if (!leasable(limit) || remaining < limit.capacity() / QUARTER) {
            return 0;
        }
        long units = Math.min(usedLately, mostUnits(limit, instances));
        return units < LEAST_UNITS ? 0 : units;
    }

    /** For how long so many units may lie: as long as the limit takes to bring them, and not beyond their window. */
    static long lifeNanos(RateLimit limit, long units, Standing standing) {
        long interval = limit.count() == 0 ? MAX_LIFE_NANOS : limit.periodNanos() / limit.count();
        boolean longest = limit.algorithm() == Algorithm.QUOTA || (interval > 0 && units > MAX_LIFE_NANOS / interval);
        long bringing = longest ? MAX_LIFE_NANOS : units * interval;
        long life = Math.max(MIN_LIFE_NANOS, bringing);
        boolean window = limit.algorithm() != Algorithm.TOKEN_BUCKET;
        return window ? Math.min(life, standing.resetNanos().orElse(0)) : life;
    }
}
