package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

/** What time, growth and changes of tier do to a table. */
final class KeyTableAgeTest {

    private static final long DAY = Duration.ofDays(1).toNanos();

    private static long key(long n) {
        return KeyTableOracleTest.mixed(n);
    }

    /** At 999/s the ring comes round in 213 days: what was forgotten long ago must not look like the future. */
    @Test
    void newcomersAreWelcomeHoweverLongAgoTheStripeForgotSomething() {
        RateLimit budget = RateLimit.parse("999/s");
        for (long start : new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE - DAY}) {
            KeyTable table = new KeyTable(100);
            int tier = table.tier(budget, start);
            long now = start;
            for (int n = 0; n < 60; n++) {
                assertThat(table.charge(key(n), tier, now, 999, null))
                        .as("day %d", 7 * n)
                        .isEqualTo(RateTable.NOW);
                now += 7 * DAY;
            }
            now += 50_000 * DAY;
            assertThat(table.charge(key(3), tier, now, 999, null)).isEqualTo(RateTable.NOW);
            assertThat(table.charge(key(3), tier, now, 1, null)).isEqualTo(1_001_002);
        }
    }

    /** The same when nobody comes who could be forgotten, and the table is only looked at. */
    @Test
    void newcomersAreWelcomeAfterMonthsOfLooking() {
        KeyTable table = new KeyTable(100);
        int tier = table.tier(RateLimit.parse("999/s"), 0);
        assertThat(table.charge(key(1), tier, 0, 999, null)).isEqualTo(RateTable.NOW);
        for (int n = 1; n <= 12; n++) {
            assertThat(table.peek(key(2), tier, 27L * n * DAY, 999))
                    .as("look %d", n)
                    .isEqualTo(RateTable.NOW);
        }
    }

    /** A tier whose ring is short does not make those forget whose ring is long. */
    @Test
    void aShortRingForgetsNothingOfALongOne() {
        KeyTable table = new KeyTable(100);
        int slow = table.tier(RateLimit.parse("1/365d"), 0);
        int fast = table.tier(RateLimit.parse("999/s"), 0);
        assertThat(table.charge(key(1), slow, 0, 1, null)).isEqualTo(RateTable.NOW);
        assertThat(table.charge(key(2), fast, 0, 999, null)).isEqualTo(RateTable.NOW);
        long now = 200 * DAY;
        assertThat(table.charge(key(2), fast, now, 999, null)).isEqualTo(RateTable.NOW);
        assertThat(table.charge(key(1), slow, now, 1, null)).isEqualTo(165 * DAY);
    }

    @Test
    void aNewTierForgetsNothingOfTheOlderOnes() {
        KeyTable table = new KeyTable(100);
        int slow = table.tier(RateLimit.parse("1/365d"), 0);
        assertThat(table.charge(key(1), slow, 0, 1, null)).isEqualTo(RateTable.NOW);
        int fast = table.tier(RateLimit.parse("999/s"), 100 * DAY);
        assertThat(table.charge(key(2), fast, 100 * DAY, 999, null)).isEqualTo(RateTable.NOW);
        assertThat(table.charge(key(1), slow, 100 * DAY, 1, null)).isEqualTo(265 * DAY);
        assertThat(table.charge(key(2), fast, 100 * DAY, 999, null)).isEqualTo(1_000_000_000);
    }

    /** Raised and lowered in mid-window: what was used stays used. */
    @Test
    void aChangeOfTierKeepsWhatWasUsed() {
        KeyTable windows = new KeyTable(10);
        long minute = 60_000_000_000L;
        long ten = 600 * minute;
        RateLimit hourly = RateLimit.parse("10000/h").algorithm(Algorithm.FIXED_WINDOW);
        int tenThousand = windows.tier(hourly, ten);
        int fifteen = windows.tier(RateLimit.parse("15000/h").algorithm(Algorithm.FIXED_WINDOW), ten);
        int five = windows.tier(RateLimit.parse("5000/h").algorithm(Algorithm.FIXED_WINDOW), ten);
        assertThat(windows.charge(key(1), tenThousand, ten + 15 * minute, 10_000, null))
                .isEqualTo(RateTable.NOW);
        Standing raised = windows.standing(key(1), fifteen, ten + 16 * minute);
        assertThat(raised.remaining()).isEqualTo(5_000);
        assertThat(raised.resetNanos()).hasValue(44 * minute);
        assertThat(windows.standing(key(1), five, ten + 20 * minute).remaining())
                .isZero();
        assertThat(windows.charge(key(1), five, ten + 20 * minute, 1, null)).isEqualTo(40 * minute);
        assertThat(windows.charge(key(1), five, ten + 60 * minute, 5_000, null)).isEqualTo(RateTable.NOW);

        KeyTable buckets = new KeyTable(10);
        int burst10 = buckets.tier(RateLimit.parse("1/s").burst(10), 0);
        int burst20 = buckets.tier(RateLimit.parse("1/s").burst(20), 0);
        int burst5 = buckets.tier(RateLimit.parse("1/s").burst(5), 0);
        assertThat(buckets.charge(key(1), burst10, 0, 8, null)).isEqualTo(RateTable.NOW);
        assertThat(buckets.standing(key(1), burst20, 0).remaining()).isEqualTo(12);
        assertThat(buckets.standing(key(1), burst5, 0).remaining()).isZero();
        assertThat(buckets.peek(key(1), burst5, 0, 1)).isEqualTo(4_000_000_000L);
        assertThat(buckets.keys()).isEqualTo(1);
    }

    /** Who was evicted and comes back under another tier starts from what it had used under the first. */
    @Test
    void evictionUnderOneTierIsRememberedUnderAnother() {
        RateLimit small = RateLimit.parse("2/h");
        RateLimit large = RateLimit.parse("4/h");
        KeyTable table = new KeyTable(8);
        int one = table.tier(small, 0);
        int other = table.tier(large, 0);
        for (int n = 0; n < 200; n++) {
            assertThat(table.charge(key(n), one, 0, 2, null))
                    .isIn(RateTable.NOW, 1_800_000_000_000L, 3_600_000_000_000L);
        }
        assertThat(table.evictions()).isPositive();
        long before = 0;
        for (int n = 0; n < 200; n++) {
            before += table.peek(key(n), one, 0, 1) == RateTable.NOW ? 1 : 0;
            assertThat(table.standing(key(n), other, 0).remaining()).isLessThanOrEqualTo(4);
        }
        assertThat(before).as("keys that were never admitted may still pass").isLessThan(200);
        for (int n = 0; n < 8; n++) {
            // Charged 2 of 4 before it left.
            assertThat(table.standing(key(n), other, 0).remaining()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void manyTiersAndManyKeysKeepTheirOwn() {
        Random random = new Random(Seeds.next("tiers"));
        KeyTable table = new KeyTable(20_000);
        int[] tiers = new int[40];
        for (int i = 0; i < tiers.length; i++) {
            tiers[i] = table.tier(RateLimit.of(i + 1, Duration.ofHours(1)), 0);
        }
        long[] used = new long[8_000];
        for (int step = 0; step < 200_000; step++) {
            int n = random.nextInt(used.length);
            int t = n % tiers.length;
            boolean passes = table.charge(key(n), tiers[t], 0, 1, null) == RateTable.NOW;
            assertThat(passes).isEqualTo(used[n] <= t);
            used[n] += passes ? 1 : 0;
        }
        assertThat(table.keys()).isEqualTo(used.length);
        assertThat(table.evictions()).isZero();
    }

    @Test
    void aCostOfZeroAndARefusalMakeNoKeyKnown() {
        for (Algorithm algorithm : List.of(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG)) {
            RateTable table = RateTable.of(algorithm, 10);
            int tier = table.tier(RateLimit.parse("6/s").algorithm(algorithm), 0);
            assertThat(table.charge(key(1), tier, 0, 0, null)).isEqualTo(RateTable.NOW);
            assertThat(table.charge(key(1), tier, 0, 10, null)).isEqualTo(RateTable.NEVER);
            assertThat(table.peek(key(1), tier, 0, 1)).isEqualTo(RateTable.NOW);
            table.force(key(1), tier, 0, 0);
            table.giveBack(key(1), tier, 0, 3, 0);
            assertThat(table.keys()).isZero();
            table.force(key(1), tier, 0, Long.MAX_VALUE);
            assertThat(table.charge(key(1), tier, 0, Integer.MAX_VALUE, null)).isEqualTo(RateTable.NEVER);
            assertThat(table.charge(key(1), tier, 0, 1, null)).isPositive();
            assertThat(table.standing(key(1), tier, 0).remaining()).isZero();
        }
    }

    @Test
    void aLowerCapIsKeptAtOnce() {
        for (Algorithm algorithm : List.of(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG)) {
            RateTable table = RateTable.of(algorithm, 30_000);
            int tier = table.tier(RateLimit.parse("6/h").algorithm(algorithm), 0);
            for (int n = 0; n < 20_000; n++) {
                table.charge(key(n), tier, 0, 1, null);
            }
            table.maxKeys(5_000, 0);
            assertThat(table.keys()).isBetween(4_000, 5_000);
            for (int n = 0; n < 20_000; n++) {
                assertThat(table.standing(key(n), tier, 0).remaining()).isLessThanOrEqualTo(5);
            }
        }
    }

    /** All arrays of the table, stripes and cells, over its keys. */
    @Test
    void atMost32BytesAKeyAtEveryFillAboveHalfTheCap() throws ReflectiveOperationException {
        int cap = 200_000;
        KeyTable table = new KeyTable(cap);
        int tier = table.tier(RateLimit.parse("5/h"), 0);
        double worst = 0;
        StringBuilder report = new StringBuilder();
        for (int n = 0; n < 3 * cap; n++) {
            table.charge(key(n), tier, 0, 1, null);
            if (n % 5_000 == 0 && table.keys() >= cap / 2) {
                double bytes = (double) bytes(table) / table.keys();
                worst = Math.max(worst, bytes);
                if (n % 50_000 == 0) {
                    report.append(String.format(" %d: %.1f", table.keys(), bytes));
                }
            }
        }
        System.out.println("bytes a key at" + report);
        assertThat(worst).isLessThanOrEqualTo(32);
    }

    private static long bytes(KeyTable table) throws ReflectiveOperationException {
        long bytes = 0;
        Object[] stripes = (Object[]) field(table, "stripes");
        for (Object stripe : stripes) {
            bytes += 64 + 8 * ((long[]) field(stripe, "slots")).length + 16;
        }
        AtomicReferenceArray<?> cells = (AtomicReferenceArray<?>) field(table, "cells");
        bytes += 4L * cells.length();
        for (int i = 0; i < cells.length(); i++) {
            if (cells.get(i) instanceof long[] array) {
                bytes += 8L * array.length + 16;
            }
        }
        return bytes;
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    /** A log beside one that forgets nothing. */
    @Test
    void aLogTableIsNeverMoreLenientEither() {
        Random random = new Random(Seeds.next("log table"));
        long evictions = 0;
        for (int round = 0; round < 12 * Seeds.DEPTH; round++) {
            RateLimit budget = RateLimit.parse("4/s").algorithm(Algorithm.SLIDING_LOG);
            int cap = 1 + random.nextInt(150);
            LogTable table = new LogTable(cap);
            int tier = table.tier(budget, 0);
            SlidingLog log = new SlidingLog(budget);
            Map<Integer, LogRing> exact = new HashMap<>();
            long now = random.nextLong();
            for (int step = 0; step < 8_000; step++) {
                now += random.nextInt(30) == 0 ? random.nextInt(400_000_000) : 0;
                int n = random.nextInt(random.nextBoolean() ? 5 : 4 * cap + 10);
                long cost = 1L + random.nextInt(4);
                // Some read the clock before others did.
                long seen = now - random.nextInt(1_000);
                LogRing ring = exact.computeIfAbsent(n, absent -> new LogRing());
                long expected = log.waitFor(ring, now, cost);
                long wait = table.charge(key(n), tier, seen, cost, null);
                assertThat(wait).isGreaterThanOrEqualTo(expected);
                if (wait == RateTable.NOW) {
                    log.charge(ring, seen, cost);
                }
                assertThat(table.keys()).isLessThanOrEqualTo(cap);
            }
            evictions += table.evictions();
        }
        assertThat(evictions).isGreaterThan(1_000);
    }
}
