package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.MemoryStore;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.RateTable;
import dev.weir.rate.Receipt;
import dev.weir.rate.StoreKey;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The scripts against core's own meters: random bills of all algorithms, odd rates, shadows, calls in flight, give-backs, corrections, late
 * charges, and clocks that step back. Every answer is the same, to the microsecond.
 */
final class EqualToMemoryTest {

    private static final long LIVES_FOR_EVER = -1; // PTTL's answer; a key that ended since it was listed answers -2

    private static final long START_MICROS = 1_700_000_000_000_000L;
    /** From here on a round of long gaps might pass 2^53 microseconds, which scripts can count to: the year 2255. */
    private static final long LATE_MICROS = 1L << 52;

    private static Server server;

    @BeforeAll
    static void start() {
        server = Server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** The same fleet twice. */
    private static final class Pair implements AutoCloseable {
        final FakeMicros clock;
        final MemoryStore memory;
        final List<RateStore> here = new ArrayList<>();
        final List<RedisStore> there = new ArrayList<>();
        final List<Receipt> receiptsHere = new ArrayList<>();
        final List<Receipt> receiptsThere = new ArrayList<>();
        final List<Integer> owners = new ArrayList<>();
        final List<List<FleetCharge>> bills = new ArrayList<>();

        Pair(int instances, long startMicros) {
            clock = new FakeMicros(startMicros);
            memory = new MemoryStore(clock);
            for (int i = 0; i < instances; i++) {
                here.add(memory.instance("i" + i));
                there.add(store("i" + i, clock));
            }
        }

        /** Moves the clock; holders say that they live more often than their time runs here. */
        void advance(long byMicros, List<FleetCharge> limits) {
            clock.advance(byMicros);
            if (limits.stream().anyMatch(limit -> limit.use() instanceof FleetCharge.InFlight)) {
                // What was told together with a question under way is told again.
                there.forEach(RedisStore::correct);
                there.forEach(RedisStore::beat);
                there.forEach(store -> assertThat(now(store.probe())).isTrue());
            }
        }

        void charge(int instance, List<FleetCharge> bill, String context) {
            Charged expected = now(here.get(instance).charge(bill));
            Charged found = now(there.get(instance).charge(bill));
            assertThat(lines(found)).as(context).isEqualTo(lines(expected));
            assertThat(found.getClass()).as(context).isEqualTo(expected.getClass());
            if (expected instanceof Charged.Granted granted) {
                receiptsHere.add(granted.receipt());
                receiptsThere.add(((Charged.Granted) found).receipt());
                owners.add(instance);
                bills.add(bill);
            }
        }

        void peek(int instance, List<FleetCharge> bill, String context) {
            assertThat(now(there.get(instance).peek(bill)))
                    .as(context)
                    .isEqualTo(now(here.get(instance).peek(bill)));
        }

        /** Ends one of the charges in some way, by its receipt or by the text of it, here and there. */
        void end(Random random, String context) {
            if (bills.isEmpty()) {
                return;
            }
            int i = random.nextInt(bills.size());
            int owner = owners.remove(i);
            List<FleetCharge> bill = bills.remove(i);
            Receipt expected = receiptsHere.remove(i);
            Receipt found = receiptsThere.remove(i);
            RedisStore store = there.get(owner);
            assertThat(store.release(found))
                    .as(context)
                    .isEqualTo(here.get(owner).release(expected));
            assertThat(store.release(found)).as(context).isFalse();
            if (random.nextInt(4) == 0) {
                found = store.receipt(found.text());
            }
            long[] actual = bill.stream()
                    .mapToLong(charge -> random.nextBoolean() ? 0 : random.nextLong(2 * charge.cost() + 2))
                    .toArray();
            CompletionStage<Boolean> settled = store.settle(found, actual);
            store.correct();
            assertThat(now(settled)).as(context).isTrue();
            assertThat(now(store.settle(found, actual))).as(context).isFalse();
            here.get(owner).settle(expected, actual);
            assertThat(now(store.probe())).as("what it holds was told").isTrue();
        }

        void absorb(int instance, FleetCharge charge, long ageMicros, String context) {
            List<RateStore.Owed> owed = List.of(new RateStore.Owed(charge, ageMicros * 1_000));
            CompletionStage<Boolean> absorbed = there.get(instance).absorb(owed);
            there.get(instance).correct();
            assertThat(now(absorbed)).as(context).isTrue();
            here.get(instance).absorb(owed);
        }

        void forgetReceipts() {
            for (int i = 0; i < bills.size(); i++) {
                here.get(owners.get(i)).release(receiptsHere.get(i));
                there.get(owners.get(i)).release(receiptsThere.get(i));
            }
            receiptsHere.clear();
            receiptsThere.clear();
            owners.clear();
            bills.clear();
        }

        @Override
        public void close() {
            there.forEach(RedisStore::close);
        }
    }

    private static List<Charged.Line> lines(Charged charged) {
        if (charged instanceof Charged.Granted granted) {
            return granted.lines();
        }
        if (charged instanceof Charged.Refused refused) {
            return refused.lines();
        }
        throw new AssertionError("no answer: " + charged);
    }

    private static RedisStore store(String name, FakeMicros clock) {
        RedisStore store = RedisStore.start(
                RedisSettings.of(server.address()).instance(name).timeout(Duration.ofSeconds(10)), clock);
        now(store.connected());
        return store;
    }

    private static <T> T any(Random random, T[] values) {
        return List.of(values).get(random.nextInt(values.length));
    }

    private static RateLimit randomRate(Random random) {
        Algorithm algorithm = any(random, Algorithm.values());
        if (algorithm == Algorithm.QUOTA) {
            return RateLimit.quota(
                    1 + random.nextInt(30),
                    any(random, CalendarPeriod.values()),
                    ZoneId.of(List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata")
                            .get(random.nextInt(4))));
        }
        if (algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_QUEUE) {
            RateLimit bucket = randomBucket(random).algorithm(algorithm);
            return algorithm == Algorithm.LEAKY_QUEUE && random.nextBoolean()
                    ? bucket.maxWait(Duration.ofNanos(1_000 * random.nextLong(bucket.periodNanos() / 1_000 + 2)))
                    : bucket;
        }
        long micros = random.nextBoolean() ? 1 + random.nextInt(100) : 1 + random.nextLong(1L << 41);
        long most = algorithm == Algorithm.SLIDING_LOG ? 30 : random.nextInt(4) == 0 ? 1_000_000 : 30;
        return RateLimit.of(1 + random.nextLong(most), Duration.ofNanos(1_000 * micros))
                .algorithm(algorithm);
    }

    /** One whose ticks are exact in both units. */
    private static RateLimit randomBucket(Random random) {
        for (; ; ) {
            RateLimit bucket = switch (random.nextInt(6)) {
                case 0 -> RateLimit.parse("3/s");
                case 1 -> RateLimit.parse("7/min");
                case 2 -> RateLimit.parse("999/s").burst(1 + random.nextInt(5));
                case 3 -> RateLimit.parse("2000000000/s").burst(1 + random.nextInt(4_000));
                case 4 -> RateLimit.parse("1/365d").burst(1 + random.nextInt(3));
                default ->
                    RateLimit.of(1 + random.nextInt(1024), Duration.ofNanos(1 + random.nextLong(1L << 42)))
                            .burst(1 + random.nextInt(20));
            };
            if (bucket.roundedIntervalNanos().isEmpty() && MicroTicks.of(bucket).exact()) {
                return bucket;
            }
        }
    }

    private static List<FleetCharge> randomLimits(Random random) {
        List<FleetCharge> limits = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            StoreKey key = new StoreKey(random.nextLong(), random.nextLong());
            FleetCharge.Use use = random.nextInt(6) == 0
                    ? new FleetCharge.InFlight(random.nextInt(5))
                    : new FleetCharge.Rate(randomRate(random));
            limits.add(new FleetCharge("limit-" + i, key, use, 1, random.nextInt(3) > 0));
        }
        return limits;
    }

