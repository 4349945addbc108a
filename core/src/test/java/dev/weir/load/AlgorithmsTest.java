package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.load.Windows.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What windows of answers make of a limit, row by row. */
final class AlgorithmsTest {

    private static final ConcurrencyLimit TARGET = ConcurrencyLimit.targetLatency(Duration.ofMillis(100), 50, 10, 100);

    @Test
    void aFixedLimitStays() {
        assertThat(new Run(ConcurrencyLimit.fixed(7)).saturated(50, 900).limit())
                .isEqualTo(7);
    }

    // ---- aimd

    @Test
    void dropsAloneTakeATenthEachInWholeNumbers() {
        Run run = new Run(ConcurrencyLimit.aimd(100, 4, 200));
        assertThat(limits(run, 10, Windows.dropping(1, 10, 100, true)))
                .containsExactly(90, 81, 72, 64, 57, 51, 45, 40, 36, 32);
        assertThat(run.steps(100, Windows.dropping(1, 10, 100, true)).limit()).isEqualTo(4);
    }

    @Test
    void atTheMaximumALimitStays() {
        Run run = new Run(ConcurrencyLimit.aimd(199, 4, 200));
        assertThat(run.saturated(1, 5).limit()).isEqualTo(200);
        assertThat(run.saturated(49, 5).limit()).isEqualTo(200);
    }

    @Test
    void aWindowIsOneStep() {
        assertThat(new Run(ConcurrencyLimit.aimd(20, 1, 100)).saturated(1, 10).limit())
                .isEqualTo(21);
        assertThat(new Run(ConcurrencyLimit.aimd(1, 1, 100)).saturated(19, 10).limit())
                .isEqualTo(20);
    }

    @Test
    void fewDropsAreNoDrops() {
        Run run = new Run(ConcurrencyLimit.aimd(20, 4, 100));
        assertThat(run.step(Windows.dropping(0.049, 10, 20, true))).isEqualTo(MoveReason.ROOM);
        assertThat(run.step(Windows.dropping(0.05, 10, 20, true))).isEqualTo(MoveReason.DROPPED);
    }

    // ---- target latency

