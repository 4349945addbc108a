package dev.weir.cli.size;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Numbers as load generators write them. */
final class Measured {

    private static final Pattern NUMBER = Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final double MS_PER_SECOND = 1_000;
    private static final double SECONDS_PER_MINUTE = 60;

    private Measured() {}

    /** A number without a sign; empty when it is none or not finite. */
    static OptionalDouble number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return OptionalDouble.empty();
        }
        double value = Double.parseDouble(text);
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** A time with its unit, such as {@code 1.23ms}; empty when it is none. */
    static OptionalDouble milliseconds(String text) {
        String unit = text.replaceFirst("^[\\d.]+", "");
        OptionalDouble count = number(text.substring(0, text.length() - unit.length()));
        return count.isEmpty() || msPer(unit) == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(count.getAsDouble() * msPer(unit));
    }

    private static double msPer(String unit) {
        return switch (unit) {
            case "us" -> 1 / MS_PER_SECOND;
            case "ms" -> 1;
            case "s" -> MS_PER_SECOND;
            case "m" -> SECONDS_PER_MINUTE * MS_PER_SECOND;
            case "h" -> SECONDS_PER_MINUTE * SECONDS_PER_MINUTE * MS_PER_SECOND;
            default -> 0;
        };
    }

    /** The point of a run, unless nothing was completed in it. */
    static LoadPoint point(int line, double ratePerSecond, double latencyMs, double failed, double all)
            throws BadResults {
        if (!(ratePerSecond > 0) || !(latencyMs > 0)) {
            throw new BadResults(
                    line,
                    "this run has a rate of " + ratePerSecond + "/s and a latency of " + latencyMs
                            + " ms, but both must be above 0: leave out a run in which nothing was completed");
        }
        return new LoadPoint(ratePerSecond, latencyMs, all > 0 ? Math.min(1, failed / all) : 0);
    }
}
