package dev.weir.rate;

import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much one key may use: a count per period, and how it refills. Immutable; a method that changes something answers a new value.
 *
 * <p>A count of 0 refills nothing: a bucket then grants its burst once and never again. A burst of 0 grants nothing at all, except a
 * cost of 0, which always passes. Both are for programs; the policy file refuses them and says {@code deny}.
 *
 * <p>Every method that takes a number throws {@link IllegalArgumentException} with the number and what is allowed when it is outside.
 */
public final class RateLimit {

    /** The largest count or burst: the largest integer that the RateLimit fields can carry (RFC 9651, section 3.3.1). */
    public static final long MAX_COUNT = 999_999_999_999_999L;
    /** The largest count of a sliding log, which keeps one time for each grant. */
    public static final long MAX_LOG_COUNT = 1_000;
    /** The largest count of a sliding window, which keeps two counts and a window number in one word. */
    public static final long MAX_SLIDING_COUNT = 2_097_151;
    /** The largest count of a fixed window or a quota, which keep the count and a window number in one word. */
    public static final long MAX_WINDOW_COUNT = (1L << 46) - 1;
    /** The longest period of a rate, and the longest time in which a bucket may refill. */
    public static final Duration MAX_PERIOD = Duration.ofDays(36 * 365);

    private static final Pattern RATE = Pattern.compile("([0-9]+)/([0-9]*)(ms|s|min|m|h|d)");
    private static final Pattern QUOTA = Pattern.compile("([0-9]+)/(hour|day|week|month|year)");
    private static final int MOST_DIGITS = 15;

    private final Algorithm algorithm;
    private final long count;
    private final long periodNanos;
    private final long burst;
    /** Units of the dearest call that can ever pass: the burst, but for a share. */
    private final long dearest;

    private final long maxWaitNanos;
    private final CalendarPeriod calendarPeriod;
    private final ZoneId zone;

    private RateLimit(
            Algorithm algorithm,
            long count,
            long periodNanos,
            long burst,
            long dearest,
            long maxWaitNanos,
            CalendarPeriod calendarPeriod,
            ZoneId zone) {
        this.algorithm = algorithm;
        this.count = count;
        this.periodNanos = periodNanos;
        this.burst = burst;
        this.dearest = dearest;
        this.maxWaitNanos = maxWaitNanos;
        this.calendarPeriod = calendarPeriod;
        this.zone = zone;
    }

