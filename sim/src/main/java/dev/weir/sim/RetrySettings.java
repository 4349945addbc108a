package dev.weir.sim;

import java.util.OptionalDouble;

/**
 * Sending again.
 *
 * @param tries sends of one call, the first included
 * @param baseNanos the upper bound of the first pause, doubled each time; 0: at once
 * @param capNanos the longest pause
 * @param budget retries allowed for each first send of the last ten seconds
 */
record RetrySettings(int tries, long baseNanos, long capNanos, OptionalDouble budget) {

    /** A pause drawn evenly from 0 to the bound that holds after so many sends. */
    long pauseNanos(int sends, double draw) {
        return (long) (Math.min((double) capNanos, (double) baseNanos * (1L << (sends - 1))) * draw);
    }
}
