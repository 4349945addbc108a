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
    private static final long USERS_MASK = LONG_CALL - 1;

    /** The end of the list of free slots. */
    private static final long END = INDEX_MASK;

    /** A slot fills a cache line, so that neighbours do not disturb each other. */
    private static final int CELLS = 8;

    private static final int STAMP = 0;
    private static final int NEXT = 1;
    private static final int ENTERED_NANOS = 2;
    private static final int WEIGHT = 3;

    private static final int SEGMENT_BITS = 8;
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

    private volatile long[][] segments = new long[0][];
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
            push(slot, 0);
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
            long head = seen & INDEX_MASK;
            if (used >= limit || head == END) {
                return NONE;
            }
            long next = (long) CELL.getOpaque(segment(head), cell(head, NEXT));
            long entered = (seen >>> ENTERED_SHIFT) + 1;
            long taken = entered << ENTERED_SHIFT | (long) (used + 1) << INDEX_BITS | next;
            if (STATE.compareAndSet(this, seen, taken)) {
                if (used >= peak) {
                    peak = used + 1;
                }
                return stamped(head);
            }
        }
    }

    private long stamped(long slot) {
        long[] segment = segment(slot);
        int at = cell(slot, STAMP);
        long users = -segment[at] >>> INDEX_BITS;
        long stamp = ((users + 1) << INDEX_BITS | slot) & USERS_MASK;
        CELL.setRelease(segment, at, stamp);
        return stamp;
    }

    /** Notes when its call entered, and for how many calls it speaks; 0 for none. Only its call may. */
    void note(long stamp, long enteredNanos, long weight) {
        long slot = stamp & INDEX_MASK;
        long[] segment = segment(slot);
        segment[cell(slot, WEIGHT)] = weight;
        CELL.setOpaque(segment, cell(slot, ENTERED_NANOS), enteredNanos);
    }

    /** When its call entered. */
    long enteredNanos(long stamp) {
        long slot = stamp & INDEX_MASK;
        return (long) CELL.getOpaque(segment(slot), cell(slot, ENTERED_NANOS));
    }

    /** For how many calls it speaks. Only its call may ask. */
    long weight(long stamp) {
        long slot = stamp & INDEX_MASK;
        return segment(slot)[cell(slot, WEIGHT)];
    }

    /** It has spoken. Only its call may say so. */
    void spoken(long stamp) {
        long slot = stamp & INDEX_MASK;
        segment(slot)[cell(slot, WEIGHT)] = 0;
    }

    /** Whether the call has not let go. */
    boolean isLive(long stamp) {
        return isStamp(stamp) && (liveStamp(stamp) & ~LONG_CALL) == stamp;
    }

    private boolean isStamp(long stamp) {
        return stamp > 0 && stamp < LONG_CALL && (stamp & INDEX_MASK) < capacity();
    }

    private long liveStamp(long stamp) {
        long slot = stamp & INDEX_MASK;
        return (long) CELL.getAcquire(segment(slot), cell(slot, STAMP));
    }

    /** The stamp of the call in that slot, or {@link #NONE}. */
    long stampAt(int slot) {
        long stamp = (long) CELL.getAcquire(segment(slot), cell(slot, STAMP));
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
        long slot = stamp & INDEX_MASK;
        return isStamp(stamp) && CELL.compareAndSet(segment(slot), cell(slot, STAMP), stamp, stamp | LONG_CALL);
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
        long slot = stamp & INDEX_MASK;
        long[] segment = segment(slot);
        int at = cell(slot, STAMP);
        if (CELL.compareAndSet(segment, at, stamp, -stamp)) {
            return End.SHORT;
        }
        return CELL.compareAndSet(segment, at, stamp | LONG_CALL, -stamp) ? End.LONG : End.NOT_HELD;
    }

    /** Makes a slot that {@link #end} took from its call free. */
    void free(long stamp) {
        push(stamp & INDEX_MASK, 1);
    }

    private void push(long slot, int used) {
        long[] segment = segment(slot);
        for (; ; ) {
            long seen = state;
            CELL.setOpaque(segment, cell(slot, NEXT), seen & INDEX_MASK);
            long freed = ((seen & ~INDEX_MASK) - ((long) used << INDEX_BITS)) | slot;
            if (STATE.compareAndSet(this, seen, freed)) {
                return;
            }
        }
    }

    private static int inUse(long state) {
        return (int) (state >>> INDEX_BITS & INDEX_MASK);
    }

    private long[] segment(long slot) {
        return segments[(int) (slot >>> SEGMENT_BITS)];
    }

    private static int cell(long slot, int cell) {
        return (int) (slot & (SEGMENT_SLOTS - 1)) * CELLS + cell;
    }
}
