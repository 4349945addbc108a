package dev.weir.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The slots of a gate: how many are in use, and which call has which. Thread safe, lock-free, allocates only to grow.
 *
 * <p>How it is designed, and why: a counter would do if nobody ever let go twice. So a call gets a slot of its own and a stamp, the slot's
 * number beside the number of its user, and lets go by making the slot its next user's: the second time it is no longer this one's. Free
 * slots form a list whose head stands in one long with the number in use, so that taking a slot and counting it is one compare-and-set, and
 * letting go is two: one of the slot, which holds its call's stamp, or while it is free its next user and its successor in the list, and one
 * of the list. The rest of the first long counts those who entered:
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

    private static final int CLOSED = -1;

    private static final int INDEX_BITS = 17;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
    private static final int ENTERED_SHIFT = 2 * INDEX_BITS;
    /** A stamp has so many; no cell is zero, so that {@link #NONE} is nobody's. */
    private static final int STAMP_BITS = 62;

    private static final long LONG_CALL = 1L << STAMP_BITS;
    private static final long FREE = Long.MIN_VALUE;
    private static final long ONE_USER = 1L << INDEX_BITS;
    private static final long USERS_MASK = LONG_CALL - 1;

    /** The end of the list of free slots. */
    private static final long END = INDEX_MASK;

    /** A slot fills a cache line, so that neighbours do not disturb each other. */
    private static final int CELLS = 8;

    // The first cell: its call's stamp, marked where the call is long; or FREE, its next user and its successor.
    private static final int ENTERED_NANOS = 1;
    private static final int WEIGHT = 2;

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

    /** How many may be in use for {@link #takeOpen}; below 0 while who wants one must ask somebody else. */
    private volatile int open = CLOSED;

    /** The slots that were there from the beginning: in one array, since every step to a cell is time that others wait. */
    private final long[] first;

    private final int firstSlots;

    /** Those that came later. Grown before {@link #state} first names a slot of it, so that who has read that name finds the slot. */
    private long[][] later = new long[0][];

    /** The most in use since {@link #resetPeak}. Concurrent writers may lose a maximum by one. */
    private int peak;

    Slots(int capacity) {
        firstSlots = (capacity + SEGMENT_SLOTS - 1) & -SEGMENT_SLOTS;
        first = new long[firstSlots * CELLS];
        add(0, firstSlots);
    }

    /** Makes room for at least {@code capacity}. */
    synchronized void grow(int capacity) {
        int had = capacity();
        int wanted = Math.max(0, capacity - firstSlots + SEGMENT_SLOTS - 1) >>> SEGMENT_BITS;
        if (wanted <= later.length) {
            return;
        }
        long[][] grown = Arrays.copyOf(later, wanted);
        for (int i = later.length; i < wanted; i++) {
            grown[i] = new long[SEGMENT_SLOTS * CELLS];
        }
        later = grown;
        add(had, capacity());
    }

    private void add(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            long[] cells = cells(slot);
            cells[cell(slot)] = FREE | ONE_USER;
            push(cells, cell(slot), slot, 0);
        }
    }

    int capacity() {
        return firstSlots + (later.length << SEGMENT_BITS);
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

    /** From now on whoever comes may take a slot, until that many are in use, and let go of it, without asking anybody. */
    void open(int most) {
        open = most;
    }

    /** From now on nobody may. */
    void close() {
        open = CLOSED;
    }

    boolean isOpen() {
        return open >= 0;
    }

    /** A slot's stamp, or {@link #NONE} when there is none to be had without asking. */
    long takeOpen() {
        return take(open);
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
            long[] cells = cells(head);
            int at = cell(head);
            long cell = (long) CELL.getOpaque(cells, at);
            long entered = (seen >>> ENTERED_SHIFT) + 1;
            long taken = entered << ENTERED_SHIFT | (long) (used + 1) << INDEX_BITS | (cell & INDEX_MASK);
            if (STATE.compareAndSet(this, seen, taken)) {
                if (used >= peak) {
                    peak = used + 1;
                }
                long stamp = (cell & ~(FREE | INDEX_MASK)) | head;
                CELL.setOpaque(cells, at, stamp);
                return stamp;
            }
        }
    }

    /** Notes when its call entered, and that it speaks for {@code weight} calls. Only its call may. */
    void note(long stamp, long enteredNanos, long weight) {
        long[] cells = cells(stamp);
        cells[cell(stamp) + ENTERED_NANOS] = enteredNanos;
        CELL.setRelease(cells, cell(stamp) + WEIGHT, weight);
    }

    /** When its call entered. Only for a call that speaks for some. */
    long enteredNanos(long stamp) {
        return (long) CELL.getOpaque(cells(stamp), cell(stamp) + ENTERED_NANOS);
    }

    /** For how many calls it speaks; below 0 when it has spoken. Only its call may ask. */
    long weight(long stamp) {
        return (long) CELL.getAcquire(cells(stamp), cell(stamp) + WEIGHT);
    }

    /** It has spoken. Only its call may say so. */
    void spoken(long stamp) {
        long[] cells = cells(stamp);
        cells[cell(stamp) + WEIGHT] = -Math.abs(cells[cell(stamp) + WEIGHT]);
    }

    /** Whether the call has not let go. */
    boolean isLive(long stamp) {
        return isStamp(stamp) && ((long) CELL.getAcquire(cells(stamp), cell(stamp)) & ~LONG_CALL) == stamp;
    }

    private boolean isStamp(long stamp) {
        return stamp >>> STAMP_BITS == 0 && (stamp & INDEX_MASK) < capacity();
    }

    /** The stamp of the call in that slot, or {@link #NONE}. */
    long stampAt(int slot) {
        long cell = (long) CELL.getOpaque(cells(slot), cell(slot));
        return cell < 0 ? NONE : cell & ~LONG_CALL;
    }

    /** The bits of a stamp that are all zero for one in {@code calls} of a slot's users, a power of two. */
    static long allUsersBut(long calls) {
        return (calls - 1) << INDEX_BITS;
    }

    static int slotOf(long stamp) {
        return (int) (stamp & INDEX_MASK);
    }

    /** The call is long from now on. False when it already was, or has let go. */
    boolean markLong(long stamp) {
        return isStamp(stamp) && CELL.compareAndSet(cells(stamp), cell(stamp), stamp, stamp | LONG_CALL);
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

    /**
     * Takes the slot from a short call that speaks for no others, and makes it free: what most calls do. False when that is not this call
     * (or its slot came later), or somebody is to be asked; nothing is changed then.
     */
    boolean leave(long stamp) {
        long[] cells = first;
        int at = slotOf(stamp) * CELLS;
        if (open < 0 || stamp >>> STAMP_BITS != 0 || at + WEIGHT >= cells.length) {
            return false;
        }
        long seen = state;
        if (cells[at + WEIGHT] != 0
                || !CELL.compareAndSet(cells, at, stamp, FREE | nextUser(stamp) | (seen & INDEX_MASK))) {
            return false;
        }
        long slot = stamp & INDEX_MASK;
        if (!STATE.compareAndSet(this, seen, ((seen & ~INDEX_MASK) - ONE_USER) | slot)) {
            push(cells, at, slot, ONE_USER);
        }
        return true;
    }

    private static long nextUser(long stamp) {
        return ((stamp & ~INDEX_MASK) + ONE_USER) & USERS_MASK;
    }

    /** Takes the slot from the call; {@link #free} makes it another's. */
    End end(long stamp) {
        if (!isStamp(stamp)) {
            return End.NOT_HELD;
        }
        long[] cells = cells(stamp);
        int at = cell(stamp);
        for (; ; ) {
            long cell = (long) CELL.getAcquire(cells, at);
            if ((cell & ~LONG_CALL) != stamp) {
                return End.NOT_HELD;
            }
            if (CELL.compareAndSet(cells, at, cell, FREE | nextUser(stamp) | END)) {
                return (cell & LONG_CALL) == 0 ? End.SHORT : End.LONG;
            }
        }
    }

    /** Makes a slot that {@link #end} took from its call free. */
    void free(long stamp) {
        long[] cells = cells(stamp);
        int at = cell(stamp);
        cells[at + WEIGHT] = 0;
        push(cells, at, stamp & INDEX_MASK, ONE_USER);
    }

    /** Puts a slot that is nobody's into the list. */
    private void push(long[] cells, int at, long slot, long used) {
        long users = cells[at] & ~INDEX_MASK;
        for (; ; ) {
            long seen = state;
            CELL.setOpaque(cells, at, users | (seen & INDEX_MASK));
            if (STATE.compareAndSet(this, seen, ((seen & ~INDEX_MASK) - used) | slot)) {
                return;
            }
        }
    }

    private static int inUse(long state) {
        return (int) (state >>> INDEX_BITS & INDEX_MASK);
    }

    /** Where a slot's cells are. */
    private long[] cells(long stamp) {
        int slot = slotOf(stamp);
        return slot < firstSlots ? first : later[(slot - firstSlots) >>> SEGMENT_BITS];
    }

    /** Where they begin there. */
    private int cell(long stamp) {
        int slot = slotOf(stamp);
        return (slot < firstSlots ? slot : slot & (SEGMENT_SLOTS - 1)) * CELLS;
    }
}
