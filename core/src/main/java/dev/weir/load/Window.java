package dev.weir.load;

/**
 * The window of answers under way. Guarded by its gate's lock, but for {@link #bind} and {@link #shed}.
 *
 * <p>A window closes after 100 ms, or one latency if that is longer, and 50 answers; or after 5 s and 10. That of an algorithm which looks at
 * no latency closes after one round of answers.
 */
final class Window {

    private static final long SHORTEST_NANOS = 100_000_000;
    private static final long LONG_ENOUGH_NANOS = 5_000_000_000L;
    private static final int ENOUGH_SAMPLES = 50;
    private static final int FEWEST_SAMPLES = 10;
    private static final double CUT_AT_BASES = 10;

    /** Above this many samples a second, only some calls are timed. */
    private static final double SAMPLES_PER_SECOND = 10_000;

    private static final int HIGHEST_STRIDE = 256;

    private long beganNanos;
    private long samples;
    private double completions;
    private double dropped;
    private double latencySum;
    private double cutLatencySum;
    private double cutLatencySquares;
    private volatile boolean bound;
    private volatile boolean shed;

    Window(long nowNanos) {
        beganNanos = nowNanos;
    }

    /** Somebody was refused or queued for want of a slot. */
    void bind() {
        if (!bound) {
            bound = true;
        }
    }

    /** Somebody was refused although there was a slot. */
    void shed() {
        if (!shed) {
            shed = true;
        }
    }

    /** A call was answered; it speaks for {@code weight} calls. */
    void answered(long latencyNanos, long weight, double baseNanos) {
        double latency = Math.max(1, latencyNanos);
        samples++;
        completions += (double) weight;
        latencySum += (double) weight * latency;
        double cut = baseNanos == 0 ? latency : Math.min(latency, CUT_AT_BASES * baseNanos);
        cutLatencySum += (double) weight * cut;
        cutLatencySquares += (double) weight * cut * cut;
    }

    /** A call was dropped; its answer, if it had one, is counted beside. */
    void dropped(long weight) {
        dropped += (double) weight;
    }

    boolean closes(long nowNanos, double baseNanos) {
        long length = nowNanos - beganNanos;
        return (samples >= ENOUGH_SAMPLES && length >= Math.max(SHORTEST_NANOS, baseNanos))
                || (samples >= FEWEST_SAMPLES && length >= LONG_ENOUGH_NANOS);
    }

    /** Whether as many were answered as may be in flight, so that all who began together have spoken. */
    boolean isRoundOf(int limit) {
        return completions >= limit;
    }

    WindowSample sample(long nowNanos, int peak) {
        long length = Math.max(1, nowNanos - beganNanos);
        return new WindowSample(
                latencySum / length,
                completions * 1e9 / length,
                cutLatencySum / completions,
                errorNanos(),
                peak,
                bound,
                shed,
                dropped / completions,
                length);
    }

    /** The standard error of the mean, for latencies that have nothing to do with each other. */
    private double errorNanos() {
        double mean = cutLatencySum / completions;
        double variance = Math.max(0, cutLatencySquares / completions - mean * mean);
        return Math.sqrt(variance / Math.max(1, samples - 1));
    }

    /** One in how many calls is to be timed, after a window in which one in {@code stride} was. A power of two. */
    int nextStride(long nowNanos) {
        double perSecond = completions * 1e9 / Math.max(1, nowNanos - beganNanos);
        double wanted = Math.min(HIGHEST_STRIDE, perSecond / SAMPLES_PER_SECOND);
        return wanted <= 1 ? 1 : Integer.highestOneBit((int) wanted);
    }

    void restart(long nowNanos) {
        beganNanos = nowNanos;
        samples = 0;
        completions = 0;
        dropped = 0;
        latencySum = 0;
        cutLatencySum = 0;
        cutLatencySquares = 0;
        bound = false;
        shed = false;
    }
}
