package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAllowanceTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 1", "10, 1", "11, 2", "20, 2", "95, 10", "100, 10", "1000, 100"})
    void allowsATenthOfTheFirstSendsOrOne(int firsts, int retries) {
        RetryAllowance allowance = new RetryAllowance(OptionalDouble.of(0.1));
        for (int i = 0; i < firsts; i++) {
            allowance.first(0);
        }

        assertThat(taken(allowance, 0)).isEqualTo(retries);
    }

    @Test
    void forgetsAfterTenSeconds() {
        RetryAllowance allowance = new RetryAllowance(OptionalDouble.of(0.1));
        for (int i = 0; i < 1000; i++) {
            allowance.first(0);
        }

        assertThat(taken(allowance, 9 * Meters.SECOND)).isEqualTo(100);
        assertThat(taken(allowance, 25 * Meters.SECOND)).isEqualTo(1);
    }

    private static int taken(RetryAllowance allowance, long nowNanos) {
        int taken = 0;
        while (allowance.takeRetry(nowNanos)) {
            taken++;
        }
        return taken;
    }
}
