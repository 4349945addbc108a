package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rows of {@code vectors.rows}, by a limiter of its own and by one key of many. */
final class VectorsTest {

    private static final long MS = 1_000_000L;

    private record Row(
            long nowMillis, long cost, boolean asks, String answer, String remaining, String waits, String reset) {
        static Row of(String line) {
            String[] words = line.split(" +", -1);
            boolean asks = words[1].endsWith("?");
            long cost = Long.parseLong(asks ? words[1].substring(0, words[1].length() - 1) : words[1]);
            return new Row(Long.parseLong(words[0]), cost, asks, words[3], words[4], words[5], words[6]);
        }
    }

    private record Case(String limit, List<Row> rows) {
        RateLimit rateLimit() {
            String[] words = limit.split(" ", -1);
            RateLimit rate = RateLimit.parse(words[1]);
            if (words.length == 4 && words[2].equals("depth")) {
                return rate.depth(Long.parseLong(words[3]));
            }
            return (words.length == 4 ? rate.burst(Long.parseLong(words[3])) : rate)
                    .algorithm(Algorithm.named(words[0]).orElseThrow());
        }
    }

    /** A host of the algorithm. */
    private interface Host {
        long peek(long cost);

        long charge(long cost);

        Reservation reserve(long cost);

        Standing standing();
    }

    private static Host alone(RateLimit limit, FakeTicker ticker) {
        RateLimiter limiter = RateLimiter.of(limit, ticker);
        return new Host() {
            @Override
            public long peek(long cost) {
                return limiter.peek(cost);
            }

            @Override
            public long charge(long cost) {
                return limiter.charge(cost);
            }

            @Override
            public Reservation reserve(long cost) {
                return limiter.reserve(cost);
            }

            @Override
            public Standing standing() {
                return limiter.standing();
            }
        };
    }

    private static Host oneOfMany(RateLimit limit, FakeTicker ticker) {
        KeyedRateLimiter<CharSequence> limiter = KeyedRateLimiter.of(limit, 100, KeyHash.text(), ticker);
        return new Host() {
            @Override
            public long peek(long cost) {
                return limiter.peek("key", cost);
            }

            @Override
            public long charge(long cost) {
                limiter.charge("another", 1);
                return limiter.charge("key", cost);
            }

            @Override
            public Reservation reserve(long cost) {
                return limiter.reserve("key", cost);
            }

            @Override
            public Standing standing() {
                return limiter.standing("key");
            }
        };
    }

