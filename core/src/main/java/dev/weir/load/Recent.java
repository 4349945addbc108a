package dev.weir.load;

import java.util.Arrays;

/** What the last whole second of answers was like: the gate's own signals. Guarded by the gate's lock. */
final class Recent {

    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Eight buckets for each power of two: values are told within an eighth. */
    private static final int SUB_BITS = 3;

    private final long[] latencies = new long[64 << SUB_BITS];
    private long beganNanos;
    private long answers;
    private long errors;
    private long drops;
    private long waits;
    private double waitSum;

    private double errorShare;
    private double dropShare;
    private double p99Nanos;
    private double meanWaitNanos;

    Recent(long nowNanos) {
        beganNanos = nowNanos;
    }

    void answered(long latencyNanos, boolean dropped) {
        answers++;
        drops += dropped ? 1 : 0;
        latencies[bucket(Math.max(1, latencyNanos))]++;
    }

    void error() {
        errors++;
    }

    void waited(long waitNanos) {
        waits++;
        waitSum += waitNanos;
    }

    void tick(long nowNanos) {
        if (nowNanos - beganNanos < SECOND_NANOS) {
            return;
        }
        errorShare = answers == 0 ? 0 : Math.min(1, (double) errors / answers);
        dropShare = answers == 0 ? 0 : (double) drops / answers;
        p99Nanos = p99();
        meanWaitNanos = waits == 0 ? 0 : waitSum / waits;
        beganNanos = nowNanos;
        answers = 0;
        errors = 0;
        drops = 0;
        waits = 0;
        waitSum = 0;
        Arrays.fill(latencies, 0);
    }

    private double p99() {
        long above = answers / 100;
        for (int i = latencies.length - 1; i >= 0; i--) {
            if (latencies[i] > above) {
                return lowest(i);
            }
            above -= latencies[i];
        }
        return 0;
    }

    /** The exponent, and the three bits behind the first. */
    private static int bucket(long value) {
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        long sub = exponent >= SUB_BITS ? value >>> (exponent - SUB_BITS) : value << (SUB_BITS - exponent);
        return exponent << SUB_BITS | (int) (sub & ((1 << SUB_BITS) - 1));
    }

    private static double lowest(int bucket) {
        int exponent = bucket >>> SUB_BITS;
        int sub = bucket & ((1 << SUB_BITS) - 1);
        return Math.scalb(1.0 + (double) sub / (1 << SUB_BITS), exponent);
    }

    double errorShare() {
        return errorShare;
    }

    double dropShare() {
        return dropShare;
    }

    double p99Nanos() {
        return p99Nanos;
    }

    double meanWaitNanos() {
        return meanWaitNanos;
    }
}
