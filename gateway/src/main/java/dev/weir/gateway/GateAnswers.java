package dev.weir.gateway;

import dev.weir.GateState;
import dev.weir.Weir;
import dev.weir.load.Criticality;
import dev.weir.load.GateFigures;
import dev.weir.load.LimitMove;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** How the gates stand, and why their limits moved. */
final class GateAnswers {

    private final Weir weir;

    GateAnswers(Weir weir) {
        this.weir = weir;
    }

    Answer gates(Asked asked) {
        long nowNanos = System.nanoTime();
        return Answer.json(
                200,
                Answer.page(
                        "gates",
                        weir.gates().stream()
                                .map(state -> gate(state, nowNanos))
                                .toList(),
                        asked));
    }

    private static Map<String, Object> gate(GateState state, long nowNanos) {
        GateFigures now = state.figures();
        Map<String, Long> moves = new TreeMap<>();
        now.moves().forEach((reason, count) -> moves.put(GateMeters.word(reason), count));
        return Answer.object(
                "name",
                state.rule().name(),
                "mode",
                LimitAnswers.mode(state.rule().mode()),
                "limit",
                now.limit(),
                "floor",
                now.floor(),
                "ceiling",
                now.ceiling(),
                "in_flight",
                now.inFlight(),
                "long",
                now.longCalls(),
                "waiting",
                now.waiting(),
                "utilisation",
                rounded(now.utilisation()),
                "base_ms",
                rounded(now.baseNanos() / 1e6),
                "oldest_ms",
                now.oldestNanos() / 1_000_000,
                "at_floor_seconds",
                rounded(now.atFloorNanos() / 1e9),
                "at_ceiling_seconds",
                rounded(now.atCeilingNanos() / 1e9),
                "degrade",
                now.degrade(),
                "signals",
                now.signals().stream().map(GateAnswers::signal).toList(),
                "pools",
                now.pools().stream().map(GateAnswers::pool).toList(),
                "refusals",
                now.refusals().stream().map(GateAnswers::refused).toList(),
                "moves",
                moves,
                "last_moves",
                now.lastMoves().stream().map(move -> move(move, nowNanos)).toList());
    }

    private static Map<String, Object> pool(GateFigures.Pool pool) {
        return Answer.object(
                "name",
                pool.name(),
                "guaranteed",
                pool.guaranteed(),
                "in_flight",
                pool.inFlight(),
                "waiting",
                pool.waiting(),
                "utilisation",
                rounded(pool.utilisation()),
                "claims",
                pool.claims());
    }

    private static Map<String, Object> signal(GateFigures.Signal signal) {
        double value = GateMeters.ownUnit(signal, signal.value());
        return Answer.object(
                "name",
                signal.name(),
                "value",
                Double.isFinite(value) ? rounded(value) : null,
                "threshold",
                rounded(GateMeters.ownUnit(signal, signal.threshold())),
                "above",
                signal.above());
    }

    private static Map<String, Object> refused(GateFigures.Refused refused) {
        Criticality criticality = refused.criticality();
        return Answer.object(
                "pool",
                refused.pool(),
                "criticality",
                criticality.policyName(),
                "reason",
                refused.reason().word(),
                "count",
                refused.count());
    }

    private static Map<String, Object> move(LimitMove move, long nowNanos) {
        return Answer.object(
                "time",
                Instant.now().minusNanos(Math.max(0, nowNanos - move.atNanos())).toString(),
                "from",
                rounded(move.from()),
                "to",
                rounded(move.to()),
                "reason",
                GateMeters.word(move.reason()),
                "in_flight",
                rounded(move.inFlight()),
                "throughput",
                rounded(move.throughput()),
                "latency_ms",
                rounded(move.latencyNanos() / 1e6),
                "base_ms",
                rounded(move.baseNanos() / 1e6),
                "elasticity",
                move.elasticity().isPresent() ? rounded(move.elasticity().getAsDouble()) : null);
    }

    private static double rounded(double value) {
        return Double.isFinite(value) ? Math.round(value * 1_000) / 1_000.0 : 0;
    }
}
