package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every algorithm, over random rates, bursts, costs, gaps and clocks. */
final class LawsTest {

    /** All but quotas, whose calendars have their own tests. The leaky queue, which hands out turns, is last. */
    private static final List<Algorithm> RATES = List.of(
            Algorithm.TOKEN_BUCKET,
            Algorithm.FIXED_WINDOW,
            Algorithm.SLIDING_WINDOW,
            Algorithm.SLIDING_LOG,
            Algorithm.LEAKY_QUEUE);

    private static final long CENTURIES = Duration.ofDays(100 * 365).toNanos();

    /** A limiter and the oracle beside it, on one clock; the oracle's does not wrap. */
    private static final class Pair {
        final RateLimit limit;
        final FakeTicker ticker;
        final RateLimiter limiter;
        final Oracle oracle;
        BigInteger time;

        Pair(RateLimit limit, long start) {
            this.limit = limit;
            ticker = new FakeTicker(start);
            limiter = RateLimiter.of(limit, ticker);
            oracle = Oracle.of(limit);
            time = BigInteger.valueOf(start);
        }

        void advance(long nanos) {
            ticker.advance(nanos);
            time = time.add(BigInteger.valueOf(nanos));
        }

        /** The limiter's word as the oracle says it. Both are charged when it passes. */
        long charge(long cost) {
            OptionalLong expected = oracle.waitFor(time, cost);
            long wait;
            if (limit.algorithm() == Algorithm.LEAKY_QUEUE) {
                Oracle.Turns turns = (Oracle.Turns) oracle;
                OptionalLong place = expected;
                Reservation reservation = limiter.reserve(cost);
                wait = reservation.granted() ? 0 : reservation.waitNanos();
                if (reservation.granted() && cost > 0) {
                    assertThat(reservation.waitNanos()).as("turn").isEqualTo(turns.turn(time));
                }
                expected = place;
            } else {
                assertThat(limiter.peek(cost)).isEqualTo(expected.orElse(RateLimiter.NEVER));
                wait = limiter.charge(cost);
            }
            assertThat(wait).as("%s at %s cost %d", limit, time, cost).isEqualTo(expected.orElse(RateLimiter.NEVER));
            if (wait == RateLimiter.NOW && cost > 0) {
                oracle.charge(time, cost);
            }
            assertThat(limiter.standing().remaining()).as("remaining").isEqualTo(oracle.remaining(time));
            return wait;
        }
    }

    private static RateLimit randomLimit(Random random, Algorithm algorithm) {
        RateLimit limit = switch (random.nextInt(7)) {
            case 0 -> RateLimit.parse("3/s");
            case 1 -> RateLimit.parse("7/min");
            case 2 -> RateLimit.parse("999/s").burst(1 + random.nextInt(5));
            case 3 -> RateLimit.parse("2000000000/s").burst(1 + random.nextInt(9));
            case 4 -> RateLimit.parse("1/365d").burst(1 + random.nextInt(3));
            case 5 -> RateLimit.of(1 + random.nextInt(12), Duration.ofNanos(1 + random.nextInt(40)));
            default ->
                // A reduced denominator of at most 1,024.
                RateLimit.of(1 + random.nextInt(1024), Duration.ofNanos(1 + Math.floorMod(random.nextLong(), 1L << 42)))
                        .burst(1 + random.nextInt(20));
        };
        if (algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_QUEUE) {
            return limit.algorithm(algorithm);
        }
        return RateLimit.of(1 + random.nextInt(12), Duration.ofNanos(limit.periodNanos()))
                .algorithm(algorithm);
    }

    /** Clocks that do not know the epoch may start anywhere, and wrap; the others stay within what a long of nanoseconds can say. */
    private static long randomStart(Random random, Algorithm algorithm) {
        if (RateTable.aligned(algorithm)) {
            return random.nextInt(4) == 0 ? 0 : Math.floorMod(random.nextLong(), 1L << 61) - (1L << 60);
        }
        return switch (random.nextInt(4)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(1000);
            case 1 -> Long.MIN_VALUE + random.nextInt(1000);
            case 2 -> -random.nextInt(1000);
            default -> random.nextLong();
        };
    }

