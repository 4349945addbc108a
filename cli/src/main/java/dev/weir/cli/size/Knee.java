package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Where the curve of a load test turns: from there on more load adds latency and hardly any rate. How it is found stands at {@code Bend}.
 * Immutable.
 *
 * @param ratePerSecond calls completed in a second at the knee
 * @param latencyMs the latency there
 * @param sure how far this can be trusted
 * @param why sentences that say why, and what would make it surer
 */
public record Knee(double ratePerSecond, double latencyMs, Sure sure, List<String> why) {

    private static final int GROUPS = 20;
    private static final int ENOUGH_BELOW = 3;
    private static final int ENOUGH_ABOVE = 2;
    private static final double SMALL_SPREAD = 0.15;
    private static final double LARGE_SPREAD = 0.35;
    private static final double LARGE_MISFIT = 0.1;
    private static final double MS_PER_SECOND = 1_000;

    /** Copies the sentences. */
    public Knee {
        why = List.copyOf(why);
    }

    /** Calls in flight at the knee, by Little's law. */
    public double inFlight() {
        return ratePerSecond * latencyMs / MS_PER_SECOND;
    }

    /**
     * Finds the knee.
     *
     * @param points what was measured, in any order; only those that count are looked at
     * @throws IllegalArgumentException when none counts
     */
    public static Knee of(List<LoadPoint> points) {
        List<LoadPoint> counting = points.stream()
                .filter(LoadPoint::counts)
                .sorted(Comparator.comparingDouble(LoadPoint::inFlight))
                .toList();
        if (counting.isEmpty()) {
            throw new IllegalArgumentException("no point counts");
        }
        Bend bend = Bend.of(counting);
        return switch (bend.seen()) {
            case BELOW -> below(bend, points);
            case ABOVE ->
                knee(
                        bend,
                        Sure.LOW,
                        List.of(
                                "every point is beyond the knee: latency grows in proportion to what is in flight from the first on",
                                "the first point is taken, so useful is at most this; test with less load until latency stops falling"));
            case KNEE -> between(bend, counting);
        };
    }

    private static Knee knee(Bend bend, Sure sure, List<String> why) {
        return new Knee(bend.ratePerSecond(), bend.latencyMs(), sure, why);
    }

    private static Knee below(Bend bend, List<LoadPoint> points) {
        boolean failedBeyond = points.stream().anyMatch(point -> !point.counts() && point.inFlight() > bend.inFlight());
        return failedBeyond
                ? knee(
                        bend,
                        Sure.MEDIUM,
                        List.of(
                                "latency never rose, but beyond this point more than 1 % of the calls failed",
                                "the highest point without such errors is taken; test between it and the first that fails"))
                : knee(
                        bend,
                        Sure.LOW,
                        List.of(
                                "no knee was seen: latency never rose markedly, so the service can do more than was asked of it",
                                "the highest point is taken; push the test harder, until latency doubles"));
    }

    private static Knee between(Bend bend, List<LoadPoint> counting) {
        long above = counting.stream()
                .filter(point -> point.inFlight() > bend.inFlight() * 1.05)
                .count();
        long below = counting.size() - above;
        Range range = withoutAnyOne(bend, counting);
        List<String> why = new ArrayList<>();
        why.add(plural(below) + " up to the knee and " + above + " beyond it");
        why.add(String.format(
                Locale.ROOT,
                "without any one %s useful would be %s",
                counting.size() > GROUPS ? "group of points" : "point",
                range.text()));
        if (below < ENOUGH_BELOW) {
            why.add("more runs with less load would tell the latency below the knee");
        }
        if (above < ENOUGH_ABOVE) {
            why.add("more runs with more load would tell the highest rate");
        }
        boolean noisy = bend.misfit() > LARGE_MISFIT;
        if (noisy) {
            why.add(String.format(
                    Locale.ROOT, "the points scatter by %.0f %%; longer runs would scatter less", 100 * bend.misfit()));
        }
        double spread = range.spread(bend.inFlight());
        boolean high = spread <= SMALL_SPREAD && below >= ENOUGH_BELOW && above >= ENOUGH_ABOVE && !noisy;
        return knee(bend, high ? Sure.HIGH : spread <= LARGE_SPREAD ? Sure.MEDIUM : Sure.LOW, why);
    }

    private static String plural(long count) {
        return count + (count == 1 ? " point" : " points");
    }

    /** The least and the most that is in flight at the knee of the curve without one of its points; of many points, without one in twenty. */
    private static Range withoutAnyOne(Bend bend, List<LoadPoint> points) {
        double least = bend.inFlight();
        double most = bend.inFlight();
        int groups = Math.min(GROUPS, points.size());
        for (int group = 0; group < groups; group++) {
            List<LoadPoint> others = new ArrayList<>();
            for (int i = 0; i < points.size(); i++) {
                if (i % groups != group) {
                    others.add(points.get(i));
                }
            }
            double inFlight = Bend.of(others).inFlight();
            least = Math.min(least, inFlight);
            most = Math.max(most, inFlight);
        }
        return new Range(least, most);
    }

    private record Range(double least, double most) {

        double spread(double middle) {
            return Math.max(most / middle, middle / least) - 1;
        }

        String text() {
            long from = Sizing.of(least).useful();
            long to = Sizing.of(most).useful();
            return from == to ? "the same" : "between " + from + " and " + to;
        }
    }
}
