package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final long MILLI = 1_000_000L;

    @Test
    void boundsDoubleUpToTheCap() {
        assertThat(boundsMillis(Backoff.DEFAULT, 8))
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
        Backoff quick = Backoff.of(Duration.ofMillis(30), Duration.ofSeconds(1));
        assertThat(boundsMillis(quick, 8)).containsExactly(30L, 60L, 120L, 240L, 480L, 960L, 1000L, 1000L);
    }

    private static LongStream boundsMillis(Backoff backoff, int retries) {
        return IntStream.range(0, retries).mapToLong(retry -> backoff.boundNanos(retry) / MILLI);
    }

    @Test
    void noRetryOverflowsTheBound() {
        Backoff quick = Backoff.of(Duration.ofMillis(30), Duration.ofSeconds(1));
        assertThat(IntStream.range(6, 2_000).mapToLong(quick::boundNanos)).allMatch(bound -> bound == 1_000 * MILLI);
        Backoff widest = new Backoff(1, Long.MAX_VALUE);
        assertThat(widest.boundNanos(62)).isEqualTo(1L << 62);
        assertThat(widest.boundNanos(63)).isEqualTo(Long.MAX_VALUE);
        assertThat(widest.boundNanos(64)).isEqualTo(Long.MAX_VALUE);
        assertThat(widest.boundNanos(Integer.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(widest.drawNanos(70, new Random(1))).isNotNegative();
    }

    @Test
    void drawsAreEvenFromZeroToTheBound() {
        Backoff backoff = Backoff.of(Duration.ofMillis(100), Duration.ofSeconds(1));
        Random random = new Random(42);
        for (int retry = 0; retry < 6; retry++) {
            long bound = backoff.boundNanos(retry);
            double sum = 0;
            for (int draw = 0; draw < 100_000; draw++) {
                long nanos = backoff.drawNanos(retry, random);
                assertThat(nanos).isBetween(0L, bound);
                sum += nanos;
            }
            assertThat(sum / 100_000 / bound).isCloseTo(0.5, within(0.005));
        }
    }

    @Test
    void nothingIsNothing() {
        assertThat(new Backoff(0, 0).drawNanos(0, new Random(1))).isZero();
        assertThat(new Backoff(0, 5).drawNanos(99, new Random(1))).isZero();
    }

    @Test
    void numbersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new Backoff(-1, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(6, 5)).hasMessageContaining("0 <= base <= cap");
    }
}
