package dev.weir.cli.size;

import java.util.Comparator;
import java.util.List;

/**
 * Where one set of points says that the knee is. Immutable.
 *
 * <p>How it is designed, and why. By Little's law what is in flight is the rate times the latency, so the same points are also a curve of
 * latency against calls in flight. On a server with c workers that curve has one form, whether the test fixed the rate (open) or the
 * connections (closed): level while fewer than c are in flight, and in proportion to them above, since the rate is at its end. {@link Hinge}
 * finds the place of the bend from all points together, so that noise of a tenth moves it little and five points are enough. The knee of
 * the curve of latency against rate, its largest curvature, or the largest rate over latency are each decided by two or three points, and
 * depend on how far the test went beyond.
 *
 * <p>Two things are added. A measured point within a tenth of the bend is taken instead of it when the points lie well on the line: what was
 * measured needs no explanation. And a curve that climbs from the start, earlier than any queue of such a size could, has no level part;
 * there the measured point is taken that is highest above the straight line from the first to the last (Satopää et al., Finding a Kneedle
 * in a Haystack, 2011), with latencies in logarithms so that it matters little how far the test went beyond.
 *
 * @param seen what part of the curve the points show
 * @param ratePerSecond the rate at the knee
 * @param latencyMs the latency there
 * @param misfit the mean distance of the points from the line with one bend, as a share of their latency
 */
record Bend(Seen seen, double ratePerSecond, double latencyMs, double misfit) {

    /** Which part of a curve there is. */
    enum Seen {
        /** Both sides of the knee. */
        KNEE,
        /** Latency never rose. */
        BELOW,
        /** Latency is in proportion to what is in flight from the first point on. */
        ABOVE
    }

    private static final double RISEN_LATENCY = 1.35;
    private static final double RISEN_IN_FLIGHT = 1.2;
    private static final double LEVEL_IN_FLIGHT = 0.95;

    private static final double WELL_ON_THE_LINE = 0.05;
    private static final double NEAR = 0.1;

    private static final int CLIMBING_POINTS = 5;
    private static final int CLIMBED_EARLY = 2;
    private static final double CLIMBED = 1.1;
    private static final double NEARLY_FULL = 0.9;
    private static final int MOST_WORKERS = 10_000;

    private static final double MS_PER_SECOND = 1_000;

    /** Calls in flight at the knee. */
    double inFlight() {
        return ratePerSecond * latencyMs / MS_PER_SECOND;
    }

    /** Finds it. The points are at least one, in any order, and all count. */
    static Bend of(List<LoadPoint> points) {
        Hinge hinge = Hinge.nearest(points);
        if (points.stream().noneMatch(point -> risen(point, hinge))) {
            return at(Seen.BELOW, max(points, Comparator.comparingDouble(LoadPoint::ratePerSecond)), hinge);
        }
        if (points.stream().noneMatch(point -> point.inFlight() < LEVEL_IN_FLIGHT * hinge.inFlight())) {
            return at(Seen.ABOVE, max(points, Comparator.comparingDouble(point -> -point.latencyMs())), hinge);
        }
        if (climbs(points, hinge)) {
            return at(
                    Seen.KNEE, max(points, Comparator.comparingDouble(point -> heightAboveLine(point, points))), hinge);
        }
        return points.stream()
                .filter(point -> hinge.misfit() < WELL_ON_THE_LINE && distance(point, hinge) < NEAR)
                .min(Comparator.comparingDouble(point -> distance(point, hinge)))
                .map(point -> at(Seen.KNEE, point, hinge))
                .orElseGet(() -> new Bend(Seen.KNEE, hinge.ratePerSecond(), hinge.latencyMs(), hinge.misfit()));
    }

    private static Bend at(Seen seen, LoadPoint point, Hinge hinge) {
        return new Bend(seen, point.ratePerSecond(), point.latencyMs(), hinge.misfit());
    }

    private static boolean risen(LoadPoint point, Hinge hinge) {
        return point.latencyMs() > RISEN_LATENCY * hinge.latencyMs()
                && point.inFlight() > RISEN_IN_FLIGHT * hinge.inFlight();
    }

    /** How far a point is from the bend, in rate or in flight, as a share. */
    private static double distance(LoadPoint point, Hinge hinge) {
        return Math.max(
                Math.abs(Math.log(point.ratePerSecond() / hinge.ratePerSecond())),
                Math.abs(Math.log(point.inFlight() / hinge.inFlight())));
    }

    private static boolean climbs(List<LoadPoint> points, Hinge hinge) {
        List<LoadPoint> sorted = points.stream()
                .sorted(Comparator.comparingDouble(LoadPoint::inFlight))
                .toList();
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).latencyMs() < sorted.get(i - 1).latencyMs()) {
                return false;
            }
        }
        double capacity = hinge.ratePerSecond();
        double alone = sorted.get(0).latencyMs();
        int workers = (int) Math.max(1, Math.min(MOST_WORKERS, Math.round(capacity * alone / MS_PER_SECOND)));
        long early = sorted.stream()
                .filter(point -> point.ratePerSecond() <= NEARLY_FULL * capacity)
                .filter(point -> point.inFlight() <= RISEN_IN_FLIGHT * hinge.inFlight())
                .filter(point -> point.latencyMs()
                        > CLIMBED * alone * MultiServerQueue.slowdown(workers, point.ratePerSecond() / capacity))
                .count();
        return sorted.size() >= CLIMBING_POINTS && early >= CLIMBED_EARLY;
    }

    private static double heightAboveLine(LoadPoint point, List<LoadPoint> all) {
        LoadPoint slowest = max(all, Comparator.comparingDouble(LoadPoint::latencyMs));
        LoadPoint fastest = max(all, Comparator.comparingDouble(each -> -each.latencyMs()));
        LoadPoint most = max(all, Comparator.comparingDouble(LoadPoint::ratePerSecond));
        LoadPoint least = max(all, Comparator.comparingDouble(each -> -each.ratePerSecond()));
        double rate = (point.ratePerSecond() - least.ratePerSecond()) / (most.ratePerSecond() - least.ratePerSecond());
        double latency =
                Math.log(point.latencyMs() / fastest.latencyMs()) / Math.log(slowest.latencyMs() / fastest.latencyMs());
        return rate - latency;
    }

    private static LoadPoint max(List<LoadPoint> points, Comparator<LoadPoint> order) {
        return points.stream().max(order).orElseThrow();
    }
}
