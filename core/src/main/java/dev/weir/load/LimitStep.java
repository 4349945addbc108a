package dev.weir.load;

import java.util.OptionalDouble;

/** What one window made of a limit's state. */
record LimitStep(LimitState state, MoveReason reason, OptionalDouble elasticity) {

    static LimitStep of(LimitState state, MoveReason reason) {
        return new LimitStep(state, reason, OptionalDouble.empty());
    }

    static LimitStep of(LimitState state, MoveReason reason, double elasticity) {
        return new LimitStep(state, reason, OptionalDouble.of(elasticity));
    }

    /** One window, one step: pure. */
    static LimitStep after(ConcurrencyLimit concurrency, LimitState before, WindowSample window) {
        LimitState state = before.learnBase(window);
        if (concurrency instanceof ConcurrencyLimit.Aimd aimd) {
            return SimpleSteps.aimd(aimd, state, window);
        }
        if (concurrency instanceof ConcurrencyLimit.TargetLatency target) {
            return SimpleSteps.targetLatency(target, state, window);
        }
        if (concurrency instanceof ConcurrencyLimit.Gradient gradient) {
            return new GradientStep(gradient, state, window).take();
        }
        return of(state, MoveReason.STEADY);
    }

    /** A tenth less, but while less than half is used no less than twice the most that was used. */
    static double lessDropped(double limit, int min, WindowSample window) {
        return Math.max(min, unusedStays(limit, 0.9 * limit, window));
    }

    /** {@code next}, which does not shrink below twice what is in flight while less than half of the limit is. */
    static double unusedStays(double limit, double next, WindowSample window) {
        return window.bound() || window.usesHalf(limit) ? next : Math.max(next, Math.min(limit, 2.0 * window.peak()));
    }
}
