package dev.weir.load;

/**
 * What a window of answers said.
 *
 * @param inFlight the sum of latencies by the window's length: the mean number in flight, by Little's law (N)
 * @param throughput completions a second (X)
 * @param latencyNanos mean latency, each cut at ten times the baseline (L)
 * @param errorNanos its standard error: by how much chance alone makes it differ
 * @param peak the most that were in flight
 * @param bound somebody was refused or queued for want of a slot
 * @param shed somebody was refused although there was a slot
 * @param droppedShare of the completions
 * @param lengthNanos of the window
 */
record WindowSample(
        double inFlight,
        double throughput,
        double latencyNanos,
        double errorNanos,
        int peak,
        boolean bound,
        boolean shed,
        double droppedShare,
        long lengthNanos) {

    private static final double DROPPED_TOO_MUCH = 0.05;

    boolean dropsTooMuch() {
        return droppedShare >= DROPPED_TOO_MUCH;
    }

    boolean usesHalf(double limit) {
        return peak >= limit / 2;
    }

    /** Whether there were more calls than a limit let in: some found no slot, or were shed while it was in use. */
    boolean contested(double limit) {
        return bound || (shed && usesHalf(limit));
    }

    double answers() {
        return throughput * lengthNanos / 1e9;
    }
}