    @Test
    void aboveOneAndAHalfTargetsATenthGoes() {
        Run run = new Run(TARGET);
        assertThat(exactLimits(run, 16, 200))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-4 ? 0 : Double.compare(a, b))
                .containsExactly(
                        45.0, 40.5, 36.45, 32.805, 29.5245, 26.57205, 23.91485, 21.52336, 19.37102, 17.43392, 15.69053,
                        14.12148, 12.70933, 11.43840, 10.29456, 10.0);
        assertThat(run.saturated(5, 200).exactLimit()).isEqualTo(10);
    }

    @Test
    void belowFourFifthsOfTheTargetATwentiethComes() {
        Run run = new Run(TARGET);
        assertThat(exactLimits(run, 4, 50).get(3)).isCloseTo(60.7753, within(1e-4));
        assertThat(exactLimits(run, 10, 50).get(9)).isCloseTo(98.9966, within(1e-4));
        assertThat(run.saturated(3, 50).exactLimit()).isEqualTo(100);
    }

    @Test
    void betweenTheTwoNothingChanges() {
        assertThat(new Run(TARGET).saturated(5, 100).exactLimit()).isEqualTo(50);
        assertThat(new Run(TARGET).saturated(5, 150).exactLimit()).isEqualTo(50);
        assertThat(new Run(TARGET).saturated(5, 80).exactLimit()).isEqualTo(50);
    }

    // ---- gradient

    @Test
    void aGradientGrowsByTheSmoothedSquareRoot() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 200));
        assertThat(run.saturated(1, 50).exactLimit()).isCloseTo(20 + 0.4 * Math.sqrt(20), within(1e-9));
        assertThat(run.limit()).isEqualTo(21);
    }

    @Test
    void fractionsAreKept() {
        Run run = new Run(ConcurrencyLimit.gradient(4, 1, 100));
        assertThat(exactLimits(run, 3, 10).stream().map(limit -> limit % 1 > 0)).containsExactly(true, true, true);
        assertThat(run.limit()).isGreaterThan(5);
    }

    @Test
    void steadyLatencyLeadsToTheCeilingAndStaysThere() {
        Run run = new Run(ConcurrencyLimit.gradient(64, 8, 100));
        assertThat(run.steps(40, Windows.of(70, 100, false)).limit()).isEqualTo(100);
        assertThat(run.steps(40, Windows.of(70, 100, false)).limit()).isEqualTo(100);
    }

    @Test
    void theLimitDoesNotGrowUnused() {
        for (ConcurrencyLimit concurrency :
                List.of(ConcurrencyLimit.aimd(20, 4, 500), ConcurrencyLimit.gradient(), target(20))) {
            assertThat(new Run(concurrency)
                            .steps(10_000, Windows.of(10, 1, false))
                            .limit())
                    .as("%s", concurrency)
                    .isEqualTo(20);
        }
        assertThat(new Run(ConcurrencyLimit.gradient(64, 8, 100))
                        .steps(50, Windows.of(70, 10, false))
                        .limit())
                .isEqualTo(64);
    }

    private static ConcurrencyLimit target(int initial) {
        return ConcurrencyLimit.targetLatency(Duration.ofMillis(100), initial, 4, 500);
    }

    @Test
    void unusedItShrinksNoLowerThanTwiceWhatIsInFlight() {
        Run checkout = new Run(ConcurrencyLimit.gradient(64, 8, 100));
        checkout.steps(5, Windows.of(27.1, 4, false));
        checkout.steps(300, Windows.of(73, 15, false));
        assertThat(checkout.limit()).isBetween(29, 30);
        Run unused = new Run(ConcurrencyLimit.gradient(64, 8, 100)).steps(1, Windows.of(70, 5, false));
        assertThat(unused.step(Windows.of(140, 5, false))).isEqualTo(MoveReason.LATENCY);
        assertThat(unused.steps(100, Windows.of(140, 5, false)).limit()).isBetween(10, 60);
        Run tripled = new Run(ConcurrencyLimit.gradient(64, 8, 100)).steps(1, Windows.of(70, 5, false));
        assertThat(tripled.steps(100, Windows.of(7000, 5, false)).limit()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void dropsTakeATenthAndBreakOffAnExperiment() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 200)).saturated(1, 10);
        while (run.step(Windows.of(50, run.limit(), true)) != MoveReason.EXPERIMENT) {
            assertThat(run.reasons().size()).isLessThan(20);
        }
        double lowered = run.exactLimit();
        assertThat(run.step(Windows.dropping(0.05, 50, 20, true))).isEqualTo(MoveReason.DROPPED);
        assertThat(run.exactLimit()).isCloseTo(0.9 * lowered, within(1e-9));
        assertThat(run.state().trial().experiment().isUnderWay()).isFalse();
    }

    /** Twenty workers of 10 ms: what is above waits, so that latency is in proportion and throughput stands. */
    private static void overloaded(Run run, int windows) {
        for (int i = 0; i < windows; i++) {
            run.step(Windows.of(10 * Math.max(1, run.limit() / 20.0), run.limit(), true));
        }
    }

    @Test
    void aSlowdownOfItsOwnMakingNeverBecomesNormal() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 500));
        overloaded(run, 200);
        double highest = 0;
        for (int i = 0; i < 18_000; i++) {
            overloaded(run, 1);
            assertThat(run.limit()).isBetween(13, 40);
            highest = Math.max(highest, run.baseMillis());
        }
        assertThat(highest).isLessThanOrEqualTo(12);
        assertThat(run.reasons()).contains(MoveReason.QUEUEING);
    }

    @Test
    void aSlowdownFromElsewhereDoes() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 500)).saturated(1, 10);
        int windows = 0;
        while (run.limit() < 40) {
            run.saturated(1, 50);
            assertThat(++windows).isLessThan(80);
        }
        assertThat(run.reasons()).contains(MoveReason.INTRINSIC).doesNotContain(MoveReason.QUEUEING);
        assertThat(run.baseMillis()).isGreaterThan(30);
    }

    @Test
    void itComesOffTheFloorWhenTheBaselineWasTooLow() {
        Run run = new Run(ConcurrencyLimit.gradient(8, 8, 100)).steps(1, Windows.of(1, 1, false));
        run.saturated(40, 10);
        assertThat(run.reasons()).contains(MoveReason.OFF_THE_FLOOR);
        assertThat(run.baseMillis()).isCloseTo(10, within(1e-6));
        assertThat(run.limit()).isGreaterThan(8);
    }

    @Test
    void noFloorIsTooLowToComeOff() {
        for (int min = 1; min < 8; min++) {
            Run run = new Run(ConcurrencyLimit.gradient(min, min, 100)).steps(1, Windows.of(1, 1, false));
            run.saturated(80, 10);
            assertThat(run.baseMillis()).as("min %d", min).isGreaterThan(4);
            assertThat(run.saturated(150, 10).limit()).as("min %d", min).isGreaterThan(2 * min);
        }
    }

    @Test
    void atTheFloorItStaysWhereMoreBringsNothing() {
        Run run = new Run(ConcurrencyLimit.gradient(8, 8, 100)).steps(1, Windows.of(1, 1, false));
        for (int i = 0; i < 300; i++) {
            run.step(Windows.of(10.0 * run.limit(), run.limit(), true));
            assertThat(run.limit()).isLessThanOrEqualTo(12);
        }
        assertThat(run.reasons()).contains(MoveReason.RESTORED).doesNotContain(MoveReason.OFF_THE_FLOOR);
    }

    @Test
    void anExperimentDuringWhichNobodyIsRefusedIsVoid() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 200)).saturated(1, 10);
        double before = 0;
        while (run.reasons().get(run.reasons().size() - 1) != MoveReason.EXPERIMENT) {
            before = run.exactLimit();
            run.saturated(1, 50);
        }
        assertThat(run.exactLimit()).isBetween(0.5 * before, 0.8 * before);
        assertThat(run.steps(2, Windows.of(50, 12, false)).reasons()).doesNotContain(MoveReason.RESTORED);
        assertThat(run.step(Windows.of(50, 12, false))).isEqualTo(MoveReason.RESTORED);
        assertThat(run.exactLimit()).isEqualTo(before);
    }

    @Test
    void anExperimentOutlivesWindowsInWhichNobodyHappensToBeRefused() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 200)).saturated(1, 10);
        while (run.step(Windows.of(50, run.limit(), true)) != MoveReason.EXPERIMENT) {
            assertThat(run.reasons().size()).isLessThan(20);
        }
        for (int i = 0; i < 30 && run.state().trial().experiment().isUnderWay(); i++) {
            run.steps(2, Windows.of(20, run.limit() / 2, false)).saturated(1, 50);
        }
        assertThat(run.reasons()).contains(MoveReason.INTRINSIC).doesNotContain(MoveReason.RESTORED);
    }

    /** Eight workers of 20 ms at a little more than they can do: now and then nobody happens to be refused, and latency is low. */
    @Test
    void windowsInWhichNobodyHappensToBeRefusedDoNotLeadUp() {
        Run run = new Run(ConcurrencyLimit.gradient(8, 4, 500)).saturated(1, 20);
        for (int i = 0; i < 3000; i++) {
            boolean calm = i % 3 == 0;
            int inFlight = calm ? 8 : run.limit();
            run.step(Windows.of(20 * Math.max(1, inFlight / 8.0), calm ? (run.limit() + 1) / 2 : inFlight, !calm));
            assertThat(run.limit()).isBetween(4, 24);
        }
    }

    /** Fifty answers a second tell little for long, and in the meantime the service may have become another. */
    @Test
    void anExperimentOfASlowServiceEndsWithinSeconds() {
        Run run = new Run(ConcurrencyLimit.gradient(20, 4, 200)).saturated(1, 100);
        while (run.step(slow(run.limit(), 50)) != MoveReason.EXPERIMENT) {
            assertThat(run.reasons().size()).isLessThan(20);
        }
        int windows = 0;
        while (run.state().trial().experiment().isUnderWay()) {
            run.step(slow(run.limit(), 47));
            assertThat(++windows).isLessThanOrEqualTo(8);
        }
    }

    /** A window of a second in which all slots were in use and as many calls were answered. */
    private static WindowSample slow(int limit, double throughput) {
        return new WindowSample(limit, throughput, limit / throughput * 1e9, 0, limit, true, false, 0, 1_000_000_000L);
    }

    @Test
    void shortWindowsOfLuckDoNotLowerTheBaseline() {
        LimitState state = LimitState.fresh(ConcurrencyLimit.gradient()).base(20e6);
        WindowSample lucky = new WindowSample(8, 400, 17e6, 3e6, 8, false, false, 0, 100_000_000);
        WindowSample faster = new WindowSample(8, 400, 10e6, 3e6, 8, false, false, 0, 100_000_000);
        assertThat(state.learnBase(lucky).baseNanos()).isEqualTo(20e6);
        assertThat(state.learnBase(faster).baseNanos()).isCloseTo(18.6e6, within(1.0));
    }

    @Test
    void numbersThatMakeNoLimitAreRefused() {
        assertThatThrownBy(() -> ConcurrencyLimit.fixed(0)).hasMessageContaining("1 <= min");
        assertThatThrownBy(() -> ConcurrencyLimit.aimd(3, 4, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ConcurrencyLimit.gradient(20, 4, 100_001)).hasMessageContaining("100000");
        assertThatThrownBy(() -> ConcurrencyLimit.targetLatency(Duration.ZERO, 20, 4, 100))
                .hasMessageContaining("target");
    }

    private static List<Integer> limits(Run run, int windows, WindowSample window) {
        List<Integer> limits = new ArrayList<>();
        for (int i = 0; i < windows; i++) {
            run.step(window);
            limits.add(run.limit());
        }
        return limits;
    }

    private static List<Double> exactLimits(Run run, int windows, double latencyMillis) {
        return DoubleStream.generate(() -> run.saturated(1, latencyMillis).exactLimit())
                .limit(windows)
                .boxed()
                .toList();
    }
}
