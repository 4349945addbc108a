package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of each algorithm, in windows of ten nanoseconds that can be followed by hand. */
final class MetersTest {

    private static final long NEVER = Meter.NEVER;

    /** Ten ticks a unit, three ticks a nanosecond, thirty ticks a bucket. */
    private static final RateLimit THREE = rate(3, 10);

    private static RateLimit rate(long count, long periodNanos) {
        return RateLimit.of(count, Duration.ofNanos(periodNanos));
    }

    private static Ledger ledger(Meter meter, long now) {
        return new Ledger.Metered(meter, meter.fresh(now));
    }

    /** In each row: the time, a cost, how long it must wait, and what is left and when more comes afterwards. */
    private static void rows(Ledger ledger, String table) {
        for (String row : table.strip().split("\n", -1)) {
            String[] words = row.strip().split(" +", -1);
            long now = Long.parseLong(words[0]);
            long cost = Long.parseLong(words[1]);
            long wait = ledger.waitFor(now, cost);
            assertThat(wait)
                    .as("wait in row %s", row)
                    .isEqualTo(words[2].equals("never") ? NEVER : Long.parseLong(words[2]));
            if (wait == Meter.NOW) {
                ledger.charge(now, cost);
            }
            Standing standing = ledger.standing(now);
            assertThat(standing.remaining()).as("left in row %s", row).isEqualTo(Long.parseLong(words[3]));
            assertThat(standing.resetNanos()).as("reset in row %s", row).hasValue(Long.parseLong(words[4]));
        }
    }

    @Test
    void tokenBucket() {
        rows(ledger(new TokenBucket(THREE), 100), """
                100 1 0     2 4
                100 2 0     0 4
                100 1 4     0 4
                103 1 1     0 1
                104 1 0     0 3
                104 0 0     0 3
                104 4 never 0 3
                107 3 7     1 3
                109 1 0     0 1
                200 0 0     3 0
                200 3 0     0 4
                """);
    }

    @Test
    void aBucketThatBeginsShortBeforeTheClockWraps() {
        rows(
                ledger(new TokenBucket(THREE), Long.MAX_VALUE),
                Long.MAX_VALUE + " 3 0 0 4\n" + Long.MIN_VALUE + " 1 3 0 3");
    }

    @Test
    void fixedWindow() {
        rows(ledger(new FixedWindow(3, new Windows.Even(10)), 103), """
                103 1 0     2 7
                103 2 0     0 7
                103 1 7     0 7
                109 1 1     0 1
                109 0 0     0 1
                110 4 never 3 10
                110 1 0     2 10
                119 3 1     2 1
                """);
        rows(ledger(new FixedWindow(3, new Windows.Even(10)), -1), "-1 3 0 0 1\n-1 1 1 0 1\n0 1 0 2 10");
    }

    @Test
    void slidingWindow() {
        rows(ledger(new SlidingWindow(4, 10), 100), """
                100 4 0     0 13
                112 1 1     0 1
                113 1 0     0 2
                113 4 17    0 2
                113 3 7     0 2
                113 5 never 0 2
                113 0 0     0 2
                115 1 0     0 3
                120 2 0     0 5
                125 1 0     0 5
                150 0 0     4 0
                """);
    }

    @Test
    void slidingLog() {
        rows(new Ledger.Logged(new SlidingLog(3, 10), new LogRing()), """
                100 1 0     2 10
                104 2 0     0 6
                104 1 6     0 6
                104 2 10    0 6
                104 4 never 0 6
                104 0 0     0 6
                109 1 1     0 1
                110 1 0     0 4
                114 2 0     0 6
                200 0 0     3 0
                """);
    }

