package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.Outcome;
import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions of many threads at once, on a clock that stands still. */
class ManyThreadsTest {

    private static final int THREADS = 8;

    private interface Work {
        int run(int thread) throws Exception;
    }

    /** The sum of what each thread answers; all start together. */
    private static int together(Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<Integer>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(() -> {
                    start.await();
                    return work.run(thread);
                });
            }
            int sum = 0;
            for (Future<Integer> result : threads.invokeAll(all)) {
                sum += result.get();
            }
            return sum;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Budget of(Algorithm algorithm, String rate) {
        return new Budget.Rate(RateLimit.parse(rate).algorithm(algorithm));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void neverMoreThanEitherLimitAllowsAndNothingLeaks(Algorithm algorithm) throws Exception {
        Scene scene = new Scene(
                perKey("wide", of(algorithm, "1000/h")).match(Match.path("/**")),
                perKey("narrow", of(algorithm, "300/h")).match(Match.path("/narrow")),
                perKey("shadow", of(algorithm, "900/h")).mode(Mode.SHADOW));
        TestCall narrow = TestCall.of("/narrow").header("X-Api-Key", "a");
        TestCall wide = TestCall.by("a");

        int passedNarrow = together(thread -> scene.passing(narrow, 500));
        assertThat(passedNarrow).isBetween(1, 300);
        assertThat(scene.passing(narrow, 500) + passedNarrow).isEqualTo(300);
        assertThat(scene.passing(wide, 5_000))
                .as("refusals took nothing of the wide one")
                .isEqualTo(700);
        assertThat(Scene.judged(scene.rejected(wide), "shadow").standing().remaining())
                .isZero();
    }

    @RepeatedTest(3)
    void undoneCallsLeaveNothingWhateverWasGoingOn() throws Exception {
        Limit held = perKey("held", new Budget.InFlight(5));
        Scene scene = new Scene(
                held,
                forAll("bucket", of(Algorithm.TOKEN_BUCKET, "20/h")),
                perKey("window", fixed("9/h")),
                forAll("log", of(Algorithm.SLIDING_LOG, "30/h")),
                perKey("soft", fixed("3/h")).mode(Mode.SHADOW));
        AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
        AtomicInteger tooMany = new AtomicInteger();
        together(thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 3_000; i++) {
                int key = random.nextInt(2);
                if (scene.weir.judge(TestCall.by("k" + key)) instanceof Decision.Admitted in) {
                    if (inside[key].incrementAndGet() > 5) {
                        tooMany.incrementAndGet();
                    }
                    Thread.onSpinWait();
                    inside[key].decrementAndGet();
                    in.permit().undo();
                    in.permit().close();
                }
            }
            return 0;
        });
        assertThat(tooMany).hasValue(0);
        Decision.Admitted after = scene.admitted(TestCall.by("k0"));
        assertThat(after.judged())
                .extracting(judged -> judged.standing().remaining())
                .containsExactly(4L, 19L, 8L, 29L);
        assertThat(after.shadows().get(0).standing().remaining()).isEqualTo(2);
    }

    @Test
    void inFlightIsNeverAboveTheLimitAndEndsAtZero() throws Exception {
        Scene scene = new Scene(perKey("held", new Budget.InFlight(3)), forAll("all", new Budget.InFlight(4)));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        int passed = together(thread -> {
            int in = 0;
            for (int i = 0; i < 5_000; i++) {
                if (scene.weir.judge(TestCall.by("k" + (i & 1))) instanceof Decision.Admitted admitted) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    if ((i & 7) == 0) {
                        Thread.onSpinWait();
                    }
                    inside.decrementAndGet();
                    admitted.permit().close();
                    in++;
                }
            }
            return in;
        });
        assertThat(passed).isPositive();
        assertThat(most.get()).isBetween(1, 4);
        assertThat(scene.left("held", TestCall.by("k0"))).isEqualTo(3);
        assertThat(scene.left("all", TestCall.by("k1"))).isEqualTo(4);
        assertThat(scene.weir.doubleReleases()).isZero();
    }

    @Test
    void onePermitEndsOnceHoweverManyEndIt() throws Exception {
        Scene scene = new Scene(perKey("held", new Budget.InFlight(2)));
        for (int round = 0; round < 50; round++) {
            scene.admitted(TestCall.by("other"));
            Permit kept = scene.admitted(TestCall.by("a")).permit();
            Permit permit = scene.admitted(TestCall.by("a")).permit();
            int ended = together(thread -> permit.release(Outcome.SUCCESS) ? 1 : 0);
            assertThat(ended).isEqualTo(1);
            assertThat(scene.left("held", TestCall.by("a"))).isEqualTo(1);
            kept.close();
            scene.weir.reload(scene.weir.policy());
            scene.weir.reload(policy());
            scene.weir.reload(policy(perKey("held", new Budget.InFlight(2))));
        }
    }

    @Test
    void reloadsBetweenDecisionsLoseAndMintNothing() throws Exception {
        Scene scene = new Scene(limit(0));
        AtomicInteger reloads = new AtomicInteger();
        int passed = together(thread -> {
            int in = 0;
            for (int i = 0; i < 1_500; i++) {
                if (thread == 0) {
                    scene.weir.reload(policy(limit(reloads.incrementAndGet() % 600)));
                } else if (scene.weir.judge(TestCall.by("a")) instanceof Decision.Admitted admitted) {
                    if (i % 3 == 0) {
                        admitted.permit().undo();
                    } else {
                        in++;
                    }
                }
            }
            return in;
        });
        scene.weir.reload(policy(limit(0)));
        assertThat(scene.passing(TestCall.by("a"), 100_000) + passed).isEqualTo(50_000);
    }

    private static Limit limit(int more) {
        return perKey("api", fixed(50_000 + more + "/24h"));
    }
}
