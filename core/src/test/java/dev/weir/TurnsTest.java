package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A leaky queue admits with a turn; who decides waits for it, who judges is told. */
class TurnsTest {

    private static final TestCall A = TestCall.by("a");

    private static Limit queue(String rate, long depth) {
        return forAll("queue", new Budget.Rate(RateLimit.parse(rate).depth(depth)));
    }

    @Test
    void judgeTellsTheTurn() {
        Scene scene = new Scene(queue("10/s", 2));
        assertThat(scene.admitted(A).turnNanos()).isZero();
        assertThat(scene.admitted(A).turnNanos()).isEqualTo(100_000_000);
        assertThat(scene.admitted(A).turnNanos()).isEqualTo(200_000_000);
        Decision.Rejected no = scene.rejected(A);
        assertThat(no.reason()).isEqualTo(Reason.OVER_LIMIT);
        assertThat(no.retryAfterNanos()).hasValue(100_000_000);
    }

    @Test
    void maxWaitBoundsTheTurns() {
        Scene scene = new Scene(forAll(
                "queue", new Budget.Rate(RateLimit.parse("100/s").depth(50).maxWait(Duration.ofMillis(25)))));
        assertThat(scene.passing(A, 10)).isEqualTo(3);
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(5_000_000);
    }

    @Test
    void decideWaitsForTheTurn() throws InterruptedException {
        Scene scene = new Scene(queue("10/s", 5));
        long start = scene.nanos();
        for (int i = 0; i < 4; i++) {
            scene.admitted(A);
        }
        Decision.Admitted in = (Decision.Admitted) scene.weir.decide(A);
        assertThat(scene.nanos() - start).isEqualTo(400_000_000);
        assertThat(in.turnNanos()).isZero();
        assertThat(in.waitedNanos()).isEqualTo(400_000_000);
    }

    @Test
    void aParkThatReturnsEarlyIsRepeated() throws InterruptedException {
        long[] now = {0};
        int[] parks = {0};
        Ticker early = new Ticker() {
            @Override
            public long nanos() {
                return now[0];
            }

            @Override
            public void park(long waitNanos) {
                parks[0]++;
                now[0] += waitNanos > 1 ? waitNanos / 2 : waitNanos;
            }
        };
        Weir weir = Weir.builder(Scene.policy(queue("1/s", 3)))
                .tickers(early, () -> 0)
                .build();
        weir.decide(A);
        weir.decide(A);
        assertThat(now[0]).isEqualTo(1_000_000_000);
        assertThat(parks[0]).isGreaterThan(5);
    }

    /** A thousand virtual threads wait for their turns: each lets go of the thread that carries it, so that another one can run. */
    @Test
    void whoWaitsHoldsUpNobody() throws Exception {
        FakeTicker ticker = new FakeTicker(0);
        Weir weir = Weir.builder(Scene.policy(queue("1000/s", 1_000), perKey("held", new Budget.InFlight(1_001))))
                .tickers(ticker, () -> 0)
                .build();
        weir.judge(A);
        AtomicInteger served = new AtomicInteger();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Thread thread = LightThreads.factory().newThread(() -> {
                try {
                    served.addAndGet(weir.decide(A) instanceof Decision.Admitted ? 1 : 0);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            waiting.add(thread);
        }
        ticker.awaitParked(1_000);
        Thread another = LightThreads.factory().newThread(() -> weir.judge(TestCall.by("b")));
        another.start();
        another.join();
        assertThat(served).hasValue(0);
        ticker.advance(1_000_000_000);
        for (Thread thread : waiting) {
            thread.join();
        }
        assertThat(served).hasValue(1_000);
    }

    @Test
    void anInterruptGivesEverythingBack() {
        Scene scene =
                new Scene(queue("1/s", 5), perKey("held", new Budget.InFlight(3)), perKey("window", fixed("9/m")));
        scene.admitted(A).permit();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> scene.weir.decide(A)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        Decision.Admitted next = scene.admitted(A);
        assertThat(next.turnNanos()).as("the turn was given back").isEqualTo(1_000_000_000);
        assertThat(Scene.judged(next, "held").standing().remaining()).isEqualTo(1);
        assertThat(Scene.judged(next, "window").standing().remaining()).isEqualTo(7);
    }

    @Test
    void theLatestTurnOfSeveralQueuesIsWaitedFor() {
        Scene scene = new Scene(
                queue("10/s", 5),
                perKey("slow", new Budget.Rate(RateLimit.parse("1/s").depth(5))));
        scene.admitted(A);
        assertThat(scene.admitted(A).turnNanos()).isEqualTo(1_000_000_000);
        assertThat(scene.admitted(TestCall.by("b")).turnNanos()).isEqualTo(200_000_000);
    }

    @Test
    void anAsynchronousDecisionCompletesAtItsTurn() throws Exception {
        Scene scene = new Scene(queue("1000/s", 5));
        assertThat(scene.weir.decideAsync(A)).isCompleted();
        CompletableFuture<Decision> second = scene.weir.decideAsync(A);
        Decision.Admitted in = (Decision.Admitted) second.get(30, TimeUnit.SECONDS);
        assertThat(in.turnNanos()).isZero();
        assertThat(in.waitedNanos()).isEqualTo(1_000_000);
        assertThat(new Scene(forAll("none", fixed("1/m"))).weir.decideAsync(A)).isCompleted();
    }

    @Test
    void aCancelledOrTimedOutOneGivesItsTurnBackAtOnce() {
        Scene scene = new Scene(queue("1/h", 5), perKey("held", new Budget.InFlight(3)));
        scene.admitted(A);
        CompletableFuture<Decision> cancelled = scene.weir.decideAsync(A);
        assertThat(cancelled.cancel(false)).isTrue();
        CompletableFuture<Decision> failed = scene.weir.decideAsync(A);
        failed.completeExceptionally(new IllegalStateException("the caller left"));
        Decision.Admitted next = scene.admitted(A);
        assertThat(next.turnNanos()).isEqualTo(Duration.ofHours(1).toNanos());
        assertThat(Scene.judged(next, "held").standing().remaining()).isEqualTo(1);
    }

    @Test
    void undoGivesATurnBack() {
        Scene scene = new Scene(queue("1/s", 1));
        scene.admitted(A);
        Permit second = scene.admitted(A).permit();
        assertThat(scene.passes(A)).isFalse();
        second.undo();
        assertThat(scene.admitted(A).turnNanos()).isEqualTo(1_000_000_000);
    }
}
