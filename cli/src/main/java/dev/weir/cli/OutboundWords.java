package dev.weir.cli;

import dev.weir.client.Backoff;
import dev.weir.client.OutboundSettings;
import dev.weir.client.OutboundSettings.Pace;
import dev.weir.client.OutboundSettings.Retry;
import dev.weir.policy.OutboundRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** How dependencies are asked, in the words of the policy file. */
final class OutboundWords {

    private static final long MILLI_NANOS = 1_000_000L;

    private OutboundWords() {}

    /** For each dependency, by name: how it is asked. */
    static Map<String, Object> all(List<OutboundRule> rules) {
        Map<String, Object> words = new LinkedHashMap<>();
        rules.forEach(rule -> words.put(rule.name(), one(rule)));
        return words;
    }

    private static String one(OutboundRule rule) {
        OutboundSettings settings = rule.settings();
        List<String> parts = new ArrayList<>();
        settings.pace().ifPresent(pace -> parts.add(pace(pace)));
        parts.add("max-wait " + time(settings.maxWaitNanos(1)));
        settings.inFlight().ifPresent(most -> parts.add("in flight " + GateWords.concurrency(most)));
        if (settings.queue() > 0) {
            parts.add("queue " + settings.queue());
        }
        parts.add(settings.retry().map(OutboundWords::retry).orElse("no retries"));
        settings.throttleK().ifPresent(k -> parts.add("throttle k " + number(k)));
        settings.hedgeNanos().ifPresent(after -> parts.add("hedged after " + time(after)));
        parts.add(
                settings.timeoutNanos().isPresent()
                        ? "timeout " + time(settings.timeoutNanos().getAsLong())
                        : "no timeout");
        parts.add("pauses of at most " + time(settings.maxPauseNanos()));
        if (settings.milliseconds()) {
            parts.add("Retry-After-Ms believed");
        }
        if (!rule.hosts().isEmpty()) {
            parts.add("hosts " + String.join(" ", rule.hosts()));
        }
        return String.join(", ", parts);
    }

    private static String pace(Pace pace) {
        return pace.of(1) + (pace.fleet() ? " for all instances together" : " for each instance");
    }

    private static String retry(Retry retry) {
        Backoff backoff = retry.backoff();
        return "at most " + retry.tries() + " tries, budget "
                + (retry.budgetBasisPoints().isPresent()
                        ? number(retry.budgetBasisPoints().getAsInt() / 100.0) + "%"
                        : "none")
                + ", backoff " + time(backoff.baseNanos()) + ".." + time(backoff.capNanos())
                + (retry.alsoSafe().isEmpty() ? "" : ", also " + String.join(" ", new TreeSet<>(retry.alsoSafe())));
    }

    private static String number(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    private static String time(long nanos) {
        long millis = nanos / MILLI_NANOS;
        return millis % 1000 == 0 && millis > 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
