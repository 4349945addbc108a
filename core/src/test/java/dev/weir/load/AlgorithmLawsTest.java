package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Seeds;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every algorithm and whatever windows come. */
final class AlgorithmLawsTest {

    private static final int SEQUENCES = 300 * Seeds.DEPTH;
    private static final int WINDOWS = 200;

    @Test
    void everyLimitStaysBetweenFloorAndCeiling() {
        eachStep(
                "everyLimitStaysBetweenFloorAndCeiling",
                (concurrency, before, window, step) -> assertThat(step.state().limit())
                        .isBetween((double) concurrency.min(), (double) concurrency.max()));
    }

    @Test
    void everyNumberIsFinite() {
        eachStep("everyNumberIsFinite", (concurrency, before, window, step) -> {
            assertThat(step.state().limit()).isFinite();
            assertThat(step.state().baseNanos()).isFinite().isPositive();
            assertThat(step.elasticity().orElse(0)).isFinite();
        });
    }

    @Test
    void noLimitGrowsUnused() {
        eachStep("noLimitGrowsUnused", (concurrency, before, window, step) -> {
            boolean experimenting = before.trial().experiment().isUnderWay();
            if (!window.bound() && !window.usesHalf(before.limit()) && !experimenting) {
                assertThat(step.state().limit()).isLessThanOrEqualTo(before.limit());
            }
        });
    }

    @Test
    void noLimitFallsBelowTwiceWhatIsInFlightWhileHalfIsUnused() {
        eachStep("noLimitFallsBelowTwiceWhatIsInFlightWhileHalfIsUnused", (concurrency, before, window, step) -> {
            boolean experimenting = before.trial().experiment().isUnderWay();
            if (!window.bound() && !window.usesHalf(before.limit()) && !experimenting) {
                assertThat(step.state().limit())
                        .isGreaterThanOrEqualTo(Math.min(before.limit(), Math.floor(2.0 * window.peak())));
            }
        });
    }

    @Test
    void anExperimentEndsAndGoesNoFurtherThanItSays() {
        eachStep("anExperimentEndsAndGoesNoFurtherThanItSays", (concurrency, before, window, step) -> {
            if (step.reason() == MoveReason.EXPERIMENT) {
                assertThat(window.contested(before.limit())).isTrue();
                assertThat(step.state().limit())
                        .isBetween(0.5 * before.limit() - 1e-9, Math.max(before.limit() + 1, 1.5 * before.limit()));
            }
            if (step.reason() == MoveReason.STEADY
                    && before.trial().experiment().isUnderWay()) {
                assertThat(step.state().limit()).isEqualTo(before.limit());
            }
        });
    }

    private interface Check {
        void of(ConcurrencyLimit concurrency, LimitState before, WindowSample window, LimitStep step);
    }

    private static void eachStep(String law, Check check) {
        long seed = Seeds.next("AlgorithmLawsTest." + law);
        Random random = new Random(seed);
        for (int i = 0; i < SEQUENCES; i++) {
            ConcurrencyLimit concurrency = concurrency(random);
            LimitState state = LimitState.fresh(concurrency);
            boolean busy = random.nextBoolean();
            for (int w = 0; w < WINDOWS; w++) {
                WindowSample window = window(random, state, busy);
                LimitStep step = LimitStep.after(concurrency, state, window);
                check.of(concurrency, state, window, step);
                state = step.state();
            }
        }
    }

    private static ConcurrencyLimit concurrency(Random random) {
        int min = 1 + random.nextInt(10);
        int initial = min + random.nextInt(50);
        int max = initial + random.nextInt(500);
        return switch (random.nextInt(4)) {
            case 0 -> ConcurrencyLimit.aimd(initial, min, max);
            case 1 -> ConcurrencyLimit.targetLatency(Duration.ofMillis(1 + random.nextInt(200)), initial, min, max);
            default -> ConcurrencyLimit.gradient(initial, min, max);
        };
    }

    /** Latencies over nine powers of ten, mostly near each other. */
    private static WindowSample window(Random random, LimitState state, boolean busy) {
        double base = state.baseNanos() == 0 ? 1e7 : state.baseNanos();
        double latency = Math.max(
                1,
                random.nextInt(10) == 0
                        ? Math.pow(10, 9 * random.nextDouble())
                        : base * (0.5 + 2 * random.nextDouble()));
        boolean bound = busy ? random.nextInt(20) > 0 : random.nextInt(4) == 0;
        int peak = bound ? (int) state.limit() : random.nextInt((int) state.limit() + 1);
        double inFlight = Math.max(1e-6, peak * random.nextDouble() * 1.2);
        double dropped = random.nextInt(15) == 0 ? random.nextDouble() : 0;
        return new WindowSample(
                inFlight,
                inFlight * 1e9 / latency,
                latency,
                latency * random.nextDouble() / 5,
                peak,
                bound,
                random.nextInt(5) == 0,
                dropped,
                100_000_000);
    }
}
