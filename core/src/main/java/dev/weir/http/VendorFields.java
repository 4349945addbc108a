package dev.weir.http;

import dev.weir.http.RateLimitFields.ServiceLimit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what servers say in fields that no document defines: {@code X-RateLimit-Remaining} and {@code -Reset} and their kin. A reset is
 * seconds from now, seconds or milliseconds from the epoch, a duration with units, or a date. Lenient in the form of a number, and never
 * earlier than what is said. Pure; nothing that comes over the wire throws.
 */
final class VendorFields {

    private static final List<String> PREFIXES = List.of("X-RateLimit-", "X-Rate-Limit-");
    private static final List<String> SUFFIXES = List.of("", "-Requests");

    private static final int MAX_CHARS = 64;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}(?:\\.[0-9]{1,18})?");
    private static final Pattern UNITS = Pattern.compile(
            "(?:(?<d>[0-9]{1,6})d)?(?:(?<h>[0-9]{1,6})h)?(?:(?<m>[0-9]{1,9})m)?(?:(?<s>[0-9]{1,9}(?:\\.[0-9]{1,9})?)s)?(?:(?<ms>[0-9]{1,12}(?:\\.[0-9]{1,9})?)ms)?");

    /** From here on a reset is a moment, not a wait: as a wait it would be 31 years, as a moment it is in 2001. */
    static final long FIRST_EPOCH_SECOND = 1_000_000_000L;
    /** From here on it is in milliseconds: as seconds it would be in the year 5138, as milliseconds it is in 1973. */
    static final long FIRST_EPOCH_MILLI = 100_000_000_000L;

    private VendorFields() {}

    /** What the first family that is there says; empty when none is. */
    static Optional<ServiceLimit> read(Function<String, List<String>> headers, Instant serverNow) {
        for (String prefix : PREFIXES) {
            for (String suffix : SUFFIXES) {
                OptionalLong remaining = count(headers.apply(prefix + "Remaining" + suffix));
                if (remaining.isPresent()) {
                    OptionalLong after = reset(headers.apply(prefix + "Reset-After" + suffix), serverNow);
                    OptionalLong reset =
                            after.isPresent() ? after : reset(headers.apply(prefix + "Reset" + suffix), serverNow);
                    return Optional.of(
                            new ServiceLimit(Optional.empty(), remaining.getAsLong(), reset, Optional.empty()));
                }
            }
        }
        return Optional.empty();
    }

    /** A count; less than none is none. Of several lines the smallest. */
    private static OptionalLong count(List<String> lines) {
        OptionalLong least = OptionalLong.empty();
        for (String line : lines) {
            String text = line.strip();
            boolean below = text.startsWith("-");
            Matcher number = NUMBER.matcher(below ? text.substring(1) : text);
            if (text.length() <= MAX_CHARS && number.matches()) {
                long count = below ? 0 : new BigDecimal(number.group()).longValue();
                least = OptionalLong.of(Math.min(count, least.orElse(Long.MAX_VALUE)));
            }
        }
        return least;
    }

    /** In how many whole seconds, rounded up; of several lines the latest. */
    private static OptionalLong reset(List<String> lines, Instant serverNow) {
        OptionalLong latest = OptionalLong.empty();
        for (String line : lines) {
            OptionalLong seconds = reset(line.strip(), serverNow);
            if (seconds.isPresent() && seconds.getAsLong() >= latest.orElse(0)) {
                latest = seconds;
            }
        }
        return latest;
    }

    private static OptionalLong reset(String text, Instant serverNow) {
        if (text.isEmpty() || text.length() > MAX_CHARS) {
            return OptionalLong.empty();
        }
        if (NUMBER.matcher(text).matches()) {
            return OptionalLong.of(secondsFromNow(new BigDecimal(text), serverNow));
        }
        Matcher units = UNITS.matcher(text);
        if (units.matches()) {
            return OptionalLong.of(ceil(seconds(units)));
        }
        return moment(text, serverNow).map(at -> untilAfter(at, serverNow)).orElseGet(OptionalLong::empty);
    }

    /** A number as seconds from now: it may be that, or a moment. A moment is waited for until just after it. */
    static long secondsFromNow(BigDecimal number, Instant serverNow) {
        long whole = ceil(number);
        if (whole < FIRST_EPOCH_SECOND) {
            return whole;
        }
        long second = whole < FIRST_EPOCH_MILLI ? whole : ceil(number.movePointLeft(3));
        return Math.max(0, second - serverNow.getEpochSecond()) + 1;
    }

    private static OptionalLong untilAfter(Instant moment, Instant serverNow) {
        long seconds = Duration.between(serverNow, moment).toSeconds();
        return OptionalLong.of(Math.max(0, seconds) + 1);
    }

    private static Optional<Instant> moment(String text, Instant serverNow) {
        Optional<Instant> date = RetryAfter.date(text, serverNow);
        if (date.isPresent()) {
            return date;
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static BigDecimal seconds(Matcher units) {
        return part(units, "d", 86_400)
                .add(part(units, "h", 3_600))
                .add(part(units, "m", 60))
                .add(part(units, "s", 1))
                .add(part(units, "ms", 1).movePointLeft(3));
    }

    private static BigDecimal part(Matcher units, String name, long seconds) {
        String text = units.group(name);
        return text == null ? BigDecimal.ZERO : new BigDecimal(text).multiply(BigDecimal.valueOf(seconds));
    }

    private static long ceil(BigDecimal seconds) {
        return seconds.setScale(0, RoundingMode.CEILING).longValue();
    }
}
