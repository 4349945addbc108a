package dev.weir.rate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One long of state for each key, in flat arrays: 16 bytes an entry, 20 to 30 a key.
 *
 * <p>How it is designed, and why. The plain design is a concurrent hash map of counters and a thread that cleans up: 300 bytes a key, a
 * race between cleaning and charging, and no answer to a flood of keys but to forget (which hands out fresh budgets) or to refuse (which is
 * an outage). Here an entry is a fingerprint (54 bits of the key's hash over 10 bits of tier) and a meter's state, by open addressing with
 * linear probing, in stripes that are rebuilt to the size of what they hold when they fill.
 *
 * <ul>
 *   <li>A charge of a known key takes no lock: read fingerprint, state and fingerprint again, decide, compare and set the state.
 *   <li>Whatever writes a fingerprint (insert, evict, change of tier, rebuild) holds the stripe's lock and first swaps the state for
 *       {@link #BUSY} or {@link #MOVED}, so that it takes along every charge that was granted and every charge in the making fails.
 *   <li>A slot never changes hands. The key of a slot may leave, but only a rebuild, into another array, makes room of what it left: a
 *       compare and set on a slot hits the key that was read there or nobody.
 *   <li>A state that is fresh is forgotten passively: its slot lies until a rebuild or the hand comes by. {@code horizon} is the latest
 *       time at which a stripe forgot anything; newcomers start no earlier, so that a thread with an older reading of the clock gains
 *       nothing.
 *   <li>At the cap a clock hand looks at sixteen entries, lets all fresh ones go, or else the least used, whose state is folded into two
 *       of the tier's shared cells by {@link Meter#stricter}. A newcomer starts from {@link Meter#milder} of its two cells, of whatever
 *       tier: it may have left under another.
 * </ul>
 *
 * <p>What holds, and the test that shows it:
 *
 * <ol>
 *   <li>Owner: a slot has one owner as long as its array lives. (StressTest in races)
 *   <li>No twins: fingerprints are written under the lock only, after a scan to the first empty slot, and no slot becomes empty but in a
 *       rebuild. (LinearizabilityTest in races)
 *   <li>No lost charge: a compare and set that succeeds before the swap is in the state that was taken, one after it fails.
 *       (LinearizabilityTest in races)
 *   <li>Dominance: every key's state, or the milder of its cells, is at least as strict as in an unbounded table, save for what several
 *       give-backs pending at once return. (KeyTableOracleTest)
 *   <li>Bound: at most {@code maxKeys} keys at every instant. (KeyTableOracleTest)
 *   <li>Progress: a known key waits for a few stores or one rebuild of a stripe, never for a scan of the table.
 *   <li>Wrap: states are looked at once in {@link Meter#sweepNanos}. (KeyTableAgeTest)
 * </ol>
 */
final class KeyTable extends RateTable {

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    // Fingerprints that are no keys.
    private static final long EMPTY = 0;
    private static final long TOMB = 1;
    // States that are no states; see notReserved.
    private static final long BUSY = Long.MIN_VALUE;
    private static final long MOVED = BUSY + 1;
    /** The insert found that the table had changed. No wait: those are not negative. */
    private static final long RETRY = -1;

    private static final int TIER_BITS = 10;
    private static final long TIER_MASK = (1 << TIER_BITS) - 1;
    private static final double MAX_LOAD = 0.80;
    /** After a rebuild: 28 bytes a key, and a third as many newcomers as there are keys until the next one. */
    private static final double REBUILT_LOAD = 0.58;

    private static final int LOOKED_AT = 16;
    private static final int MIN_SLOTS = 16;

    /** The cap at the start, which the number of stripes and cells follows. */
    private final int builtFor;

    private final Stripe[] stripes;
    private final int stripeBits;
    private final int cellMask;
    private volatile Tier[] tiers = {};
    private final AtomicReferenceArray<long @Nullable []> cells = new AtomicReferenceArray<>(1 << TIER_BITS);
    private volatile long sweptAt;
    private volatile long sweepNanos = Long.MAX_VALUE;

    private record Tier(RateLimit budget, Meter meter) {}

    KeyTable(int maxKeys) {
        builtFor = maxKeys;
        int count = Math.max(1, Math.min(1024, Integer.highestOneBit(Math.max(1, maxKeys / 4096))));
        stripeBits = Integer.numberOfTrailingZeros(count);
        stripes = new Stripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new Stripe(maxKeys / count);
        }
        cellMask = Integer.highestOneBit(Math.max(1024, maxKeys / 8)) - 1;
    }

    @Override
    public synchronized int tier(RateLimit budget, long now) {
        for (int i = 0; i < tiers.length; i++) {
            if (tiers[i].budget.equals(budget)) {
                return i;
            }
        }
        if (tiers.length > TIER_MASK) {
            throw new IllegalStateException("more than " + tiers.length + " different budgets in one limit");
        }
        Meter meter = Meter.of(budget);
        Tier[] more = Arrays.copyOf(tiers, tiers.length + 1);
        more[tiers.length] = new Tier(budget, meter);
        if (tiers.length == 0) {
            sweptAt = now;
        } else if (meter.sweepNanos() < sweepNanos) {
            // From here on the time since the last look counts in the new tier's rhythm.
            lookOver(now);
        }
        tiers = more;
        sweepNanos = Math.min(sweepNanos, meter.sweepNanos());
        return more.length - 1;
    }

    @Override
    public synchronized RateTable withRoomFor(List<RateLimit> budgets, long now) {
        Set<RateLimit> unknown = new HashSet<>(budgets);
        for (Tier tier : tiers) {
            unknown.remove(tier.budget);
        }
        if (tiers.length + unknown.size() <= MAX_BUDGETS) {
            return this;
        }
        sweep(now);
        KeyTable next = new KeyTable(builtFor);
        int widest = 0;
        for (RateLimit budget : budgets) {
            int tier = next.tier(budget, now);
            widest = budget.capacity() > next.tiers[widest].budget.capacity() ? tier : widest;
        }
        int[] tierThere = new int[tiers.length];
        for (int tier = 0; tier < tiers.length; tier++) {
            int same = budgets.indexOf(tiers[tier].budget);
            tierThere[tier] = same < 0 ? widest : next.tier(budgets.get(same), now);
        }
        for (int i = 0; i < stripes.length; i++) {
            synchronized (stripes[i]) {
                stripes[i].copyTo(next.stripes[i], next, tierThere, now);
            }
        }
        for (int tier = 0; tier < tiers.length; tier++) {
            long[] shared = cells.get(tier);
            for (int cell = 0; shared != null && cell < shared.length; cell++) {
                long state = (long) LONGS.getAcquire(shared, cell);
                if (!tiers[tier].meter.isFresh(state, now)) {
                    Meter there = next.tiers[tierThere[tier]].meter;
                    fold(next.cells(tierThere[tier], now), cell, there, there.converted(state, now, tiers[tier].meter));
                }
            }
        }
        next.evictions.add(evictions.sum());
        next.stricter.add(stricter.sum());
        return next;
    }

    private Meter meter(long fingerprint) {
        return tiers[(int) (fingerprint & TIER_MASK)].meter;
    }

    @Override
    public long charge(long key, int tier, long now, long cost, long @Nullable [] mark) {
        if (cost == 0) {
            return NOW;
        }
        Meter meter = tiers[tier].meter;
        long fingerprint = fingerprint(key, tier);
        Stripe stripe = stripe(fingerprint, now);
        for (; ; ) {
            long[] slots = stripe.slots;
            int at = find(slots, fingerprint);
            long state = at < 0 ? BUSY : (long) LONGS.getAcquire(slots, at + 1);
            if (at >= 0 && unsettled(stripe, slots, at, fingerprint, state, now)) {
                continue;
            }
            if (at < 0) {
                long wait = stripe.insert(slots, fingerprint, now, cost, mark);
                if (wait != RETRY) {
                    return wait;
                }
                continue;
            }
            long wait = meter.waitFor(state, now, cost);
            if (wait != NOW) {
                return wait;
            }
            if (LONGS.compareAndSet(slots, at + 1, state, notReserved(meter.charged(state, now, cost)))) {
                if (mark != null) {
                    mark[0] = meter.mark(state, now);
                }
                return NOW;
            }
        }
    }

    @Override
    public long peek(long key, int tier, long now, long cost) {
        long state = look(key, tier, now);
        return tiers[tier].meter.waitFor(state, now, cost);
    }

    @Override
    public Standing standing(long key, int tier, long now) {
        long state = look(key, tier, now);
        return tiers[tier].meter.standing(state, now);
    }

    @Override
    public OptionalInt heldTier(long key) {
        long fingerprint = fingerprint(key, 0);
        long[] slots = stripes[stripeBits == 0 ? 0 : (int) (fingerprint >>> (64 - stripeBits))].slots;
        int at = find(slots, fingerprint);
        // Read once more: it may have left since, but a slot is only ever its own.
        long found = at < 0 ? EMPTY : (long) LONGS.getAcquire(slots, at);
        return sameKey(found, fingerprint) ? OptionalInt.of((int) (found & TIER_MASK)) : OptionalInt.empty();
    }

    /** The state that a charge would start from. */
    private long look(long key, int tier, long now) {
        long fingerprint = fingerprint(key, tier);
        Stripe stripe = stripe(fingerprint, now);
        for (; ; ) {
            long[] slots = stripe.slots;
            int at = find(slots, fingerprint);
            if (at < 0) {
                synchronized (stripe) {
                    if (slots == stripe.slots && find(slots, fingerprint) < 0) {
                        return stripe.start(fingerprint, now, false);
                    }
                }
                continue;
            }
            long state = (long) LONGS.getAcquire(slots, at + 1);
            if (!unsettled(stripe, slots, at, fingerprint, state, now)) {
                return state;
            }
        }
    }

    @Override
    public void force(long key, int tier, long now, long cost) {
        if (cost == 0) {
            return;
        }
        update(key, tier, now, true, (meter, state) -> meter.charged(state, now, cost));
    }

    @Override
    public void giveBack(long key, int tier, long now, long units, long mark) {
        if (units == 0) {
            return;
        }
        Meter charged = tiers[tier].meter;
        update(
                key,
                tier,
                now,
                false,
                (meter, state) -> meter.givenBack(
                        state, now, units, meter == charged ? mark : meter.markFrom(charged, mark, now)));
    }

    /** A state from a state. */
    private interface Step {
        long next(Meter meter, long state);
    }

    /** Changes a state under the tier that the key has now: the charge that this corrects may be older than a change of its budget. */
    private void update(long key, int tier, long now, boolean insert, Step step) {
        Meter meter = tiers[tier].meter;
        long fingerprint = fingerprint(key, tier);
        Stripe stripe = stripe(fingerprint, now);
        for (; ; ) {
            long[] slots = stripe.slots;
            int at = find(slots, fingerprint);
            if (at < 0) {
                if (!insert || stripe.insertForced(slots, fingerprint, now, meter, step)) {
                    return;
                }
                continue;
            }
            long found = (long) LONGS.getAcquire(slots, at);
            long state = (long) LONGS.getAcquire(slots, at + 1);
            if (!changing(stripe, state)
                    && sameKey(found, fingerprint)
                    && found == (long) LONGS.getAcquire(slots, at)
                    && LONGS.compareAndSet(slots, at + 1, state, notReserved(step.next(meter(found), state)))) {
                return;
            }
        }
    }

    @Override
    public long turnNanos(int tier, long now, long mark) {
        return tiers[tier].meter.turnNanos(mark, now);
    }

    @Override
    public int keys() {
        int keys = 0;
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                keys += stripe.live;
            }
        }
        return keys;
    }

    @Override
    public void maxKeys(int maxKeys, long now) {
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                stripe.maxLive = Math.max(1, maxKeys / stripes.length);
                while (stripe.live > stripe.maxLive) {
                    stripe.evict(stripe.slots, now);
                }
            }
        }
    }

    // ---- finding

    private static long fingerprint(long key, int tier) {
        long high = key & ~TIER_MASK;
        return (high == 0 ? 1L << TIER_BITS : high) | tier;
    }

    private static boolean sameKey(long a, long b) {
        return (a ^ b) >>> TIER_BITS == 0;
    }

    private Stripe stripe(long fingerprint, long now) {
        if (now - sweptAt >= sweepNanos) {
            sweep(now);
        }
        return stripes[stripeBits == 0 ? 0 : (int) (fingerprint >>> (64 - stripeBits))];
    }

    /** Where a fingerprint's chain starts: the middle bits, scaled to the stripe. Neither the stripe's bits nor the tier's take part. */
    private static int home(long fingerprint, int capacity) {
        return (int) ((((fingerprint >>> TIER_BITS) & 0xffffffffL) * capacity) >>> 32);
    }

    /** The index of the key's entry, of whatever tier, or -1. */
    private static int find(long[] slots, long fingerprint) {
        int capacity = slots.length >>> 1;
        int i = home(fingerprint, capacity);
        for (; ; ) {
            long found = (long) LONGS.getAcquire(slots, 2 * i);
            if (sameKey(found, fingerprint)) {
                return 2 * i;
            }
            if (found == EMPTY) {
                return -1;
            }
            i = i + 1 == capacity ? 0 : i + 1;
        }
    }

    /** Whether the entry cannot be judged as it was read: it is changing hands or tier, or has. Then the caller looks again. */
    private boolean unsettled(Stripe stripe, long[] slots, int at, long fingerprint, long state, long now) {
        if (changing(stripe, state)) {
            return true;
        }
        long again = (long) LONGS.getAcquire(slots, at);
        if (again == fingerprint) {
            return false;
        }
        if (sameKey(again, fingerprint)) {
            stripe.changeTier(slots, at, fingerprint, now);
        }
        return true;
    }

    private static boolean changing(Stripe stripe, long state) {
        if (state == MOVED) {
            stripe.awaitRebuild();
        } else if (state == BUSY) {
            Thread.onSpinWait();
        }
        return state == MOVED || state == BUSY;
    }

    private static long notReserved(long state) {
        return state <= MOVED ? MOVED + 1 : state;
    }

    // ---- cells that departed keys share

    private int cell1(long fingerprint) {
        return (int) (((fingerprint >>> TIER_BITS) * 0x9E3779B97F4A7C15L) >>> 34) & cellMask;
    }

    private int cell2(long fingerprint) {
        return (int) (((fingerprint >>> TIER_BITS) * 0xC2B2AE3D27D4EB4FL) >>> 34) & cellMask;
    }

    private void fold(long fingerprint, long state, long now) {
        long[] shared = cells((int) (fingerprint & TIER_MASK), now);
        fold(shared, cell1(fingerprint), meter(fingerprint), state);
        fold(shared, cell2(fingerprint), meter(fingerprint), state);
    }

    private long @Nullable [] cells(int tier, long now) {
        long[] shared = cells.get(tier);
        if (shared == null) {
            long[] fresh = new long[cellMask + 1];
            Arrays.fill(fresh, tiers[tier].meter.fresh(now));
            shared = cells.compareAndSet(tier, null, fresh) ? fresh : cells.get(tier);
        }
        return shared;
    }

    private static void fold(long @Nullable [] shared, int cell, Meter meter, long state) {
        for (; ; ) {
            long old = (long) LONGS.getAcquire(shared, cell);
            long next = meter.stricter(old, state);
            if (next == old || LONGS.compareAndSet(shared, cell, old, next)) {
                return;
            }
        }
    }

    // ---- old states

    /** Looks at every state, before the ring of any meter has gone far enough round to take an old state for a new one. */
    private synchronized void sweep(long now) {
        if (now - sweptAt >= sweepNanos) {
            lookOver(now);
        }
    }

    private void lookOver(long now) {
        long idle = now - sweptAt;
        for (Stripe stripe : stripes) {
            synchronized (stripe) {
                stripe.rebuild(stripe.slots, now, idle);
                stripe.forget(now);
            }
        }
        for (int tier = 0; tier < tiers.length; tier++) {
            long[] shared = cells.get(tier);
            Meter meter = tiers[tier].meter;
            for (int i = 0; shared != null && i < shared.length; i++) {
                long state = (long) LONGS.getAcquire(shared, i);
                if (isOver(meter, state, now, idle)) {
                    LONGS.compareAndSet(shared, i, state, meter.fresh(now));
                }
            }
        }
        sweptAt = now;
    }

    /**
     * Whether a state may be dropped that was last looked at {@code idle} ago. Beyond two sweeps the ring no longer tells, but then the
     * state is over: a charge in the second one would have swept.
     */
    private static boolean isOver(Meter meter, long state, long now, long idle) {
        long sweep = meter.sweepNanos();
        return (sweep <= Long.MAX_VALUE / 2 && idle >= 2 * sweep) || meter.isFresh(state, now);
    }

    /** A part of the table with a lock of its own. Everything but {@code slots} is guarded by it. */
    private final class Stripe {
        volatile long[] slots = new long[2 * MIN_SLOTS];
        int maxLive;
        int live;
        int occupied;
        int hand;
        long horizon;
        boolean forgot;

        Stripe(int maxLive) {
            this.maxLive = Math.max(1, maxLive);
        }

        /** Returns when no rebuild is under way. */
        synchronized void awaitRebuild() {}

        /** What a newcomer starts from: nothing used, or what its cells say of those that left. */
        synchronized long start(long fingerprint, long now, boolean count) {
            Meter meter = meter(fingerprint);
            long fresh = meter.fresh(now);
            long start = forgot ? meter.stricter(fresh, meter.fresh(horizon)) : fresh;
            for (int tier = 0; tier < tiers.length; tier++) {
                long[] shared = cells.get(tier);
                if (shared != null) {
                    Meter left = tiers[tier].meter;
                    long inherited = left.milder((long) LONGS.getAcquire(shared, cell1(fingerprint)), (long)
                            LONGS.getAcquire(shared, cell2(fingerprint)));
                    if (!left.isFresh(inherited, now)) {
                        start = meter.stricter(
                                start, left == meter ? inherited : meter.converted(inherited, now, left));
                    }
                }
            }
            if (count && start != fresh) {
                stricter.increment();
            }
            return start;
        }

        /** Charges a key that is not here. A refused newcomer takes no slot. */
        synchronized long insert(long[] seen, long fingerprint, long now, long cost, long @Nullable [] mark) {
            if (seen != slots || find(seen, fingerprint) >= 0) {
                return RETRY;
            }
            Meter meter = meter(fingerprint);
            long start = start(fingerprint, now, true);
            long wait = meter.waitFor(start, now, cost);
            if (wait != NOW) {
                return wait;
            }
            if (!put(seen, fingerprint, now, notReserved(meter.charged(start, now, cost)))) {
                return RETRY;
            }
            if (mark != null) {
                mark[0] = meter.mark(start, now);
            }
            return NOW;
        }

        synchronized boolean insertForced(long[] seen, long fingerprint, long now, Meter meter, Step step) {
            return seen == slots
                    && find(seen, fingerprint) < 0
                    && put(seen, fingerprint, now, notReserved(step.next(meter, start(fingerprint, now, true))));
        }

        /** False when the stripe was rebuilt to make room: look again. */
        private boolean put(long[] a, long fingerprint, long now, long state) {
            int capacity = a.length >>> 1;
            if (live >= maxLive) {
                evict(a, now);
            }
            if (occupied + 1 > capacity * MAX_LOAD) {
                rebuild(a, now, 0);
                return false;
            }
            int i = home(fingerprint, capacity);
            while (a[2 * i] != EMPTY) {
                i = i + 1 == capacity ? 0 : i + 1;
            }
            occupied++;
            live++;
            LONGS.setRelease(a, 2 * i + 1, state);
            LONGS.setRelease(a, 2 * i, fingerprint);
            return true;
        }

        private void forget(long now) {
            horizon = forgot && horizon - now > 0 ? horizon : now;
            forgot = true;
        }

        /** Frees a slot at least: every fresh one of those that the hand passes, or else the least used of them. */
        void evict(long[] a, long now) {
            int capacity = a.length >>> 1;
            int seen = 0;
            int least = -1;
            long leastUsed = 0;
            boolean freed = false;
            for (int n = 0; n < capacity && seen < LOOKED_AT; n++) {
                hand = hand + 1 >= capacity ? 0 : hand + 1;
                long fingerprint = a[2 * hand];
                if (fingerprint == EMPTY || fingerprint == TOMB) {
                    continue;
                }
                seen++;
                long state = (long) LONGS.getAcquire(a, 2 * hand + 1);
                Meter meter = meter(fingerprint);
                if (meter.isFresh(state, now)) {
                    if (LONGS.compareAndSet(a, 2 * hand + 1, state, BUSY)) {
                        forget(now);
                        LONGS.setRelease(a, 2 * hand, TOMB);
                        live--;
                        freed = true;
                    }
                } else if (least < 0 || meter.used(state, now) < leastUsed) {
                    least = hand;
                    leastUsed = meter.used(state, now);
                }
            }
            if (freed || least < 0) {
                return;
            }
            long state = (long) LONGS.getAndSet(a, 2 * least + 1, BUSY);
            fold(a[2 * least], state, now);
            LONGS.setRelease(a, 2 * least, TOMB);
            live--;
            evictions.increment();
        }

        /** The key's plan or override changed: its state is told in the ticks of the new tier. */
        synchronized void changeTier(long[] seen, int at, long fingerprint, long now) {
            long old = seen[at];
            if (seen != slots || old == fingerprint || !sameKey(old, fingerprint)) {
                return;
            }
            long state = (long) LONGS.getAndSet(seen, at + 1, BUSY);
            long next = notReserved(meter(fingerprint).converted(state, now, meter(old)));
            LONGS.setRelease(seen, at, fingerprint);
            LONGS.setRelease(seen, at + 1, next);
        }

        /** Copies what is not over into an array of the right size. */
        void rebuild(long[] a, long now, long idle) {
            int capacity = a.length >>> 1;
            long[] kept = new long[2 * occupied];
            int count = 0;
            for (int i = 0; i < capacity; i++) {
                long fingerprint = a[2 * i];
                if (fingerprint == EMPTY || fingerprint == TOMB) {
                    continue;
                }
                long state = (long) LONGS.getAndSet(a, 2 * i + 1, MOVED);
                if (isOver(meter(fingerprint), state, now, idle)) {
                    forget(now);
                } else {
                    kept[2 * count] = fingerprint;
                    kept[2 * count + 1] = state;
                    count++;
                }
            }
            int size = Math.max(MIN_SLOTS, (int) (count / REBUILT_LOAD) + 8);
            long[] b = new long[2 * size];
            for (int n = 0; n < count; n++) {
                int j = home(kept[2 * n], size);
                while (b[2 * j] != EMPTY) {
                    j = j + 1 == size ? 0 : j + 1;
                }
                b[2 * j] = kept[2 * n];
                b[2 * j + 1] = kept[2 * n + 1];
            }
            live = count;
            occupied = count;
            hand = 0;
            slots = b;
        }

        /** Copies what is not fresh, under the tiers of the other table. */
        void copyTo(Stripe other, KeyTable table, int[] tierThere, long now) {
            long[] a = slots;
            for (int i = 0; i < a.length; i += 2) {
                long here = (long) LONGS.getAcquire(a, i + 1);
                if (a[i] == EMPTY || a[i] == TOMB || meter(a[i]).isFresh(here, now)) {
                    continue;
                }
                int tier = tierThere[(int) (a[i] & TIER_MASK)];
                long fingerprint = fingerprint(a[i], tier);
                Meter there = table.tiers[tier].meter;
                long state = there.converted(here, now, meter(a[i]));
                while (!other.insertForced(
                        other.slots, fingerprint, now, there, (meter, start) -> meter.stricter(start, state))) {
                    Thread.onSpinWait();
                }
            }
            if (forgot) {
                other.forget(horizon);
            }
        }
    }
}
