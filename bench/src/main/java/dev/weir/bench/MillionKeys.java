package dev.weir.bench;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.weir.rate.KeyedRateLimiter;
import dev.weir.rate.RateLimit;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A budget for each of a million keys that come Zipf-distributed. Every key has been seen before and has something used, so that all of
 * them stay; a unit comes back in 100 seconds and ten million may be used, so that calls are granted. All keys are the same String objects
 * over and over, whose hash code a map finds ready.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MillionKeys {
    private static final long BURST = 10_000_000;
    private static final long COUNT = 36;
    private static final Duration PERIOD = Duration.ofHours(1);

    /** What comes. */
    @State(Scope.Benchmark)
    public static class Calls {
        @Param("1000000")
        int keys;

        ZipfKeys zipf;

        @Setup
        public void draw() {
            zipf = new ZipfKeys(keys, 42);
        }
    }

    /** What the harness itself costs: taking the next key. */
    @Benchmark
    public int nextKey(Calls calls) {
        return calls.zipf.next().length();
    }

    @Benchmark
    public int nextKeyAsItComes(Calls calls) {
        return calls.zipf.nextAsItComes().length();
    }

    private static Bucket bucket() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(BURST).refillGreedy(COUNT, PERIOD))
                .withNanosecondPrecision()
                .build();
    }

    /** A concurrent hash map of Bucket4j's buckets. */
    @State(Scope.Benchmark)
    public static class MapOfBuckets {
        final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

        @Setup
        public void fill(Calls calls) {
            for (String key : calls.zipf.all()) {
                tryAcquire(key);
            }
        }

        boolean tryAcquire(String key) {
            Bucket bucket = buckets.get(key);
            if (bucket == null) {
                bucket = buckets.computeIfAbsent(key, absent -> bucket());
            }
            return bucket.tryConsume(1);
        }
    }

    @Benchmark
    public boolean mapOfBucket4j(Calls calls, MapOfBuckets map) {
        return map.tryAcquire(calls.zipf.next());
    }

    @Benchmark
    public boolean mapOfBucket4jAsItComes(Calls calls, MapOfBuckets map) {
        return map.tryAcquire(calls.zipf.nextAsItComes());
    }

    /** A Caffeine cache of Bucket4j's buckets. */
    @State(Scope.Benchmark)
    public static class CacheOfBuckets {
        private LoadingCache<String, Bucket> buckets;

        @Setup
        public void fill(Calls calls) {
            buckets = Caffeine.newBuilder().maximumSize(calls.keys * 11L / 10).build(key -> bucket());
            for (String key : calls.zipf.all()) {
                tryAcquire(key);
            }
        }

        boolean tryAcquire(String key) {
            return buckets.get(key).tryConsume(1);
        }
    }

    @Benchmark
    public boolean caffeineOfBucket4j(Calls calls, CacheOfBuckets cache) {
        return cache.tryAcquire(calls.zipf.next());
    }

    @Benchmark
    public boolean caffeineOfBucket4jAsItComes(Calls calls, CacheOfBuckets cache) {
        return cache.tryAcquire(calls.zipf.nextAsItComes());
    }

    /** A concurrent hash map of hand-written loops, each one object of its own. */
    @State(Scope.Benchmark)
    public static class MapOfLoops {
        final ConcurrentHashMap<String, HandWritten> loops = new ConcurrentHashMap<>();

        @Setup
        public void fill(Calls calls) {
            for (String key : calls.zipf.all()) {
                tryAcquire(key);
            }
        }

        boolean tryAcquire(String key) {
            HandWritten loop = loops.get(key);
            if (loop == null) {
                loop = loops.computeIfAbsent(key, absent -> new HandWritten(PERIOD.toNanos() / COUNT, BURST));
            }
            return loop.tryAcquire();
        }
    }

    @Benchmark
    public boolean mapOfLoops(Calls calls, MapOfLoops map) {
        return map.tryAcquire(calls.zipf.next());
    }

    @Benchmark
    public boolean mapOfLoopsAsItComes(Calls calls, MapOfLoops map) {
        return map.tryAcquire(calls.zipf.nextAsItComes());
    }

    /** Weir's table, with room for a tenth more keys than come. */
    @State(Scope.Benchmark)
    public static class Weir {
        private KeyedRateLimiter<CharSequence> limiter;

        @Setup
        public void fill(Calls calls) {
            limiter = KeyedRateLimiter.of(RateLimit.of(COUNT, PERIOD).burst(BURST), calls.keys / 10 * 11);
            for (String key : calls.zipf.all()) {
                tryAcquire(key);
            }
        }

        boolean tryAcquire(String key) {
            return limiter.tryAcquire(key);
        }
    }

    @Benchmark
    public boolean weir(Calls calls, Weir weir) {
        return weir.tryAcquire(calls.zipf.next());
    }

    @Benchmark
    public boolean weirAsItComes(Calls calls, Weir weir) {
        return weir.tryAcquire(calls.zipf.nextAsItComes());
    }
}
