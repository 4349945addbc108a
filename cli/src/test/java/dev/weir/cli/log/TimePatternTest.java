package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimePatternTest {

    private static final DateTimeFormatter COMMON =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static Instant read(TimePattern pattern, String text) {
        TimeParts parts = new TimeParts();
        byte[] bytes = (text + "tail").getBytes(StandardCharsets.US_ASCII);
        try {
            int end = pattern.parse(bytes, 0, bytes.length, parts);
            assertThat(end).as("end of %s", text).isEqualTo(text.length());
            return LoggedCall.instant(parts.epochNanos());
        } catch (Malformed e) {
            throw new AssertionError(text + ": " + e.reason(), e);
        }
    }

    /** Our calendar and that of the JDK agree, at random instants and zones. */
    @Test
    void agreesWithTheCalendarOfTheJdk() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            // Two days in from both ends, so that no zone leads out.
            long second = 172_800 + (long) (random.nextDouble() * 9_210_000_000L);
            int nano = random.nextInt(1_000_000_000);
            Instant instant = Instant.ofEpochSecond(second, nano);
            ZonedDateTime there =
                    instant.atZone(ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 18 * 60 - 1) - 18 * 60 + 1)));
            assertThat(read(TimePattern.COMMON, COMMON.format(there)))
                    .isEqualTo(instant.truncatedTo(ChronoUnit.SECONDS));
            assertThat(read(
                            TimePattern.ISO,
                            DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(there.truncatedTo(ChronoUnit.MILLIS))))
                    .isEqualTo(instant.truncatedTo(ChronoUnit.MILLIS));
            assertThat(read(TimePattern.ANY, "%d.%09d".formatted(second, nano))).isEqualTo(instant);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "%d/%b/%Y:%H:%M:%S %z | 02/Mar/2026:08:15:30 +0100 | 2026-03-02T07:15:30Z",
                "%F %T%z              | 2026-03-02 08:15:30+01:00  | 2026-03-02T07:15:30Z",
                "%Y%m%d %R:%S Z       | 20260302 08:15:30 Z        | 2026-03-02T08:15:30Z",
                "%e %h %Y %T          | 2 mar 2026 08:15:30        | 2026-03-02T08:15:30Z",
                "%s%%                 | 1772435730%                | 2026-03-02T07:15:30Z",
            })
    void readsConversions(String pattern, String text, String expected) {
        String padded = pattern.startsWith("%e") ? " " + text : text;
        assertThat(read(TimePattern.strftime(pattern), padded)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00Z",
        "1772435730, 2026-03-02T07:15:30Z",
        "1772435730.5, 2026-03-02T07:15:30.500Z",
        "1772435730123, 2026-03-02T07:15:30.123Z",
        "1772435730123.25, 2026-03-02T07:15:30.123250Z",
        "1772435730123456, 2026-03-02T07:15:30.123456Z",
        "1772435730123456789, 2026-03-02T07:15:30.123456789Z",
        "2026-03-02T07:15:30Z, 2026-03-02T07:15:30Z",
        "2026-03-02t07:15:30.25-0030, 2026-03-02T07:45:30.250Z",
        "'2026-03-02 07:15:30,123', 2026-03-02T07:15:30.123Z",
        "[02/Mar/2026:08:15:30 +0100], 2026-03-02T07:15:30Z",
    })
    void readsAnyTimeByItsLook(String text, String expected) {
        assertThat(read(TimePattern.ANY, text)).isEqualTo(expected);
    }
}
