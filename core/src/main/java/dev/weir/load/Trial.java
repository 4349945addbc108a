package dev.weir.load;

import java.util.ArrayList;
import java.util.List;

/**
 * What a gradient remembers of the windows in which somebody was refused, and of the experiment under way. Immutable.
 *
 * @param patience bound windows in a row after which an experiment is made whatever latency says
 * @param boundWindows bound windows in a row so far
 * @param wantsLess bound windows in a row that wanted a lower limit, so far
 * @param recent the last bound windows, oldest first, at most ten
 * @param experiment the experiment under way
 */
record Trial(int patience, int boundWindows, int wantsLess, List<WindowSample> recent, Experiment experiment) {

    static final Trial NONE = new Trial(20, 0, 0, List.of(), Experiment.NONE);

    private static final int REMEMBERED = 10;

    Trial after(WindowSample window, boolean less) {
        if (!window.bound()) {
            return forgotten(patience);
        }
        List<WindowSample> next = new ArrayList<>(recent);
        next.add(window);
        if (next.size() > REMEMBERED) {
            next.remove(0);
        }
        return new Trial(patience, boundWindows + 1, less ? wantsLess + 1 : 0, List.copyOf(next), experiment);
    }

    /** The averages to compare with: of windows that wanted less if that is why the experiment is made, and not of the time before. */
    Means reference(int windows) {
        int count = wantsLess >= windows ? Math.min(wantsLess, recent.size()) : recent.size();
        return Means.of(recent.subList(recent.size() - count, recent.size()));
    }

    Trial forgotten(int nextPatience) {
        return new Trial(nextPatience, 0, 0, List.of(), Experiment.NONE);
    }

    Trial experiment(Experiment next) {
        return new Trial(patience, boundWindows, wantsLess, recent, next);
    }

    /**
     * A change of the limit and what it does.
     *
     * @param from the limit before
     * @param upwards whether the limit was raised
     * @param reference the averages before
     * @param skip windows still to let pass, in which calls of before end
     * @param measured windows since
     */
    record Experiment(double from, boolean upwards, Means reference, int skip, List<WindowSample> measured) {
        static final Experiment NONE = new Experiment(0, false, new Means(0, 0, 0, 0), 0, List.of());

        private static final int AT_LEAST = 3;
        private static final int AT_MOST = 20;

        /** How many standard errors from a threshold a result counts as being on its side. */
        private static final double SURE = 2;

        static Experiment of(double from, boolean upwards, Means reference) {
            int skip = 1 + (int) Math.min(100, Math.ceil(reference.latencyNanos() / 100e6));
            return new Experiment(from, upwards, reference, skip, List.of());
        }

        boolean isUnderWay() {
            return from > 0;
        }

        /** Whether it is plain, or has become idle to wait for, on which side of a threshold the elasticity lies. */
        boolean tells(double threshold) {
            return measured.size() >= AT_MOST
                    || (measured.size() >= AT_LEAST && Math.abs(elasticity() - threshold) >= SURE * error());
        }

        /** The standard error of the elasticity, for answers that come independently of each other. */
        private double error() {
            Means now = Means.of(measured);
            return Math.sqrt(1 / reference.answers() + 1 / now.answers()) / Math.abs(change(now));
        }

        Experiment after(WindowSample window) {
            if (skip > 0) {
                return new Experiment(from, upwards, reference, skip - 1, measured);
            }
            List<WindowSample> next = new ArrayList<>(measured);
            next.add(window);
            return new Experiment(from, upwards, reference, 0, List.copyOf(next));
        }

        /**
         * How throughput answers to calls in flight: ln(X1/X0) / ln(N1/N0). 0 when more in flight brings nothing, 1 when it brings as
         * much. Where hardly fewer or more were in flight than before, throughput is all there is to judge by.
         */
        double elasticity() {
            Means now = Means.of(measured);
            return Math.log(now.throughput() / reference.throughput()) / change(now);
        }

        private double change(Means now) {
            double inFlight = Math.log(now.inFlight() / reference.inFlight());
            return upwards ? Math.max(inFlight, Math.log(1.05)) : Math.min(inFlight, Math.log(0.95));
        }
    }

    /** Averages over windows, and how many answers there were in all. */
    record Means(double inFlight, double throughput, double latencyNanos, double answers) {
        static Means of(List<WindowSample> windows) {
            double n = 0;
            double x = 0;
            double l = 0;
            double answers = 0;
            for (WindowSample window : windows) {
                n += window.inFlight();
                x += window.throughput();
                l += window.latencyNanos();
                answers += window.throughput() * window.lengthNanos() / 1e9;
            }
            int count = windows.size();
            return new Means(n / count, x / count, l / count, answers);
        }
    }
}
