package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.StoreKey;
import dev.weir.rate.StoreKeyHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** What tests of stores need again and again. */
final class Fleets {

    /** So long that only what never answers is out of time, however busy the machine is. */
    static final Duration PATIENT = Duration.ofSeconds(10);

    private Fleets() {}

    static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static StoreKey key(String text) {
        return StoreKeyHash.unkeyed().of(List.of(text));
    }

    static FleetCharge charge(String limit, String key, String rate) {
        return new FleetCharge(limit, key(key), new FleetCharge.Rate(RateLimit.parse(rate)), 1, true);
    }

    static FleetCharge inFlight(String limit, String key, int calls) {
        return new FleetCharge(limit, key(key), new FleetCharge.InFlight(calls), 1, true);
    }

    /** A store that is connected. */
    static RedisStore store(RedisSettings settings) {
        RedisStore store = RedisStore.start(settings);
        now(store.connected());
        return store;
    }

    static Charged ask(RateStore store, FleetCharge... bill) {
        return now(store.charge(List.of(bill)));
    }

    static long left(RateStore store, FleetCharge charge) {
        return now(store.peek(List.of(charge))).orElseThrow().get(0).standing().remaining();
    }

    static boolean granted(Charged charged) {
        return charged instanceof Charged.Granted;
    }

    /** Returns once the condition holds; it should ask something that takes a moment. */
    static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    /** How many of the calls that so many threads make are granted; the others are refused. */
    static int grants(int threads, int callsEach, IntFunction<Charged> call) throws Exception {
        AtomicInteger granted = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                all.add(pool.submit(() -> {
                    for (int i = 0; i < callsEach; i++) {
                        Charged charged = call.apply(number);
                        assertThat(charged).isNotInstanceOf(Charged.Unavailable.class);
                        granted.addAndGet(granted(charged) ? 1 : 0);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        return granted.get();
    }
}
