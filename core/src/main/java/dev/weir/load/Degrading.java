package dev.weir.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which modes are in force. Guarded by the gate's lock. A mode comes with the average of the last second at its threshold, and goes when the
 * average has been five points below for two seconds.
 */
final class Degrading {

    private static final int SLICES = 10;
    private static final long SLICE_NANOS = 100_000_000;
    private static final double BELOW = 0.05;
    private static final long CALM_NANOS = 2_000_000_000L;

    private List<DegradeStep> steps = List.of();
    private boolean[] on = new boolean[0];
    /** Since when the average is below a step that is on. */
    private long[] calmSinceNanos = new long[0];

    /** Utilisation times nanoseconds, for each tenth of the last second. */
    private final double[] slices = new double[SLICES];

    private int slice;
    private long sliceBeganNanos;
    private long toldNanos;
    private double utilisation;

    Degrading(long nowNanos) {
        sliceBeganNanos = nowNanos;
        toldNanos = nowNanos;
    }

    /** Goes on with other steps; modes that are in force and stay in the list stay in force. */
    void change(List<DegradeStep> next, long nowNanos) {
        List<String> before = modes();
        steps = next;
        on = new boolean[next.size()];
        calmSinceNanos = new long[next.size()];
        for (int i = 0; i < on.length; i++) {
            on[i] = before.contains(next.get(i).mode());
            calmSinceNanos[i] = nowNanos;
        }
    }

    /** Utilisation is this from now on. */
    void tell(double next, long nowNanos) {
        if (steps.isEmpty()) {
            return;
        }
        advance(nowNanos);
        utilisation = next;
    }

    /** Utilisation was what it was until now. */
    void advance(long nowNanos) {
        if (steps.isEmpty()) {
            toldNanos = nowNanos;
            sliceBeganNanos = nowNanos;
            return;
        }
        if (nowNanos - toldNanos > 100 * SLICES * SLICE_NANOS) {
            skip(nowNanos);
        }
        while (nowNanos - sliceBeganNanos >= SLICE_NANOS) {
            fill(sliceBeganNanos + SLICE_NANOS);
            judge(toldNanos);
            sliceBeganNanos = toldNanos;
            slice = (slice + 1) % SLICES;
            slices[slice] = 0;
        }
        fill(nowNanos);
    }

    /** After a long quiet time: two seconds and the average are enough. */
    private void skip(long nowNanos) {
        long resumed = nowNanos - 50 * SLICES * SLICE_NANOS;
        toldNanos = resumed;
        sliceBeganNanos = resumed;
        Arrays.fill(slices, utilisation * SLICE_NANOS);
        judge(resumed);
    }

    private void fill(long untilNanos) {
        slices[slice] += utilisation * Math.max(0, untilNanos - toldNanos);
        toldNanos = untilNanos;
    }

    private double average() {
        double sum = 0;
        for (double filled : slices) {
            sum += filled;
        }
        return sum / (SLICES * SLICE_NANOS);
    }

    private void judge(long nowNanos) {
        double average = average();
        for (int i = 0; i < on.length; i++) {
            double above = steps.get(i).above();
            if (average >= above - 1e-9) {
                on[i] = true;
            }
            if (average > above - BELOW) {
                calmSinceNanos[i] = nowNanos;
            }
            on[i] = on[i] && nowNanos - calmSinceNanos[i] < CALM_NANOS;
        }
    }

    /** Which steps are in force, by their index. */
    BitSet steps() {
        BitSet steps = new BitSet(on.length);
        for (int i = 0; i < on.length; i++) {
            steps.set(i, on[i]);
        }
        return steps;
    }

    List<String> modes() {
        List<String> modes = new ArrayList<>();
        for (int i = 0; i < on.length; i++) {
            if (on[i]) {
                modes.add(steps.get(i).mode());
            }
        }
        return modes;
    }
}
