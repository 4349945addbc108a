package dev.weir.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The floor: the generic cell rate algorithm as one would write it by hand into the program that needs it, for one rate and nothing else.
 * Neither does it say what it cannot grant, nor survive an idle year.
 */
final class HandWritten {
    private final long intervalNanos;
    private final long capacityNanos;
    private final AtomicLong fullAt = new AtomicLong(System.nanoTime());

    /** A bucket of {@code burst} units, one coming back in each interval. */
    HandWritten(long intervalNanos, long burst) {
        this.intervalNanos = intervalNanos;
        this.capacityNanos = intervalNanos * burst;
    }

    /** The wait in nanoseconds; 0 when the call passed and was charged. */
    long charge(long cost) {
        long now = System.nanoTime();
        long charge = cost * intervalNanos;
        for (; ; ) {
            long seen = fullAt.get();
            long next = Math.max(0, seen - now) + charge;
            if (next > capacityNanos) {
                return next - capacityNanos;
            }
            if (fullAt.compareAndSet(seen, now + next)) {
                return 0;
            }
        }
    }

    boolean tryAcquire() {
        return charge(1) == 0;
    }
}
