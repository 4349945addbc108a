package dev.weir.rate;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one limit: a budget for each key, in bounded memory. This is what hosts of policies charge; a program that only wants
 * a limit per key takes {@link KeyedRateLimiter}.
 *
 * <p>A key is a 64-bit hash, made under a secret. A limit may grant different budgets to different keys (plans, overrides): each distinct
 * {@link RateLimit} is a <em>tier</em>, all of one algorithm, and a key that changes its tier keeps the units it has used.
 *
 * <p>Bounded: at no instant more than {@code maxKeys} keys are held. Keys whose budget is whole again leave without loss. When that is not
 * enough the least used leave, and what they used goes into cells that they share with others; whoever comes starts from there, so that
 * no key is ever judged more leniently than in an unbounded table.
 *
 * <p>Thread safe. Time is an argument: {@code now} in nanoseconds of one clock, since the epoch if {@link #aligned} says so. A charge of a
 * known key happens-before a later one of the same key.
 */
public abstract sealed class RateTable permits KeyTable, LogTable {

    /** The call passes, and was charged if that was asked. */
    public static final long NOW = Meter.NOW;
    /** No waiting helps: the cost is above what the budget can ever hold. */
    public static final long NEVER = Meter.NEVER;
    /** What is announced, in nanoseconds, to a caller that must wait for a call of its own to end, whenever that is. */
    public static final long IN_FLIGHT_WAIT_NANOS = 1_000_000_000L;

    /** How many different budgets one table may know. */
    public static final int MAX_BUDGETS = 1_024;

    final LongAdder evictions = new LongAdder();
    final LongAdder stricter = new LongAdder();

    RateTable() {}

    /** A table for budgets of that algorithm, holding {@code maxKeys} keys, 1 or more. */
    public static RateTable of(Algorithm algorithm, int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("max-keys " + maxKeys + " is below 1");
        }
        return algorithm == Algorithm.SLIDING_LOG ? new LogTable(maxKeys) : new KeyTable(maxKeys);
    }

    /** Whether budgets of that algorithm are aligned to the clock on the wall, so that {@code now} must be the time since the epoch. */
    public static boolean aligned(Algorithm algorithm) {
        return switch (algorithm) {
            case FIXED_WINDOW, SLIDING_WINDOW, QUOTA -> true;
            case TOKEN_BUCKET, LEAKY_QUEUE, SLIDING_LOG -> false;
        };
    }

    /**
     * This table while it has room for those budgets beside the ones that it knows; otherwise one that knows these alone and holds what was
     * used here. A charge that is made here meanwhile by who does not know yet is not in it.
     */
    public abstract RateTable withRoomFor(List<RateLimit> budgets, long now);

    /** The tier of a budget: the same number for equal budgets. {@code now} is the time of the first use. */
    public abstract int tier(RateLimit budget, long now);

    /**
     * Charges the cost and answers {@link #NOW}, or changes nothing and answers the wait in nanoseconds or {@link #NEVER}.
     *
     * @param mark where the charge's mark goes, for {@link #giveBack}; null when it will not be given back
     */
    public abstract long charge(long key, int tier, long now, long cost, long @Nullable [] mark);

    /** What {@link #charge} would answer, without charging. */
    public abstract long peek(long key, int tier, long now, long cost);

    /** Charges whatever is left, into debt of at most one capacity: for costs that are known only afterwards. */
    public abstract void force(long key, int tier, long now, long cost);

    /** Gives back {@code units} of the charge with that mark: never more than is still missing because of it; nothing when the key has left. */
    public abstract void giveBack(long key, int tier, long now, long units, long mark);

    /** What is left for the key and when more comes. */
    public abstract Standing standing(long key, int tier, long now);

    /** The tier under which the key is held; empty when it is not held, or when the table knows no tiers. Changes nothing. */
    public abstract OptionalInt heldTier(long key);

    /** How long a call with that mark, charged at {@code now}, waits for its turn, in nanoseconds; 0 but for a leaky queue. */
    public abstract long turnNanos(int tier, long now, long mark);

    /** How many keys are held, those included that would leave at the next look. */
    public abstract int keys();

    /** How many keys had to leave with something used, so far. */
    public final long evictions() {
        return evictions.sum();
    }

    /** How many newcomers were judged more strictly than in an unbounded table, so far. */
    public final long stricter() {
        return stricter.sum();
    }

    /** Changes how many keys are held; what is too much leaves at once. */
    public abstract void maxKeys(int maxKeys, long now);
}
