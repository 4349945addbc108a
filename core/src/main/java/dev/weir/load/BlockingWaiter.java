package dev.weir.load;

import dev.weir.Ticker;
import java.util.concurrent.locks.LockSupport;

/** A thread that waits for a slot. */
final class BlockingWaiter implements Waiter {

    private final Thread thread = Thread.currentThread();
    private volatile boolean told;
    private long stamp = Slots.NONE;

    @Override
    public void admitted(long admittedStamp) {
        stamp = admittedStamp;
        told = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void refused(GateRefusal refusal) {
        told = true;
        LockSupport.unpark(thread);
    }

    /** The stamp, or {@link Slots#NONE} when the time is over. A slot that comes together with an interrupt goes back. */
    long await(Parked parked, GateCore core) throws InterruptedException {
        Ticker ticker = core.ticker();
        while (!told) {
            long leftNanos = parked.expiryNanos() - ticker.nanos();
            if (leftNanos <= 0) {
                core.expire();
                Thread.onSpinWait();
                continue;
            }
            ticker.park(leftNanos);
            if (Thread.interrupted()) {
                leave(parked, core);
                throw new InterruptedException();
            }
        }
        return stamp;
    }

    private void leave(Parked parked, GateCore core) {
        if (parked.cancel()) {
            return;
        }
        while (!told) {
            Thread.onSpinWait();
        }
        if (stamp != Slots.NONE) {
            core.exit(stamp, Outcome.IGNORED);
        }
    }
}
