package dev.weir.load;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/** Whatever threads do to a gate at once has the result of doing it one after another to a counter. */
final class GateLinearizabilityTest {

    private static final int DEPTH = Boolean.getBoolean("weir.deep") ? 10 : 1;
    private static final int LIMIT = 3;

    @Test
    void slotsAreACounter() {
        check(Plain.class);
    }

    @Test
    void soAreTheSlotsOfAGateWithALock() {
        check(WithShedding.class);
    }

    private static void check(Class<?> calls) {
        run(new StressOptions().iterations(3 * DEPTH).invocationsPerIteration(150 * DEPTH), calls);
        run(new ModelCheckingOptions().iterations(2 * DEPTH).invocationsPerIteration(50 * DEPTH), calls);
    }

    private static void run(Options<?, ?> options, Class<?> calls) {
        options.threads(2).actorsPerThread(3).actorsBefore(1).actorsAfter(2);
        options.sequentialSpecification(Counter.class);
        options.check(calls);
    }

    /** Each thread lets go of what it took itself, and sometimes of what it let go already. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    @Param(name = "slot", gen = IntGen.class, conf = "0:1")
    abstract static class Calls {
        private final Gate gate;
        private final List<List<Long>> stamps = new ArrayList<>();

        Calls(GateSettings settings) {
            gate = Gate.of(settings, () -> 7);
            for (int i = 0; i < 5; i++) {
                stamps.add(new ArrayList<>());
            }
        }

        @Operation
        public boolean enter(@Param(name = "thread") int thread) {
            long stamp = gate.tryEnter();
            if (stamp != Gate.REFUSED) {
                stamps.get(thread).add(stamp);
            }
            return stamp != Gate.REFUSED;
        }

        @Operation
        public void exit(@Param(name = "thread") int thread, @Param(name = "slot") int nth) {
            List<Long> own = stamps.get(thread);
            if (nth < own.size()) {
                gate.exit(own.get(nth), Outcome.SUCCESS);
            }
        }

        @Operation
        public int inFlight() {
            return gate.inFlight();
        }
    }

    public static class Plain extends Calls {
        public Plain() {
            super(GateSettings.of("gate", ConcurrencyLimit.fixed(LIMIT)));
        }
    }

    public static class WithShedding extends Calls {
        public WithShedding() {
            super(GateSettings.of("gate", ConcurrencyLimit.fixed(LIMIT)).withShedding(Shedding.thresholds(0.5, 0.9)));
        }
    }

    /** The same without slots. */
    public static class Counter {
        private int inFlight;
        private final List<List<boolean[]>> taken = new ArrayList<>();

        public Counter() {
            for (int i = 0; i < 5; i++) {
                taken.add(new ArrayList<>());
            }
        }

        public boolean enter(int thread) {
            if (inFlight == LIMIT) {
                return false;
            }
            inFlight++;
            taken.get(thread).add(new boolean[] {true});
            return true;
        }

        public void exit(int thread, int nth) {
            List<boolean[]> own = taken.get(thread);
            if (nth < own.size() && own.get(nth)[0]) {
                own.get(nth)[0] = false;
                inFlight--;
            }
        }

        public int inFlight() {
            return inFlight;
        }
    }
}
