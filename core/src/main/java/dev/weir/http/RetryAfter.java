package dev.weir.http;

import dev.weir.rate.Standing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Retry-After field (RFC 9110 section 10.2.3), sent and received. Pure functions; time and chance are arguments.
 */
public final class RetryAfter {

    /** The field's name. */
    public static final String FIELD = "Retry-After";

    /** The longest wait that is ever answered, about 292 years: as nanoseconds it still fits a long. */
    public static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000L;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int BASIS = 10_000;
    private static final long MAX_JITTER_SECONDS = 60;

    private static final int MAX_CHARS = 64;
    private static final Pattern NUMBER =
            Pattern.compile("([0-9]+)(?:\\.([0-9]+))?(?: ?(?:s|secs?|seconds?|(?<ms>ms|milliseconds?)))?");
    private static final String DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
    private static final String LONG_DAY = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final String MONTH = "(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    private static final String TIME = "(?<hour>[0-9]{2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})";
    private static final List<Pattern> DATES = List.of(
            Pattern.compile(DAY + ", (?<day>[0-9]{2}) " + MONTH + " (?<year>[0-9]{4}) " + TIME + " GMT"),
            Pattern.compile(LONG_DAY + ", (?<day>[0-9]{2})-" + MONTH + "-(?<year>[0-9]{2}) " + TIME + " GMT"),
            Pattern.compile(DAY + " " + MONTH + " (?<day>[0-9]{2}| [0-9]) " + TIME + " (?<year>[0-9]{4})"));

    private RetryAfter() {}

    /** A wait in whole seconds: rounded up, and at least 1, so that nobody is sent back at once. */
    public static long wholeSeconds(long waitNanos) {
        return Math.max(1, ceilSeconds(waitNanos));
    }

    static long ceilSeconds(long nanos) {
        return nanos <= 0 ? 0 : (nanos - 1) / NANOS_PER_SECOND + 1;
    }

    /**
     * What a refusal by this limit says, in seconds: the wait rounded up, at least 1, and not before the limit's own reset. Where many
     * keys see more at the same instant it is raised by whole seconds drawn uniformly from zero to the smaller of the jitter's share of
     * the wait and 60 s, so that they do not all come back together; elsewhere it is exact.
     *
     * @param waitNanos how long until the same call would pass
     * @param standing where the limit stands
     * @param jitterBasisPoints the share of the wait in hundredths of a percent, 0 to 10,000
     * @param random asked once, and only where there is something to draw
     */
    public static long seconds(long waitNanos, Standing standing, int jitterBasisPoints, RandomGenerator random) {
        long seconds = Math.max(
                wholeSeconds(waitNanos), ceilSeconds(standing.resetNanos().orElse(0)));
        if (!standing.sharedReset()) {
            return seconds;
        }
        long share = waitNanos / BASIS * jitterBasisPoints / NANOS_PER_SECOND;
        long most = Math.min(Math.max(0, share), MAX_JITTER_SECONDS);
        return most == 0 ? seconds : seconds + random.nextLong(most + 1);
    }

    /**
     * What a refusal for want of capacity says, in seconds: a time drawn evenly from {@code waitNanos} to twice that, rounded up and at
     * least 1, so that those who are refused together do not come back together.
     */
    public static long spreadSeconds(long waitNanos, RandomGenerator random) {
        long least = Math.max(0, Math.min(waitNanos, Long.MAX_VALUE / 2));
        return wholeSeconds(least + random.nextLong(least + 1));
    }

    /**
     * How long the field asks to wait from {@code now}, in whole seconds rounded up and at least zero; of several lines the longest wait
     * counts. A number, of which a fraction and a unit (s, sec, seconds, ms, milliseconds) are understood although none should be sent; or a date in any of the three forms of RFC 9110
     * section 5.6.7, of which one in the past means zero. Empty where the field is absent or means nothing: signs, exponents, parameters,
     * a date that does not exist. Longer waits than {@link #MAX_SECONDS} are that. Never throws.
     *
     * @param lines the field's lines
     * @param now the server's time where it is known from its Date field, the local time otherwise
     */
    public static OptionalLong receivedSeconds(List<String> lines, Instant now) {
        OptionalLong longest = OptionalLong.empty();
        for (String line : lines) {
            OptionalLong seconds = receivedSeconds(line, now);
            if (seconds.isPresent() && seconds.getAsLong() >= longest.orElse(0)) {
                longest = seconds;
            }
        }
        return longest;
    }

    private static OptionalLong receivedSeconds(String line, Instant now) {
        String value = line.strip();
        if (value.length() > MAX_CHARS) {
            return OptionalLong.empty();
        }
        Matcher number = NUMBER.matcher(value);
        if (number.matches()) {
            long seconds = number(number.group(1), Optional.ofNullable(number.group(2)));
            return OptionalLong.of(number.group("ms") == null ? seconds : (seconds + 999) / 1_000);
        }
        return date(value, now).map(date -> secondsUntil(date, now)).orElseGet(OptionalLong::empty);
    }

    private static long number(String digits, Optional<String> fraction) {
        boolean up = fraction.isPresent() && fraction.get().chars().anyMatch(c -> c != '0');
        String significant = digits.replaceFirst("^0+(?=.)", "");
        if (significant.length() > 18) {
            return MAX_SECONDS;
        }
        return Math.min(MAX_SECONDS, Long.parseLong(significant) + (up ? 1 : 0));
    }

    private static OptionalLong secondsUntil(Instant date, Instant now) {
        Duration wait = Duration.between(now, date);
        if (wait.isNegative()) {
            return OptionalLong.of(0);
        }
        long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
        return OptionalLong.of(Math.min(MAX_SECONDS, seconds));
    }

    /**
     * A date in one of the three forms of RFC 9110 section 5.6.7. The weekday must be one, but is not held against the date. A year of two
     * digits is the latest one that is not more than 50 years ahead. A leap second is the second after it. Empty for anything else.
     */
    static Optional<Instant> date(String text, Instant now) {
        for (Pattern form : DATES) {
            Matcher date = form.matcher(text);
            if (date.matches()) {
                return instant(date, now);
            }
        }
        return Optional.empty();
    }

    private static Optional<Instant> instant(Matcher date, Instant now) {
        int year = part(date, "year");
        if (date.group("year").length() == 2) {
            int latest = now.atOffset(ZoneOffset.UTC).getYear() + 50;
            year = latest - Math.floorMod(latest - year, 100);
        }
        int second = part(date, "second");
        int leap = second == 60 ? 1 : 0;
        try {
            return Optional.of(LocalDateTime.of(
                            year,
                            MONTHS.indexOf(date.group("month")) / 3 + 1,
                            part(date, "day"),
                            part(date, "hour"),
                            part(date, "minute"),
                            second - leap)
                    .toInstant(ZoneOffset.UTC)
                    .plusSeconds(leap));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int part(Matcher date, String name) {
        return Integer.parseInt(date.group(name).strip());
    }
}
