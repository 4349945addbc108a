package dev.weir.cli.size;

import java.util.Arrays;
import java.util.List;

/**
 * The line with one bend that lies nearest to a curve of latency against calls in flight, both in logarithms: level up to the bend, and
 * rising behind it. Immutable.
 *
 * @param inFlight calls in flight at the bend
 * @param latencyMs the latency up to the bend
 * @param misfit the mean distance of the points from the line, as a share of their latency
 */
record Hinge(double inFlight, double latencyMs, double misfit) {

    private static final int PLACES = 200;

    /** Behind the bend latency grows as a power of what is in flight. 1 keeps the rate level, more lets it fall. */
    private static final double[] SATURATED = {1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4};
    /** Less than 1 lets the rate rise on: what was meant to be completed was noted, or the server found more capacity. */
    private static final double[] RISING = {1, 0.93, 0.87, 0.8, 0.7, 0.6, 0.5, 0.35};

    /** How much nearer a line must be for each step of the power away from 1, or noise would choose it. */
    private static final double PRICE = 0.1;
    /** A bend lies at a rate that was reached, give or take this factor. */
    private static final double BEYOND = 1.02;

    private static final double SLOW = 1.5;
    private static final int ENOUGH = 3;
    private static final double LEVEL = 0.12;
    private static final double MS_PER_SECOND = 1_000;

    /** The calls completed in a second at the bend. */
    double ratePerSecond() {
        return inFlight / latencyMs * MS_PER_SECOND;
    }

    /**
     * The nearest of all lines that bend at one of 200 places. Distances are absolute ones, not squared, so that a wild point does not turn
     * the line.
     *
     * @param points at least one
     */
    static Hinge nearest(List<LoadPoint> points) {
        Hinge saturated = nearest(points, SATURATED);
        return ratesRiseOn(points, saturated.latencyMs) ? nearest(points, RISING) : saturated;
    }

    /**
     * Whether among the slow points those that are slower completed markedly more, which no server does that is at its end: the slope of the
     * rate against the latency, both in logarithms. A queue for many workers that is almost full comes to half of what is asked for here.
     */
    private static boolean ratesRiseOn(List<LoadPoint> points, double latencyMs) {
        List<LoadPoint> slow =
                points.stream().filter(p -> p.latencyMs() > SLOW * latencyMs).toList();
        double meanLatency = slow.stream()
                .mapToDouble(p -> Math.log(p.latencyMs()))
                .average()
                .orElse(0);
        double both = 0;
        double latencies = 0;
        for (LoadPoint point : slow) {
            double distance = Math.log(point.latencyMs()) - meanLatency;
            both += distance * Math.log(point.ratePerSecond());
            latencies += distance * distance;
        }
        return slow.size() >= ENOUGH && both > LEVEL * latencies;
    }

    private static Hinge nearest(List<LoadPoint> points, double[] powers) {
        double[] inFlight =
                points.stream().mapToDouble(p -> Math.log(p.inFlight())).toArray();
        double[] latency =
                points.stream().mapToDouble(p -> Math.log(p.latencyMs())).toArray();
        double first = Arrays.stream(inFlight).min().orElseThrow();
        double last = Arrays.stream(inFlight).max().orElseThrow();
        double highest = BEYOND
                * points.stream().mapToDouble(LoadPoint::ratePerSecond).max().orElseThrow();
        Line best = Line.of(inFlight, latency, last, 1);
        for (double power : powers) {
            for (int place = PLACES; place >= 0; place--) {
                Line line = Line.of(inFlight, latency, first + (last - first) * place / PLACES, power);
                boolean reached = line.hinge().ratePerSecond() <= highest;
                best = reached && line.price() < best.price() - 1e-12 ? line : best;
            }
        }
        return best.hinge();
    }

    /** One line, in logarithms. */
    private record Line(double bend, double level, double power, double distance) {

        static Line of(double[] inFlight, double[] latency, double bend, double power) {
            double[] level = new double[latency.length];
            for (int i = 0; i < level.length; i++) {
                level[i] = latency[i] - power * Math.max(0, inFlight[i] - bend);
            }
            double median = median(level);
            double sum = 0;
            for (double each : level) {
                sum += Math.abs(each - median);
            }
            return new Line(bend, median, power, sum / level.length);
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }

        double price() {
            return distance * (1 + PRICE * Math.abs(power - 1));
        }

        Hinge hinge() {
            return new Hinge(Math.exp(bend), Math.exp(level), distance);
        }
    }
}
