package dev.weir.bench;

import dev.weir.Ticker;
import dev.weir.fleet.Fleet;
import dev.weir.fleet.FleetAnswer;
import dev.weir.fleet.FleetGrant;
import dev.weir.fleet.FleetLine;
import dev.weir.fleet.FleetListener;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.StoreKey;
import dev.weir.rate.StoreKeyHash;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.DelayParameters;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.embedded.RedisExecProvider;

/**
 * A decision of a fleet on a server of its own on loopback, without a lease: callers that each wait for their answer, on one key and on ten
 * thousand. Then on one key with leases, beside Bucket4j that counts at home and tells the server later. Every call is granted. Beside Bucket4j
 * over the same client and Redisson. Prints a Markdown table.
 */
public final class FleetDecisions {

    private static final int CALLERS = 64;
    private static final long PLENTY = 1_000_000_000L;
    /** Of one caller; the latest. */
    private static final int MOST_SAMPLES = 1 << 15;

    private static final long LEASE_PARTS = 4;

    private FleetDecisions() {}

    /** Takes one from a key's budget, and waits for the answer. */
    private interface Limiter {
        boolean take(int key);
    }

    /** What is measured, and what to close afterwards. */
    private record Rival(String name, Limiter limiter, Runnable close) {}

    /** {@code fleet [seconds=N]}: how long each row takes. */
    public static void main(String... args) {
        long seconds = 5;
        for (String arg : args) {
            if (!arg.matches("seconds=[1-9][0-9]{0,2}")) {
                throw new IllegalArgumentException("'" + arg + "' is not seconds=N");
            }
            seconds = Long.parseLong(arg.substring("seconds=".length()));
        }
        measure(Duration.ofSeconds(seconds), Long.MAX_VALUE, System.out);
    }

    /** Measures each row for so long, or for so many calls. */
    static void measure(Duration time, long mostCalls, PrintStream out) {
        int port = freePort();
        Process server = server(port);
        try {
            out.println("| limiter | keys | calls a second | x first | p50 ms | p99 ms |");
            out.println("| --- | --- | --- | --- | --- | --- |");
            rows("1", 1, List.of(bucket4j(port), redisson(port), weir(port)), time, mostCalls, out);
            rows("10,000", 10_000, List.of(bucket4j(port), redisson(port), weir(port)), time, mostCalls, out);
            rows("1, in advance", 1, List.of(delayed(port), weir(port), leasing(port)), time, mostCalls, out);
        } finally {
            server.destroyForcibly();
        }
    }

    /** The rows of some rivals, compared with the first. */
    private static void rows(
            String name, int keys, List<Rival> rivals, Duration time, long mostCalls, PrintStream out) {
        double first = 0;
        for (Rival rival : rivals) {
            run(rival, keys, time, mostCalls);
            Row row = run(rival, keys, time, mostCalls);
            rival.close.run();
            first = first == 0 ? row.perSecond : first;
            out.printf(
                    Locale.ROOT,
                    "| %s | %s | %,.0f | %.1f | %.3f | %.3f |%n",
                    rival.name,
                    name,
                    row.perSecond,
                    row.perSecond / first,
                    row.halfMillis,
                    row.lateMillis);
        }
    }

    /** What one run showed. */
    private record Row(double perSecond, double halfMillis, double lateMillis) {
        static Row of(long[] sortedNanos, double perSecond) {
            return new Row(perSecond, millis(sortedNanos, 0.5), millis(sortedNanos, 0.99));
        }

        private static double millis(long[] sortedNanos, double share) {
            return sortedNanos.length == 0 ? 0 : sortedNanos[(int) (share * (sortedNanos.length - 1))] / 1e6;
        }
    }

    private static Row run(Rival rival, int keys, Duration time, long mostCalls) {
        AtomicLong next = new AtomicLong();
        LongAdder refused = new LongAdder();
        LongAdder calls = new LongAdder();
        List<long[]> samples = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(CALLERS);
        long start = System.nanoTime();
        for (int i = 0; i < CALLERS; i++) {
            Thread caller = new Thread(() -> {
                long[] mine = new long[1 << 10];
                int count = 0;
                long number = next.getAndIncrement();
                while (number < mostCalls && System.nanoTime() - start < time.toNanos()) {
                    long before = System.nanoTime();
                    boolean granted = rival.limiter.take((int) ((number * 7919) % keys));
                    mine = count == mine.length && count < MOST_SAMPLES ? Arrays.copyOf(mine, 2 * count) : mine;
                    mine[count++ % MOST_SAMPLES] = System.nanoTime() - before;
                    if (!granted) {
                        refused.increment();
                    }
                    number = next.getAndIncrement();
                }
                calls.add(count);
                synchronized (samples) {
                    samples.add(Arrays.copyOf(mine, Math.min(count, MOST_SAMPLES)));
                }
                ended.countDown();
            });
            caller.start();
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] all = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        if (refused.sum() > 0) {
            throw new IllegalStateException(rival.name + " refused " + refused.sum() + " of " + calls.sum()
                    + " calls: only grants are measured");
        }
        return Row.of(all, calls.sum() / seconds);
    }

