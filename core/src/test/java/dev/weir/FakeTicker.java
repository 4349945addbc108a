package dev.weir;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that a test moves by hand. Parked threads come back when it has passed their time, when unparked or when interrupted. */
public final class FakeTicker implements Ticker {

    private final AtomicLong nanos;
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    /** A clock that stands at {@code nanos}. */
    public FakeTicker(long nanos) {
        this.nanos = new AtomicLong(nanos);
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void park(long waitNanos) {
        Thread thread = Thread.currentThread();
        long deadline = waitNanos > Long.MAX_VALUE / 2 ? nanos() + Long.MAX_VALUE / 2 : nanos() + waitNanos;
        parked.add(thread);
        try {
            if (nanos() - deadline < 0) {
                LockSupport.park(this);
            }
        } finally {
            parked.remove(thread);
        }
    }

    /** Moves the clock on, or back. Everybody looks at it again: who is parked afterwards has done so. */
    public void advance(long byNanos) {
        nanos.addAndGet(byNanos);
        Set<Thread> all = Set.copyOf(parked);
        parked.removeAll(all);
        all.forEach(LockSupport::unpark);
    }

    /** Sets the clock. */
    public void set(long toNanos) {
        advance(toNanos - nanos());
    }

    /** Returns when exactly {@code threads} threads are parked here, all of them really blocked. */
    public void awaitParked(int threads) {
        while (parked.size() != threads || !parked.stream().allMatch(FakeTicker::blocked)) {
            Thread.onSpinWait();
        }
    }

    private static boolean blocked(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }
}
