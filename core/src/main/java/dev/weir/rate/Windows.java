package dev.weir.rate;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * How time since the epoch is cut into windows. Windows are numbered in the order of time; a later one has a greater number, not
 * always the next.
 */
sealed interface Windows {

    /** The number of the window that contains {@code now}. */
    long number(long now);

    /** When the window of that number ends, in nanoseconds since the epoch. */
    long end(long number);

    /** The number of the window behind that one. */
    long next(long number);

    /** The shortest distance between two windows' numbers, in nanoseconds for each step of the number. */
    long nanosPerNumber();

    /** Multiples of a period from the epoch. */
    record Even(long periodNanos) implements Windows {
        @Override
        public long number(long now) {
            return Math.floorDiv(now, periodNanos);
        }

        @Override
        public long end(long number) {
            return (number + 1) * periodNanos;
        }

        @Override
        public long next(long number) {
            return number + 1;
        }

        @Override
        public long nanosPerNumber() {
            return periodNanos;
        }
    }

    /**
     * Periods of a calendar. Asking {@code java.time} costs hundreds of nanoseconds, so the window that was asked for last is remembered:
     * one immutable value behind a plain race, which at worst is computed twice.
     */
    final class Calendar implements Windows {

        private final CalendarPeriod period;
        private final ZoneId zone;
        private volatile Window last;

        Calendar(CalendarPeriod period, ZoneId zone) {
            this.period = period;
            this.zone = zone;
            this.last = window(Instant.EPOCH);
        }

        private record Window(long number, long start, long end) {}

        @Override
        public long number(long now) {
            Window window = last;
            if (now < window.start || now >= window.end) {
                window = window(Instant.ofEpochSecond(0, now));
                last = window;
            }
            return window.number;
        }

        @Override
        public long end(long number) {
            Window window = last;
            return window.number == number ? window.end : window(startOf(number)).end;
        }

        @Override
        public long next(long number) {
            return number(end(number));
        }

        @Override
        public long nanosPerNumber() {
            return TimeUnit.MINUTES.toNanos(
                    switch (period) {
                        case HOUR -> 1;
                        case DAY -> 20 * 60;
                        case WEEK -> 6 * 24 * 60;
                        case MONTH -> 27 * 24 * 60;
                        case YEAR -> 364 * 24 * 60;
                    });
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Calendar that && period == that.period && zone.equals(that.zone);
        }

        @Override
        public int hashCode() {
            return Objects.hash(period, zone);
        }

        private Window window(Instant instant) {
            Instant start = period.start(instant, zone);
            Instant end = period.end(instant, zone);
            return new Window(numberOf(start), nanos(start), nanos(end));
        }

        private long numberOf(Instant start) {
            LocalDate date = start.atZone(zone).toLocalDate();
            return switch (period) {
                // Minutes: some clocks jump a minute after the hour, and that is an edge too.
                case HOUR -> Math.floorDiv(start.getEpochSecond(), 60L);
                case DAY -> date.toEpochDay();
                case WEEK -> Math.floorDiv(date.toEpochDay() + 3, 7L);
                case MONTH -> date.getYear() * 12L + date.getMonthValue() - 1;
                case YEAR -> date.getYear();
            };
        }

        private Instant startOf(long number) {
            LocalDate date = switch (period) {
                case HOUR -> LocalDate.EPOCH;
                case DAY -> LocalDate.ofEpochDay(number);
                case WEEK -> LocalDate.ofEpochDay(number * 7 - 3);
                case MONTH -> LocalDate.of((int) Math.floorDiv(number, 12L), (int) Math.floorMod(number, 12L) + 1, 1);
                case YEAR -> LocalDate.of((int) number, 1, 1);
            };
            return period == CalendarPeriod.HOUR
                    ? Instant.ofEpochSecond(number * 60)
                    : date.atStartOfDay(zone).toInstant();
        }

        private static long nanos(Instant instant) {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        }
    }
}
