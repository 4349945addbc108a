package dev.weir.load;

/** The steps of the algorithms that keep nothing but the limit. Pure. */
final class SimpleSteps {

    private SimpleSteps() {}

    /** Whole numbers: a tenth less is rounded down, so that drops alone always reach the floor. */
    static LimitStep aimd(ConcurrencyLimit.Aimd limits, LimitState state, WindowSample window) {
        double limit = state.limit();
        if (window.dropsTooMuch()) {
            double next = Math.max(limits.min(), Math.floor(LimitStep.lessDropped(limit, limits.min(), window)));
            return LimitStep.of(state.limit(next), MoveReason.DROPPED);
        }
        if (!window.usesHalf(limit)) {
            return LimitStep.of(state, MoveReason.IDLE);
        }
        return LimitStep.of(state.limit(Math.min(limits.max(), limit + 1)), MoveReason.ROOM);
    }

    static LimitStep targetLatency(ConcurrencyLimit.TargetLatency limits, LimitState state, WindowSample window) {
        double limit = state.limit();
        if (window.dropsTooMuch()) {
            return LimitStep.of(state.limit(LimitStep.lessDropped(limit, limits.min(), window)), MoveReason.DROPPED);
        }
        if (window.latencyNanos() > 1.5 * limits.targetNanos()) {
            double next = LimitStep.unusedStays(limit, 0.9 * limit, window);
            return LimitStep.of(state.limit(Math.max(limits.min(), next)), MoveReason.LATENCY);
        }
        if (window.latencyNanos() >= 0.8 * limits.targetNanos()) {
            return LimitStep.of(state, MoveReason.STEADY);
        }
        if (!window.usesHalf(limit)) {
            return LimitStep.of(state, MoveReason.IDLE);
        }
        return LimitStep.of(state.limit(Math.min(limits.max(), 1.05 * limit)), MoveReason.ROOM);
    }
}