    private static List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(VectorsTest.class.getResourceAsStream("vectors.rows"))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.startsWith("limit ")) {
                    cases.add(new Case(line.substring(6), new ArrayList<>()));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    cases.get(cases.size() - 1).rows.add(Row.of(line));
                }
            }
        }
        return cases;
    }

    @TestFactory
    Stream<DynamicTest> rows() throws IOException {
        return cases().stream()
                .flatMap(each -> Stream.of(
                        DynamicTest.dynamicTest(each.limit + " alone", () -> run(each, VectorsTest::alone)),
                        DynamicTest.dynamicTest(each.limit + " as a key", () -> run(each, VectorsTest::oneOfMany))));
    }

    private interface Hosting {
        Host host(RateLimit limit, FakeTicker ticker);
    }

    private static void run(Case each, Hosting hosting) {
        FakeTicker ticker = new FakeTicker(0);
        Host host = hosting.host(each.rateLimit(), ticker);
        for (int i = 0; i < each.rows.size(); i++) {
            Row row = each.rows.get(i);
            ticker.set(row.nowMillis * MS);
            String at = each.limit + " row " + (i + 1) + " at " + row.nowMillis;
            long wait = ask(each, host, row);
            long turn = row.answer.equals("ok") && !row.waits.equals("-") ? Long.parseLong(row.waits) * MS : 0;
            switch (row.answer) {
                case "ok" -> assertThat(wait).as(at).isEqualTo(turn);
                case "no" -> {
                    assertThat(wait).as(at).isBetween(1L, RateLimiter.NEVER - 1);
                    if (!row.waits.equals("-")) {
                        assertThat(wait).as(at).isEqualTo(Long.parseLong(row.waits) * MS);
                    }
                    assertExact(each, hosting, i, wait);
                }
                default -> assertThat(wait).as(at).isEqualTo(RateLimiter.NEVER);
            }
            Standing standing = host.standing();
            if (!row.remaining.equals("-")) {
                assertThat(standing.remaining()).as(at).isEqualTo(Long.parseLong(row.remaining));
            }
            if (!row.reset.equals("-")) {
                assertThat(standing.resetNanos()).as(at).hasValue(Long.parseLong(row.reset) * MS);
            }
        }
    }

    /** A leaky queue is asked for a turn, all others for a start now. */
    private static long ask(Case each, Host host, Row row) {
        if (row.asks) {
            return host.peek(row.cost);
        }
        return each.limit.startsWith("leaky-queue") ? host.reserve(row.cost).waitNanos() : host.charge(row.cost);
    }

    /** Moved by the wait it passes, a nanosecond earlier not. */
    private static void assertExact(Case each, Hosting hosting, int refused, long wait) {
        for (long early : new long[] {1, 0}) {
            FakeTicker ticker = new FakeTicker(0);
            Host host = hosting.host(each.rateLimit(), ticker);
            for (Row before : each.rows.subList(0, refused)) {
                ticker.set(before.nowMillis * MS);
                ask(each, host, before);
            }
            Row row = each.rows.get(refused);
            ticker.set(row.nowMillis * MS + wait - early);
            if (each.limit.startsWith("leaky-queue")) {
                assertThat(host.reserve(row.cost).granted())
                        .as("%s row %d", each.limit, refused + 1)
                        .isEqualTo(early == 0);
            } else {
                assertThat(ask(each, host, row))
                        .as("%s row %d", each.limit, refused + 1)
                        .isEqualTo(early);
            }
        }
    }

    private static int passes(RateLimit limit, long startNanos, long stepNanos, int calls) {
        FakeTicker ticker = new FakeTicker(startNanos);
        RateLimiter limiter = RateLimiter.of(limit, ticker);
        int passes = 0;
        for (int i = 0; i < calls; i++) {
            passes += limiter.tryAcquire() ? 1 : 0;
            ticker.advance(stepNanos);
        }
        return passes;
    }

    @Test
    void noBoundaryIsMissedOnALargeClock() {
        assertThat(passes(RateLimit.parse("10/s").burst(1), 1_700_000_000_000_000_000L, 100 * MS, 10_001))
                .isEqualTo(10_001);
    }

    @Test
    void aNanosecondBeforeTheBoundaryItIsNotYet() {
        FakeTicker ticker = new FakeTicker(1_700_000_000_000_000_000L);
        RateLimiter limiter = RateLimiter.of(RateLimit.parse("10/s").burst(1), ticker);
        assertThat(limiter.tryAcquire()).isTrue();
        ticker.advance(100 * MS - 1);
        assertThat(limiter.charge(1)).isEqualTo(1);
        ticker.advance(1);
        assertThat(limiter.charge(1)).isEqualTo(RateLimiter.NOW);
    }

    /** One in ten seconds, asked about once a second by a clock that is a few milliseconds off: never too soon, never stuck. */
    @Test
    void whoAsksOftenPassesOncePerPeriod() {
        Random random = new Random(Seeds.next("once per period"));
        for (Algorithm algorithm : List.of(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG, Algorithm.LEAKY_QUEUE)) {
            for (int round = 0; round < 50; round++) {
                FakeTicker ticker = new FakeTicker(0);
                RateLimiter limiter = RateLimiter.of(RateLimit.parse("1/10s").algorithm(algorithm), ticker);
                List<Long> passes = new ArrayList<>();
                for (int second = 1; second <= 60; second++) {
                    ticker.set(1000 * MS * second + random.nextLong(-3 * MS, 3 * MS + 1));
                    if (limiter.tryAcquire()) {
                        passes.add(ticker.nanos());
                    }
                }
                assertThat(passes).as("%s", algorithm).hasSizeBetween(5, 6);
                for (int i = 1; i < passes.size(); i++) {
                    assertThat(passes.get(i) - passes.get(i - 1)).isGreaterThanOrEqualTo(10_000 * MS);
                }
            }
        }
    }

    @Test
    void aTryEachMillisecondGetsTheRate() {
        assertThat(passes(RateLimit.parse("10/s"), 0, MS, 1_001)).isEqualTo(20);
        assertThat(passes(RateLimit.parse("100/s").burst(11), 0, MS, 1_000)).isEqualTo(110);
    }

    /** Sixty calls in pairs under seventeen in thirty seconds: three algorithms, three totals. */
    @Test
    void aBucketIsNotACountInAnyWindow() {
        List<RateLimit> limits = List.of(
                RateLimit.parse("17/30s"),
                RateLimit.parse("17/30s").burst(1),
                RateLimit.parse("17/30s").algorithm(Algorithm.SLIDING_LOG));
        List<Integer> totals = new ArrayList<>();
        for (RateLimit limit : limits) {
            FakeTicker ticker = new FakeTicker(0);
            RateLimiter limiter = RateLimiter.of(limit, ticker);
            int passes = 0;
            for (int i = 0; i < 30; i++) {
                ticker.set(1000 * MS * i);
                passes += limiter.tryAcquire() ? 1 : 0;
                ticker.advance(250 * MS);
                passes += limiter.tryAcquire() ? 1 : 0;
            }
            totals.add(passes);
        }
        assertThat(totals).containsExactly(33, 15, 17);
    }
}
