package dev.weir.load;

import dev.weir.Ticker;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state of a gate, which outlives its settings.
 *
 * <p>How it is designed, and why: a gate of which a slot is all that one can want is {@link Slots} and a number, so that entering is one
 * compare-and-set and takes no lock. Everything else, pools, tenants and those who wait, is decided about together and therefore under one
 * lock, held for a few dozen instructions and never while somebody's code runs: what is to be told to waiters is kept until the lock is
 * free. The limit is moved under the same lock, by the call whose answer closes a window.
 */
final class GateCore {

    private static final long LONG_SCAN_NANOS = 1_000_000_000L;
    private static final long TICK_NANOS = 100_000_000;

    private final Ticker ticker;
    private final Slots slots;
    private final LongAdder doubleExits = new LongAdder();

    /** One in how many calls is timed. A power of two. */
    private volatile long stride = 1;

    /** The bits of a stamp that are all zero where its call is timed. */
    private volatile long untimed;

    private volatile int limit;
    /** How many slots may be in use: the limit and the long calls, but not more than the ceiling. */
    private volatile int slotsInForce;

    // All below is guarded by the lock.
    private final ReentrantLock lock = new ReentrantLock();
    private GateSettings settings;
    private final LimitKeeper keeper;
    private final Window window;
    private volatile Refusals refusals;
    private final Parts parts;
    private final WaitLine line;
    private final Degrading degrading;
    private final Recent recent;
    private final Signals signals;
    private final Holders holders = new Holders();
    private final Announcements told = new Announcements(this::untold);
    private final Ages ages;
    private int longCalls;
    private long scannedNanos;
    private long tickedNanos;
    private final WaitCount waits = new WaitCount();

    /** Over {@code slots}, which are open while nothing but a slot is wanted. */
    GateCore(GateSettings settings, Slots slots, Ticker ticker, List<LoadSignal> given) {
        this.settings = settings;
        this.ticker = ticker;
        long now = ticker.nanos();
        this.slots = slots;
        ages = new Ages(slots);
        keeper = new LimitKeeper(settings.concurrency(), now);
        window = new Window(now);
        parts = new Parts(settings.pools());
        refusals = new Refusals(parts.names(), now, 0);
        line = new WaitLine(settings.queue());
        degrading = new Degrading(now);
        degrading.change(settings.degrade(), now);
        recent = new Recent(now);
        signals = new Signals(recent, this::queueTimeNanos, given);
        signals.change(settings.signals());
        scannedNanos = now;
        tickedNanos = now;
        if (settings.isPlain()) {
            slots.open(0);
        }
        limitChanged();
    }

    Ticker ticker() {
        return ticker;
    }

    private boolean isPlain() {
        return slots.isOpen();
    }

    // ---- without a lock: nothing but a slot is wanted

    /** A call that found no open slot: it is refused, or more than a slot is wanted here. */
    long enterOrRefuse(GateSettings seen, Criticality criticality) {
        if (!isPlain()) {
            return enter(seen, GateCall.of(criticality), null, 0).stamp().orElse(Slots.NONE);
        }
        refusedPlain(criticality);
        return Slots.NONE;
    }

    private GateRefusal refusedPlain(Criticality criticality) {
        window.bind();
        GateRefusal refusal = refusals.add(0, criticality, GateReason.FULL);
        long now = ticker.nanos();
        if (now - tickedNanos >= TICK_NANOS && lock.tryLock()) {
            try {
                tick(now);
            } finally {
                lock.unlock();
            }
        }
        return refusal;
    }

    /** A call took an open slot. */
    void noteEntry(long stamp) {
        if ((stamp & untimed) == 0) {
            slots.note(stamp, ticker.nanos(), stride);
        }
    }

    void responseStarted(long stamp) {
        if (!slots.isLive(stamp)) {
            return;
        }
        long weight = slots.weight(stamp);
        if (weight > 0) {
            long enteredNanos = slots.enteredNanos(stamp);
            slots.spoken(stamp);
            long now = ticker.nanos();
            lock.lock();
            try {
                answered(now, now - enteredNanos, weight, false);
            } finally {
                unlockAndTell();
            }
        }
    }

