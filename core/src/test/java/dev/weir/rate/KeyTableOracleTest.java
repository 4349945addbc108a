package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A bounded table beside an unbounded one: whatever leaves, no key is ever judged more leniently, and the cap holds at every step.
 */
final class KeyTableOracleTest {

    /** A map that forgets nothing: the meter's state of every key that ever came. */
    private static final class Unbounded {
        final Map<Long, Long> states = new HashMap<>();
        final Meter meter;

        Unbounded(Meter meter) {
            this.meter = meter;
        }

        long wait(long key, long now, long cost) {
            Long state = states.get(key);
            return meter.waitFor(state == null ? meter.fresh(now) : state, now, cost);
        }

        /** Answers the mark. */
        long charge(long key, long now, long cost) {
            Long known = states.get(key);
            long state = known == null ? meter.fresh(now) : known;
            states.put(key, meter.charged(state, now, cost));
            return meter.mark(state, now);
        }

        void giveBack(long key, long now, long units, long mark) {
            states.put(key, meter.givenBack(states.get(key), now, units, mark));
        }
    }

    private record Pending(long key, long units, long tableMark, long exactMark) {}

    private static final List<RateLimit> BUDGETS = List.of(
            RateLimit.parse("50/s").burst(100),
            RateLimit.parse("5/m"),
            RateLimit.parse("999/s").burst(3),
            RateLimit.parse("1/365d"),
            RateLimit.parse("7/m").algorithm(Algorithm.LEAKY_QUEUE),
            RateLimit.parse("4/s").algorithm(Algorithm.FIXED_WINDOW),
            RateLimit.parse("20/h").algorithm(Algorithm.FIXED_WINDOW),
            RateLimit.parse("6/s").algorithm(Algorithm.SLIDING_WINDOW),
            RateLimit.of(0, Duration.ofSeconds(1)).burst(3));

    @Test
    void neverMoreLenientAndNeverMoreKeys() {
        Random random = new Random(Seeds.next("table against unbounded"));
        long evictions = 0;
        long calls = 0;
        long stricter = 0;
        for (int round = 0; round < 99 * Seeds.DEPTH; round++) {
            RateLimit budget = BUDGETS.get(round % BUDGETS.size());
            int cap = 1 + random.nextInt(random.nextBoolean() ? 20 : 600);
            KeyTable table = new KeyTable(cap);
            Unbounded exact = new Unbounded(Meter.of(budget));
            long now = RateTable.aligned(budget.algorithm()) ? random.nextInt() * 1_000_000_000L : random.nextLong();
            int tier = table.tier(budget, now);
            List<Pending> pending = new ArrayList<>();
            int keys = 2 * cap + random.nextInt(8 * cap + 50);
            for (int step = 0; step < 33_000; step++) {
                now += gap(random, budget);
                long key = mixed(random.nextInt(4) == 0 ? random.nextInt(Math.min(keys, 5)) : random.nextInt(keys));
                long cost = random.nextInt(4) == 0 ? 1L + random.nextInt((int) budget.capacity() + 2) : 1;
                long expected = exact.wait(key, now, cost);
                calls++;
                long[] mark = new long[1];
                long wait = table.charge(key, tier, now, cost, mark);
                assertThat(wait).as("%s step %d", budget, step).isGreaterThanOrEqualTo(expected);
                if (wait == RateTable.NOW) {
                    long exactMark = exact.charge(key, now, cost);
                    // One at a time for each key: with several pending both may err by what is pending.
                    if (random.nextInt(8) == 0 && pending.stream().noneMatch(back -> back.key == key)) {
                        pending.add(new Pending(key, 1L + random.nextInt((int) cost), mark[0], exactMark));
                    }
                } else if (expected == RateTable.NOW) {
                    stricter++;
                }
                assertThat(table.keys()).isLessThanOrEqualTo(cap);
                if (!pending.isEmpty() && random.nextInt(10) == 0) {
                    Pending back = pending.remove(random.nextInt(pending.size()));
                    table.giveBack(back.key, tier, now, back.units, back.tableMark);
                    exact.giveBack(back.key, now, back.units, back.exactMark);
                }
            }
            evictions += table.evictions();
        }
        System.out.printf(
                "%,d calls, %,d evictions, %.2f %% of the calls judged more strictly%n",
                calls, evictions, 100.0 * stricter / calls);
        assertThat(evictions).isGreaterThan(500_000);
    }

    private static long gap(Random random, RateLimit budget) {
        return switch (random.nextInt(40)) {
            // Not so far that the unbounded table, which nobody sweeps, would see its ring come round.
            case 0 -> Math.min(budget.periodNanos() / budget.capacity(), 20_000_000_000_000L);
            case 1 -> random.nextInt(400) == 0 ? 3 * budget.periodNanos() : 0;
            case 2, 3, 4, 5 -> random.nextInt(1_000_000);
            default -> 0;
        };
    }

    /** Keys that look like hashes. */
    static long mixed(long n) {
        long z = (n + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