    private static Rival weir(int port) {
        RedisStore store =
                RedisStore.start(RedisSettings.of("redis://127.0.0.1:" + port).timeout(Duration.ofSeconds(5)));
        store.connected().toCompletableFuture().join();
        // One unit a second: what is used stays, as it does in Bucket4j's keys, which never expire.
        FleetCharge.Rate rate =
                new FleetCharge.Rate(RateLimit.of(1, Duration.ofSeconds(1)).burst(PLENTY));
        StoreKeyHash hash = StoreKeyHash.withSecret("bench");
        StoreKey[] keys = new StoreKey[10_000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = hash.of(List.of("key", Integer.toString(i)));
        }
        return new Rival(
                "Weir",
                key -> store.charge(List.of(new FleetCharge("limit", keys[key], rate, 1, true)))
                                .toCompletableFuture()
                                .join()
                        instanceof Charged.Granted,
                store::close);
    }

    private static Rival bucket4j(int port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        ProxyManager<byte[]> buckets = Bucket4jLettuce.casBasedBuilder(client).build();
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PLENTY).refillGreedy(PLENTY, Duration.ofSeconds(1)))
                .build();
        return new Rival(
                "Bucket4j",
                key -> buckets.builder()
                        .build(("b" + key).getBytes(StandardCharsets.UTF_8), () -> configuration)
                        .tryConsume(1),
                client::shutdown);
    }

    /** Counts at home for up to 50 ms before it tells the server. */
    private static Rival delayed(int port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        ProxyManager<byte[]> buckets = Bucket4jLettuce.casBasedBuilder(client).build();
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(PLENTY).refillGreedy(PLENTY, Duration.ofSeconds(1)))
                .build();
        BucketProxy bucket = buckets.builder()
                .withOptimization(
                        Optimizations.delaying(new DelayParameters(PLENTY / LEASE_PARTS, Duration.ofMillis(50))))
                .build("delayed".getBytes(StandardCharsets.UTF_8), () -> configuration);
        return new Rival("Bucket4j, delayed", key -> bucket.tryConsume(1), client::shutdown);
    }

    /** Takes units in advance, as an instance does unless the policy says otherwise. */
    private static Rival leasing(int port) {
        RedisStore store =
                RedisStore.start(RedisSettings.of("redis://127.0.0.1:" + port).timeout(Duration.ofSeconds(5)));
        store.connected().toCompletableFuture().join();
        Fleet fleet = new Fleet(store, Ticker.system(), Ticker.wall(), new FleetListener() {});
        FleetCharge.Rate rate =
                new FleetCharge.Rate(RateLimit.of(PLENTY, Duration.ofSeconds(1)).burst(PLENTY));
        StoreKey all = StoreKeyHash.withSecret("bench").of(List.of("all"));
        return new Rival(
                "Weir, leases",
                key -> {
                    FleetCharge charge = new FleetCharge("limit", all, rate, 1, true);
                    FleetAnswer answer = fleet.charge(List.of(new FleetLine(charge, StoreFailure.CLOSED, 1_000)))
                            .toCompletableFuture()
                            .join();
                    answer.grant().ifPresent(FleetGrant::end);
                    return answer.verdict() == FleetAnswer.Verdict.GRANTED;
                },
                () -> {
                    fleet.close();
                    store.close();
                });
    }

    private static Rival redisson(int port) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        RedissonClient client = Redisson.create(config);
        RRateLimiter[] limiters = new RRateLimiter[10_000];
        for (int i = 0; i < limiters.length; i++) {
            limiters[i] = client.getRateLimiter("r" + i);
        }
        limiters[0].trySetRate(RateType.OVERALL, PLENTY, Duration.ofSeconds(1));
        boolean[] set = new boolean[limiters.length];
        set[0] = true;
        return new Rival(
                "Redisson",
                key -> {
                    if (!set[key]) {
                        limiters[key].trySetRate(RateType.OVERALL, PLENTY, Duration.ofSeconds(1));
                        set[key] = true;
                    }
                    return limiters[key].tryAcquire();
                },
                client::shutdown);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port", e);
        }
    }

    private static Process server(int port) {
        String named = System.getenv("REDIS_SERVER");
        try {
            String path =
                    named == null ? RedisExecProvider.defaultProvider().get().getPath() : named;
            Process process = new ProcessBuilder(
                            path,
                            "--port",
                            Integer.toString(port),
                            "--bind",
                            "127.0.0.1",
                            "--save",
                            "",
                            "--daemonize",
                            "no")
                    .redirectErrorStream(true)
                    .start();
            BufferedReader said = process.inputReader();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.contains("Ready to accept connections")) {
                    return process;
                }
            }
            throw new IllegalStateException("the server ended");
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException(
                    "no Redis server can be started: set REDIS_SERVER to the path of a redis-server or valkey-server",
                    e);
        }
    }
}
