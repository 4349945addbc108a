package dev.weir;

/**
 * One reading of the clocks for one decision.
 *
 * @param nanos of the monotonic clock
 * @param wallNanos since the epoch
 */
record Now(long nanos, long wallNanos) {

    long of(boolean aligned) {
        return aligned ? wallNanos : nanos;
    }
}
