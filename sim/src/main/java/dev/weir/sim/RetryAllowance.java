package dev.weir.sim;

import java.util.Arrays;
import java.util.OptionalDouble;

/** What is left of a retry budget: retries are a share of the first sends of the last ten seconds, or one when there were hardly any. */
final class RetryAllowance {

    private static final int SECONDS = 10;
    private static final int FEW = 10;

    private final OptionalDouble budget;
    private final long[] firsts = new long[SECONDS];
    private final long[] retries = new long[SECONDS];
    private long second;

    RetryAllowance(OptionalDouble budget) {
        this.budget = budget;
    }

    void first(long nowNanos) {
        firsts[slot(nowNanos)]++;
    }

    /** Whether one retry more is allowed, which is then counted. */
    boolean takeRetry(long nowNanos) {
        int slot = slot(nowNanos);
        if (budget.isPresent()
                && Arrays.stream(retries).sum()
                        >= budget.getAsDouble() * Math.max(Arrays.stream(firsts).sum(), FEW)) {
            return false;
        }
        retries[slot]++;
        return true;
    }

    private int slot(long nowNanos) {
        long now = nowNanos / Meters.SECOND;
        for (; second < now; second++) {
            firsts[(int) ((second + 1) % SECONDS)] = 0;
            retries[(int) ((second + 1) % SECONDS)] = 0;
        }
        return (int) (now % SECONDS);
    }
}
