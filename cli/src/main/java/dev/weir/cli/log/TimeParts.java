package dev.weir.cli.log;

/** The parts of a time as one line gives them, and the instant they make. Reused for every line. */
final class TimeParts {

    private static final int[] DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    /** The last year that nanoseconds since 1970 reach to its end. */
    private static final int LAST_YEAR = 2261;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    int nanos;
    int offsetSeconds;

    /** Whether seconds since 1970 were given; they then count instead of date and time of day. */
    boolean secondsKnown;

    long seconds;

    void clear() {
        year = 0;
        month = 0;
        day = 0;
        hour = 0;
        minute = 0;
        second = 0;
        nanos = 0;
        offsetSeconds = 0;
        secondsKnown = false;
        seconds = 0;
    }

    /** The instant in nanoseconds since 1970. A leap second is the first second of the next minute. */
    long epochNanos() throws Malformed {
        if (!secondsKnown) {
            if (month < 1
                    || month > 12
                    || day < 1
                    || day > DAYS[month - 1]
                    || (month == 2 && day == 29 && !leapYear())) {
                throw new Malformed("there is no day " + year + "-" + month + "-" + day);
            }
            if (year < 1970 || year > LAST_YEAR) {
                throw new Malformed("a year from 1970 to " + LAST_YEAR + " was expected, found " + year);
            }
            if (hour > 23 || minute > 59 || second > 60) {
                throw new Malformed("there is no time of day " + hour + ":" + minute + ":" + second);
            }
            seconds = 86_400L * epochDay() + 3_600L * hour + 60L * minute + second - offsetSeconds;
        }
        if (seconds < 0 || seconds > Long.MAX_VALUE / NANOS_PER_SECOND - 1) {
            throw new Malformed("a time from 1970 to " + LAST_YEAR + " was expected");
        }
        return seconds * NANOS_PER_SECOND + nanos;
    }

    private boolean leapYear() {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /** Days since 1970 in years that begin with March, so that the leap day is the last. */
    private long epochDay() {
        long marchYear = month > 2 ? year : year - 1;
        int marchMonth = month > 2 ? month - 3 : month + 9;
        return 365 * marchYear
                + marchYear / 4
                - marchYear / 100
                + marchYear / 400
                + (153 * marchMonth + 2) / 5
                + day
                - 1
                - 719_468;
    }
}
