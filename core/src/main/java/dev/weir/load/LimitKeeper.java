package dev.weir.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A gate's limit over time: where the algorithm stands, and how it came there. Guarded by the gate's lock. */
final class LimitKeeper {

    private static final int REMEMBERED = 64;

    private ConcurrencyLimit concurrency;
    private LimitState state;
    private final Map<MoveReason, Long> moves = new EnumMap<>(MoveReason.class);
    private final Deque<LimitMove> last = new ArrayDeque<>();
    private double throughput;
    private long toldNanos;
    private long atFloorNanos;
    private long atCeilingNanos;

    LimitKeeper(ConcurrencyLimit concurrency, long nowNanos) {
        this.concurrency = concurrency;
        state = LimitState.fresh(concurrency);
        toldNanos = nowNanos;
    }

    /** Goes on under other numbers: what was learnt stays if it is the same algorithm. */
    void change(ConcurrencyLimit to, long nowNanos) {
        tell(nowNanos);
        boolean same = to.getClass() == concurrency.getClass() && !(to instanceof ConcurrencyLimit.Fixed);
        double limit = Math.max(to.min(), Math.min(to.max(), state.limit()));
        state = same ? state.limit(limit).trial(Trial.NONE) : LimitState.fresh(to);
        concurrency = to;
    }

    /** Whether the window has told enough for a step. */
    boolean hasEnough(Window window, long nowNanos) {
        return concurrency instanceof ConcurrencyLimit.Aimd
                ? window.isRoundOf(limit())
                : window.closes(nowNanos, state.baseNanos());
    }

    void step(WindowSample window, long nowNanos) {
        tell(nowNanos);
        LimitStep step = LimitStep.after(concurrency, state, window);
        moves.merge(step.reason(), 1L, Long::sum);
        if (step.state().limit() != state.limit()) {
            remember(step, window, nowNanos);
        }
        state = step.state();
        throughput = window.throughput();
    }

    private void remember(LimitStep step, WindowSample window, long nowNanos) {
        if (last.size() == REMEMBERED) {
            last.removeFirst();
        }
        last.addLast(new LimitMove(
                nowNanos,
                state.limit(),
                step.state().limit(),
                step.reason(),
                window.inFlight(),
                window.throughput(),
                window.latencyNanos(),
                step.state().baseNanos(),
                step.elasticity()));
    }

    int limit() {
        return (int) state.limit();
    }

    double baseNanos() {
        return state.baseNanos();
    }

    /** Completions a second in the last window; 0 before the first. */
    double throughput() {
        return throughput;
    }

    ConcurrencyLimit concurrency() {
        return concurrency;
    }

    /** Counts the time since under the limit as it was. */
    void tell(long nowNanos) {
        long passed = Math.max(0, nowNanos - toldNanos);
        toldNanos = nowNanos;
        if (limit() == concurrency.min()) {
            atFloorNanos += passed;
        }
        if (limit() == concurrency.max()) {
            atCeilingNanos += passed;
        }
    }

    long atFloorNanos() {
        return atFloorNanos;
    }

    long atCeilingNanos() {
        return atCeilingNanos;
    }

    Map<MoveReason, Long> moves() {
        return Map.copyOf(moves);
    }

    List<LimitMove> lastMoves() {
        return new ArrayList<>(last);
    }
}
