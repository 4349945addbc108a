package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sixty-four threads at a limit of ten. */
final class ManyCallersTest {

    private static final int THREADS = 64;
    private static final int LIMIT = 10;
    private static final int ROUNDS = Boolean.getBoolean("weir.deep") ? 10_000 : 300;

    private static final GateSettings GATE = GateSettings.of("gate", ConcurrencyLimit.fixed(LIMIT));

    @Test
    void noMoreThanTheLimitAreInFlight() throws Exception {
        check(Gate.of(GATE, System::nanoTime));
    }

    @Test
    void norWithTwoPools() throws Exception {
        check(Gate.of(GATE.withPools(PoolSettings.of("a", 0.5), PoolSettings.of("b", 0.5)), System::nanoTime));
    }

    @Test
    void norWithAQueue() throws Exception {
        check(Gate.of(GATE.withQueue(QueueSettings.of(32, Duration.ofSeconds(60))), System::nanoTime));
    }

    private static void check(Gate gate) throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int pool = i % 2;
                all.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        barrier.await();
                        call(gate, pool, inFlight, most);
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, LIMIT);
        assertThat(gate.inFlight()).isZero();
        assertThat(gate.figures().waiting()).isZero();
        assertThat(gate.doubleExits()).isZero();
    }

    private static void call(Gate gate, int pool, AtomicInteger inFlight, AtomicInteger most)
            throws InterruptedException {
        long stamp = gate.settings().pools().isEmpty()
                ? gate.enter(Criticality.CRITICAL, Long.MAX_VALUE / 4)
                : gate.enter(new GateCall(pool, null, Criticality.CRITICAL, GateCall.NO_DEADLINE), new Nobody())
                        .stamp()
                        .orElse(Gate.REFUSED);
        if (stamp != Gate.REFUSED) {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            inFlight.decrementAndGet();
            gate.exit(stamp, Outcome.SUCCESS);
        }
    }

    /** Waits for nothing: these gates have no queue. */
    private static final class Nobody implements Waiter {
        @Override
        public void admitted(long stamp) {
            throw new AssertionError("nobody waits");
        }

        @Override
        public void refused(GateRefusal refusal) {
            throw new AssertionError("nobody waits");
        }
    }
}
