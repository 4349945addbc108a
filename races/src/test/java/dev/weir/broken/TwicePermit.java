package dev.weir.broken;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A permit whose end is looked at and then written: both threads may find it open. */
@JCStressTest
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "it ended once")
@Outcome(expect = Expect.FORBIDDEN, desc = "it ended twice")
@State
public class TwicePermit {

    private volatile boolean ended;
    private final AtomicInteger inFlight = new AtomicInteger(1);

    private boolean release() {
        if (ended) {
            return false;
        }
        ended = true;
        inFlight.decrementAndGet();
        return true;
    }

    @Actor
    public void one(ZZI_Result r) {
        r.r1 = release();
    }

    @Actor
    public void other(ZZI_Result r) {
        r.r2 = release();
    }

    @Arbiter
    public void left(ZZI_Result r) {
        r.r3 = inFlight.get();
    }
}
