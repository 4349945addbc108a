package dev.weir.sim;

import java.util.Arrays;

/** Latencies of answers, kept one by one in microseconds, each under the second of its answer. */
final class Latencies {

    private final int[][] bySecond;
    private final int[] counts;

    Latencies(int seconds) {
        this.bySecond = new int[seconds][0];
        this.counts = new int[seconds];
    }

    void add(int second, long nanos) {
        if (counts[second] == bySecond[second].length) {
            bySecond[second] = Arrays.copyOf(bySecond[second], Math.max(64, counts[second] * 2));
        }
        bySecond[second][counts[second]++] = (int) Math.min(Integer.MAX_VALUE, nanos / 1000);
    }

    /** The latency that a share of the answers from one second to another, exclusive, did not exceed, in milliseconds; 0 without any. */
    double quantileMillis(double share, int from, int to) {
        int[] all = between(from, to);
        if (all.length == 0) {
            return 0;
        }
        Arrays.sort(all);
        return all[(int) Math.min(all.length - 1, (long) Math.ceil(share * all.length) - 1)] / 1000.0;
    }

    /** Their mean in milliseconds; 0 without any. */
    double meanMillis(int from, int to) {
        return Arrays.stream(between(from, to)).average().orElse(0) / 1000.0;
    }

    private int[] between(int from, int to) {
        int[] all = new int[Arrays.stream(counts, from, to).sum()];
        int filled = 0;
        for (int second = from; second < to; second++) {
            System.arraycopy(bySecond[second], 0, all, filled, counts[second]);
            filled += counts[second];
        }
        return all;
    }
}