    /** A call that {@link Slots#leave} does not let go. */
    void exit(long stamp, Outcome outcome) {
        if (!isPlain()) {
            exitLocked(stamp, outcome);
            return;
        }
        Slots.End end = slots.end(stamp);
        if (end == Slots.End.SHORT) {
            long weight = slots.weight(stamp);
            long enteredNanos = slots.enteredNanos(stamp);
            slots.free(stamp);
            if (weight != 0 && outcome != Outcome.IGNORED) {
                sample(enteredNanos, weight, outcome);
            }
        } else {
            endedOddly(stamp, end);
        }
    }

    private void endedOddly(long stamp, Slots.End end) {
        if (end == Slots.End.NOT_HELD) {
            doubleExits.increment();
            return;
        }
        lock.lock();
        try {
            longCallEnded();
        } finally {
            lock.unlock();
        }
        slots.free(stamp);
    }

    private void sample(long enteredNanos, long weight, Outcome outcome) {
        long now = ticker.nanos();
        lock.lock();
        try {
            ended(now, now - enteredNanos, weight, outcome);
        } finally {
            unlockAndTell();
        }
    }

    /** The caller left: a timeout in disguise if the answer was late already, and otherwise no news. */
    void abandon(long stamp) {
        boolean late = false;
        if (slots.isLive(stamp)) {
            lock.lock();
            try {
                double usual = keeper.baseNanos();
                late = usual > 0 && slots.weight(stamp) != 0 && ticker.nanos() - slots.enteredNanos(stamp) > usual;
            } finally {
                lock.unlock();
            }
        }
        exit(stamp, late ? Outcome.DROPPED : Outcome.IGNORED);
    }

    // ---- under the lock: entering

    Optional<GateRefusal> judge(GateSettings seen, GateCall call) {
        if (isPlain()) {
            return slots.inUse() < slotsInForce ? Optional.empty() : Optional.of(refusedPlain(call.criticality()));
        }
        lock.lock();
        try {
            long now = ticker.nanos();
            tick(now);
            int pool = parts.indexOf(seen, call.pool());
            return Optional.ofNullable(judged(pool, call, now));
        } finally {
            unlockAndTell();
        }
    }

    private @Nullable GateRefusal judged(int pool, GateCall call, long now) {
        Part part = parts.all().get(pool);
        int free = free();
        Criticality criticality = call.criticality();
        int kept = part.precedence.slots();
        if (settings.shed().sheds(criticality, taken(part) + kept, canHave(part, now) - kept)
                || (signals.above(now) && settings.shed().shedsWhenFull(criticality))) {
            shed(free);
            return refusals.add(pool, criticality, GateReason.SHED);
        }
        if (!parts.mayTake(part, free, now) && !line.hasPlace(call, part)) {
            return refusedForWantOfSlot(pool, part, criticality, GateReason.FULL, now);
        }
        return null;
    }

    private void shed(int free) {
        if (free <= 0) {
            window.bind();
        } else {
            window.shed();
        }
    }

    private GateRefusal refusedForWantOfSlot(
            int pool, Part part, Criticality criticality, GateReason reason, long now) {
        window.bind();
        part.refused(now);
        lost(part, criticality);
        return refusals.add(pool, criticality, reason);
    }

    private void lost(Part part, Criticality criticality) {
        if (!settings.shed().shedsWhenFull(criticality)) {
            part.precedence.lost();
        }
    }

    /** Without a waiter, or without time to wait, it enters at once or not at all. */
    Entry enter(GateSettings seen, GateCall call, @Nullable Waiter waiter, long maxWaitNanos) {
        if (isPlain()) {
            return enterPlain(call.criticality());
        }
        lock.lock();
        try {
            long now = ticker.nanos();
            tick(now);
            serve(now);
            int pool = parts.indexOf(seen, call.pool());
            GateRefusal refusal = judged(pool, call, now);
            return refusal != null ? new Entry.Refused(refusal) : entered(pool, call, waiter, maxWaitNanos, now);
        } finally {
            unlockAndTell();
        }
    }

    private Entry enterPlain(Criticality criticality) {
        long stamp = slots.take(slotsInForce);
        if (stamp == Slots.NONE) {
            return new Entry.Refused(refusedPlain(criticality));
        }
        noteEntry(stamp);
        return new Entry.Admitted(stamp);
    }

