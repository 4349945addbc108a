package dev.weir.sim;

import dev.weir.load.Criticality;
import dev.weir.policyfile.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How values of a scenario are written. Each method throws {@link IllegalArgumentException} with what is allowed. */
final class Grammar {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,3})?)(us|ms|s|m|h)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,6})?");
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3})?)%");
    private static final Pattern PER_SECOND = Pattern.compile("([0-9]{1,7}(?:\\.[0-9]{1,3})?)/s");
    private static final Pattern SHARE = Pattern.compile("([0-9.]+%)\\s+(\\S+)");

    private Grammar() {}

    static long durationNanos(String text) {
        Matcher matcher = DURATION.matcher(text);
        require(matcher.matches(), text, "a duration in us, ms, s, m or h, such as 100ms");
        double unit = switch (matcher.group(2)) {
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3600e9;
        };
        return Math.round(Double.parseDouble(matcher.group(1)) * unit);
    }

    /** A duration of whole seconds. */
    static int seconds(String text) {
        long nanos = durationNanos(text);
        require(nanos % Meters.SECOND == 0 && nanos <= 24 * 3600 * Meters.SECOND, text, "whole seconds, at most 24h");
        return (int) (nanos / Meters.SECOND);
    }

    /** How long a scenario lasts. */
    static int duration(String text) {
        int seconds = seconds(text);
        require(seconds > 0, text, "whole seconds, from 1s to 24h");
        return seconds;
    }

    /** A second of a scenario that ends with another. */
    static int secondBefore(int end, String text) {
        int second = seconds(text);
        if (second >= end) {
            throw new IllegalArgumentException("'" + text + "' is not before the end, " + end + "s");
        }
        return second;
    }

    static double number(String text) {
        require(NUMBER.matcher(text).matches(), text, "a number, such as 1.5");
        return Double.parseDouble(text);
    }

    static Function<String, Integer> whole(int least, int most) {
        return text -> {
            require(text.matches("[0-9]{1,9}"), text, "a whole number from " + least + " to " + most);
            int number = Integer.parseInt(text);
            require(number >= least && number <= most, text, "a whole number from " + least + " to " + most);
            return number;
        };
    }

    static double percent(String text) {
        Matcher matcher = PERCENT.matcher(text);
        require(matcher.matches(), text, "a percentage, such as 90%");
        return Double.parseDouble(matcher.group(1)) / 100;
    }

    static boolean yesOrNo(String text) {
        require(text.equals("yes") || text.equals("no"), text, "yes or no");
        return text.equals("yes");
    }

    /** {@code 1000/s}, or {@code 1000/s..6000/s} for a straight line until the next step. */
    static Rate rate(String text) {
        String[] ends = text.split("\\.\\.", -1);
        require(ends.length <= 2, text, "a rate, such as 1000/s or 1000/s..6000/s");
        double from = perSecond(ends[0]);
        return new Rate(from, ends.length == 1 ? from : perSecond(ends[1]));
    }

    private static double perSecond(String text) {
        Matcher matcher = PER_SECOND.matcher(text);
        require(matcher.matches(), text, "a rate, such as 1000/s or 1000/s..6000/s");
        return Double.parseDouble(matcher.group(1));
    }

    /** {@code 10ms}, {@code exponential 10ms}, or {@code 90% 5ms + 10% 100ms}. */
    static ServiceTime serviceTime(String text) {
        if (text.startsWith("exponential ")) {
            return new ServiceTime.Exponential(durationNanos(text.substring("exponential ".length())));
        }
        if (!text.contains("%")) {
            return new ServiceTime.Constant(durationNanos(text));
        }
        List<ServiceTime.Mix.Part> parts = new ArrayList<>();
        shares(text, (share, time) -> parts.add(new ServiceTime.Mix.Part(share, durationNanos(time))));
        parts.sort(Comparator.comparingDouble(ServiceTime.Mix.Part::nanos));
        return new ServiceTime.Mix(List.copyOf(parts));
    }

    /** {@code critical}, or {@code 30% critical + 70% sheddable}. */
    static List<ClientSettings.Part> mix(String text) {
        if (!text.contains("%")) {
            return List.of(new ClientSettings.Part(1, criticality(text)));
        }
        List<ClientSettings.Part> parts = new ArrayList<>();
        shares(text, (share, word) -> parts.add(new ClientSettings.Part(share, criticality(word))));
        return List.copyOf(parts);
    }

    static Criticality criticality(String text) {
        return Criticality.named(text)
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of: "
                        + String.join(", ", criticalities())
                        + Nearest.hint(text, criticalities())));
    }

    static List<String> criticalities() {
        return List.of(Criticality.values()).stream()
                .map(Criticality::policyName)
                .toList();
    }

    private interface ShareOf {
        void add(double share, String of);
    }

    private static void shares(String text, ShareOf shares) {
        double sum = 0;
        for (String part : text.split("\\+", -1)) {
            Matcher matcher = SHARE.matcher(part.strip());
            require(matcher.matches(), text, "shares, such as 90% 5ms + 10% 100ms");
            double share = percent(matcher.group(1));
            shares.add(share, matcher.group(2));
            sum += share;
        }
        require(Math.abs(sum - 1) < 1e-6, text, "shares that add up to 100%");
    }

    /** {@code 100ms every 10s}. */
    static ServerSettings.Pauses pauses(String text) {
        String[] words = text.split(" every ", -1);
        require(words.length == 2, text, "a pause, such as 100ms every 10s");
        return new ServerSettings.Pauses(durationNanos(words[1].strip()), durationNanos(words[0].strip()));
    }

    /** {@code 70s..180s}. */
    static Span span(String text) {
        String[] ends = text.split("\\.\\.", -1);
        require(ends.length == 2, text, "a stretch of whole seconds, such as 70s..180s");
        Span span = new Span(seconds(ends[0]), seconds(ends[1]));
        require(span.length() > 0, text, "a stretch of whole seconds, such as 70s..180s");
        return span;
    }

    /** {@code 0.8..2.5}. */
    static Must.Range range(String text) {
        String[] ends = text.split("\\.\\.", -1);
        require(ends.length == 2, text, "two numbers, such as 0.8..2.5");
        return new Must.Range(number(ends[0]), number(ends[1]));
    }

    /** {@code 1.5 since 5m}. */
    static Must.Growth growth(int end, String text) {
        String[] words = text.split(" since ", -1);
        require(words.length == 2, text, "a factor and a time, such as 1.5 since 5m");
        return new Must.Growth(number(words[0].strip()), secondBefore(end, words[1].strip()));
    }

    /** One word of several. */
    static Function<String, String> word(List<String> words) {
        return text -> {
            if (!words.contains(text)) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not one of: " + String.join(", ", words) + Nearest.hint(text, words));
            }
            return text;
        };
    }

    private static void require(boolean holds, String text, String allowed) {
        if (!holds) {
            throw new IllegalArgumentException("'" + text + "' is not " + allowed);
        }
    }
}
