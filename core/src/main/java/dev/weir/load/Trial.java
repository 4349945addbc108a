package dev.weir.load;

import java.util.ArrayList;
import java.util.List;

/**
 * What a gradient remembers of the last windows while its limit is contested, and of the experiment under way. Immutable.
 *
 * <p>Near the capacity there are windows in which nobody happens to be refused, between others. They neither end what the others have begun
 * nor count for it; three in a row are calm.
 *
 * @param patience contested windows after which an experiment is made whatever latency says
 * @param contestedWindows contested windows so far
 * @param wantsLess contested windows in a row that wanted a lower limit, so far
 * @param recent the last windows, oldest first, at most ten, of which the last three are not all uncontested
 * @param lossy where the last experiment lost throughput
 * @param experiment the experiment under way
 */
record Trial(int patience, int contestedWindows, int wantsLess, List<Seen> recent, Lossy lossy, Experiment experiment) {

    static final Trial NONE = new Trial(20, 0, 0, List.of(), Lossy.NONE, Experiment.NONE);

    private static final int REMEMBERED = 10;
    private static final int CALM = 3;

    /** A latency is told by so many answers, or by so many windows. */
    private static final double ENOUGH_ANSWERS = 200;

    private static final int ENOUGH_WINDOWS = 5;

    /** A window, and whether the limit was contested in it. */
    record Seen(WindowSample window, boolean contested) {}

    /**
     * A limit at which throughput was lost: the next experiments need not go there to find out, for a while.
     *
     * @param limit with its fraction; 0 for none
     * @param throughput what there was above it, completions a second
     * @param windows for how many contested ones it is still believed
     */
    record Lossy(double limit, double throughput, int windows) {
        static final Lossy NONE = new Lossy(0, 0, 0);

        /** Below this throughput, as a share of what there was, it is another server. */
        private static final double SAME = 0.75;

        /** The same a contested window later. */
        Lossy older() {
            return windows <= 1 ? NONE : new Lossy(limit, throughput, windows - 1);
        }

        /** The lowest limit that is worth an experiment, where the throughput is that. */
        double least(double now) {
            return now < SAME * throughput ? 0 : limit + 1.5 * Math.sqrt(limit);
        }
    }

    /** The same a window later. */
    Trial after(WindowSample window, boolean contested) {
        List<Seen> next = new ArrayList<>(recent);
        next.add(new Seen(window, contested));
        if (next.size() > REMEMBERED) {
            next.remove(0);
        }
        if (next.subList(Math.max(0, next.size() - CALM), next.size()).stream().noneMatch(Seen::contested)) {
            return forgotten(patience);
        }
        return new Trial(
                patience,
                contestedWindows + (contested ? 1 : 0),
                wantsLess,
                List.copyOf(next),
                contested ? lossy.older() : lossy,
                experiment);
    }

    /** Whether the last window was contested, or one shortly before. */
    boolean isContested() {
        return !recent.isEmpty();
    }

    /** The last contested window wanted a lower limit, or did not. */
    Trial wanting(boolean less) {
        return new Trial(patience, contestedWindows, less ? wantsLess + 1 : 0, recent, lossy, experiment);
    }

    /** The latency of the last windows: of enough of them for chance not to decide. */
    double latencyNanos() {
        double sum = 0;
        double answers = 0;
        for (int i = recent.size() - 1; i >= Math.max(0, recent.size() - ENOUGH_WINDOWS); i--) {
            WindowSample window = recent.get(i).window();
            sum += window.latencyNanos() * window.answers();
            answers += window.answers();
            if (answers >= ENOUGH_ANSWERS) {
                break;
            }
        }
        return sum / answers;
    }

    /** The averages to compare with: of so many windows, or of all that wanted less if that is why the experiment is made. */
    Means reference(int windows) {
        List<WindowSample> contested = contested();
        int count = Math.min(Math.max(windows, wantsLess), contested.size());
        return Means.of(contested.subList(contested.size() - count, contested.size()));
    }

    /** The contested ones of the last windows. */
    List<WindowSample> contested() {
        return recent.stream().filter(Seen::contested).map(Seen::window).toList();
    }

    Trial forgotten(int nextPatience) {
        return new Trial(nextPatience, 0, 0, List.of(), lossy, Experiment.NONE);
    }