    private Entry entered(int pool, GateCall call, @Nullable Waiter waiter, long maxWaitNanos, long now) {
        Part part = parts.all().get(pool);
        int free = free();
        if (hasItsShare(part, call.tenant(), canHave(part, now))) {
            return new Entry.Refused(refusals.add(pool, call.criticality(), GateReason.TENANT_SHARE));
        }
        if (parts.mayTake(part, free, now)) {
            long stamp = take(part, call, now);
            if (stamp != Slots.NONE) {
                return new Entry.Admitted(stamp);
            }
        }
        GateReason hopeless = waiter == null ? GateReason.FULL : hopeless(part, call, maxWaitNanos, now);
        if (waiter == null || hopeless != null) {
            return new Entry.Refused(refusedForWantOfSlot(
                    pool, part, call.criticality(), hopeless == null ? GateReason.FULL : hopeless, now));
        }
        return park(part, call, waiter, maxWaitNanos, now);
    }

    private boolean hasItsShare(Part part, @Nullable String tenant, int canHave) {
        OptionalDouble atMost = settings.tenantAtMost();
        int most = taken(part) + canHave;
        if (tenant == null || atMost.isEmpty() || 2 * taken(part) < most) {
            return false;
        }
        int share = Math.max(1, (int) Math.floor(atMost.getAsDouble() * most + 1e-9));
        return part.tenantHas(tenant) >= share;
    }

    /** Why waiting would not help, if it would not. */
    private @Nullable GateReason hopeless(Part part, GateCall call, long maxWaitNanos, long now) {
        if (!line.hasPlace(call, part) || maxWaitNanos <= 0) {
            return GateReason.FULL;
        }
        double throughput = keeper.throughput();
        double estimateNanos = throughput == 0 ? 0 : line.place(call, part) * 1e9 / throughput;
        if (call.hasDeadline()) {
            long leftNanos = call.deadlineNanos() - now;
            if (leftNanos <= 0 || estimateNanos > leftNanos) {
                return GateReason.DEADLINE;
            }
        }
        return estimateNanos > Math.min(maxWaitNanos, line.maxWaitNanos()) ? GateReason.WAIT_EXCEEDED : null;
    }

    private Entry park(Part part, GateCall call, Waiter waiter, long maxWaitNanos, long now) {
        window.bind();
        long until = now + Math.min(maxWaitNanos, line.maxWaitNanos());
        long expiry = call.hasDeadline() && call.deadlineNanos() - until < 0 ? call.deadlineNanos() : until;
        Parked parked = new Parked(this, call, part, waiter, now, expiry);
        line.add(parked).ifPresent(displaced -> refuse(displaced, GateReason.FULL));
        return parked;
    }

    private void refuse(Parked waiter, GateReason reason) {
        lost(waiter.part(), waiter.call().criticality());
        GateRefusal refusal =
                refusals.add(parts.all().indexOf(waiter.part()), waiter.call().criticality(), reason);
        told.refused(waiter.waiter(), refusal);
    }

    private long take(Part part, GateCall call, long now) {
        long stamp = slots.take(slotsInForce);
        if (stamp == Slots.NONE || isPlain()) {
            noteTaken(stamp, now);
            return stamp;
        }
        holders.took(stamp, slots.capacity(), part, call.tenant());
        if (!settings.shed().shedsWhenFull(call.criticality())) {
            part.precedence.found();
        }
        noteTaken(stamp, now);
        return stamp;
    }

    private void noteTaken(long stamp, long now) {
        if (stamp != Slots.NONE) {
            slots.note(stamp, now, 1);
            degrading.tell(utilisation(), now);
        }
    }

    /** Slots that a short call may still take. Below 0 when the limit was lowered below what is in flight. */
    private int free() {
        return slotsInForce - slots.inUse();
    }

    /** Slots for short calls, free or not. */
    private int room() {
        return slotsInForce - longCalls;
    }

    /** Slots of the limit that long calls took away, since the ceiling left no others for them. */
    private int lost() {
        return limit - room();
    }

    /** Slots of a part that no other call of it can have: its short calls', and those that its long calls took away. */
    private int taken(Part part) {
        return isPlain() ? slots.inUse() - longCalls + lost() : part.inUse + Math.min(part.longCalls, lost());
    }

    private int canHave(Part part, long now) {
        return parts.canHave(part, free(), room(), now);
    }

    private double utilisation() {
        return (double) (limit - free()) / limit;
    }

    // ---- under the lock: leaving