    private static long randomGap(Random random, RateLimit limit, long lastWait) {
        long period = limit.periodNanos();
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3 -> 1;
            case 4 -> random.nextInt(1000);
            case 5, 6, 7 -> Math.floorMod(random.nextLong(), period / limit.count() + 2);
            case 8 -> Math.floorMod(random.nextLong(), 2 * period);
            case 9, 10 -> lastWait == RateLimiter.NEVER ? 1 : Math.max(0, lastWait - random.nextInt(2));
            default ->
                random.nextInt(20) == 0
                        ? Math.floorMod(
                                random.nextLong(), RateTable.aligned(limit.algorithm()) ? CENTURIES / 400 : CENTURIES)
                        : period;
        };
    }

    private static long randomCost(Random random, RateLimit limit) {
        return switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> limit.capacity();
            case 2 -> limit.capacity() + 1 + random.nextInt(3);
            case 3, 4 -> 1 + Math.floorMod(random.nextLong(), limit.capacity());
            default -> 1;
        };
    }

    @Test
    void everyDecisionAndEveryWaitIsTheDefinitions() {
        for (Algorithm algorithm : RATES) {
            Random random = new Random(Seeds.next("definition of " + algorithm));
            for (int round = 0; round < 400 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                Pair pair = new Pair(limit, randomStart(random, algorithm));
                long wait = 0;
                for (int step = 0; step < 60; step++) {
                    pair.advance(randomGap(random, limit, wait));
                    wait = pair.charge(randomCost(random, limit));
                }
            }
        }
    }

    @Test
    void conservation() {
        for (Algorithm algorithm : List.of(
                Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG)) {
            Random random = new Random(Seeds.next("conservation of " + algorithm));
            for (int round = 0; round < 60 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                Pair pair = new Pair(limit, randomStart(random, algorithm));
                List<BigInteger> times = new ArrayList<>();
                List<Long> costs = new ArrayList<>();
                long wait = 0;
                for (int step = 0; step < 120; step++) {
                    pair.advance(randomGap(random, limit, wait));
                    long cost = randomCost(random, limit);
                    wait = pair.limiter.charge(cost);
                    if (wait == RateLimiter.NOW) {
                        times.add(pair.time);
                        costs.add(cost);
                    }
                }
                for (int from = 0; from < times.size(); from++) {
                    long granted = 0;
                    for (int to = from; to < times.size(); to++) {
                        granted += costs.get(to);
                        assertConserved(limit, times.get(from), times.get(to), granted);
                    }
                }
            }
        }
    }

    private static void assertConserved(RateLimit limit, BigInteger from, BigInteger to, long granted) {
        BigInteger count = BigInteger.valueOf(limit.count());
        BigInteger period = BigInteger.valueOf(limit.periodNanos());
        BigInteger length = to.subtract(from);
        BigInteger units = BigInteger.valueOf(granted).multiply(period);
        boolean kept = switch (limit.algorithm()) {
            case TOKEN_BUCKET ->
                units.compareTo(BigInteger.valueOf(limit.capacity())
                                .multiply(period)
                                .add(length.multiply(count)))
                        <= 0;
            case FIXED_WINDOW ->
                from.subtract(from.mod(period)).compareTo(to.subtract(to.mod(period))) != 0 || granted <= limit.count();
            // In an interval of up to one window no more than the count and its share of the length.
            case SLIDING_WINDOW ->
                length.compareTo(period) > 0 || units.compareTo(count.multiply(period.add(length))) <= 0;
            case SLIDING_LOG -> length.compareTo(period) >= 0 || granted <= limit.count();
            default -> false;
        };
        assertThat(kept)
                .as("%s from %s to %s granted %d", limit, from, to, granted)
                .isTrue();
    }

    @Test
    void aRefusedCallLeavesNothing() {
        Random random = new Random(Seeds.next("nothing for nothing"));
        for (int round = 0; round < 600 * Seeds.DEPTH; round++) {
            RateLimit limit = randomLimit(random, RATES.get(random.nextInt(4)));
            long start = randomStart(random, limit.algorithm());
            Pair asked = new Pair(limit, start);
            Pair spared = new Pair(limit, start);
            long wait = 0;
            for (int step = 0; step < 40; step++) {
                long gap = randomGap(random, limit, wait);
                asked.advance(gap);
                spared.advance(gap);
                long cost = randomCost(random, limit);
                wait = asked.limiter.charge(cost);
                if (wait == RateLimiter.NOW) {
                    assertThat(spared.limiter.charge(cost)).isEqualTo(RateLimiter.NOW);
                }
                assertThat(asked.limiter.standing()).isEqualTo(spared.limiter.standing());
            }
        }
    }

    /** What comes back is never more than what was taken, and never more than is still missing because of it. */
    @Test
    void givingBackNeverMints() {
        for (Algorithm algorithm : RATES) {
            Random random = new Random(Seeds.next("giving back to " + algorithm));
            for (int round = 0; round < 300 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                long start = randomStart(random, algorithm);
                Pair with = new Pair(limit, start);
                Pair without = new Pair(limit, start);
                for (int step = 0; step < 30; step++) {
                    long gap = randomGap(random, limit, 0);
                    with.advance(gap);
                    without.advance(gap);
                    long cost = randomCost(random, limit);
                    Reservation kept = with.limiter.reserve(cost, Duration.ZERO);
                    if (random.nextBoolean()) {
                        long later = randomGap(random, limit, 0);
                        with.advance(later);
                        without.advance(later);
                        kept.cancel();
                        // Nobody else charged in between: exact.
                        assertThat(with.limiter.standing()).isEqualTo(without.limiter.standing());
                    } else if (kept.granted()) {
                        assertThat(without.limiter.reserve(cost, Duration.ZERO).granted())
                                .isTrue();
                    }
                }
            }
        }
    }

    /** With others in between the books may err against the caller; at most by what was pending in its favour. */
    @Test
    void givingBackAmongOthersMintsNoMoreThanWasPending() {
        Random random = new Random(Seeds.next("giving back among others"));
        for (int round = 0; round < 600 * Seeds.DEPTH; round++) {
            RateLimit limit = randomLimit(random, Algorithm.TOKEN_BUCKET);
            Pair pair = new Pair(limit, randomStart(random, limit.algorithm()));
            BigInteger first = pair.time;
            long kept = 0;
            Reservation pending = null;
            for (int step = 0; step < 60; step++) {
                pair.advance(randomGap(random, limit, 0) % (4 * limit.periodNanos()));
                long cost = randomCost(random, limit);
                if (pending == null) {
                    pending = pair.limiter.reserve(cost, Duration.ZERO);
                } else if (random.nextInt(3) == 0) {
                    pending.cancel();
                    pending = null;
                } else if (pair.limiter.charge(cost) == RateLimiter.NOW) {
                    kept += cost;
                }
                BigInteger granted = BigInteger.valueOf(kept).multiply(BigInteger.valueOf(limit.periodNanos()));
                BigInteger bound = BigInteger.valueOf(limit.capacity())
                        .multiply(BigInteger.valueOf(limit.periodNanos()))
                        .add(pair.time.subtract(first).multiply(BigInteger.valueOf(limit.count())));
                assertThat(granted).isLessThanOrEqualTo(bound);
            }
        }
    }

    @Test
    void theAnnouncedWaitIsExact() {
        for (Algorithm algorithm : RATES) {
            Random random = new Random(Seeds.next("exact wait of " + algorithm));
            for (int round = 0; round < 1500 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                Pair pair = new Pair(limit, randomStart(random, algorithm));
                long wait = RateLimiter.NOW;
                long cost = 1;
                for (int step = 0; step < 60 && (wait == RateLimiter.NOW || wait == RateLimiter.NEVER); step++) {
                    pair.advance(randomGap(random, limit, 0));
                    cost = randomCost(random, limit);
                    wait = pair.limiter.charge(cost);
                }
                if (wait != RateLimiter.NOW && wait != RateLimiter.NEVER) {
                    pair.advance(wait - 1);
                    assertThat(pair.limiter.charge(cost)).as("%s", limit).isEqualTo(1);
                    pair.advance(1);
                    assertThat(pair.limiter.charge(cost)).as("%s", limit).isEqualTo(RateLimiter.NOW);
                }
            }
        }
    }

    @Test
    void aCostOfNIsNCostsOfOne() {
        for (Algorithm algorithm : RATES.subList(0, 4)) {
            Random random = new Random(Seeds.next("n times 1 of " + algorithm));
            for (int round = 0; round < 300 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                long start = randomStart(random, algorithm);
                Pair whole = new Pair(limit, start);
                Pair parts = new Pair(limit, start);
                long wait = 0;
                for (int step = 0; step < 40; step++) {
                    long gap = randomGap(random, limit, wait);
                    whole.advance(gap);
                    parts.advance(gap);
                    long cost = randomCost(random, limit);
                    wait = whole.limiter.charge(cost);
                    if (wait == RateLimiter.NOW) {
                        for (long i = 0; i < cost; i++) {
                            assertThat(parts.limiter.tryAcquire()).isTrue();
                        }
                        assertThat(parts.limiter.standing()).isEqualTo(whole.limiter.standing());
                    } else {
                        assertThat(parts.limiter.standing().remaining()).isLessThan(cost);
                    }
                }
            }
        }
    }

    @Test
    void neverIsNever() {
        Random random = new Random(Seeds.next("never"));
        for (int round = 0; round < 1000; round++) {
            Algorithm algorithm = RATES.get(random.nextInt(5));
            RateLimit limit = randomLimit(random, algorithm);
            Pair pair = new Pair(limit, randomStart(random, algorithm));
            long before = pair.limiter.standing().remaining();
            for (long cost : new long[] {limit.capacity() + 1, 2 * limit.capacity() + 1, Long.MAX_VALUE}) {
                assertThat(pair.limiter.charge(cost)).isEqualTo(RateLimiter.NEVER);
                assertThat(pair.limiter.peek(cost)).isEqualTo(RateLimiter.NEVER);
                assertThat(pair.limiter.reserve(cost).granted()).isFalse();
                assertThat(pair.limiter.reserve(cost).waitNanos()).isEqualTo(RateLimiter.NEVER);
            }
            assertThat(pair.limiter.standing().remaining()).isEqualTo(before);
            assertThat(pair.limiter.charge(limit.capacity())).isEqualTo(RateLimiter.NOW);
        }
    }

    /** A clock that steps back brings nothing, and nobody waits longer than from where it stood. */
    @Test
    void timeMayStepBack() {
        for (Algorithm algorithm : RATES) {
            Random random = new Random(Seeds.next("steps back of " + algorithm));
            for (int round = 0; round < 300 * Seeds.DEPTH; round++) {
                RateLimit limit = randomLimit(random, algorithm);
                FakeTicker ticker = new FakeTicker(randomStart(random, algorithm));
                RateLimiter limiter = RateLimiter.of(limit, ticker);
                for (int step = 0; step < 20; step++) {
                    ticker.advance(randomGap(random, limit, 0) % (2 * limit.periodNanos()));
                    limiter.reserve(randomCost(random, limit), Duration.ZERO);
                }
                long waitHere = limiter.peek(1);
                long left = limiter.standing().remaining();
                long back = Math.floorMod(random.nextLong(), 3 * limit.periodNanos()) + 1;
                ticker.advance(-back);
                assertThat(limiter.standing().remaining()).as("%s", limit).isLessThanOrEqualTo(left);
                long waitThere = limiter.peek(1);
                assertThat(waitThere).as("%s back %d", limit, back).isLessThanOrEqualTo(waitHere + back);
                ticker.advance(back);
                assertThat(limiter.peek(1)).isEqualTo(waitHere);
            }
        }
    }

    @Test
    void extremes() {
        for (String rate : List.of("1/365d", "2000000000/s", "999/s", "7/m", "1/ms")) {
            for (long start : new long[] {0, Long.MAX_VALUE - 5, Long.MIN_VALUE + 5, -3, 1_700_000_000_000_000_000L}) {
                for (Algorithm algorithm : List.of(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_QUEUE)) {
                    RateLimit limit = RateLimit.parse(rate).algorithm(algorithm);
                    Pair pair = new Pair(limit, start);
                    assertThat(pair.limiter.reserve(limit.capacity()).granted()).isTrue();
                    assertThat(pair.limiter.standing().remaining()).isZero();
                    pair.advance(CENTURIES * 2);
                    assertThat(pair.limiter.standing().remaining()).isEqualTo(limit.capacity());
                    assertThat(pair.limiter.reserve(limit.capacity()).granted()).isTrue();
                    assertThat(pair.limiter.tryAcquire()).isFalse();
                }
            }
        }
    }

    /** A rate that no tick can hold is enforced a little more slowly, never faster. */
    @Test
    void roundingIsInTheLimitsDisfavour() {
        Random random = new Random(Seeds.next("rounding"));
        for (int round = 0; round < 300; round++) {
            RateLimit limit = RateLimit.of(
                            1025 + random.nextInt(1_000_000_000), Duration.ofNanos(1 + random.nextInt(2_000_000_000)))
                    .burst(1 + random.nextInt(50));
            Pair pair = new Pair(limit, random.nextLong());
            long granted = 0;
            BigInteger first = pair.time;
            for (int step = 0; step < 200; step++) {
                pair.advance(random.nextInt(40));
                granted += pair.limiter.tryAcquire() ? 1 : 0;
            }
            assertThat(BigInteger.valueOf(granted - limit.capacity()).multiply(BigInteger.valueOf(limit.periodNanos())))
                    .isLessThanOrEqualTo(pair.time.subtract(first).multiply(BigInteger.valueOf(limit.count())));
        }
    }
}
