package dev.weir;

import java.util.concurrent.locks.LockSupport;

/**
 * A monotonic clock and the way to wait on it. Nanoseconds from an arbitrary start; only differences mean anything, and the
 * number may wrap.
 *
 * <p>Thread safe. A test gives a ticker that it moves by hand; everything in Weir that reads time or parks a thread does it
 * through a ticker, so such a test never sleeps.
 */
@FunctionalInterface
public interface Ticker {

    /** The time now, in nanoseconds from an arbitrary start. */
    long nanos();

    /**
     * Parks the calling thread for at most {@code waitNanos}. May return early, for any reason or none, like {@link
     * LockSupport#parkNanos(Object, long)}; returns at once when the thread is interrupted and leaves the interrupt flag set. A
     * virtual thread is unmounted, not pinned.
     */
    default void park(long waitNanos) {
        LockSupport.parkNanos(this, waitNanos);
    }

    /** The machine's monotonic clock, {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }

    /**
     * The time since the epoch in nanoseconds: for what is aligned to the clock on the wall, windows and quotas. It runs with the
     * monotonic clock and is set against the wall clock once a minute, so that it may step by what the wall clock was corrected.
     */
    static Ticker wall() {
        return WallTicker.INSTANCE;
    }
}
