package dev.weir.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Single races, two threads each. */
final class GateStress {

    private static final GateCall CALL = GateCall.of(Criticality.CRITICAL);

    private GateStress() {}

    private static Gate plain(int limit) {
        return Gate.of(GateSettings.of("gate", ConcurrencyLimit.fixed(limit)), () -> 7);
    }

    private static Gate withQueue() {
        return plain(1).queue(1, Duration.ofSeconds(1));
    }

    /** What a waiter was told, counted. */
    private static final class Counted implements Waiter {
        final AtomicInteger admitted = new AtomicInteger();

        @Override
        public void admitted(long stamp) {
            admitted.incrementAndGet();
        }

        @Override
        public void refused(GateRefusal refusal) {
            admitted.addAndGet(100);
        }
    }

    /** A call exits twice at once. In flight, then second exits seen. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "it exited once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a slot was minted or lost")
    @State
    public static class TwoExits {
        private final Gate gate = plain(1);
        private final long stamp = gate.tryEnter();

        @Actor
        public void one() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Actor
        public void other() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Arbiter
        public void left(II_Result r) {
            r.r1 = gate.inFlight();
            r.r2 = (int) gate.doubleExits();
        }
    }

    /** Two calls want the last slot. */
    @JCStressTest
    @Outcome(
            id = {"true, false, 1", "false, true, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have it, or none")
    @State
    public static class LastSlot {
        private final Gate gate = plain(1);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = gate.tryEnter() != Gate.REFUSED;
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = gate.tryEnter() != Gate.REFUSED;
        }

        @Arbiter
        public void left(ZZI_Result r) {
            r.r3 = gate.inFlight();
        }
    }

    /** A call takes a slot while another lets its own go, in a list of two. In flight, and how many more enter. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each slot is one call's")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a slot is two calls', or nobody's")
    @State
    public static class FreeList {
        private final Gate gate = plain(2);
        private final long stamp = gate.tryEnter();

        @Actor
        public void enter() {
            gate.tryEnter();
        }

        @Actor
        public void exit() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Arbiter
        public void left(II_Result r) {
            r.r1 = gate.inFlight();
            r.r2 = (gate.tryEnter() == Gate.REFUSED ? 0 : 1) + (gate.tryEnter() == Gate.REFUSED ? 0 : 10);
        }
    }

    /** A call exits while it becomes long. In flight, then long calls. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "nothing stays")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a call that has gone counts as long")
    @State
    public static class LongExit {
        private final Gate gate = plain(1);
        private final long stamp = gate.tryEnter();

        @Actor
        public void exit() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Actor
        public void becomeLong() {
            gate.markLong(stamp);
        }

        @Arbiter
        public void left(II_Result r) {
            r.r1 = gate.inFlight();
            r.r2 = gate.figures().longCalls();
        }
    }

    /** A waiter gives up while a slot is handed to it. Told, given up, in flight. */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "it has the slot")
    @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "it gave up, the slot is free")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the slot is lost, or the waiter was told after it gave up")
    @State
    public static class HandOverAgainstCancel {
        private final Gate gate = withQueue();
        private final long stamp = gate.tryEnter();
        private final Counted waiter = new Counted();
        private final Entry entry = gate.enter(CALL, waiter);

        @Actor
        public void exit() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Actor
        public void cancel(III_Result r) {
            r.r2 = entry.cancel() ? 1 : 0;
        }

        @Arbiter
        public void left(III_Result r) {
            r.r1 = waiter.admitted.get();
            r.r3 = gate.inFlight();
        }
    }

    /** A call comes while a slot is freed for which another waits: the newcomer waits or is refused, and passes nobody. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the waiter has the slot")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the newcomer has it")
    @State
    public static class HandOverAgainstArrival {
        private final Gate gate = withQueue();
        private final long stamp = gate.tryEnter();
        private final Counted waiter = new Counted();
        private final Entry entry = gate.enter(CALL, waiter);

        @Actor
        public void exit() {
            gate.exit(stamp, dev.weir.load.Outcome.SUCCESS);
        }

        @Actor
        public void arrive(II_Result r) {
            r.r2 = gate.tryEnter() == Gate.REFUSED ? 0 : 1;
        }

        @Arbiter
        public void left(II_Result r) {
            r.r1 = entry.stamp().isEmpty() ? waiter.admitted.get() : -1;
        }
    }
}
