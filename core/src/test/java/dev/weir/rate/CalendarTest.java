package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of the calendar. */
final class CalendarTest {

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    @Test
    void aMonthIsNotThirtyDays() {
        FakeTicker ticker = new FakeTicker(nanos(Instant.parse("2017-08-21T09:00:00Z")));
        RateLimiter limiter = RateLimiter.of(RateLimit.quota(100, CalendarPeriod.MONTH, ZoneOffset.UTC), ticker);
        assertThat(limiter.tryAcquire(100)).isTrue();
        ticker.advance(Duration.ofDays(1).toNanos());
        assertThat(limiter.charge(1)).isEqualTo(831_600_000_000_000L);
        ticker.advance(limiter.peek(1) - 1);
        assertThat(limiter.charge(1)).isEqualTo(1);
        ticker.advance(1);
        assertThat(limiter.tryAcquire(100)).isTrue();
    }

    @Test
    void aQuotaOfTwoADayEndsAtMidnightOfItsZone() {
        ZoneId zone = ZoneId.of("Europe/Vienna");
        FakeTicker ticker = new FakeTicker(nanos(Instant.parse("2024-07-01T20:00:00Z")));
        KeyedRateLimiter<CharSequence> office =
                KeyedRateLimiter.of(RateLimit.quota(2, CalendarPeriod.DAY, zone), 50, KeyHash.text(), ticker);
        assertThat(office.charge("anna", 2)).isEqualTo(RateLimiter.NOW);
        assertThat(office.charge("anna", 1)).isEqualTo(Duration.ofHours(2).toNanos());
        assertThat(office.charge("bela", 1)).isEqualTo(RateLimiter.NOW);
        ticker.advance(Duration.ofHours(2).toNanos());
        assertThat(office.charge("anna", 2)).isEqualTo(RateLimiter.NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "MONTH, UTC, 2024-01-31T10:00:00Z, 2024-01-01T00:00:00Z, 2024-02-01T00:00:00Z",
        "MONTH, UTC, 2024-02-29T23:59:59Z, 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z",
        "MONTH, UTC, 2023-02-28T23:59:59Z, 2023-02-01T00:00:00Z, 2023-03-01T00:00:00Z",
        "YEAR, UTC, 2024-12-31T23:59:59Z, 2024-01-01T00:00:00Z, 2025-01-01T00:00:00Z",
        "WEEK, UTC, 2024-07-07T12:00:00Z, 2024-07-01T00:00:00Z, 2024-07-08T00:00:00Z",
        "WEEK, UTC, 2024-07-08T00:00:00Z, 2024-07-08T00:00:00Z, 2024-07-15T00:00:00Z",
        "WEEK, UTC, 1969-12-31T00:00:00Z, 1969-12-29T00:00:00Z, 1970-01-05T00:00:00Z",
        // Days of 23 and of 25 hours.
        "DAY, Europe/Berlin, 2024-03-31T12:00:00Z, 2024-03-30T23:00:00Z, 2024-03-31T22:00:00Z",
        "DAY, Europe/Berlin, 2024-10-27T12:00:00Z, 2024-10-26T22:00:00Z, 2024-10-27T23:00:00Z",
        // A day that begins at one o'clock.
        "DAY, America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z",
        // The day that Samoa left out.
        "DAY, Pacific/Apia, 2011-12-30T05:00:00Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
        "HOUR, Asia/Kolkata, 2024-05-01T10:00:00Z, 2024-05-01T09:30:00Z, 2024-05-01T10:30:00Z",
        "HOUR, Asia/Kathmandu, 2024-05-01T10:00:00Z, 2024-05-01T09:15:00Z, 2024-05-01T10:15:00Z",
        // The clock goes back from 2:00 to 1:30: the half hour is a window of its own.
        "HOUR, Australia/Lord_Howe, 2024-04-06T14:45:00Z, 2024-04-06T14:00:00Z, 2024-04-06T15:00:00Z",
        "HOUR, Australia/Lord_Howe, 2024-04-06T15:10:00Z, 2024-04-06T15:00:00Z, 2024-04-06T15:30:00Z",
        "HOUR, Australia/Lord_Howe, 2024-04-06T15:30:00Z, 2024-04-06T15:30:00Z, 2024-04-06T16:30:00Z",
    })
    void edges(CalendarPeriod period, String zone, Instant at, Instant start, Instant end) {
        assertThat(period.start(at, ZoneId.of(zone))).isEqualTo(start);
        assertThat(period.end(at, ZoneId.of(zone))).isEqualTo(end);
    }

    /** Casey's clock jumped at one minute past midnight: a window of a minute, with a number of its own. */
    @Test
    void aJumpRightAfterTheHourMakesTwoWindows() {
        Windows.Calendar windows = new Windows.Calendar(CalendarPeriod.HOUR, ZoneId.of("Antarctica/Casey"));
        long before = windows.number(nanos(Instant.parse("2021-10-02T16:00:30Z")));
        long after = windows.number(nanos(Instant.parse("2021-10-02T16:01:00Z")));
        assertThat(after).isGreaterThan(before);
        assertThat(windows.end(before)).isEqualTo(nanos(Instant.parse("2021-10-02T16:01:00Z")));
    }

    /** Every instant lies in one window, windows touch, and their numbers rise with time. */
    @Test
    void windowsCoverTimeWithoutGapInEveryZone() {
        Random random = new Random(Seeds.next("calendars"));
        long from = Instant.parse("2015-01-01T00:00:00Z").getEpochSecond();
        long to = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();
        for (String id : ZoneId.getAvailableZoneIds()) {
            ZoneId zone = ZoneId.of(id);
            for (CalendarPeriod period : CalendarPeriod.values()) {
                Windows.Calendar windows = new Windows.Calendar(period, zone);
                for (int i = 0; i < 6 * Seeds.DEPTH; i++) {
                    Instant at = Instant.ofEpochSecond(from + Math.floorMod(random.nextLong(), to - from));
                    Instant jump = zone.getRules().nextTransition(at) == null
                            ? at
                            : zone.getRules().nextTransition(at).getInstant();
                    for (Instant instant : new Instant[] {at, jump.minusNanos(1), jump, jump.plusSeconds(1_900)}) {
                        Instant start = period.start(instant, zone);
                        Instant end = period.end(instant, zone);
                        String text = period + " " + zone + " " + instant;
                        assertThat(start).as(text).isBeforeOrEqualTo(instant);
                        assertThat(end).as(text).isAfter(instant);
                        assertThat(period.start(end, zone)).as(text).isEqualTo(end);
                        assertThat(period.end(start, zone)).as(text).isEqualTo(end);
                        long number = windows.number(nanos(instant));
                        assertThat(windows.number(nanos(start))).as(text).isEqualTo(number);
                        assertThat(windows.end(number)).as(text).isEqualTo(nanos(end));
                        assertThat(windows.number(nanos(end))).as(text).isGreaterThan(number);
                        assertThat(windows.end(number)).as(text).isEqualTo(nanos(end));
                    }
                }
            }
        }
    }
}
