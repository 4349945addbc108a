package dev.weir.load;

import java.util.ArrayList;
import java.util.List;

/** Windows of answers made by hand. */
final class Windows {

    private Windows() {}

    /** {@code peak} calls in flight all the time, each for that long; somebody refused or not. */
    static WindowSample of(double latencyMillis, int peak, boolean bound) {
        return sample(latencyMillis, peak, bound, 0);
    }

    /** The same, where a share is dropped. */
    static WindowSample dropping(double share, double latencyMillis, int peak, boolean bound) {
        return sample(latencyMillis, peak, bound, share);
    }

    private static WindowSample sample(double latencyMillis, int peak, boolean bound, double dropped) {
        double inFlight = Math.max(1, peak);
        return new WindowSample(
                inFlight,
                inFlight * 1000 / latencyMillis,
                latencyMillis * 1e6,
                0,
                peak,
                bound,
                false,
                dropped,
                100_000_000);
    }

    /** A limit over several windows. */
    static final class Run {
        private final ConcurrencyLimit concurrency;
        private LimitState state;
        private final List<MoveReason> reasons = new ArrayList<>();

        Run(ConcurrencyLimit concurrency) {
            this.concurrency = concurrency;
            state = LimitState.fresh(concurrency);
        }

        MoveReason step(WindowSample window) {
            LimitStep step = LimitStep.after(concurrency, state, window);
            state = step.state();
            reasons.add(step.reason());
            return step.reason();
        }

        Run steps(int windows, WindowSample window) {
            for (int i = 0; i < windows; i++) {
                step(window);
            }
            return this;
        }

        /** As many calls as the limit allows, and refusals. */
        Run saturated(int windows, double latencyMillis) {
            for (int i = 0; i < windows; i++) {
                step(of(latencyMillis, limit(), true));
            }
            return this;
        }

        int limit() {
            return (int) state.limit();
        }

        double exactLimit() {
            return state.limit();
        }

        double baseMillis() {
            return state.baseNanos() / 1e6;
        }

        LimitState state() {
            return state;
        }

        List<MoveReason> reasons() {
            return reasons;
        }
    }
}
