package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.math.BigInteger;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one of several instances grants by itself. */
class ShareTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "100/s  | 100 | 4    | token-bucket 1/40ms burst 25",
                "1/min  | 1   | 50   | token-bucket 1/50m burst 1",
                "10/s   | 20  | 50   | token-bucket 1/5s burst 1",
                "10/s   | 20  | 3    | token-bucket 1/300ms burst 7",
                "7/min  | 7   | 1    | token-bucket 7/m burst 7",
            })
    void theRateIsDividedExactlyAndTheBurstUp(String rate, long burst, int instances, String share) {
        assertThat(RateLimit.parse(rate).burst(burst).share(instances)).hasToString(share);
    }

    @Test
    void windowsAreDividedAsBuckets() {
        for (Algorithm window : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG)) {
            assertThat(RateLimit.parse("60/m").algorithm(window).share(3)).hasToString("token-bucket 1/3s burst 20");
        }
        assertThat(RateLimit.parseQuota("24/day", ZoneOffset.UTC).share(4)).hasToString("token-bucket 1/250m burst 6");
    }

    @Test
    void aLeakyQueueStaysOne() {
        RateLimit queue = RateLimit.parse("100/s").depth(49);
        assertThat(queue.share(4)).hasToString("leaky-queue 1/40ms depth 12");
    }

    @Test
    void aYearOfATinyQuotaForMillionsCanBeDivided() {
        RateLimit share = RateLimit.parseQuota("1/year", ZoneOffset.UTC).share(1_000_000);
        assertThat(share.capacity()).isEqualTo(1);
        assertThat(share.periodNanos()).isEqualTo(RateLimit.MAX_PERIOD.toNanos());
        assertThat(RateLimit.parseQuota("70368744177663/year", ZoneOffset.UTC).share(999_999))
                .isNotNull();
    }

    @Test
    void nothingDividedIsNothing() {
        RateLimit nothing = RateLimit.parse("10/s").burst(0);
        assertThat(nothing.share(5)).isEqualTo(nothing);
        assertThatThrownBy(() -> nothing.share(0)).hasMessageContaining("at least 1");
    }

    @Test
    void aDearCallPassesWhenNothingIsUsedAndLeavesDebt() {
        FakeTicker ticker = new FakeTicker(7);
        RateLimiter share = RateLimiter.of(RateLimit.parse("10/s").burst(20).share(10), ticker);
        assertThat(share.peek(21)).isEqualTo(RateLimiter.NEVER);
        assertThat(share.charge(20)).isEqualTo(RateLimiter.NOW);
        // 20 units at 1/s, of which 2 may be owed by a call of 1
        assertThat(share.charge(1)).isEqualTo(19_000_000_000L);
        ticker.advance(19_000_000_000L);
        assertThat(share.peek(20)).isEqualTo(1_000_000_000L);
        assertThat(share.charge(1)).isEqualTo(RateLimiter.NOW);
    }

    /** Whatever is asked, all shares together grant at most n bursts of a share and what the whole rate brings, and one dear call each. */
    @Test
    void sharesTogetherKeepTheBound() {
        long seed = Seeds.next("ShareTest.sharesTogetherKeepTheBound");
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            RateLimit whole = RateLimit.parse(1 + random.nextInt(50) + "/" + (1 + random.nextInt(9)) + "s")
                    .burst(1 + random.nextInt(40));
            int instances = 1 + random.nextInt(12);
            FakeTicker ticker = new FakeTicker(random.nextLong());
            List<RateLimiter> shares = new ArrayList<>();
            for (int i = 0; i < instances; i++) {
                shares.add(RateLimiter.of(whole.share(instances), ticker));
            }
            long part = whole.share(instances).capacity();
            long granted = 0;
            long elapsed = 0;
            for (int step = 0; step < 200; step++) {
                long cost = 1L + random.nextInt((int) part);
                granted += shares.get(random.nextInt(instances)).tryAcquire(cost) ? cost : 0;
                long gap = random.nextLong(400_000_000L);
                ticker.advance(gap);
                BigInteger most = BigInteger.valueOf(instances * part)
                        .multiply(BigInteger.valueOf(whole.periodNanos()))
                        .add(BigInteger.valueOf(whole.count()).multiply(BigInteger.valueOf(elapsed)));
                assertThat(BigInteger.valueOf(granted).multiply(BigInteger.valueOf(whole.periodNanos())))
                        .as("seed %d: %s shared by %d after %d ns", seed, whole, instances, elapsed)
                        .isLessThanOrEqualTo(most);
                elapsed += gap;
            }
        }
    }
}