    /** Some of the limits, at random costs. */
    private static List<FleetCharge> randomBill(Random random, List<FleetCharge> limits) {
        List<FleetCharge> bill = new ArrayList<>();
        for (FleetCharge limit : limits) {
            if (bill.isEmpty() || random.nextInt(4) > 0) {
                long cost = limit.use() instanceof FleetCharge.Rate rate ? randomCost(random, rate.limit()) : 1;
                bill.add(new FleetCharge(limit.limit(), limit.key(), limit.use(), cost, limit.enforced()));
            }
        }
        return bill;
    }

    private static long randomCost(Random random, RateLimit limit) {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> limit.capacity();
            case 2 -> limit.capacity() + 1 + random.nextInt(3);
            case 3, 4 -> 1 + random.nextLong(limit.capacity());
            default -> 1;
        };
    }

    /** Steps back are short: the meters keep window numbers on a ring. */
    private static long randomStepBack(Random random, List<FleetCharge> limits) {
        long shortest = Long.MAX_VALUE;
        for (FleetCharge limit : limits) {
            if (limit.use() instanceof FleetCharge.Rate rate && rate.limit().periodNanos() > 0) {
                shortest = Math.min(shortest, rate.limit().periodNanos() / 1_000);
            }
        }
        return -random.nextLong(1 + 10 * Math.min(shortest, 86_400_000_000L));
    }

    private static long randomGap(Random random, List<FleetCharge> limits) {
        long period = 1_000_000;
        if (limits.get(random.nextInt(limits.size())).use() instanceof FleetCharge.Rate rate) {
            RateLimit limit = rate.limit();
            period = limit.periodNanos() == 0 ? 86_400_000_000L : Math.max(1, limit.periodNanos() / 1_000);
            period = random.nextBoolean() ? period : Math.max(1, period / limit.count());
        }
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> 0;
            case 3 -> 1;
            case 4 -> randomStepBack(random, limits);
            case 5, 6, 7 -> random.nextLong(period + 1);
            case 8 -> period;
            default -> random.nextLong(3 * period + 1);
        };
    }

    @Test
    void everyAnswerIsTheSame() {
        Random random = new Random(Seeds.next("scripts and meters"));
        for (int round = 0; round < 60 * Seeds.DEPTH; ) {
            try (Pair pair = new Pair(2, START_MICROS)) {
                do {
                    oneRound(random, round, pair);
                    round++;
                } while (round < 60 * Seeds.DEPTH && pair.clock.getAsLong() < LATE_MICROS);
            }
            assertThat(server.commands().keys("*"))
                    .noneMatch(key -> server.commands().pttl(key) == LIVES_FOR_EVER, "lives for ever");
            server.commands().flushall();
        }
    }

    private static void oneRound(Random random, int round, Pair pair) {
        List<FleetCharge> limits = randomLimits(random);
        for (int step = 0; step < 60; step++) {
            long gap = randomGap(random, limits);
            pair.advance(gap, limits);
            int instance = random.nextInt(2);
            List<FleetCharge> bill = randomBill(random, limits);
            String context = "round " + round + " step " + step + " after " + gap + " us: " + bill;
            switch (random.nextInt(8)) {
                case 0 -> pair.end(random, context);
                case 1 -> pair.peek(instance, bill, context);
                case 2 -> pair.absorb(instance, bill.get(0), Math.abs(randomGap(random, limits)), context);
                default -> pair.charge(instance, bill, context);
            }
        }
        pair.forgetReceipts();
    }

    @Test
    void aWaitThatWasToldIsExact() {
        Random random = new Random(Seeds.next("exact waits of scripts"));
        try (Pair pair = new Pair(1, START_MICROS)) {
            for (int round = 0; round < 100 * Seeds.DEPTH; round++) {
                FleetCharge limit = new FleetCharge(
                        "limit",
                        new StoreKey(random.nextLong(), random.nextLong()),
                        new FleetCharge.Rate(randomRate(random)),
                        1,
                        true);
                long wait = 0;
                FleetCharge charge = limit;
                for (int step = 0; step < 40 && (wait == RateTable.NOW || wait == RateTable.NEVER); step++) {
                    charge = randomBill(random, List.of(limit)).get(0);
                    Charged charged = now(pair.there.get(0).charge(List.of(charge)));
                    wait = lines(charged).get(0).waitNanos();
                }
                if (wait != RateTable.NOW && wait != RateTable.NEVER) {
                    pair.clock.advance(wait / 1_000 - 1);
                    assertThat(lines(now(pair.there.get(0).charge(List.of(charge))))
                                    .get(0)
                                    .waitNanos())
                            .as("%s", charge)
                            .isEqualTo(1_000);
                    pair.clock.advance(1);
                    assertThat(now(pair.there.get(0).charge(List.of(charge)))).isInstanceOf(Charged.Granted.class);
                }
            }
        }
    }
}
