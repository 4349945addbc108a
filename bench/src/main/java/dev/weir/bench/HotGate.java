package dev.weir.bench;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.weir.Ticker;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Gate;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.load.QueueSettings;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One gate that all threads enter and leave again, with slots enough for all. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotGate {

    private static final int PLENTY = 100;

    /** The floor: a limit that never changes, and a second release that nobody notices. */
    @State(Scope.Benchmark)
    public static class Floor {
        final Semaphore semaphore = new Semaphore(PLENTY);
    }

    @Benchmark
    public boolean semaphore(Floor floor) {
        boolean entered = floor.semaphore.tryAcquire();
        if (entered) {
            floor.semaphore.release();
        }
        return entered;
    }

    /** Weir. */
    @State(Scope.Benchmark)
    public static class Weir {
        final Gate gradient = Gate.of(ConcurrencyLimit.gradient(PLENTY, 20, PLENTY));
        final Gate queued = Gate.of(
                GateSettings.of("queued", ConcurrencyLimit.gradient(PLENTY, 20, PLENTY))
                        .withQueue(QueueSettings.of(16, Duration.ofMillis(50))),
                Ticker.system());
    }

    @Benchmark
    public boolean weirGradient(Weir weir) {
        return through(weir.gradient);
    }

    @Benchmark
    public boolean weirGradientWithQueue(Weir weir) {
        return through(weir.queued);
    }

    private static boolean through(Gate gate) {
        long stamp = gate.tryEnter();
        if (stamp == Gate.REFUSED) {
            return false;
        }
        gate.exit(stamp, Outcome.SUCCESS);
        return true;
    }

    /** Netflix's adaptive limit. */
    @State(Scope.Benchmark)
    public static class Netflix {
        final Limiter<Void> gradient2 = SimpleLimiter.newBuilder()
                .limit(Gradient2Limit.newBuilder()
                        .initialLimit(PLENTY)
                        .minLimit(20)
                        .maxConcurrency(PLENTY)
                        .build())
                .build();
    }

    @Benchmark
    public boolean netflixGradient2(Netflix netflix) {
        return netflix.gradient2
                .acquire(null)
                .map(listener -> {
                    listener.onSuccess();
                    return true;
                })
                .orElse(false);
    }
}