    @Test
    void leakyQueue() {
        LeakyQueue queue = new LeakyQueue(THREE.depth(2).maxWait(Duration.ofNanos(5)));
        long[][] rows = {
            // ticks ahead, cost, wait for a place, turn
            {0, 0, 0, 0},
            {0, 1, 0, 0},
            {15, 1, 0, 5},
            {16, 1, 1, 6},
            {30, 0, 0, 10},
            {30, 1, 5, 10},
            {30, 3, 10, 10},
            {30, 4, NEVER, 10},
        };
        for (long[] row : rows) {
            assertThat(queue.waitFor(300 + row[0], 100, row[1]))
                    .as("%d ahead", row[0])
                    .isEqualTo(row[2]);
            assertThat(queue.turnNanos(300 + row[0], 100)).isEqualTo(row[3]);
        }
        assertThat(queue.withoutWaiting().waitFor(300, 100, 1)).isEqualTo(Meter.NOW);
        assertThat(queue.withoutWaiting().waitFor(301, 100, 1)).isEqualTo(1);
        assertThat(queue.withoutWaiting().waitFor(304, 100, 1)).isEqualTo(2);
    }

    /** What a queue remembers is what a bucket of the same limit remembers. */
    @Test
    void aQueuesStateIsABuckets() {
        LeakyQueue queue = new LeakyQueue(THREE.algorithm(Algorithm.LEAKY_QUEUE));
        LeakyQueue slower = new LeakyQueue(rate(1, 7).algorithm(Algorithm.LEAKY_QUEUE));
        TokenBucket bucket = new TokenBucket(THREE);
        TokenBucket slowerBucket = new TokenBucket(rate(1, 7));
        FixedWindow window = new FixedWindow(3, new Windows.Even(10));
        assertThat(queue.fresh(100)).isEqualTo(bucket.fresh(100)).isEqualTo(300);
        assertThat(queue.isFresh(300, 100)).isTrue();
        assertThat(queue.isFresh(301, 100)).isFalse();
        assertThat(queue.charged(310, 100, 1)).isEqualTo(320);
        assertThat(queue.mark(310, 100)).isEqualTo(310);
        assertThat(queue.givenBack(330, 100, 1, 295)).isEqualTo(325);
        assertThat(queue.markFrom(slower, 93, 100))
                .isEqualTo(bucket.markFrom(slowerBucket, 93, 100))
                .isEqualTo(279);
        assertThat(queue.markFrom(window, 10, 100)).isEqualTo(240);
        assertThat(queue.stricter(310, 320)).isEqualTo(320);
        assertThat(queue.milder(310, 320)).isEqualTo(310);
        assertThat(queue.used(311, 100)).isEqualTo(2);
        assertThat(queue.withUsed(100, 2)).isEqualTo(320);
        assertThat(slower.converted(321, 100, queue)).isEqualTo(slowerBucket.converted(321, 100, bucket));
        assertThat(queue.converted(window.withUsed(100, 2), 100, window)).isEqualTo(320);
        assertThat(queue.standing(310, 100)).isEqualTo(bucket.standing(310, 100));
        assertThat(queue.sweepNanos()).isEqualTo(bucket.sweepNanos());
        assertThat(queue.aligned()).isFalse();
    }

    @Test
    void aBucketsDebtIsOneBurst() {
        TokenBucket bucket = new TokenBucket(THREE);
        assertThat(bucket.charged(300, 100, 4)).isEqualTo(340);
        assertThat(bucket.charged(340, 100, 1)).isEqualTo(350);
        assertThat(bucket.charged(340, 100, 3)).isEqualTo(360);
        assertThat(bucket.charged(300, 100, 7)).isEqualTo(360);
        assertThat(bucket.charged(360, 100, 1)).isEqualTo(360);
        assertThat(bucket.charged(365, 100, 1)).as("a clock that stepped back").isEqualTo(365);
        assertThat(bucket.charged(290, 100, 1)).isEqualTo(310);
        assertThat(bucket.waitFor(350, 100, 1)).isEqualTo(10);
        assertThat(bucket.waitFor(350, 100, 0)).isEqualTo(Meter.NOW);
        assertThat(bucket.standing(350, 100).remaining()).isZero();
        assertThat(bucket.standing(350, 100).resetNanos()).hasValue(10);
        assertThat(bucket.isFresh(300, 100)).isTrue();
        assertThat(bucket.isFresh(301, 100)).isFalse();
        assertThat(bucket.isFresh(Long.MAX_VALUE, 100)).isFalse();
    }

