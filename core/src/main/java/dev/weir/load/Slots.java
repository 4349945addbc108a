package dev.weir.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The slots of a gate: how many are in use, and which call has which. Thread safe, lock-free, allocates only to grow.
 *
 * <p>How it is designed, and why: a counter would do if nobody ever let go twice. So a call gets a slot of its own and a stamp, the slot's
 * number beside a count of its users, and lets go by replacing exactly this stamp: the second time it is no longer there. Free slots form a
 * list whose head stands in one long with the number in use, so that taking a slot and counting it is one compare-and-set. The rest of that
 * long counts those who entered:
 *
 * <pre>
 *   A: reads head 3, next 7 | B: takes 3, takes 7, lets go of 3 | A: replaces head 3 by 7, which is B's
 * </pre>
 *
 * <p>cannot happen, because B's entering has changed the count. It comes round after 2^30 calls.
 */
final class Slots {

    /** No slot. */
    static final long NONE = 0;

    private static final int INDEX_BITS = 17;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
    private static final int ENTERED_SHIFT = 2 * INDEX_BITS;
    private static final long LONG_CALL = 1L << 62;
    private static final long ONE_USER = 1L << INDEX_BITS;
    private static final long USERS_MASK = LONG_CALL - 1;

    /** The end of the list of free slots. */
    private static final long END = INDEX_MASK;

    /** A slot fills a cache line, so that neighbours do not disturb each other. */
    private static final int CELLS = 8;

    // The first cell is the stamp, or below 0 what the last one was.
    private static final int NEXT = 1;
    private static final int ENTERED_NANOS = 2;
    private static final int WEIGHT = 3;

    private static final int SEGMENT_BITS = 6;
    private static final int SEGMENT_SLOTS = 1 << SEGMENT_BITS;

    private static final VarHandle STATE;
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Slots.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Entered so far, in use, head of the free list. */
    private volatile long state = END;

    /** Grown before {@link #state} first names a slot of it, so that who has read that name finds the slot. */
    private long[][] segments = new long[0][];

    /** The most in use since {@link #resetPeak}. Concurrent writers may lose a maximum by one. */
    private int peak;

    Slots(int capacity) {
        grow(capacity);
    }

    /** Makes room for at least {@code capacity}. */
    synchronized void grow(int capacity) {
        int wanted = (capacity + SEGMENT_SLOTS - 1) >>> SEGMENT_BITS;
        int had = segments.length;
        if (wanted <= had) {
            return;
        }
        long[][] grown = Arrays.copyOf(segments, wanted);
        for (int i = had; i < wanted; i++) {
            grown[i] = new long[SEGMENT_SLOTS * CELLS];
        }
        segments = grown;
        for (int slot = (wanted << SEGMENT_BITS) - 1; slot >= had << SEGMENT_BITS; slot--) {
            long[] segment = segment(slot);
            segment[cell(slot)] = -slot;
            push(segment, cell(slot), slot, 0);
        }
    }

    int capacity() {
        return segments.length << SEGMENT_BITS;
    }

    int inUse() {
        return inUse(state);
    }

    /** How many entered so far, modulo 2^30. */
    int entered() {
        return (int) (state >>> ENTERED_SHIFT);
    }

    /** How many entered between two answers of {@link #entered}. */
    static int enteredBetween(int before, int after) {
        return (after - before) & ((1 << (64 - ENTERED_SHIFT)) - 1);
    }

    int peak() {
        return peak;
    }

    void resetPeak() {
        peak = inUse();
    }

    /** A slot's stamp, or {@link #NONE} when {@code limit} are in use. */
    long take(int limit) {
        for (; ; ) {
            long seen = state;
            int used = inUse(seen);
            int head = (int) (seen & INDEX_MASK);
            if (used >= limit || head == END) {
                return NONE;
            }
            long[] segment = segments[head >>> SEGMENT_BITS];
            int at = cell(head);
            long next = segment[at + NEXT];
            long entered = (seen >>> ENTERED_SHIFT) + 1;
            long taken = entered << ENTERED_SHIFT | (long) (used + 1) << INDEX_BITS | next;
            if (STATE.compareAndSet(this, seen, taken)) {
                if (used >= peak) {
                    peak = used + 1;
                }
                long stamp = (ONE_USER - segment[at]) & USERS_MASK;
                CELL.setRelease(segment, at, stamp);
                return stamp;
            }
        }
    }

