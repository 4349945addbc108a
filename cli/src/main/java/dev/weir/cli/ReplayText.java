package dev.weir.cli;

import dev.weir.cli.log.MalformedLine;
import dev.weir.cli.log.SortedCalls;
import dev.weir.cli.replay.LimitReport;
import dev.weir.cli.replay.Replay;
import dev.weir.cli.replay.WhatIf;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A replay as text that an operator would forward. */
final class ReplayText {

    private static final String BARS = " ▁▂▃▄▅▆▇█";
    private static final int BAR_COLUMNS = 60;
    private static final int MALFORMED_SHOWN = 10;
    /** The share of refusals that hardly anybody notices. */
    private static final double HARDLY = 0.001;

    private final PrintWriter out;

    ReplayText(PrintWriter out) {
        this.out = out;
    }

    void print(String policy, SortedCalls calls, Replay replay) {
        out.println("Replay of " + policy + " on " + String.join(", ", calls.fileNames()));
        out.println();
        if (calls.events() == 0) {
            out.println("No calls.");
        } else {
            Instant from = calls.from().orElseThrow();
            Instant to = calls.to().orElseThrow();
            out.println(plural(calls.events(), "call") + " from " + from + " to " + to + " ("
                    + time(Duration.between(from, to)) + ")");
            out.println("The policy as it is would have refused " + share(replay.refused(), calls.events()) + ".");
            for (LimitReport limit : replay.limits()) {
                print(limit, replay.variants(limit), from, to);
            }
        }
        for (String name : replay.notJudged()) {
            out.println();
            out.println(name
                    + ": not judged. It limits calls in flight, and the log does not say how long each call took.");
        }
        if (!replay.asOneInstance().isEmpty()) {
            out.println();
            out.println("The fleet's " + String.join(", ", replay.asOneInstance())
                    + ": judged as one instance that sees all these calls; no store was asked.");
        }
        malformed(calls);
    }

    private void print(LimitReport limit, List<WhatIf> variants, Instant from, Instant to) {
        long calls = limit.granted() + limit.refused();
        out.println();
        out.println(limit.name());
        if (calls == 0) {
            out.println("  applies to none of these calls");
            return;
        }
        out.println("  counts " + plural(calls, "call") + " of " + plural(limit.keys(), "key") + "; would have refused "
                + share(limit.refused(), calls)
                + (limit.refused() == 0 ? "" : ", of " + plural(limit.keysRefused(), "key")));
        if (limit.refused() > 0) {
            when(limit, from, to);
            who(limit);
        }
        algorithms(variants);
        if (limit.refused() > HARDLY * calls) {
            hardly(variants);
        }
    }

    private void when(LimitReport limit, Instant from, Instant to) {
        long[] counts = limit.over(from, to, BAR_COLUMNS);
        long most = 0;
        for (long count : counts) {
            most = Math.max(most, count);
        }
        StringBuilder bars = new StringBuilder();
        for (long count : counts) {
            bars.append(BARS.charAt(
                    count == 0 ? 0 : (int) (1 + (count - 1) * (BARS.length() - 2) / Math.max(1, most - 1))));
        }
        if (counts.length > 1) {
            Duration column = Duration.between(
                            from.truncatedTo(ChronoUnit.MINUTES),
                            to.truncatedTo(ChronoUnit.MINUTES).plusSeconds(60))
                    .dividedBy(counts.length);
            out.println("  when    |" + bars + "|  " + time(column) + " a column");
        }
        limit.worstMinute()
                .ifPresent(minute -> out.println("  worst   " + number(limit.worstMinuteRefused())
                        + " refused in the minute from " + minute + "; longest wait announced "
                        + time(Duration.ofNanos(limit.longestWaitNanos()))));
    }

    private void who(LimitReport limit) {
        List<LimitReport.Refused> top = limit.top();
        int width = top.stream().mapToInt(t -> t.key().length()).max().orElse(0);
        String label = "  who     ";
        for (LimitReport.Refused refused : top) {
            String key = refused.key().isEmpty() ? "(no key)" : refused.key();
            out.println(label + key + " ".repeat(Math.max(0, width - key.length())) + "  " + number(refused.refused()));
            label = "          ";
        }
        if (limit.keysRefused() > top.size()) {
            out.println("          and " + plural(limit.keysRefused() - top.size(), "key") + " more");
        }
    }

    private void algorithms(List<WhatIf> variants) {
        List<WhatIf> others = variants.stream().filter(v -> !v.sameAlgorithm()).toList();
        String label = "  as a    ";
        for (WhatIf other : others) {
            String budget = String.format(Locale.ROOT, "%-28s", other.budget());
            out.println(label + budget + "  it would have refused " + number(other.refused()));
            label = "          ";
        }
        if (others.stream().anyMatch(WhatIf::leavesOutBudgets)) {
            out.println("          (each key that is limited alike: what else plans and overrides say is left out)");
        }
    }

    private void hardly(List<WhatIf> variants) {
        Optional<WhatIf> least = variants.stream()
                .filter(WhatIf::sameAlgorithm)
                .filter(v -> v.refused() <= HARDLY * (v.granted() + v.refused()))
                .min(Comparator.comparingLong(v -> v.budget().count()));
        least.ifPresent(v -> out.println(
                "  hint    " + v.budget() + " is the least of those tried that would have refused at most 0.1 %: "
                        + share(v.refused(), v.granted() + v.refused())));
    }

    private void malformed(SortedCalls calls) {
        if (calls.malformedCount() == 0) {
            return;
        }
        out.println();
        out.println(number(calls.malformedCount()) + (calls.malformedCount() == 1 ? " line is" : " lines are")
                + " malformed and counted nowhere:");
        List<MalformedLine> named = calls.malformed();
        for (MalformedLine line : named.subList(0, Math.min(MALFORMED_SHOWN, named.size()))) {
            out.println("  " + line.file() + ":" + line.line() + ": " + line.reason());
        }
        if (calls.malformedCount() > MALFORMED_SHOWN) {
            out.println(
                    "  and " + number(calls.malformedCount() - MALFORMED_SHOWN) + " more; --json names up to 1,000");
        }
    }

    private static String share(long part, long whole) {
        if (part == 0) {
            return "none";
        }
        double percent = 100.0 * part / whole;
        return number(part) + " (" + String.format(Locale.ROOT, percent < 1 ? "%.2f" : "%.1f", percent) + " %)";
    }

    private static String plural(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Two units are enough: 2 h 1 min, 45 s, 120 ms. */
    private static String time(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return (duration.toNanos() + 999_999) / 1_000_000 + " ms";
        }
        long seconds = duration.plusNanos(999_999_999).toSeconds();
        long[] sizes = {86_400, 3_600, 60, 1};
        String[] names = {"d", "h", "min", "s"};
        for (int i = 0; i < sizes.length; i++) {
            if (seconds >= sizes[i]) {
                long rest = i + 1 < sizes.length ? seconds % sizes[i] / sizes[i + 1] : 0;
                return seconds / sizes[i] + " " + names[i] + (rest == 0 ? "" : " " + rest + " " + names[i + 1]);
            }
        }
        return "0 s";
    }
}
