package dev.weir.rate;

/**
 * The arithmetic of one algorithm: pure functions over a state of one long. Integers only, no allocation, no clock; atomicity is the
 * business of the shells ({@link RateLimiter}, {@link KeyTable}) around it.
 *
 * <p>{@code now} is in nanoseconds: of any monotonic clock for a meter that is not {@link #aligned()}, since the epoch for one that is.
 * A state may be compared with another only as far as {@link #sweepNanos()} reaches; whoever keeps states for longer must look at
 * them in between.
 *
 * <p>A state that lies ahead of {@code now} (two threads read the clock in another order than they charge, or a clock stepped back)
 * counts as the present one: nothing appears, and the wait is measured to where the state stands.
 */
sealed interface Meter permits TokenBucket, LeakyQueue, FixedWindow, SlidingWindow, Allowance {

    /** The call passes. */
    long NOW = 0;
    /** No waiting helps. */
    long NEVER = Long.MAX_VALUE;

    /** The meter that decides as the limit says. A sliding log has none: see {@link SlidingLog}. */
    static Meter of(RateLimit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> limit.count() == 0 ? new Allowance(limit.capacity()) : new TokenBucket(limit);
            case LEAKY_QUEUE -> limit.count() == 0 ? new Allowance(limit.capacity()) : new LeakyQueue(limit);
            case FIXED_WINDOW -> new FixedWindow(limit.count(), new Windows.Even(limit.periodNanos()));
            case QUOTA ->
                new FixedWindow(
                        limit.count(),
                        new Windows.Calendar(limit.calendarPeriod().orElseThrow(), limit.zone()));
            case SLIDING_WINDOW -> new SlidingWindow(limit.count(), limit.periodNanos());
            case SLIDING_LOG -> throw new IllegalArgumentException("a sliding log does not fit one long");
        };
    }

    /** Nothing used. */
    long fresh(long now);

    /** Whether forgetting the state changes nothing from {@code now} on. */
    boolean isFresh(long state, long now);

    /** {@link #NOW} when the cost passes, {@link #NEVER} when it never can, else the exact wait in nanoseconds. A cost of 0 passes always. */
    long waitFor(long state, long now, long cost);

    /** The state after the cost was taken, whether it passes or not: what does not pass leaves debt, up to one capacity. */
    long charged(long state, long now, long cost);

    /** What {@link #givenBack} must know about a charge that is about to be made on {@code state}: part of its receipt. */
    long mark(long state, long now);

    /** The state after {@code units} of a charge with that mark were returned: never more than is still missing because of the charge. */
    long givenBack(long state, long now, long units, long mark);

    /** A mark made under {@code from}, as {@link #givenBack} must see it here to give back no more than under either. */
    default long markFrom(Meter from, long mark, long now) {
        return mark;
    }

    /** The least state that is at least as strict as both, whatever is asked later. */
    long stricter(long a, long b);

    /** The greatest state that is at most as strict as either, whatever is asked later. */
    long milder(long a, long b);

    /** The state after {@code units} that were admitted elsewhere {@code ageNanos} ago came on top: what of them still counts, into debt of at most one capacity. */
    long absorbed(long state, long now, long units, long ageNanos);

    /** Units in use, rounded up. */
    long used(long state, long now);

    /** The state at which {@code units} are in use; more than the capacity is debt. */
    long withUsed(long now, long units);

    /** The state that uses as much here as {@code state} does under {@code from}. */
    default long converted(long state, long now, Meter from) {
        return withUsed(now, from.used(state, now));
    }

    /** How long a call charged on {@code stateBefore} must wait for its turn; only a leaky queue hands out turns. */
    default long turnNanos(long stateBefore, long now) {
        return NOW;
    }

    /** What is left and when more comes. */
    Standing standing(long state, long now);

    /** How long states may lie before they must be looked at, so that old ones are never taken for new ones. */
    long sweepNanos();

    /** Whether {@code now} must be the time since the epoch. */
    boolean aligned();
}
