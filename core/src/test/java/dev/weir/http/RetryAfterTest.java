package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Standing;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    /** Sun, 06 Nov 1994 08:49:07 GMT. */
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "-5, 1",
        "1, 1",
        "300000000, 1",
        "400000000, 1",
        "1000000000, 1",
        "1000000001, 2",
        "9000000000, 9",
        "831600000000000, 831600",
        "9223372036854775807, 9223372037",
    })
    void secondsAreRoundedUp(long nanos, long seconds) {
        assertThat(RetryAfter.wholeSeconds(nanos)).isEqualTo(seconds);
    }

    @Test
    void waitingTheAnnouncedSecondsIsWaitingLongEnough() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 10_000; round++) {
            long nanos = 1 + (random.nextLong() >>> (1 + random.nextInt(62))) % 1_000_000_000_000_000L;
            long seconds = RetryAfter.wholeSeconds(nanos);
            assertThat(seconds * 1_000_000_000L)
                    .as("seed %d: %d", seed, nanos)
                    .isGreaterThanOrEqualTo(nanos)
                    .isLessThan(nanos + 1_000_000_000L);
        }
    }

    @Test
    void notBeforeTheResetOfTheLimitThatSpeaks() {
        Standing standing = Decisions.bucket(10, 60, 0, 6.5);
        assertThat(RetryAfter.seconds(Decisions.nanos(2), standing, 10_000, new Random(1)))
                .isEqualTo(7);
        assertThat(RetryAfter.seconds(Decisions.nanos(20), standing, 10_000, new Random(1)))
                .isEqualTo(20);
    }

    @Test
    void onlySharedInstantsAreSpread() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Standing shared = Decisions.window(100, 60, 0, 10);
        int[] at = new int[14];
        for (int caller = 0; caller < 1_000; caller++) {
            at[(int) RetryAfter.seconds(Decisions.nanos(10), shared, 2_000, random)]++;
        }
        assertThat(at[10] + at[11] + at[12]).as("seed %d", seed).isEqualTo(1_000);
        assertThat(List.of(at[10], at[11], at[12])).as("seed %d", seed).allMatch(n -> n > 200 && n < 600);

        Standing own = Decisions.bucket(100, 60, 0, 10);
        for (int caller = 0; caller < 100; caller++) {
            assertThat(RetryAfter.seconds(Decisions.nanos(10), own, 10_000, random))
                    .isEqualTo(10);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // wait in seconds, jitter in basis points, the most that is added
        "9, 1000, 0",
        "10, 1000, 1",
        "19.9, 1000, 1",
        "20, 1000, 2",
        "599, 1000, 59",
        "601, 1000, 60",
        "831600, 1000, 60",
        "831600, 0, 0",
        "40, 10000, 40",
        "0, 10000, 0",
    })
    void jitterIsBounded(double waitSeconds, int basisPoints, long most) {
        Standing shared = Decisions.quota(100, 0, waitSeconds);
        long exact = RetryAfter.wholeSeconds(Decisions.nanos(waitSeconds));
        Random random = new Random(7);
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (int draw = 0; draw < 2_000; draw++) {
            long seconds = RetryAfter.seconds(Decisions.nanos(waitSeconds), shared, basisPoints, random);
            least = Math.min(least, seconds);
            greatest = Math.max(greatest, seconds);
        }
        assertThat(least).isEqualTo(exact);
        assertThat(greatest).isEqualTo(exact + most);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "3|3",
                " 3 |3",
                "0|0",
                "007|7",
                "0.4|1",
                "1.5|2",
                "2.000|2",
                "299.997|300",
                "120|120",
                "5s|5",
                "5 seconds|5",
                "1.5 sec|2",
                "250ms|1",
                "1500 ms|2",
                "1000 milliseconds|1",
                "0ms|0",
                "9223372036|9223372036",
                "9223372037|9223372036",
                "99999999999999999999999|9223372036",
                "Sun, 06 Nov 1994 08:49:37 GMT|30",
                "Sunday, 06-Nov-94 08:49:37 GMT|30",
                "Sun Nov  6 08:49:37 1994|30",
                "Sun Nov 06 08:49:37 1994|30",
                "Sun, 06 Nov 1994 08:48:57 GMT|0",
                "Sun, 06 Nov 1994 08:49:07 GMT|0",
                "Mon, 06 Nov 1994 08:49:37 GMT|30",
                "Sun, 06 Nov 1994 08:49:60 GMT|53",
                "Sunday, 06-Nov-44 08:49:07 GMT|1577923200",
                "Sunday, 06-Nov-45 08:49:37 GMT|0",
                "Fri, 31 Dec 9999 23:59:59 GMT|9223372036",
            })
    void received(String value, long seconds) {
        assertThat(RetryAfter.receivedSeconds(List.of(value), NOW)).isEqualTo(OptionalLong.of(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "-5",
                "+1",
                "1e3",
                "inf",
                "NaN",
                "0x10",
                "5;q=1",
                "5x",
                "5 minutes",
                "s",
                ".5",
                "5.",
                "1.2.3",
                "\u0663",
                "5, 10",
                "soon",
                "Sun, 31 Nov 1994 08:49:37 GMT",
                "Xxx, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37",
                "sun, 06 nov 1994 08:49:37 gmt",
                "Sun, 06-Nov-94 08:49:37 GMT",
                "Sun Nov 6 08:49:37 1994",
                "1994-11-06T08:49:37Z",
                "Wed, 29 Feb 1995 00:00:00 GMT"
            })
    void meaningless(String value) {
        assertThat(RetryAfter.receivedSeconds(List.of(value), NOW)).isEmpty();
        assertThat(RetryAfter.receivedSeconds(List.of(value + " ".repeat(5) + "x".repeat(100_000)), NOW))
                .isEmpty();
    }

    @Test
    void theLongestOfSeveralLines() {
        assertThat(RetryAfter.receivedSeconds(List.of("5", "10"), NOW)).hasValue(10);
        assertThat(RetryAfter.receivedSeconds(List.of("10", "never", "5"), NOW)).hasValue(10);
        assertThat(RetryAfter.receivedSeconds(List.of("0", "-1"), NOW)).hasValue(0);
        assertThat(RetryAfter.receivedSeconds(List.of(), NOW)).isEmpty();
    }

    @Test
    void aPartOfASecondCountsAsOne() {
        assertThat(RetryAfter.receivedSeconds(List.of("Sun, 06 Nov 1994 08:49:37 GMT"), NOW.plusMillis(1)))
                .hasValue(30);
        assertThat(RetryAfter.receivedSeconds(List.of("Sun, 06 Nov 1994 08:49:37 GMT"), NOW.plusMillis(1_000)))
                .hasValue(29);
    }
}
