package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A table in which fewer keys fit than are used, by two threads at once. Which key leaves is no promise, and may differ from any order in
 * which the calls could have come one after another: a key that left may be judged more strictly than it deserves. Never more mildly: no key
 * has more left than an unbounded table would say.
 */
final class EvictionRaceTest {

    private static final int ROUNDS = Boolean.getBoolean("weir.deep") ? 400_000 : 20_000;
    private static final int KEYS = 3;
    private static final int STEPS = 4;

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW"})
    void aKeyThatLeftHasNeverMoreThanItDeserves(Algorithm algorithm) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("eviction race of " + algorithm + ": -Dseed=" + seed);
        RateLimit budget = RateLimit.parse("6/s").algorithm(algorithm);
        Round[] round = {null};
        CyclicBarrier start = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            for (int n = 0; n < ROUNDS; n++) {
                await(start);
                round[0].act(seed + 2L * n + 1);
                await(start);
            }
        });
        round[0] = new Round(budget);
        other.start();
        for (int n = 0; n < ROUNDS; n++) {
            Round current = new Round(budget);
            round[0] = current;
            await(start);
            current.act(seed + 2L * n);
            await(start);
            for (int key = 0; key < KEYS; key++) {
                assertThat(current.remaining(key))
                        .as("key %s in round %s", key, n)
                        .isLessThanOrEqualTo(Math.max(0, 6 - current.used.get(key)));
            }
        }
        other.join();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Round {
        private final KeyTable table = new KeyTable(2);
        private final int tier;
        /** At least so much is used: what was granted or forced, less all that was given back, some of it perhaps in vain. */
        final AtomicLongArray used = new AtomicLongArray(KEYS);

        Round(RateLimit budget) {
            tier = table.tier(budget, 0);
        }

        private static long key(int n) {
            return (n + 1L) << 42;
        }

        long remaining(int key) {
            return table.standing(key(key), tier, 0).remaining();
        }

        void act(long seed) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            for (int step = 0; step < STEPS; step++) {
                int key = random.nextInt(KEYS);
                int cost = 1 + random.nextInt(2);
                switch (random.nextInt(3)) {
                    case 0 -> {
                        if (table.charge(key(key), tier, 0, cost, null) == RateTable.NOW) {
                            used.addAndGet(key, cost);
                        }
                    }
                    case 1 -> {
                        table.force(key(key), tier, 0, cost);
                        used.addAndGet(key, cost);
                    }
                    default -> {
                        table.giveBack(key(key), tier, 0, cost, 0);
                        used.addAndGet(key, -cost);
                    }
                }
            }
        }
    }
}
