package dev.weir.rate;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A period that a calendar knows and a stopwatch does not: a day may have 23 hours, a month 28 days. */
public enum CalendarPeriod {
    HOUR,
    DAY,
    /** From Monday. */
    WEEK,
    MONTH,
    YEAR;

    /** The word of the policy file: {@code month}. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The period of that policy word, or empty when there is none. */
    public static Optional<CalendarPeriod> named(String policyName) {
        for (CalendarPeriod period : values()) {
            if (period.policyName().equals(policyName)) {
                return Optional.of(period);
            }
        }
        return Optional.empty();
    }

    /** The longest that such a period lasts, a clock that is set back by an hour included. */
    long longestNanos() {
        return TimeUnit.HOURS.toNanos(
                switch (this) {
                    case HOUR -> 1;
                    case DAY -> 25;
                    case WEEK -> 7 * 24 + 1;
                    case MONTH -> 31 * 24 + 1;
                    case YEAR -> 366 * 24 + 1;
                });
    }

    /** When the period that contains {@code instant} began in {@code zone}. */
    public Instant start(Instant instant, ZoneId zone) {
        ZonedDateTime local = instant.atZone(zone);
        return switch (this) {
            case HOUR -> hourStart(instant, zone);
            case DAY -> local.toLocalDate().atStartOfDay(zone).toInstant();
            case WEEK ->
                local.toLocalDate()
                        .with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
                        .atStartOfDay(zone)
                        .toInstant();
            case MONTH ->
                local.toLocalDate().withDayOfMonth(1).atStartOfDay(zone).toInstant();
            case YEAR -> local.toLocalDate().withDayOfYear(1).atStartOfDay(zone).toInstant();
        };
    }

    /** When the period that contains {@code instant} ends in {@code zone}: the start of the next one. */
    public Instant end(Instant instant, ZoneId zone) {
        ZonedDateTime local = instant.atZone(zone);
        return switch (this) {
            case HOUR -> hourEnd(instant, zone);
            case DAY -> local.toLocalDate().plusDays(1).atStartOfDay(zone).toInstant();
            case WEEK ->
                local.toLocalDate()
                        .with(TemporalAdjusters.next(DayOfWeek.MONDAY))
                        .atStartOfDay(zone)
                        .toInstant();
            case MONTH ->
                local.toLocalDate()
                        .withDayOfMonth(1)
                        .plusMonths(1)
                        .atStartOfDay(zone)
                        .toInstant();
            case YEAR ->
                local.toLocalDate()
                        .withDayOfYear(1)
                        .plusYears(1)
                        .atStartOfDay(zone)
                        .toInstant();
        };
    }

    /** An hour of the clock on the wall. Where the clock jumps inside an hour (Lord Howe moves by 30 minutes) the jump is an edge too, so that hours never overlap. */
    private static Instant hourStart(Instant instant, ZoneId zone) {
        Instant start = instant.atOffset(zone.getRules().getOffset(instant))
                .truncatedTo(ChronoUnit.HOURS)
                .toInstant();
        ZoneOffsetTransition jump = zone.getRules().previousTransition(instant.plusNanos(1));
        return jump != null && jump.getInstant().isAfter(start) ? jump.getInstant() : start;
    }

    private static Instant hourEnd(Instant instant, ZoneId zone) {
        Instant end = instant.atOffset(zone.getRules().getOffset(instant))
                .truncatedTo(ChronoUnit.HOURS)
                .plusHours(1)
                .toInstant();
        ZoneOffsetTransition jump = zone.getRules().nextTransition(instant);
        return jump != null && jump.getInstant().isBefore(end) ? jump.getInstant() : end;
    }
}
