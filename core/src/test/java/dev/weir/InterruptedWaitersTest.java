package dev.weir;

import static dev.weir.Scene.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.load.QueueSettings;
import dev.weir.policy.Budget;
import dev.weir.policy.GateRule;
import dev.weir.policy.Policy;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who waits for a slot is interrupted in the moment in which the slot comes free: one of the two wins, and nothing is left behind. */
class InterruptedWaitersTest {

    private static final int ROUNDS = Boolean.getBoolean("weir.deep") ? 200_000 : 5_000;
    private static final TestCall CALL = TestCall.by("a");

    private final Weir weir = Weir.of(Policy.builder()
            .limit(forAll("held", new Budget.InFlight(5)))
            .gate(GateRule.of(GateSettings.of("service", ConcurrencyLimit.fixed(1))
                    .withQueue(QueueSettings.of(1, Duration.ofMinutes(5)))))
            .build());

    @Test
    void aSlotThatComesWithAnInterruptIsNotLost() throws Exception {
        SplittableRandom random = new SplittableRandom(17);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Permit first = ((Decision.Admitted) weir.decide(CALL)).permit();
                Future<?> waiter = threads.submit(this::passThrough);
                while (weir.gates().get(0).figures().waiting() == 0) {
                    Thread.onSpinWait();
                }
                int before = random.nextInt(200);
                Future<?> release = threads.submit(() -> {
                    spin(before);
                    return first.release(Outcome.SUCCESS);
                });
                spin(random.nextInt(400));
                waiter.cancel(true);
                release.get(60, TimeUnit.SECONDS);
                awaitNobody(round);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Object passThrough() throws InterruptedException {
        Decision decision = weir.decide(CALL);
        return decision instanceof Decision.Admitted admitted
                && admitted.permit().release(Outcome.SUCCESS);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private void awaitNobody(int round) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (weir.gates().get(0).figures().inFlight() > 0) {
            assertThat(System.nanoTime() - end)
                    .as("somebody is still inside in round %d", round)
                    .isNegative();
            Thread.onSpinWait();
        }
    }
}
