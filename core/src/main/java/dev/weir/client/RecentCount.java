package dev.weir.client;

import java.util.Arrays;

/**
 * How much was counted lately: a ring of seconds, of which the present one is the last. What is older than the ring does not weigh. Not
 * thread safe; time is an argument, and may start anywhere, wrap and stand still.
 */
final class RecentCount {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final long[] seconds;
    private final long originNanos;
    private long second;
    private long sum;

    RecentCount(int length, long nowNanos) {
        seconds = new long[length];
        originNanos = nowNanos;
    }

    void add(long nowNanos) {
        forgetOld(nowNanos);
        seconds[(int) (second % seconds.length)]++;
        sum++;
    }

    long sum(long nowNanos) {
        forgetOld(nowNanos);
        return sum;
    }

    private void forgetOld(long nowNanos) {
        long now = Math.max(0, nowNanos - originNanos) / SECOND_NANOS;
        if (now - second >= seconds.length) {
            Arrays.fill(seconds, 0);
            sum = 0;
            second = now;
        }
        while (second < now) {
            second++;
            int slot = (int) (second % seconds.length);
            sum -= seconds[slot];
            seconds[slot] = 0;
        }
    }
}
