package dev.weir.bench;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import dev.weir.Ticker;
import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One limiter that all threads ask. Granted: a unit each nanosecond, more than anybody can ask for, so that every call takes one. Refused:
 * a unit each hour, which is gone.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotLimiter {
    private static final int PLENTY = 1_000_000_000;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /** What every decision contains. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    /** The floor. */
    @State(Scope.Benchmark)
    public static class Loop {
        final HandWritten granting = new HandWritten(1, PLENTY);
        final HandWritten refusing = new HandWritten(HOUR.toNanos(), 1);
    }

    @Benchmark
    public boolean loopGranted(Loop loop) {
        return loop.granting.tryAcquire();
    }

    @Benchmark
    public boolean loopRefused(Loop loop) {
        return loop.refusing.tryAcquire();
    }

    /** Weir, alone in its process. */
    @State(Scope.Benchmark)
    public static class Weir {
        final RateLimiter granting = RateLimiter.of(RateLimit.of(PLENTY, SECOND));
        final RateLimiter refusing = RateLimiter.of(RateLimit.of(1, HOUR));
    }

    @Benchmark
    public boolean weirGranted(Weir weir) {
        return weir.granting.tryAcquire();
    }

    @Benchmark
    public boolean weirRefused(Weir weir) {
        return weir.refusing.tryAcquire();
    }

    /** Weir in a process where limiters of every algorithm and of several clocks are in use, so that nothing can be compiled for one of them. */
    @State(Scope.Benchmark)
    public static class WeirAmongOthers extends Weir {
        private long moved;

        @Setup
        public void useOthers(Blackhole blackhole) {
            RateLimit rate = RateLimit.of(1_000, SECOND);
            List<RateLimiter> others = List.of(
                    RateLimiter.of(rate.algorithm(Algorithm.FIXED_WINDOW)),
                    RateLimiter.of(rate.algorithm(Algorithm.SLIDING_WINDOW)),
                    RateLimiter.of(rate.algorithm(Algorithm.LEAKY_QUEUE)),
                    RateLimiter.of(RateLimit.quota(1_000, CalendarPeriod.DAY, ZoneOffset.UTC)),
                    RateLimiter.of(RateLimit.of(0, SECOND).burst(1_000)),
                    RateLimiter.of(rate, () -> moved += 1_000),
                    RateLimiter.of(rate, new Ticker() {
                        @Override
                        public long nanos() {
                            return System.nanoTime() + 1;
                        }
                    }),
                    granting,
                    refusing);
            for (int i = 0; i < 20_000; i++) {
                for (RateLimiter other : others) {
                    blackhole.consume(other.tryAcquire());
                }
            }
        }
    }

    @Benchmark
    public boolean weirAmongOthersGranted(WeirAmongOthers weir) {
        return weir.granting.tryAcquire();
    }

    @Benchmark
    public boolean weirAmongOthersRefused(WeirAmongOthers weir) {
        return weir.refusing.tryAcquire();
    }

    /** Bucket4j, lock-free, on its nanosecond clock. */
    @State(Scope.Benchmark)
    public static class Bucket4j {
        final Bucket granting = bucket(PLENTY, SECOND);
        final Bucket refusing = bucket(1, HOUR);

        private static Bucket bucket(long tokens, Duration period) {
            return Bucket.builder()
                    .addLimit(limit -> limit.capacity(tokens).refillGreedy(tokens, period))
                    .withNanosecondPrecision()
                    .build();
        }
    }

    @Benchmark
    public boolean bucket4jGranted(Bucket4j bucket4j) {
        return bucket4j.granting.tryConsume(1);
    }

    @Benchmark
    public boolean bucket4jRefused(Bucket4j bucket4j) {
        return bucket4j.refusing.tryConsume(1);
    }

    /** Resilience4j, its lock-free limiter. */
    @State(Scope.Benchmark)
    public static class Resilience4j {
        final AtomicRateLimiter granting = limiter(PLENTY, SECOND);
        final AtomicRateLimiter refusing = limiter(1, HOUR);

        private static AtomicRateLimiter limiter(int count, Duration period) {
            return new AtomicRateLimiter(
                    "hot",
                    RateLimiterConfig.custom()
                            .limitForPeriod(count)
                            .limitRefreshPeriod(period)
                            .timeoutDuration(Duration.ZERO)
                            .build());
        }
    }

    @Benchmark
    public boolean resilience4jGranted(Resilience4j resilience4j) {
        return resilience4j.granting.acquirePermission();
    }

    @Benchmark
    public boolean resilience4jRefused(Resilience4j resilience4j) {
        return resilience4j.refusing.acquirePermission();
    }

    /** Guava. */
    @State(Scope.Benchmark)
    @SuppressWarnings("UnstableApiUsage")
    public static class Guava {
        final com.google.common.util.concurrent.RateLimiter granting =
                com.google.common.util.concurrent.RateLimiter.create(PLENTY);
        final com.google.common.util.concurrent.RateLimiter refusing =
                com.google.common.util.concurrent.RateLimiter.create(1 / 3_600.0);
    }

    @Benchmark
    @SuppressWarnings("UnstableApiUsage")
    public boolean guavaGranted(Guava guava) {
        return guava.granting.tryAcquire();
    }

    @Benchmark
    @SuppressWarnings("UnstableApiUsage")
    public boolean guavaRefused(Guava guava) {
        return guava.refusing.tryAcquire();
    }

    /** Failsafe, smooth. */
    @State(Scope.Benchmark)
    public static class Failsafe {
        final dev.failsafe.RateLimiter<Object> granting =
                dev.failsafe.RateLimiter.smoothBuilder(PLENTY, SECOND).build();
        final dev.failsafe.RateLimiter<Object> refusing =
                dev.failsafe.RateLimiter.smoothBuilder(1, HOUR).build();
    }

    @Benchmark
    public boolean failsafeGranted(Failsafe failsafe) {
        return failsafe.granting.tryAcquirePermit();
    }

    @Benchmark
    public boolean failsafeRefused(Failsafe failsafe) {
        return failsafe.refusing.tryAcquirePermit();
    }

    /** Sentinel, with one rule for each resource. */
    @State(Scope.Benchmark)
    public static class Sentinel {
        @Setup
        public void load() {
            FlowRuleManager.loadRules(List.of(rule("granting", PLENTY), rule("refusing", 0)));
        }

        private static FlowRule rule(String resource, double count) {
            FlowRule rule = new FlowRule(resource);
            rule.setGrade(RuleConstant.FLOW_GRADE_QPS);
            rule.setCount(count);
            return rule;
        }

        boolean tryEnter(String resource) {
            Entry entry;
            try {
                entry = SphU.entry(resource);
            } catch (BlockException e) {
                return false;
            }
            entry.exit();
            return true;
        }
    }

    @Benchmark
    public boolean sentinelGranted(Sentinel sentinel) {
        return sentinel.tryEnter("granting");
    }

    @Benchmark
    public boolean sentinelRefused(Sentinel sentinel) {
        return sentinel.tryEnter("refusing");
    }
}
