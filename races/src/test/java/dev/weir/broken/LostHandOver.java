package dev.weir.broken;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A hand-over that looks whether the waiter is there and then hands over: the waiter may give up in between, and the slot is nobody's. */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "handed over")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "given up, the slot is free")
@Outcome(expect = Expect.FORBIDDEN, desc = "given up and handed over")
@State
public class LostHandOver {

    private volatile boolean waits = true;
    private final AtomicInteger inFlight = new AtomicInteger(1);

    @Actor
    public void exit(ZZI_Result r) {
        if (waits) {
            waits = false;
            r.r1 = true;
        } else {
            inFlight.decrementAndGet();
        }
    }

    @Actor
    public void cancel(ZZI_Result r) {
        if (waits) {
            waits = false;
            r.r2 = true;
        }
    }

    @Arbiter
    public void left(ZZI_Result r) {
        r.r3 = inFlight.get();
    }
}
