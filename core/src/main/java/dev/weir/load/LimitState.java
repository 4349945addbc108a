package dev.weir.load;

/**
 * Where an algorithm stands between two windows.
 *
 * @param limit with its fraction; what is in force is the whole part
 * @param baseNanos the latency that counts as normal, 0 before the first window
 * @param trial what a gradient is about
 */
record LimitState(double limit, double baseNanos, Trial trial) {

    static LimitState fresh(ConcurrencyLimit concurrency) {
        return new LimitState(concurrency.initial(), 0, Trial.NONE);
    }

    LimitState limit(double to) {
        return new LimitState(to, baseNanos, trial);
    }

    LimitState base(double nanos) {
        return new LimitState(limit, nanos, trial);
    }

    LimitState trial(Trial next) {
        return new LimitState(limit, baseNanos, next);
    }

    /**
     * A lower latency is believed soon, as far as chance does not explain it, or the baseline would be that of the luckiest windows; a higher
     * one only while the gate cannot be its cause, and then slowly.
     */
    LimitState learnBase(WindowSample window) {
        double latency = window.latencyNanos();
        if (baseNanos == 0) {
            return base(latency);
        }
        if (latency < baseNanos) {
            double surely = Math.min(baseNanos, latency + window.errorNanos());
            return base(baseNanos + 0.2 * (surely - baseNanos));
        }
        return window.bound() || window.usesHalf(limit) ? this : base(baseNanos + 0.02 * (latency - baseNanos));
    }
}