    private void exitLocked(long stamp, Outcome outcome) {
        lock.lock();
        try {
            Slots.End end = slots.end(stamp);
            if (end == Slots.End.NOT_HELD) {
                doubleExits.increment();
                return;
            }
            long now = ticker.nanos();
            letGo(stamp, end);
            long weight = end == Slots.End.LONG ? 0 : slots.weight(stamp);
            long enteredNanos = slots.enteredNanos(stamp);
            slots.free(stamp);
            degrading.tell(utilisation(), now);
            if (weight != 0 && outcome != Outcome.IGNORED) {
                ended(now, now - enteredNanos, weight, outcome);
            }
            tick(now);
            serve(now);
        } finally {
            unlockAndTell();
        }
    }

    private void letGo(long stamp, Slots.End end) {
        holders.letGo(stamp, end == Slots.End.LONG);
        if (end == Slots.End.LONG) {
            longCallEnded();
        }
    }

    /** Hands free slots to those who wait for them. */
    private void serve(long now) {
        for (; ; ) {
            int free = free();
            Optional<Parked> next = free <= 0 || line.waiting() == 0
                    ? Optional.empty()
                    : line.next(now, part -> parts.mayTake(part, free, now));
            if (next.isEmpty()) {
                return;
            }
            Parked waiter = next.get();
            if (now - waiter.expiryNanos() >= 0) {
                line.remove(waiter);
                refuse(waiter, GateReason.WAIT_EXCEEDED);
                continue;
            }
            long stamp = take(waiter.part(), waiter.call(), now);
            if (stamp == Slots.NONE) {
                return;
            }
            line.remove(waiter);
            waits.waited(now - waiter.arrivedNanos());
            recent.waited(now - waiter.arrivedNanos());
            told.admitted(waiter.waiter(), stamp);
        }
    }

    // ---- under the lock: waiting

    boolean cancel(Parked waiter) {
        lock.lock();
        try {
            boolean removed = line.remove(waiter);
            if (removed) {
                serve(ticker.nanos());
            }
            return removed;
        } finally {
            unlockAndTell();
        }
    }

    long nextExpiryNanos() {
        lock.lock();
        try {
            long expiry = line.nextExpiryNanos();
            long claim = expiry == Long.MAX_VALUE ? expiry : parts.nextClaimEndNanos(ticker.nanos());
            return claim != Long.MAX_VALUE && claim - expiry < 0 ? claim : expiry;
        } finally {
            lock.unlock();
        }
    }

    void expire() {
        lock.lock();
        try {
            long now = ticker.nanos();
            tick(now);
            for (Optional<Parked> over = line.expired(now); over.isPresent(); over = line.expired(now)) {
                line.remove(over.get());
                refuse(over.get(), GateReason.WAIT_EXCEEDED);
            }
            serve(now);
        } finally {
            unlockAndTell();
        }
    }

    private double queueTimeNanos(long now) {
        return Math.max(recent.meanWaitNanos(), (double) line.oldestWaitNanos(now));
    }

    private void unlockAndTell() {
        told.unlockAndTell(lock);
    }

    private void untold(long stamp) {
        if (slots.isLive(stamp)) {
            exit(stamp, Outcome.IGNORED);
        }
    }

    // ---- under the lock: the limit and what is counted

    private void ended(long now, long latencyNanos, long weight, Outcome outcome) {
        boolean dropped = outcome == Outcome.DROPPED;
        if (weight < 0) {
            if (dropped) {
                window.dropped(-weight);
            }
        } else if (latencyNanos < settings.longCallNanos()) {
            answered(now, latencyNanos, weight, dropped);
        }
    }

    private void answered(long now, long latencyNanos, long weight, boolean dropped) {
        double base = keeper.baseNanos();
        window.answered(latencyNanos, weight, base);
        if (dropped) {
            window.dropped(weight);
        }
        recent.answered(latencyNanos, dropped);
        if (keeper.hasEnough(window, now)) {
            close(now);
        }
    }

    private void close(long now) {
        keeper.step(window.sample(now, Math.max(0, slots.peak() - longCalls)), now);
        timeOneIn(isPlain() ? window.nextStride(now) : 1);
        window.restart(now);
        slots.resetPeak();
        limitChanged();
        tick(now);
        serve(now);
    }

    private void timeOneIn(long calls) {
        stride = calls;
        untimed = Slots.allUsersBut(calls);
    }

