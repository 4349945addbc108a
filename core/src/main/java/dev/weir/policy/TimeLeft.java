package dev.weir.policy;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a caller will still wait, as the field says it that {@code call.deadline} names.
 *
 * <p>A number with a unit, {@code 250ms} or {@code 1.5s}; without a unit it is of seconds, or of milliseconds in a field whose name ends in
 * {@code -ms}. In {@code grpc-timeout} it is gRPC's: at most eight digits and one of H, M, S, m, u, n.
 */
public final class TimeLeft {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)\\s*(ms|s)?");
    private static final Pattern GRPC = Pattern.compile("([0-9]{1,8})([HMSmun])");
    private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    private TimeLeft() {}

    /** In nanoseconds; empty when the value cannot be read, as if it had not been sent. */
    public static OptionalLong nanos(String field, String value) {
        String name = field.toLowerCase(Locale.ROOT);
        if (name.equals("grpc-timeout")) {
            Matcher grpc = GRPC.matcher(value.trim());
            return grpc.matches() ? nanos(grpc.group(1), grpcUnit(grpc.group(2).charAt(0))) : OptionalLong.empty();
        }
        Matcher form = FORM.matcher(value.trim());
        if (!form.matches()) {
            return OptionalLong.empty();
        }
        String unit = form.group(2);
        boolean millis = unit == null ? name.endsWith("-ms") : unit.equals("ms");
        return nanos(form.group(1), millis ? 1_000_000L : 1_000_000_000L);
    }

    /** How the field says that many nanoseconds, rounded down to what it can say; nothing left is 0. */
    public static String text(String field, long nanos) {
        long left = Math.max(0, nanos);
        String name = field.toLowerCase(Locale.ROOT);
        if (name.equals("grpc-timeout")) {
            long millis = Math.min(left / 1_000_000, 99_999_999);
            return millis + "m";
        }
        return left / 1_000_000 + (name.endsWith("-ms") ? "" : "ms");
    }

    private static OptionalLong nanos(String number, long unitNanos) {
        return OptionalLong.of(new BigDecimal(number)
                .multiply(BigDecimal.valueOf(unitNanos))
                .min(LONGEST)
                .longValue());
    }

    private static long grpcUnit(char unit) {
        return switch (unit) {
            case 'H' -> 3_600_000_000_000L;
            case 'M' -> 60_000_000_000L;
            case 'S' -> 1_000_000_000L;
            case 'm' -> 1_000_000L;
            case 'u' -> 1_000L;
            default -> 1L;
        };
    }
}