    /** Thirty ticks missing at a hundred; how many ticks after the mark it is now decides what has run over. */
    @ParameterizedTest
    @CsvSource({
        "330, 1, 300, 320",
        "330, 1, 310, 320",
        "330, 1, 295, 325",
        "330, 1, 290, 330",
        "330, 1, 280, 330",
        "330, 2, 290, 320",
        "330, 7, 300, 300",
        "305, 1, 300, 300",
        "290, 1, 300, 290",
    })
    void givenBackToABucket(long state, long units, long mark, long expected) {
        assertThat(new TokenBucket(THREE).givenBack(state, 100, units, mark)).isEqualTo(expected);
    }

    @Test
    void aMarkFromAnotherBucketGivesNoMoreThanUnderEither() {
        TokenBucket fine = new TokenBucket(THREE);
        TokenBucket coarse = new TokenBucket(rate(1, 10).burst(6));
        assertThat(fine.markFrom(coarse, 90, 100)).isEqualTo(270);
        assertThat(coarse.markFrom(fine, 270, 100)).isEqualTo(70);
        assertThat(coarse.markFrom(fine, 299, 100)).as("rounded up").isEqualTo(99);
        assertThat(coarse.markFrom(fine, 310, 100)).as("not yet full").isEqualTo(100);
        assertThat(coarse.markFrom(fine, 0, 100)).as("two bursts at most").isEqualTo(-20);
        assertThat(fine.markFrom(new Allowance(3), 0, 100)).isEqualTo(240);
        assertThat(fine.mark(310, 100)).isEqualTo(310);
        assertThat(fine.mark(290, 100)).isEqualTo(300);
    }

