package dev.weir.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again: exponential, capped, with full jitter. Each wait is drawn evenly from zero to a bound that doubles
 * with each retry, so that those who failed together do not return together, and no draw depends on an earlier one. Immutable.
 *
 * @param baseNanos the bound before the first retry
 * @param capNanos what no bound exceeds
 */
public record Backoff(long baseNanos, long capNanos) {

    /** From 100 ms up to 5 s. */
    public static final Backoff DEFAULT = of(Duration.ofMillis(100), Duration.ofSeconds(5));

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException unless {@code 0 <= base <= cap}
     */
    public Backoff {
        if (baseNanos < 0 || capNanos < baseNanos) {
            throw new IllegalArgumentException(
                    "backoff from " + baseNanos + " ns to " + capNanos + " ns: it must be 0 <= base <= cap");
        }
    }

    /** From a base up to a cap. */
    public static Backoff of(Duration base, Duration cap) {
        return new Backoff(base.toNanos(), cap.toNanos());
    }

    /**
     * The longest wait before a retry, in nanoseconds: the base times two to the number of the retry, or the cap. Never overflows.
     *
     * @param retry which one, from 0
     */
    public long boundNanos(int retry) {
        if (baseNanos == 0 || retry <= 0) {
            return baseNanos;
        }
        boolean above = retry >= Long.SIZE - 1 || baseNanos > capNanos >> retry;
        return above ? capNanos : baseNanos << retry;
    }

    /**
     * A wait before a retry, in nanoseconds: drawn evenly from 0 to {@link #boundNanos}, both included.
     *
     * @param retry which one, from 0
     */
    public long drawNanos(int retry, RandomGenerator random) {
        long bound = boundNanos(retry);
        return bound == Long.MAX_VALUE ? random.nextLong() >>> 1 : random.nextLong(bound + 1);
    }
}