    /** A token bucket of {@code count} units that refills {@code count} units in each {@code period}. */
    public static RateLimit of(long count, Duration period) {
        requireCount("count", count, MAX_COUNT);
        Objects.requireNonNull(period, "period");
        if (period.isNegative() || period.isZero() || period.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "period " + period + " is not above zero and at most " + MAX_PERIOD.toDays() + " days");
        }
        return new RateLimit(
                        Algorithm.TOKEN_BUCKET,
                        count,
                        period.toNanos(),
                        count,
                        count,
                        Long.MAX_VALUE,
                        CalendarPeriod.DAY,
                        ZoneOffset.UTC)
                .checked();
    }

    /**
     * The policy file's grammar: {@code 10/s}, {@code 5/15m}, {@code 20/60s}. A count, a slash, and a period in {@code ms}, {@code s},
     * {@code m} or {@code min}, {@code h}, {@code d}, with a whole multiple before it. Refuses everything else, calendar periods
     * included: see {@link #parseQuota}.
     */
    public static RateLimit parse(String rate) {
        Matcher matcher = RATE.matcher(rate);
        if (!matcher.matches()) {
            if (QUOTA.matcher(rate).matches()) {
                throw new IllegalArgumentException("'" + rate + "' counts by the calendar: say quota: " + rate);
            }
            throw new IllegalArgumentException(
                    "'" + rate
                            + "' is not a rate: a whole count, a slash, and a period in ms, s, m (or min), h or d, such as 10/s or 5/15m");
        }
        long count = count(rate, matcher.group(1), MAX_COUNT);
        if (matcher.group(2).length() > MOST_DIGITS) {
            throw tooLong(rate);
        }
        long multiple = matcher.group(2).isEmpty() ? 1 : Long.parseLong(matcher.group(2));
        Duration unit = switch (matcher.group(3)) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m", "min" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
        if (multiple == 0) {
            throw new IllegalArgumentException(
                    "'" + rate + "' has a period of zero: it must be above zero, such as 10/s");
        }
        if (multiple > MAX_PERIOD.dividedBy(unit)) {
            throw tooLong(rate);
        }
        return of(count, unit.multipliedBy(multiple));
    }

    private static long count(String written, String digits, long most) {
        if (digits.length() > MOST_DIGITS || Long.parseLong(digits) > most) {
            throw new IllegalArgumentException("'" + written + "' has a count above " + most + ", the most there is");
        }
        return Long.parseLong(digits);
    }

    private static IllegalArgumentException tooLong(String rate) {
        return new IllegalArgumentException(
                "'" + rate + "' has a period longer than " + MAX_PERIOD.toDays() + "d, the longest there is");
    }

    /** {@code count} units in each {@code period} of the calendar of {@code zone}. */
    public static RateLimit quota(long count, CalendarPeriod period, ZoneId zone) {
        requireCount("count", count, MAX_WINDOW_COUNT);
        return new RateLimit(
                Algorithm.QUOTA,
                count,
                0,
                count,
                count,
                Long.MAX_VALUE,
                Objects.requireNonNull(period, "period"),
                Objects.requireNonNull(zone, "zone"));
    }

    /** The policy file's grammar of a quota: {@code 1000000/month}, with hour, day, week (from Monday), month or year. */
    public static RateLimit parseQuota(String quota, ZoneId zone) {
        Matcher matcher = QUOTA.matcher(quota);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + quota
                            + "' is not a quota: a whole count, a slash, and hour, day, week, month or year, such as 1000000/month");
        }
        return quota(
                count(quota, matcher.group(1), MAX_WINDOW_COUNT),
                CalendarPeriod.named(matcher.group(2)).orElseThrow(),
                zone);
    }

    /** The same rate, holding up to {@code burst} units when nobody asks. Only a token bucket and a leaky queue hold more or less than their count. */
    public RateLimit burst(long burst) {
        requireCount("burst", burst, MAX_COUNT);
        if (algorithm != Algorithm.TOKEN_BUCKET && algorithm != Algorithm.LEAKY_QUEUE && burst != count) {
            throw new IllegalArgumentException("burst " + burst + " on a " + algorithm.policyName()
                    + ": it holds its count, " + count + "; leave burst out");
        }
        return new RateLimit(algorithm, count, periodNanos, burst, burst, maxWaitNanos, calendarPeriod, zone).checked();
    }

    /** The same numbers under another algorithm. A quota is made by {@link #quota} alone. */
    public RateLimit algorithm(Algorithm algorithm) {
        if ((algorithm == Algorithm.QUOTA) != (this.algorithm == Algorithm.QUOTA)) {
            throw new IllegalArgumentException(
                    "a rate over a period and a quota on the calendar do not turn into each other");
        }
        return new RateLimit(algorithm, count, periodNanos, burst, burst, maxWaitNanos, calendarPeriod, zone).checked();
    }

    /** A leaky queue of the same rate with {@code depth} turns ahead of the one that starts now: what a bucket of {@code depth + 1} admits. */
    public RateLimit depth(long depth) {
        requireCount("depth", depth, MAX_COUNT - 1);
        return new RateLimit(
                        Algorithm.LEAKY_QUEUE,
                        count,
                        periodNanos,
                        depth + 1,
                        depth + 1,
                        maxWaitNanos,
                        calendarPeriod,
                        zone)
                .checked();
    }

    /** A leaky queue whose turns are at most {@code maxWait} ahead. */
    public RateLimit maxWait(Duration maxWait) {
        if (algorithm != Algorithm.LEAKY_QUEUE) {
            throw new IllegalArgumentException(
                    "max-wait on a " + algorithm.policyName() + ": only a leaky-queue hands out turns");
        }
        if (maxWait.isNegative() || maxWait.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "max-wait " + maxWait + " is not from zero to " + MAX_PERIOD.toDays() + " days");
        }
        return new RateLimit(algorithm, count, periodNanos, burst, dearest, maxWait.toNanos(), calendarPeriod, zone);
    }

    /**
     * The part of this budget that one of so many instances may grant by itself while they cannot count together: the rate divided exactly,
     * and a burst of its part rounded up, at least 1, so that all shares together grant at most {@code instances * burst + rate * time}. A
     * leaky queue stays one; everything else is divided as a token bucket. A call dearer than the share and not than the whole passes when
     * nothing of the share is used, and leaves debt.
     *
     * @param instances 1 or more
     */
    public RateLimit share(int instances) {
        if (instances < 1) {
            throw new IllegalArgumentException("a share of " + instances + " instances: at least 1");
        }
        if (burst == 0) {
            return this;
        }
        Algorithm shared = algorithm == Algorithm.LEAKY_QUEUE ? algorithm : Algorithm.TOKEN_BUCKET;
        long part = (burst - 1) / instances + 1;
        BigInteger period = BigInteger.valueOf(longestPeriodNanos()).multiply(BigInteger.valueOf(instances));
        BigInteger units = BigInteger.valueOf(count);
        BigInteger longest = BigInteger.valueOf(MAX_PERIOD.toNanos());
        if (period.multiply(BigInteger.valueOf(part)).compareTo(longest.multiply(units)) > 0) {
            return new RateLimit(shared, part, MAX_PERIOD.toNanos(), part, burst, maxWaitNanos, calendarPeriod, zone);
        }
        BigInteger divisor = period.gcd(units);
        period = period.divide(divisor);
        units = units.divide(divisor);
        if (period.compareTo(longest) > 0) {
            units = units.multiply(longest).divide(period);
            period = longest;
        }
        return new RateLimit(
                shared,
                units.longValueExact(),
                period.longValueExact(),
                part,
                burst,
                maxWaitNanos,
                calendarPeriod,
                zone);
    }

    private long longestPeriodNanos() {
        return algorithm == Algorithm.QUOTA ? calendarPeriod.longestNanos() : periodNanos;
    }

    private RateLimit checked() {
        switch (algorithm) {
            case SLIDING_LOG -> requireCount("count of a sliding-log", count, MAX_LOG_COUNT);
            case SLIDING_WINDOW -> requireCount("count of a sliding-window", count, MAX_SLIDING_COUNT);
            case FIXED_WINDOW -> requireCount("count of a fixed-window", count, MAX_WINDOW_COUNT);
            case TOKEN_BUCKET, LEAKY_QUEUE -> Ticks.of(this);
            case QUOTA -> {}
        }
        if (algorithm != Algorithm.TOKEN_BUCKET && algorithm != Algorithm.LEAKY_QUEUE && burst != count) {
            throw new IllegalArgumentException(
                    "a " + algorithm.policyName() + " holds its count, " + count + ", not a burst of " + burst);
        }
        return this;
    }

    private static void requireCount(String name, long value, long max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is not from 0 to " + max);
        }
    }

    /** How it refills. */
    public Algorithm algorithm() {
        return algorithm;
    }

    /** Units that come in each period. */
    public long count() {
        return count;
    }

    /** The period in nanoseconds; 0 for a quota, whose periods differ in length. */
    public long periodNanos() {
        return periodNanos;
    }

    /** Units it can ever hold: the burst of a bucket, depth + 1 of a leaky queue, the count of a window. */
    public long capacity() {
        return burst;
    }

    /** What the dearest call that can ever pass costs: the capacity; of a {@link #share} that of the whole. */
    public long dearest() {
        return dearest;
    }

    /** How far ahead a leaky queue hands out turns, in nanoseconds; {@link Long#MAX_VALUE} when only the depth bounds it. */
    public long maxWaitNanos() {
        return maxWaitNanos;
    }

    /** The calendar of a quota; empty for a rate over a period. */
    public Optional<CalendarPeriod> calendarPeriod() {
        return algorithm == Algorithm.QUOTA ? Optional.of(calendarPeriod) : Optional.empty();
    }

    /** The zone of a quota; UTC, and without meaning, for a rate over a period. */
    public ZoneId zone() {
        return zone;
    }

    /**
     * The interval between two units as it is really enforced, in nanoseconds, when that is longer than declared because the declared one
     * cannot be held exactly; empty when the rate is exact. Always in the limit's disfavour.
     */
    public Optional<Double> roundedIntervalNanos() {
        if (algorithm != Algorithm.TOKEN_BUCKET && algorithm != Algorithm.LEAKY_QUEUE) {
            return Optional.empty();
        }
        Ticks ticks = Ticks.of(this);
        return ticks.exact() ? Optional.empty() : Optional.of((double) ticks.perUnit() / ticks.perNano());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RateLimit that
                && algorithm == that.algorithm
                && count == that.count
                && periodNanos == that.periodNanos
                && burst == that.burst
                && dearest == that.dearest
                && maxWaitNanos == that.maxWaitNanos
                && calendarPeriod == that.calendarPeriod
                && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * (31 * (31 * count + periodNanos) + burst));
    }

    /** As a policy file would say it: {@code token-bucket 50/s burst 100}. */
    @Override
    public String toString() {
        if (algorithm == Algorithm.QUOTA) {
            return "quota " + count + "/" + calendarPeriod.policyName() + " " + zone;
        }
        String rate = algorithm.policyName() + " " + count + "/" + period(periodNanos);
        return switch (algorithm) {
            case TOKEN_BUCKET -> rate + " burst " + burst;
            case LEAKY_QUEUE ->
                rate + " depth " + (burst - 1)
                        + (maxWaitNanos == Long.MAX_VALUE ? "" : " max-wait " + period(maxWaitNanos));
            default -> rate;
        };
    }

    /** A period as a policy file would say it. */
    static String period(long nanos) {
        long[] units = {86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L};
        String[] names = {"d", "h", "m", "s", "ms"};
        for (int i = 0; i < units.length; i++) {
            if (nanos % units[i] == 0) {
                long multiple = nanos / units[i];
                return (multiple == 1 ? "" : multiple) + names[i];
            }
        }
        return nanos + "ns";
    }
}
