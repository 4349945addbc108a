package dev.weir.gateway;

import dev.weir.load.LoadSignal;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How late event loops are: each is to come by at equal intervals, and the latest of them counts. A loop that comes late serves its calls
 * late. Thread safe.
 */
final class EventLoopDelay implements LoadSignal {

    private final long intervalNanos;
    private final AtomicLongArray lateNanos;

    EventLoopDelay(int loops, long intervalNanos) {
        this.intervalNanos = intervalNanos;
        lateNanos = new AtomicLongArray(loops);
    }

    /** An event loop came by, so long after it came by the last time. */
    void cameBy(int loop, long sinceLastNanos) {
        lateNanos.set(loop, Math.max(0, sinceLastNanos - intervalNanos));
    }

    @Override
    public String name() {
        return "event-loop";
    }

    @Override
    public double value() {
        long latest = 0;
        for (int loop = 0; loop < lateNanos.length(); loop++) {
            latest = Math.max(latest, lateNanos.get(loop));
        }
        return latest;
    }
}
