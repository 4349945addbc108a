package dev.weir.rate;

import java.util.OptionalLong;

/**
 * What is left of one budget and when more comes: the numbers of the RateLimit fields.
 *
 * @param quota q: what the budget holds when nothing is used, in units of cost
 * @param windowSeconds w: in how long that much comes, whole seconds rounded up; empty for calendar quotas, for calls in flight and
 *     for windows under a second
 * @param remaining r: whole units that would pass now, never negative
 * @param resetNanos t: when more comes. Token bucket: until the next whole unit, 0 when full. Windows: until the window ends, a sliding
 *     one until one more unit. Empty where time brings nothing (calls in flight, a rate of zero)
 * @param sharedReset whether many keys see more at the same instant (fixed window, quota), so that callers should be told to come back
 *     a little apart
 * @param concurrent whether the units are calls in flight instead of calls
 */
public record Standing(
        long quota,
        OptionalLong windowSeconds,
        long remaining,
        OptionalLong resetNanos,
        boolean sharedReset,
        boolean concurrent) {

    /** What {@code windowSeconds} says of a window. */
    static OptionalLong windowSeconds(long windowNanos) {
        return windowNanos < 1_000_000_000L
                ? OptionalLong.empty()
                : OptionalLong.of((windowNanos - 1) / 1_000_000_000L + 1);
    }

    /** Of calls in flight, so many of which are. */
    public static Standing inFlight(long calls, long held) {
        return new Standing(calls, OptionalLong.empty(), Math.max(0, calls - held), OptionalLong.empty(), false, true);
    }
}