    /** Notes when its call entered, and that it speaks for {@code weight} calls. Only its call may. */
    void note(long stamp, long enteredNanos, long weight) {
        long[] segment = segment(stamp);
        segment[cell(stamp) + ENTERED_NANOS] = enteredNanos;
        CELL.setRelease(segment, cell(stamp) + WEIGHT, weight);
    }

    /** When its call entered. Only for a call that speaks for some. */
    long enteredNanos(long stamp) {
        return (long) CELL.getOpaque(segment(stamp), cell(stamp) + ENTERED_NANOS);
    }

    /** For how many calls it speaks; below 0 when it has spoken. Only its call may ask. */
    long weight(long stamp) {
        return (long) CELL.getAcquire(segment(stamp), cell(stamp) + WEIGHT);
    }

    /** It has spoken. Only its call may say so. */
    void spoken(long stamp) {
        long[] segment = segment(stamp);
        segment[cell(stamp) + WEIGHT] = -Math.abs(segment[cell(stamp) + WEIGHT]);
    }

    /** Whether the call has not let go. */
    boolean isLive(long stamp) {
        return isStamp(stamp) && (liveStamp(stamp) & ~LONG_CALL) == stamp;
    }

    private boolean isStamp(long stamp) {
        return stamp > 0 && stamp < LONG_CALL && (stamp & INDEX_MASK) < capacity();
    }

    private long liveStamp(long stamp) {
        return (long) CELL.getAcquire(segment(stamp), cell(stamp));
    }

    /** The stamp of the call in that slot, or {@link #NONE}. */
    long stampAt(int slot) {
        long stamp = liveStamp(slot);
        return stamp > 0 ? stamp & ~LONG_CALL : NONE;
    }

    /** How many calls have had its slot, it included. */
    static long usersOf(long stamp) {
        return stamp >>> INDEX_BITS;
    }

    static int slotOf(long stamp) {
        return (int) (stamp & INDEX_MASK);
    }

    /** The call is long from now on. False when it already was, or has let go. */
    boolean markLong(long stamp) {
        return isStamp(stamp) && CELL.compareAndSet(segment(stamp), cell(stamp), stamp, stamp | LONG_CALL);
    }

    /** How a slot was let go of. */
    enum End {
        /** It was not this call's, or no longer. */
        NOT_HELD,
        /** By a call. */
        SHORT,
        /** By a long call. */
        LONG
    }

    /** Takes the slot from the call; {@link #free} makes it another's. */
    End end(long stamp) {
        if (!isStamp(stamp)) {
            return End.NOT_HELD;
        }
        long[] segment = segment(stamp);
        int at = cell(stamp);
        if (CELL.compareAndSet(segment, at, stamp, -stamp)) {
            return End.SHORT;
        }
        return CELL.compareAndSet(segment, at, stamp | LONG_CALL, -stamp) ? End.LONG : End.NOT_HELD;
    }

    /** Makes a slot that {@link #end} took from its call free. */
    void free(long stamp) {
        long[] segment = segment(stamp);
        int at = cell(stamp);
        if (segment[at + WEIGHT] != 0) {
            segment[at + WEIGHT] = 0;
        }
        push(segment, at, stamp & INDEX_MASK, ONE_USER);
    }

    private void push(long[] segment, int at, long slot, long used) {
        for (; ; ) {
            long seen = state;
            segment[at + NEXT] = seen & INDEX_MASK;
            if (STATE.compareAndSet(this, seen, ((seen & ~INDEX_MASK) - used) | slot)) {
                return;
            }
        }
    }

    private static int inUse(long state) {
        return (int) (state >>> INDEX_BITS & INDEX_MASK);
    }

    private long[] segment(long stamp) {
        return segments[(int) (stamp & INDEX_MASK) >>> SEGMENT_BITS];
    }

    /** Where a slot's cells begin in its segment. */
    private static int cell(long stamp) {
        return (int) (stamp & (SEGMENT_SLOTS - 1)) * CELLS;
    }
}
