package dev.weir.load;

import dev.weir.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** The state of a gate. */
final class GateCore {

    private final Ticker ticker;
    private final Slots slots;
    private final ReentrantLock lock = new ReentrantLock();
    private final LongAdder doubleExits = new LongAdder();

    // Guarded by lock.
    private final LimitKeeper keeper;
    private final Window window;
    private Refusals refusals;

    /** One in how many calls is timed. A power of two. */
    private volatile long stride = 1;
    /** A recent time, for calls that are not timed. */
    private volatile long recentNanos;

    private volatile int limit;

    GateCore(GateSettings settings, Ticker ticker) {
        this.ticker = ticker;
        long now = ticker.nanos();
        slots = new Slots(settings.concurrency().max());
        keeper = new LimitKeeper(settings.concurrency(), now);
        window = new Window(now);
        refusals = new Refusals(List.of(""), now, 0);
        recentNanos = now;
        limit = keeper.limit();
    }

    Ticker ticker() {
        return ticker;
    }

    long tryEnter(Criticality criticality) {
        long stamp = slots.take(limit);
        if (stamp == Slots.NONE) {
            window.bind();
            refusals.add(0, criticality, GateReason.FULL);
            return Slots.NONE;
        }
        entered(stamp);
        return stamp;
    }

    private void entered(long stamp) {
        long one = stride;
        if ((Slots.usersOf(stamp) & (one - 1)) == 0) {
            long now = ticker.nanos();
            recentNanos = now;
            slots.note(stamp, now, one);
        } else {
            slots.note(stamp, recentNanos, 0);
        }
    }

    Optional<GateRefusal> judge(GateCall call) {
        if (slots.inUse() < limit) {
            return Optional.empty();
        }
        window.bind();
        return Optional.of(refusals.add(0, call.criticality(), GateReason.FULL));
    }

    Entry enter(GateCall call, Waiter waiter) {
        long stamp = tryEnter(call.criticality());
        return stamp != Slots.NONE
                ? new Entry.Admitted(stamp)
                : new Entry.Refused(new GateRefusal(GateReason.FULL, refusals.retryAfterNanos()));
    }

    void responseStarted(long stamp) {
        if (slots.isLive(stamp)) {
            answered(stamp);
        }
    }

    void exit(long stamp, Outcome outcome) {
        if (slots.end(stamp) == Slots.End.NOT_HELD) {
            doubleExits.increment();
            return;
        }
        long weight = slots.weight(stamp);
        long enteredNanos = slots.enteredNanos(stamp);
        slots.free(stamp);
        if (weight > 0 && outcome != Outcome.IGNORED) {
            sample(enteredNanos, weight, outcome == Outcome.DROPPED);
        }
    }

    private void answered(long stamp) {
        long weight = slots.weight(stamp);
        if (weight > 0) {
            slots.spoken(stamp);
            sample(slots.enteredNanos(stamp), weight, false);
        }
    }

    private void sample(long enteredNanos, long weight, boolean dropped) {
        long now = ticker.nanos();
        recentNanos = now;
        lock.lock();
        try {
            window.answered(now - enteredNanos, weight, keeper.baseNanos());
            if (dropped) {
                window.dropped(weight);
            }
            if (window.closes(now, keeper.baseNanos())) {
                close(now);
            }
        } finally {
            lock.unlock();
        }
    }

    private void close(long now) {
        keeper.step(window.sample(now, slots.peak()), now);
        stride = window.nextStride(now);
        window.restart(now);
        slots.resetPeak();
        limit = keeper.limit();
        refusals.tick(now, slots.entered());
    }

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
            keeper.tell(ticker.nanos());
            int used = slots.inUse();
            return new GateFigures(
                    limit,
                    keeper.concurrency().min(),
                    keeper.concurrency().max(),
                    used,
                    0,
                    0,
                    (double) used / limit,
                    keeper.baseNanos(),
                    List.of(),
                    refusals.figures(),
                    keeper.moves(),
                    keeper.lastMoves(),
                    keeper.atFloorNanos(),
                    keeper.atCeilingNanos(),
                    0,
                    doubleExits.sum(),
                    new GateFigures.Waits(0, 0, 0),
                    List.of());
        } finally {
            lock.unlock();
        }
    }
}