    private void limitChanged() {
        limit = keeper.limit();
        slotsInForce = Math.min(limit + longCalls, keeper.concurrency().max());
        if (isPlain()) {
            slots.open(slotsInForce);
        }
        parts.share(limit);
    }

    void markLong(long stamp) {
        lock.lock();
        try {
            long now = ticker.nanos();
            becameLong(stamp);
            degrading.tell(utilisation(), now);
            serve(now);
        } finally {
            unlockAndTell();
        }
    }

    private void becameLong(long stamp) {
        if (!slots.markLong(stamp)) {
            return;
        }
        holders.becameLong(stamp);
        longCalls++;
        limitChanged();
    }

    private void longCallEnded() {
        longCalls--;
        limitChanged();
    }

    private void tick(long now) {
        recent.tick(now);
        if (now - tickedNanos < TICK_NANOS) {
            return;
        }
        double seconds = (now - tickedNanos) / 1e9;
        tickedNanos = now;
        parts.all().forEach(part -> part.precedence.look(seconds, limit / 2));
        refusals.tick(now, slots.entered());
        if (now - scannedNanos >= LONG_SCAN_NANOS) {
            scannedNanos = now;
            ages.look(now, settings.longCallNanos(), this::becameLong);
        }
    }

    void error() {
        lock.lock();
        try {
            recent.error();
        } finally {
            lock.unlock();
        }
    }

    BitSet degradeSteps() {
        lock.lock();
        try {
            degrading.advance(ticker.nanos());
            return degrading.steps();
        } finally {
            lock.unlock();
        }
    }

    List<String> degrade() {
        lock.lock();
        try {
            degrading.advance(ticker.nanos());
            return degrading.modes();
        } finally {
            lock.unlock();
        }
    }

    // ---- reload

    /** Goes on under other settings, from now on and for all who hold this gate. */
    void change(GateSettings next) {
        lock.lock();
        try {
            long now = ticker.nanos();
            signals.change(next.signals());
            slots.grow(next.concurrency().max());
            settings = next;
            keeper.change(next.concurrency(), now);
            parts.change(next.pools());
            line.moveTo(parts.all());
            refusals = refusals.under(parts.names());
            degrading.advance(now);
            degrading.change(next.degrade(), now);
            line.change(next.queue());
            becamePlain(next.isPlain());
            limitChanged();
            for (Optional<Parked> over = line.surplus(); over.isPresent(); over = line.surplus()) {
                line.remove(over.get());
                refuse(over.get(), GateReason.FULL);
            }
            serve(now);
        } finally {
            unlockAndTell();
        }
    }

    /** A gate that takes no lock does not know whose slots are in use. */
    private void becamePlain(boolean plain) {
        timeOneIn(1);
        if (plain) {
            slots.open(slotsInForce);
            holders.forget();
            parts.all().forEach(Part::forget);
        } else {
            slots.close();
        }
    }

    // ---- looking

    int limit() {
        return limit;
    }

    int inFlight() {
        return slots.inUse();
    }

    long doubleExits() {
        return doubleExits.sum();
    }

    GateFigures figures() {
        lock.lock();
        try {
            long now = ticker.nanos();
            tick(now);
            keeper.tell(now);
            degrading.advance(now);
            return new GateFigures(
                    limit,
                    keeper.concurrency().min(),
                    keeper.concurrency().max(),
                    slots.inUse(),
                    longCalls,
                    line.waiting(),
                    utilisation(),
                    keeper.baseNanos(),
                    poolFigures(now),
                    refusals.figures(),
                    keeper.moves(),
                    keeper.lastMoves(),
                    keeper.atFloorNanos(),
                    keeper.atCeilingNanos(),
                    ages.oldestNanos(now),
                    doubleExits.sum(),
                    told.errors(),
                    waits.figures(),
                    degrading.modes(),
                    signals.figures(now));
        } finally {
            lock.unlock();
        }
    }

    private List<GateFigures.Pool> poolFigures(long now) {
        return parts.all().stream()
                .map(part -> {
                    int taken = taken(part);
                    int most = taken + Math.max(0, canHave(part, now));
                    return new GateFigures.Pool(
                            part.settings.name(),
                            part.guaranteed,
                            isPlain() ? slots.inUse() - longCalls : part.inUse,
                            part.waiting,
                            most == 0 ? 1 : (double) taken / most,
                            part.claims(now));
                })
                .toList();
    }
}
