package dev.weir.client;

import dev.weir.Ticker;

/**
 * How many retries there may be: a share of the first attempts of the last ten seconds, and at least what ten of those allow, so that one
 * who seldom calls can try again too. When everything fails, a share of 10 % makes the load 1.1 times what it was; three retries for each
 * call without a budget make it four times.
 *
 * <p>Thread safe. Each retry counts for ten seconds; a first attempt does too, whatever became of it.
 */
public final class RetryBudget {

    /** The share unless told otherwise: a tenth, in hundredths of a percent. */
    public static final int DEFAULT_BASIS_POINTS = 1_000;

    private static final int WHOLE = 10_000;
    private static final int SECONDS = 10;
    private static final int LEAST_FIRSTS = 10;

    private final int basisPoints;
    private final Ticker ticker;
    private final RecentCount firsts;
    private final RecentCount retries;

    private RetryBudget(int basisPoints, Ticker ticker) {
        if (basisPoints < 0 || basisPoints > WHOLE) {
            throw new IllegalArgumentException(
                    "a retry budget of " + basisPoints + " hundredths of a percent: it must be from 0 to " + WHOLE);
        }
        this.basisPoints = basisPoints;
        this.ticker = ticker;
        firsts = new RecentCount(SECONDS, ticker.nanos());
        retries = new RecentCount(SECONDS, ticker.nanos());
    }

    /**
     * A budget of that share, in hundredths of a percent.
     *
     * @throws IllegalArgumentException unless the share is from 0 to 10,000
     */
    public static RetryBudget of(int basisPoints, Ticker ticker) {
        return new RetryBudget(basisPoints, ticker);
    }

    /**
     * How many retries so many first attempts allow: as many as can be begun while there are fewer than the share. Pure.
     *
     * @param firsts first attempts of the last ten seconds
     * @param basisPoints the share, in hundredths of a percent
     */
    public static long allowed(long firsts, int basisPoints) {
        long counted = Math.max(firsts, LEAST_FIRSTS);
        return counted > Long.MAX_VALUE / WHOLE - 1
                ? counted / WHOLE * basisPoints
                : (counted * basisPoints + WHOLE - 1) / WHOLE;
    }

    /** Counts a first attempt. */
    public synchronized void first() {
        firsts.add(ticker.nanos());
    }

    /** Whether one retry more is allowed, which is then counted. */
    public synchronized boolean tryRetry() {
        long now = ticker.nanos();
        if (leftAt(now) <= 0) {
            return false;
        }
        retries.add(now);
        return true;
    }

    /** How many retries could be made now. */
    public synchronized long left() {
        return Math.max(0, leftAt(ticker.nanos()));
    }

    private long leftAt(long nowNanos) {
        return allowed(firsts.sum(nowNanos), basisPoints) - retries.sum(nowNanos);
    }
}