    @Test
    void aBucketsStatesAreInstants() {
        TokenBucket bucket = new TokenBucket(THREE);
        assertThat(bucket.stricter(310, 320)).isEqualTo(320);
        assertThat(bucket.stricter(320, 310)).isEqualTo(320);
        assertThat(bucket.milder(310, 320)).isEqualTo(310);
        assertThat(bucket.milder(320, 310)).isEqualTo(310);
        assertThat(bucket.stricter(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(bucket.milder(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(bucket.used(330, 100)).isEqualTo(3);
        assertThat(bucket.used(321, 100)).isEqualTo(3);
        assertThat(bucket.used(300, 100)).isZero();
        assertThat(bucket.withUsed(100, 2)).isEqualTo(320);
        assertThat(bucket.withUsed(100, 9)).isEqualTo(360);
        assertThat(bucket.aligned()).isFalse();
        assertThat(bucket.sweepNanos()).isEqualTo((1L << 61) / 3);
        assertThat(bucket.nanos(9)).isEqualTo(3);
        assertThat(bucket.nanos(10)).isEqualTo(4);
        assertThat(new TokenBucket(rate(1, 10)).nanos(10)).isEqualTo(10);
        assertThat(bucket.ticks(5)).isEqualTo(15);
        assertThat(bucket.ticks((1L << 61) / 3)).isEqualTo((1L << 61) / 3 * 3);
        assertThat(bucket.ticks(Long.MAX_VALUE)).isEqualTo(1L << 61);
    }

    @Test
    void aBucketUnderAnotherRateKeepsTheFractionUsed() {
        TokenBucket bucket = new TokenBucket(THREE);
        TokenBucket sevens = new TokenBucket(rate(1, 7).burst(6));
        assertThat(sevens.converted(320, 100, bucket)).isEqualTo(114);
        assertThat(sevens.converted(321, 100, bucket)).as("rounded up").isEqualTo(115);
        assertThat(sevens.converted(290, 100, bucket)).isEqualTo(100);
        TokenBucket one = new TokenBucket(rate(1, 7));
        assertThat(one.converted(319, 100, bucket)).as("two bursts at most").isEqualTo(114);
        assertThat(one.converted(321, 100, bucket)).isEqualTo(114);
        assertThat(one.converted(360, 100, bucket)).isEqualTo(114);
        FixedWindow window = new FixedWindow(9, new Windows.Even(10));
        assertThat(bucket.converted(window.withUsed(100, 2), 100, window)).isEqualTo(320);
    }

    /** The state of a window of ten nanoseconds: its number and what is used, eight bits of it. */
    private static long window(long number, long used) {
        return number << 8 | used;
    }

    @Test
    void aFixedWindowsStateIsItsNumberAndWhatIsUsed() {
        FixedWindow meter = new FixedWindow(3, new Windows.Even(10));
        assertThat(meter.fresh(103)).isEqualTo(window(10, 0));
        assertThat(meter.charged(window(10, 1), 103, 2)).isEqualTo(window(10, 3));
        assertThat(meter.charged(window(10, 1), 103, 100)).as("debt").isEqualTo(window(10, 6));
        assertThat(meter.charged(window(10, 6), 103, 1)).isEqualTo(window(10, 6));
        assertThat(meter.charged(window(10, 200), 103, 1)).isEqualTo(window(10, 200));
        assertThat(meter.charged(window(9, 3), 103, 1)).isEqualTo(window(10, 1));
        assertThat(meter.isFresh(window(10, 3), 109)).isFalse();
        assertThat(meter.isFresh(window(10, 0), 109)).isFalse();
        assertThat(meter.isFresh(window(10, 3), 110)).isTrue();
        assertThat(meter.isFresh(window(11, 3), 109)).isFalse();
        assertThat(meter.withUsed(103, 2)).isEqualTo(window(10, 2));
        assertThat(meter.aligned()).isTrue();
    }

    /** One window ahead is another thread's clock, further ahead is a clock that stepped back. */
    @Test
    void aFixedWindowAheadOfTheClock() {
        FixedWindow meter = new FixedWindow(3, new Windows.Even(10));
        assertThat(meter.mark(window(10, 1), 105)).isEqualTo(10);
        assertThat(meter.mark(window(11, 1), 105)).isEqualTo(11);
        assertThat(meter.mark(window(12, 1), 105)).isEqualTo(10);
        assertThat(meter.mark(window(9, 1), 105)).isEqualTo(10);
        assertThat(meter.used(window(11, 2), 105)).isEqualTo(2);
        assertThat(meter.used(window(12, 2), 105)).isEqualTo(2);
        assertThat(meter.used(window(9, 2), 105)).isZero();
        assertThat(meter.waitFor(window(11, 3), 105, 1)).isEqualTo(15);
        assertThat(meter.waitFor(window(12, 3), 105, 1)).isEqualTo(5);
        assertThat(meter.standing(window(11, 3), 105).resetNanos()).hasValue(15);
    }

    @Test
    void givenBackToAFixedWindow() {
        FixedWindow meter = new FixedWindow(3, new Windows.Even(10));
        assertThat(meter.givenBack(window(10, 3), 105, 2, 10)).isEqualTo(window(10, 1));
        assertThat(meter.givenBack(window(10, 3), 105, 5, 10)).isEqualTo(window(10, 0));
        assertThat(meter.givenBack(window(10, 3), 105, 2, 9)).isEqualTo(window(10, 3));
        assertThat(meter.markFrom(new FixedWindow(9, new Windows.Even(10)), 10, 105))
                .isEqualTo(10);
        assertThat(meter.markFrom(new FixedWindow(3, new Windows.Even(20)), 10, 105))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(meter.markFrom(new SlidingWindow(3, 10), 10, 105)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void ofTwoFixedWindowsTheLaterOneThenTheFullerOneIsStricter() {
        FixedWindow meter = new FixedWindow(3, new Windows.Even(10));
        long[][] ordered = {
            {window(10, 1), window(10, 2)},
            {window(10, 3), window(11, 0)},
            {window(10, 2), window(10, 2)},
            {window((1L << 55) - 1, 3), window(0, 1)},
        };
        for (long[] pair : ordered) {
            assertThat(meter.stricter(pair[0], pair[1])).isEqualTo(pair[1]);
            assertThat(meter.stricter(pair[1], pair[0])).isEqualTo(pair[1]);
            assertThat(meter.milder(pair[0], pair[1])).isEqualTo(pair[0]);
            assertThat(meter.milder(pair[1], pair[0])).isEqualTo(pair[0]);
        }
    }

    @Test
    void aFixedWindowUnderAnotherCount() {
        FixedWindow meter = new FixedWindow(3, new Windows.Even(10));
        FixedWindow wide = new FixedWindow(100, new Windows.Even(10));
        assertThat(meter.converted(wide.withUsed(105, 2), 105, wide)).isEqualTo(window(10, 2));
        assertThat(meter.converted(wide.withUsed(105, 50), 105, wide)).isEqualTo(window(10, 6));
        assertThat(meter.converted(window(11, 2), 105, wide))
                .as("its window is kept")
                .isEqualTo(window(11, 2));
        FixedWindow longer = new FixedWindow(100, new Windows.Even(50));
        assertThat(meter.converted(longer.withUsed(105, 2), 105, longer)).isEqualTo(window(10, 2));
    }

    @Test
    void ringsAreLookedAtEachEighth() {
        assertThat(new FixedWindow(3, new Windows.Even(2_047)).sweepNanos()).isEqualTo(2_047L << 52);
        assertThat(new FixedWindow(3, new Windows.Even(2_048)).sweepNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(new FixedWindow(128, new Windows.Even(10)).sweepNanos()).isEqualTo(10L << 51);
        assertThat(new FixedWindow(127, new Windows.Even(10)).sweepNanos()).isEqualTo(10L << 52);
        assertThat(new SlidingWindow(3, (1L << 45) - 1).sweepNanos()).isEqualTo(((1L << 45) - 1) << 18);
        assertThat(new SlidingWindow(3, 1L << 45).sweepNanos()).isEqualTo(Long.MAX_VALUE);
    }

    /** The state of a sliding window: its number, the previous count and its own, 21 bits each. */
    private static long sliding(long number, long previous, long current) {
        return number << 42 | previous << 21 | current;
    }

    @Test
    void aSlidingWindowsStateHoldsTwoCounts() {
        SlidingWindow meter = new SlidingWindow(4, 10);
        assertThat(meter.fresh(103)).isEqualTo(sliding(10, 0, 0));
        assertThat(meter.charged(sliding(10, 1, 2), 103, 2)).isEqualTo(sliding(10, 1, 4));
        assertThat(meter.charged(sliding(10, 1, 2), 113, 3)).isEqualTo(sliding(11, 2, 3));
        assertThat(meter.charged(sliding(10, 1, 2), 123, 3)).isEqualTo(sliding(12, 0, 3));
        assertThat(meter.charged(sliding(10, 1, 2), 103, 100)).as("debt").isEqualTo(sliding(10, 1, 8));
        assertThat(meter.charged(sliding(10, 1, 9), 103, 1)).isEqualTo(sliding(10, 1, 9));
        assertThat(new SlidingWindow(2_000_000, 10).withUsed(103, NEVER)).isEqualTo(sliding(10, 0, (1 << 21) - 1));
        assertThat(meter.isFresh(sliding(10, 0, 4), 119)).isFalse();
        assertThat(meter.isFresh(sliding(10, 0, 4), 120)).isTrue();
        assertThat(meter.isFresh(sliding(12, 0, 4), 119)).isFalse();
        assertThat(meter.used(sliding(10, 4, 1), 100)).isEqualTo(5);
        assertThat(meter.used(sliding(10, 4, 1), 102)).as("3.2 and 1").isEqualTo(5);
        assertThat(meter.used(sliding(10, 4, 1), 103)).as("2.8 and 1").isEqualTo(4);
        assertThat(meter.used(sliding(9, 4, 1), 109)).as("0.1").isEqualTo(1);
        assertThat(meter.used(sliding(8, 4, 1), 109)).isZero();
        assertThat(meter.withUsed(103, 3)).isEqualTo(sliding(10, 0, 3));
        assertThat(meter.aligned()).isTrue();
        // Weights beyond a long.
        assertThat(new SlidingWindow(100, 1L << 58).used(sliding(0, 64, 0), 1L << 57))
                .isEqualTo(32);
        assertThat(new SlidingWindow(100, 1L << 58).used(sliding(0, 64, 0), (1L << 57) - 1))
                .isEqualTo(33);
        assertThat(new SlidingWindow(100, 1L << 58).waitFor(sliding(0, 64, 0), 0, 68))
                .isEqualTo(1L << 57);
    }

    /** However far ahead a state is, it counts as the next window's, before any weight has gone. */
    @Test
    void aSlidingWindowAheadOfTheClock() {
        SlidingWindow meter = new SlidingWindow(4, 10);
        for (long number : new long[] {11, 12, 15}) {
            long state = sliding(number, 2, 1);
            assertThat(meter.mark(state, 105)).isEqualTo(11);
            assertThat(meter.used(state, 105)).isEqualTo(3);
            assertThat(meter.waitFor(state, 105, 1)).isEqualTo(Meter.NOW);
            assertThat(meter.waitFor(state, 105, 2)).isEqualTo(10);
        }
        assertThat(meter.mark(sliding(10, 2, 1), 105)).isEqualTo(10);
        assertThat(meter.mark(sliding(9, 2, 1), 105)).isEqualTo(10);
    }

    @Test
    void givenBackToASlidingWindow() {
        SlidingWindow meter = new SlidingWindow(4, 10);
        assertThat(meter.givenBack(sliding(10, 2, 3), 105, 2, 10)).isEqualTo(sliding(10, 2, 1));
        assertThat(meter.givenBack(sliding(10, 2, 3), 105, 9, 10)).isEqualTo(sliding(10, 2, 0));
        assertThat(meter.givenBack(sliding(10, 2, 3), 115, 1, 10)).isEqualTo(sliding(11, 2, 0));
        assertThat(meter.givenBack(sliding(11, 2, 3), 115, 1, 10)).isEqualTo(sliding(11, 1, 3));
        assertThat(meter.givenBack(sliding(11, 2, 3), 115, 9, 10)).isEqualTo(sliding(11, 0, 3));
        assertThat(meter.givenBack(sliding(11, 2, 3), 115, 1, 9)).isEqualTo(sliding(11, 2, 3));
        assertThat(meter.givenBack(sliding(11, 2, 3), 115, 1, 12)).isEqualTo(sliding(11, 2, 3));
        assertThat(meter.markFrom(new SlidingWindow(9, 10), 10, 105)).isEqualTo(10);
        assertThat(meter.markFrom(new SlidingWindow(4, 20), 10, 105)).isEqualTo(Long.MIN_VALUE);
        assertThat(meter.markFrom(new FixedWindow(4, new Windows.Even(10)), 10, 105))
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void ofTwoSlidingWindowsEachCountIsTakenByItself() {
        SlidingWindow meter = new SlidingWindow(4, 10);
        assertThat(meter.stricter(sliding(10, 1, 3), sliding(10, 2, 0))).isEqualTo(sliding(10, 2, 3));
        assertThat(meter.milder(sliding(10, 1, 3), sliding(10, 2, 0))).isEqualTo(sliding(10, 1, 0));
        assertThat(meter.stricter(sliding(10, 1, 3), sliding(11, 2, 1))).isEqualTo(sliding(11, 3, 1));
        assertThat(meter.stricter(sliding(11, 2, 1), sliding(10, 1, 3))).isEqualTo(sliding(11, 3, 1));
        assertThat(meter.milder(sliding(10, 1, 3), sliding(11, 2, 1))).isEqualTo(sliding(11, 2, 0));
        assertThat(meter.milder(sliding(12, 2, 1), sliding(10, 1, 3))).isEqualTo(sliding(12, 0, 0));
        assertThat(meter.stricter(sliding((1 << 21) - 1, 1, 3), sliding(0, 2, 1)))
                .isEqualTo(sliding(0, 3, 1));
    }

    @Test
    void aSlidingWindowUnderAnotherCount() {
        SlidingWindow meter = new SlidingWindow(4, 10);
        SlidingWindow wide = new SlidingWindow(100, 10);
        assertThat(meter.converted(sliding(10, 3, 2), 105, wide)).isEqualTo(sliding(10, 3, 2));
        assertThat(meter.converted(sliding(10, 60, 50), 105, wide)).isEqualTo(sliding(10, 8, 8));
        assertThat(meter.converted(sliding(10, 3, 2), 115, wide)).isEqualTo(sliding(11, 2, 0));
        SlidingWindow longer = new SlidingWindow(100, 20);
        assertThat(meter.converted(longer.withUsed(105, 3), 105, longer)).isEqualTo(sliding(10, 0, 3));
    }

    @Test
    void aLogEntersAStampForEachUnitAndForgetsOldOnes() {
        SlidingLog log = new SlidingLog(3, 10);
        LogRing ring = new LogRing();
        assertThat(log.isFresh(ring, 100)).isTrue();
        assertThat(log.mark(ring, 100)).isEqualTo(100);
        log.charge(ring, 100, 2);
        assertThat(ring.size()).isEqualTo(2);
        assertThat(log.mark(ring, 99)).as("not before those already there").isEqualTo(100);
        assertThat(log.mark(ring, 101)).isEqualTo(101);
        log.charge(ring, 99, 1);
        assertThat(ring.newest()).isEqualTo(100);
        assertThat(log.used(ring, 109)).isEqualTo(3);
        assertThat(log.used(ring, 110)).isZero();
        assertThat(log.isFresh(ring, 109)).isFalse();
        assertThat(log.isFresh(ring, 110)).isTrue();
        log.charge(ring, 105, NEVER);
        assertThat(ring.size()).as("debt").isEqualTo(6);
        assertThat(log.waitFor(ring, 105, 1)).isEqualTo(10);
        assertThat(log.standing(ring, 105).remaining()).isZero();
        log.charge(ring, 110, 1);
        assertThat(ring.size()).isEqualTo(4);
    }

    /** Whoever asks a million times leaves no more than what was granted. */
    @Test
    void aLogHoldsNoMoreThanItsCount() {
        SlidingLog log = new SlidingLog(100, 1_000);
        LogRing ring = new LogRing();
        for (long now = 0; now < 1_000_000; now++) {
            if (log.waitFor(ring, now, 1) == Meter.NOW) {
                log.charge(ring, now, 1);
            }
            assertThat(ring.size() <= 100).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 0", "999999999, 0", "1000000000, 1", "1000000001, 2", "60000000000, 60"})
    void windowsAreToldInWholeSecondsFromOneOn(long nanos, long seconds) {
        OptionalLong told = seconds == 0 ? OptionalLong.empty() : OptionalLong.of(seconds);
        LogRing none = new LogRing();
        assertThat(new TokenBucket(rate(3, nanos)).standing(0, 0).windowSeconds())
                .isEqualTo(told);
        assertThat(new FixedWindow(3, new Windows.Even(nanos)).standing(0, 0))
                .isEqualTo(new Standing(3, told, 3, OptionalLong.of(nanos), true, false));
        assertThat(new SlidingWindow(3, nanos).standing(0, 0))
                .isEqualTo(new Standing(3, told, 3, OptionalLong.of(0), false, false));
        assertThat(new SlidingLog(3, nanos).standing(none, 0))
                .isEqualTo(new Standing(3, told, 3, OptionalLong.of(0), false, false));
    }

    @Test
    void aQuotaHasNoWindow() {
        Meter quota = Meter.of(RateLimit.quota(5, CalendarPeriod.DAY, ZoneOffset.UTC));
        assertThat(quota.standing(quota.fresh(0), 0))
                .isEqualTo(new Standing(
                        5,
                        OptionalLong.empty(),
                        5,
                        OptionalLong.of(Duration.ofDays(1).toNanos()),
                        true,
                        false));
    }

    /** Far more than anybody may use: no count wraps, and what is used saturates at twice the capacity. */
    @Test
    void countersSaturate() {
        for (RateLimit limit : List.of(
                rate(10, 1_000),
                rate(10, 1_000).algorithm(Algorithm.LEAKY_QUEUE),
                rate(10, 1_000).algorithm(Algorithm.FIXED_WINDOW),
                rate(10, 1_000).algorithm(Algorithm.SLIDING_WINDOW),
                rate(0, 1_000).burst(10))) {
            Meter meter = Meter.of(limit);
            for (long preset : new long[] {Integer.MAX_VALUE, Long.MAX_VALUE}) {
                long state = meter.withUsed(5, preset);
                for (long cost : new long[] {1, 10, Integer.MAX_VALUE, Long.MAX_VALUE, 1}) {
                    assertThat(meter.waitFor(state, 5, cost)).as("%s", limit).isPositive();
                    assertThat(meter.standing(state, 5).remaining()).isZero();
                    assertThat(meter.used(state, 5)).isEqualTo(20);
                    state = meter.charged(state, 5, cost);
                }
            }
        }
    }

    @Test
    void evenWindows() {
        Windows.Even even = new Windows.Even(10);
        assertThat(even.number(-1)).isEqualTo(-1);
        assertThat(even.number(0)).isZero();
        assertThat(even.number(19)).isEqualTo(1);
        assertThat(even.end(-1)).isZero();
        assertThat(even.end(1)).isEqualTo(20);
        assertThat(even.next(1)).isEqualTo(2);
        assertThat(even.nanosPerNumber()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({
        "HOUR, UTC, 28486800, 2024-02-29T13:00:00Z, 28486860, 1",
        "DAY, UTC, 19782, 2024-03-01T00:00:00Z, 19783, 1200",
        "WEEK, UTC, 2826, 2024-03-04T00:00:00Z, 2827, 8640",
        "MONTH, UTC, 24289, 2024-03-01T00:00:00Z, 24290, 38880",
        "YEAR, UTC, 2024, 2025-01-01T00:00:00Z, 2025, 524160",
        "HOUR, Asia/Kolkata, 28486770, 2024-02-29T12:30:00Z, 28486830, 1",
        "DAY, America/New_York, 19782, 2024-03-01T05:00:00Z, 19783, 1200",
        "MONTH, America/New_York, 24289, 2024-03-01T05:00:00Z, 24290, 38880",
    })
    void calendarWindows(CalendarPeriod period, ZoneId zone, long number, Instant end, long next, long minutes) {
        long now = Instant.parse("2024-02-29T12:17:00Z").getEpochSecond() * 1_000_000_000L;
        long endNanos = end.getEpochSecond() * 1_000_000_000L;
        Windows.Calendar asked = new Windows.Calendar(period, zone);
        assertThat(asked.number(now)).isEqualTo(number);
        assertThat(asked.end(number)).isEqualTo(endNanos);
        assertThat(asked.number(endNanos - 1)).isEqualTo(number);
        assertThat(asked.number(endNanos)).isEqualTo(next);
        assertThat(asked.number(now)).as("and back").isEqualTo(number);
        Windows.Calendar other = new Windows.Calendar(period, zone);
        assertThat(other.end(number)).isEqualTo(endNanos);
        assertThat(other.next(number)).isEqualTo(next);
        assertThat(other.nanosPerNumber()).isEqualTo(minutes * 60_000_000_000L);
        assertThat(other).isEqualTo(asked).hasSameHashCodeAs(asked);
        assertThat(other).isNotEqualTo(new Windows.Calendar(period, ZoneId.of("Europe/Oslo")));
        assertThat(other).isNotEqualTo(new Windows.Even(10));
    }

    @Test
    void calendarsOfAnotherPeriodDiffer() {
        Windows.Calendar day = new Windows.Calendar(CalendarPeriod.DAY, ZoneOffset.UTC);
        Windows.Calendar week = new Windows.Calendar(CalendarPeriod.WEEK, ZoneOffset.UTC);
        assertThat(day).isNotEqualTo(week).doesNotHaveSameHashCodeAs(week);
    }

    /** What a unit and a nanosecond are in ticks, and whether that is the rate as it was declared. */
    @ParameterizedTest
    @CsvSource({
        "3, 1000000000, 3, 1000000000, 3, true",
        "10, 1000000000, 10, 100000000, 1, true",
        "2000000000, 1000000000, 1, 1, 2, true",
        "0, 10, 5, 0, 1, true",
        "1024, 3, 1, 3, 1024, true",
        "1025, 3, 1, 3, 1024, false",
        "1031, 1000000000, 1, 993210476, 1024, false",
        // A full bucket just fits, and does not.
        "1, 1073741824, 1073741824, 1073741824, 1, true",
        "1009, 2592000000000000, 1009, 1140582755203172, 444, false",
    })
    void ticks(long count, long periodNanos, long burst, long perUnit, long perNano, boolean exact) {
        assertThat(Ticks.of(rate(count, periodNanos).burst(burst))).isEqualTo(new Ticks(perUnit, perNano, exact));
    }

    @Test
    void aBucketThatNoRingHolds() {
        assertThatThrownBy(() -> rate(1, 1 << 30).burst((1 << 30) + 1L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a burst of 1073741825 at 1/1073741824ns")
                .hasMessageContaining("lower the burst or raise the rate");
    }
}
