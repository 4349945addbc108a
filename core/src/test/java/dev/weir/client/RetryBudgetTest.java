package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryBudgetTest {

    private static final long SECOND = 1_000_000_000L;

    private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - 3 * SECOND);
    private final RetryBudget budget = RetryBudget.of(1_000, ticker);

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 1",
        "5, 1000, 1",
        "10, 1000, 1",
        "11, 1000, 2",
        "20, 1000, 2",
        "95, 1000, 10",
        "100, 1000, 10",
        "1000, 1000, 100",
        "1000, 0, 0",
        "0, 10000, 10",
        "9000000000000000000, 1000, 900000000000000000",
    })
    void aShareOfFirstAttempts(long firsts, int basisPoints, long allowed) {
        assertThat(RetryBudget.allowed(firsts, basisPoints)).isEqualTo(allowed);
    }

    @Test
    void aThousandCallsThatAllFailAreElevenHundredSends() {
        int sends = 0;
        for (int call = 0; call < 1_000; call++) {
            budget.first();
            sends++;
            for (int retry = 0; retry < 3 && budget.tryRetry(); retry++) {
                sends++;
            }
        }
        assertThat(sends).isEqualTo(1_100);
        assertThat(budget.left()).isZero();
    }

    @Test
    void theLoadIsAtMostATenthMoreForEver() {
        long firsts = 0;
        long retries = 0;
        for (int second = 0; second < 600; second++) {
            for (int call = 0; call < 240; call++) {
                budget.first();
                firsts++;
                for (int retry = 0; retry < 3 && budget.tryRetry(); retry++) {
                    retries++;
                }
                ticker.advance(SECOND / 240);
            }
        }
        assertThat(firsts).isEqualTo(144_000);
        assertThat(retries).isBetween(14_000L, 14_400L + 240);
    }

    @Test
    void aRetryIsForgottenAfterTenSeconds() {
        assertThat(budget.left()).isEqualTo(1);
        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isFalse();
        ticker.advance(9 * SECOND);
        assertThat(budget.tryRetry()).isFalse();
        ticker.advance(SECOND);
        assertThat(budget.tryRetry()).isTrue();
        ticker.advance(-5 * SECOND);
        assertThat(budget.tryRetry())
                .as("a clock that steps back mints nothing")
                .isFalse();
    }

    /** Against a list of everything that happened, by the second in which it did. */
    @Test
    void agreesWithAList() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        long start = ticker.nanos();
        ArrayDeque<Long> firsts = new ArrayDeque<>();
        ArrayDeque<Long> retries = new ArrayDeque<>();
        for (int step = 0; step < 20_000; step++) {
            ticker.advance(random.nextInt(8) == 0 ? random.nextLong(15 * SECOND) : random.nextLong(SECOND / 4));
            long second = (ticker.nanos() - start) / SECOND;
            firsts.removeIf(at -> at <= second - 10);
            retries.removeIf(at -> at <= second - 10);
            if (random.nextInt(3) > 0) {
                budget.first();
                firsts.add(second);
            } else {
                boolean expected = retries.size() < 0.1 * Math.max(firsts.size(), 10);
                assertThat(budget.tryRetry()).as("seed %d, step %d", seed, step).isEqualTo(expected);
                if (expected) {
                    retries.add(second);
                }
            }
        }
    }

    @Test
    void aShareAboveTheWholeIsRefused() {
        assertThatThrownBy(() -> RetryBudget.of(10_001, ticker)).hasMessageContaining("from 0 to 10000");
        assertThatThrownBy(() -> RetryBudget.of(-1, ticker)).isInstanceOf(IllegalArgumentException.class);
    }
}
