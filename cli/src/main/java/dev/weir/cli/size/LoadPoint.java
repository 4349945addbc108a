package dev.weir.cli.size;

/**
 * What one run of a load test measured. Immutable.
 *
 * @param ratePerSecond calls completed in a second, above 0
 * @param latencyMs the mean time that a call took, above 0
 * @param errorShare the share of calls that failed, from 0 to 1
 */
public record LoadPoint(double ratePerSecond, double latencyMs, double errorShare) {

    /** Above this share of errors a point says nothing about useful work. */
    public static final double MOST_ERRORS = 0.01;

    private static final double MS_PER_SECOND = 1_000;

    /** Calls in flight on average, by Little's law: the rate times the time inside. */
    public double inFlight() {
        return ratePerSecond * latencyMs / MS_PER_SECOND;
    }

    /** Whether so few calls failed that the point counts. */
    public boolean counts() {
        return errorShare <= MOST_ERRORS;
    }
}
