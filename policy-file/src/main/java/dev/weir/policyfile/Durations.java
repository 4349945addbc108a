package dev.weir.policyfile;

import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations with their unit. */
final class Durations {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|min|m|h|d)");

    private Durations() {}

    static Duration parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + Definitions.DURATION.grammar()
                    + (text.matches("[0-9]+") ? ": it lacks its unit" : ""));
        }
        long count = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m", "min" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
        if (duration.compareTo(RateLimit.MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is longer than " + RateLimit.MAX_PERIOD.toDays() + "d, the longest there is");
        }
        return duration;
    }
}
