package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.FakeTicker;
import dev.weir.load.Criticality;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptiveThrottleTest {

    private static final long SECOND = 1_000_000_000L;
    private static final double NEVER_REFUSED = Math.nextDown(1.0);

    private final FakeTicker ticker = new FakeTicker(-SECOND);
    private final AdaptiveThrottle throttle = AdaptiveThrottle.of(2, ticker);

    /** Whether a request passes, which is then sent. */
    private boolean pass(Criticality criticality, double draw) {
        if (throttle.refuses(criticality, draw)) {
            return false;
        }
        throttle.sent(criticality);
        return true;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 1",
        "10, 10, 0, 1",
        "100, 100, 0, 1",
        "100, 50, 0, 1",
        "100, 49, 2, 101",
        "100, 40, 20, 101",
        "100, 10, 80, 101",
        "100, 0, 100, 101",
        "1, 0, 1, 2",
        "120, 30, 60, 121",
    })
    void probabilities(int requests, int accepts, double numerator, double denominator) {
        double expected = numerator / denominator;
        assertThat(AdaptiveThrottle.probability(requests, accepts, 2)).isCloseTo(expected, within(1e-12));
        for (int request = 0; request < requests; request++) {
            pass(Criticality.CRITICAL, NEVER_REFUSED);
        }
        for (int accept = 0; accept < accepts; accept++) {
            throttle.accepted(Criticality.CRITICAL);
        }
        assertThat(throttle.probability(Criticality.CRITICAL)).isCloseTo(expected, within(1e-12));
    }

    @Test
    void whatIsOlderThanTwoMinutesDoesNotWeigh() {
        for (int request = 0; request < 100; request++) {
            pass(Criticality.CRITICAL, NEVER_REFUSED);
        }
        ticker.advance(119 * SECOND);
        assertThat(throttle.probability(Criticality.CRITICAL)).isCloseTo(100 / 101.0, within(1e-12));
        ticker.advance(SECOND);
        assertThat(throttle.probability(Criticality.CRITICAL)).isZero();
    }

    @Test
    void eachCriticalityCountsForItself() {
        for (int request = 0; request < 100; request++) {
            pass(Criticality.SHEDDABLE, NEVER_REFUSED);
        }
        assertThat(throttle.probability(Criticality.SHEDDABLE)).isGreaterThan(0.99);
        assertThat(throttle.probability(Criticality.CRITICAL)).isZero();
        assertThat(pass(Criticality.CRITICAL, 0)).isTrue();
    }

    @Test
    void whatIsRefusedHereCountsAsARequest() {
        assertThat(pass(Criticality.CRITICAL, 0)).isTrue();
        assertThat(pass(Criticality.CRITICAL, 0.49)).isFalse();
        assertThat(throttle.probability(Criticality.CRITICAL)).isCloseTo(2 / 3.0, within(1e-12));
    }

    /** A dependency that takes 20 a second of 100 is asked for about K times what it takes. */
    @Test
    void asksForAboutKTimesWhatIsTaken() {
        Random random = new Random(7);
        int sent = 0;
        for (int second = 0; second < 600; second++) {
            int taken = 0;
            for (int call = 0; call < 100; call++) {
                if (pass(Criticality.CRITICAL, random.nextDouble())) {
                    sent += second >= 300 ? 1 : 0;
                    if (taken < 20) {
                        taken++;
                        throttle.accepted(Criticality.CRITICAL);
                    }
                }
                ticker.advance(SECOND / 100);
            }
        }
        assertThat(sent / 300.0).isBetween(36.0, 44.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, -1, 101, Double.NaN})
    void kIsFromOneToAHundred(double k) {
        assertThatThrownBy(() -> AdaptiveThrottle.of(k, ticker)).hasMessageContaining("from 1 to 100");
    }
}
