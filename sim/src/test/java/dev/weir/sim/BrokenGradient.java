package dev.weir.sim;

import com.netflix.concurrency.limits.Limit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** A textbook gradient with known mistakes: what a scenario must notice. */
final class BrokenGradient implements Limit {

    /** A mistake. */
    enum Defect {
        /** Whatever is seen becomes normal. */
        BASELINE_FOLLOWS,
        /** What was fast once is expected for ever. */
        BASELINE_STANDS,
        /** An unused limit rises. */
        GROWS_WHILE_IDLE,
        /** Each answer moves the limit. */
        STEP_PER_ANSWER,
        /** The limit falls to the floor every ten seconds, to see the latency without queueing. */
        PROBES
    }

    private static final int ENOUGH = 25;
    private static final int MIN = 4;
    private static final int MAX = 500;
    private static final long WINDOW_NANOS = 100_000_000;
    private static final long PROBE_NANOS = 10_000_000_000L;

    private final Set<Defect> defects;
    private double limit = 20;
    private double baseNanos;
    private long windowBegan;
    private long probed;
    private long samples;
    private double sumNanos;
    private int peak;

    private BrokenGradient(Set<Defect> defects) {
        this.defects = defects;
    }

    /** A contender with some of the mistakes. */
    static Contender with(Defect first, Defect... more) {
        Set<Defect> defects = EnumSet.of(first, more);
        return new Contender() {
            @Override
            public String name() {
                return defects.toString();
            }

            @Override
            public Door door(Scenario scenario, VirtualTime time) {
                return new RivalDoor(new BrokenGradient(defects), time);
            }
        };
    }

    @Override
    public int getLimit() {
        return (int) limit;
    }

    @Override
    public void notifyOnChange(Consumer<Integer> consumer) {
        throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public void onSample(long startNanos, long rttNanos, int inFlight, boolean dropped) {
        samples++;
        sumNanos += (double) rttNanos;
        peak = Math.max(peak, inFlight);
        long now = startNanos + rttNanos;
        if (defects.contains(Defect.STEP_PER_ANSWER) || (now - windowBegan >= WINDOW_NANOS && samples >= ENOUGH)) {
            step(sumNanos / samples);
            windowBegan = now;
            samples = 0;
            sumNanos = 0;
            peak = 0;
        }
        if (defects.contains(Defect.PROBES) && now - probed >= PROBE_NANOS) {
            probed = now;
            limit = MIN;
        }
    }

    private void step(double latencyNanos) {
        boolean quiet = peak < limit / 2;
        if (baseNanos == 0 || latencyNanos < baseNanos) {
            baseNanos = latencyNanos;
        } else if (defects.contains(Defect.BASELINE_FOLLOWS) || (quiet && !defects.contains(Defect.BASELINE_STANDS))) {
            baseNanos += 0.05 * (latencyNanos - baseNanos);
        }
        double gradient = Math.max(0.5, Math.min(1, 1.25 * baseNanos / latencyNanos));
        double next = limit + 0.4 * (limit * gradient + Math.sqrt(limit) - limit);
        if (next < limit || !quiet || defects.contains(Defect.GROWS_WHILE_IDLE)) {
            limit = Math.max(MIN, Math.min(MAX, next));
        }
    }
}
