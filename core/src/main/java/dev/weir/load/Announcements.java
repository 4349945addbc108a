package dev.weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about waiters under a lock and is told once the lock is free: what they do then may take as long as it likes. Guarded by
 * that lock.
 */
final class Announcements {

    private final List<Told> waiting = new ArrayList<>();
    private final LongConsumer untold;
    private final LongAdder errors = new LongAdder();

    /** What a waiter is to be told: its stamp, or else why it has none. */
    private record Told(Waiter waiter, long stamp, @Nullable GateRefusal refusal) {}

    /** A stamp whose waiter throws is {@code untold}. */
    Announcements(LongConsumer untold) {
        this.untold = untold;
    }

    void admitted(Waiter waiter, long stamp) {
        waiting.add(new Told(waiter, stamp, null));
    }

    void refused(Waiter waiter, GateRefusal refusal) {
        waiting.add(new Told(waiter, Slots.NONE, refusal));
    }

    /** Lets the lock go, and only then tells. */
    void unlockAndTell(ReentrantLock lock) {
        if (waiting.isEmpty()) {
            lock.unlock();
            return;
        }
        List<Told> telling = List.copyOf(waiting);
        waiting.clear();
        lock.unlock();
        for (Told told : telling) {
            tell(told);
        }
    }

    private void tell(Told told) {
        try {
            if (told.refusal == null) {
                told.waiter.admitted(told.stamp);
            } else {
                told.waiter.refused(told.refusal);
            }
        } catch (RuntimeException e) {
            errors.increment();
            if (told.refusal == null) {
                untold.accept(told.stamp);
            }
        }
    }

    /** How many waiters threw. */
    long errors() {
        return errors.sum();
    }
}