    /** Throughput is lost at that limit. */
    Trial losing(double limit) {
        Lossy found = new Lossy(limit, experiment.reference().throughput(), patience);
        return new Trial(patience, contestedWindows, wantsLess, recent, found, experiment);
    }

    Trial experiment(Experiment next) {
        return new Trial(patience, contestedWindows, wantsLess, recent, lossy, next);
    }

    /**
     * A change of the limit and what it does.
     *
     * @param from the limit before
     * @param upwards whether the limit was raised
     * @param reference the averages before
     * @param skipNanos time still to let pass, in which calls of before end
     * @param calm windows in a row in which the limit was not contested
     * @param measured windows since
     */
    record Experiment(
            double from, boolean upwards, Means reference, double skipNanos, int calm, List<WindowSample> measured) {
        static final Experiment NONE = new Experiment(0, false, new Means(0, 0, 0, 0), 0, 0, List.of());

        private static final int AT_LEAST = 3;
        private static final int USUAL = 5;
        private static final int AT_MOST = 20;
        private static final long LONGEST_NANOS = 4_000_000_000L;

        /** How many standard errors from a threshold a result counts as being on its side. */
        private static final double SURE = 1.5;

        static Experiment of(double from, boolean upwards, Means reference) {
            return new Experiment(from, upwards, reference, Math.min(10e9, reference.latencyNanos()), 0, List.of());
        }

        boolean isUnderWay() {
            return from > 0;
        }

        /** Whether it tells nothing: the limit is contested no more. */
        boolean isVoid() {
            return calm >= CALM;
        }

        /** Whether it is plain, or has become idle to wait for, that the elasticity lies below, between or above two thresholds. */
        boolean tells(double low, double high) {
            if (isLongEnough() || measured.size() < AT_LEAST) {
                return isLongEnough();
            }
            double elasticity = elasticity();
            double unsure = SURE * error();
            return (elasticity <= low - unsure || elasticity >= low + unsure)
                    && (elasticity <= high - unsure || elasticity >= high + unsure);
        }

        /** Whether there is no more waiting for what chance hides; where answers are rare much else happens meanwhile. */
        private boolean isLongEnough() {
            long nanos = 0;
            for (WindowSample window : measured) {
                nanos += window.lengthNanos();
            }
            return measured.size() >= AT_MOST || (measured.size() >= USUAL && nanos >= LONGEST_NANOS);
        }

        /** Whether it is plain that the elasticity lies above a threshold. */
        boolean isAbove(double threshold) {
            return elasticity() >= threshold + SURE * error();
        }

        /** The standard error of the elasticity, for answers that come independently of each other. */
        private double error() {
            Means now = Means.of(measured);
            return Math.sqrt(1 / reference.answers() + 1 / now.answers()) / Math.abs(change(now));
        }

        Experiment after(WindowSample window, boolean contested) {
            int calmSince = contested ? 0 : calm + 1;
            if (skipNanos > -Double.MAX_VALUE) {
                // The window in which the last call of before ends is skipped, too.
                double left = skipNanos <= 0 ? -Double.MAX_VALUE : skipNanos - window.lengthNanos();
                return new Experiment(from, upwards, reference, left, calmSince, measured);
            }
            List<WindowSample> next = new ArrayList<>(measured);
            if (contested || upwards) {
                next.add(window);
            }
            return new Experiment(from, upwards, reference, skipNanos, calmSince, List.copyOf(next));
        }

        /**
         * How throughput answers to calls in flight: ln(X1/X0) / ln(N1/N0). 0 when more in flight brings nothing, 1 when it brings as
         * much. Where hardly fewer or more were in flight than before, throughput is all there is to judge by.
         */
        double elasticity() {
            Means now = Means.of(measured);
            return Math.log(now.throughput() / reference.throughput()) / change(now);
        }

        /** How much more or less is in flight, as a logarithm. */
        double change() {
            return change(Means.of(measured));
        }

        /** Whether less is in flight, as it was meant to be; it is not where the limit was still growing. */
        boolean hasLowered() {
            return Means.of(measured).inFlight() < 0.95 * reference.inFlight();
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
                answers += window.answers();
            }
            int count = windows.size();
            return new Means(n / count, x / count, l / count, answers);
        }
    }
}
