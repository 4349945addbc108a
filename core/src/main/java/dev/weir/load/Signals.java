package dev.weir.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/** The signals that a gate listens to. Guarded by the gate's lock. */
final class Signals {

    private static final long EVERY_NANOS = 100_000_000;

    private record Watched(String name, LongToDoubleFunction source, double threshold) {
        GateFigures.Signal ask(long nowNanos) {
            double value = value(nowNanos);
            return new GateFigures.Signal(name, value, threshold, value > threshold);
        }

        /** A signal that fails says nothing. */
        private double value(long nowNanos) {
            try {
                return source.applyAsDouble(nowNanos);
            } catch (RuntimeException e) {
                return Double.NaN;
            }
        }
    }

    private final Map<String, LongToDoubleFunction> known = new HashMap<>();
    private List<Watched> watched = List.of();
    private long askedNanos;
    private boolean asked;
    private boolean above;

    /** The gate's own signals, and those that others provide; one of these replaces an own one of its name. */
    Signals(Recent recent, LongToDoubleFunction queueTimeNanos, List<LoadSignal> given) {
        known.put("queue-time", queueTimeNanos);
        known.put("p99", nowNanos -> recent.p99Nanos());
        known.put("errors", nowNanos -> recent.errorShare());
        known.put("timeouts", nowNanos -> recent.dropShare());
        given.forEach(signal -> known.put(signal.name(), nowNanos -> signal.value()));
    }

    /** Goes on listening to these. */
    void change(List<SignalThreshold> thresholds) {
        List<Watched> next = new ArrayList<>();
        for (SignalThreshold threshold : thresholds) {
            LongToDoubleFunction source = known.getOrDefault(threshold.signal(), Signals::unknown);
            next.add(new Watched(threshold.signal(), source, threshold.threshold()));
        }
        watched = next;
        asked = false;
    }

    /** What nobody provides has no value, and so never acts. */
    private static double unknown(long nowNanos) {
        return Double.NaN;
    }

    /** Whether one is above its threshold. */
    boolean above(long nowNanos) {
        if (!watched.isEmpty() && (!asked || nowNanos - askedNanos >= EVERY_NANOS)) {
            asked = true;
            askedNanos = nowNanos;
            above = watched.stream().anyMatch(signal -> signal.ask(nowNanos).above());
        }
        return above && !watched.isEmpty();
    }

    List<GateFigures.Signal> figures(long nowNanos) {
        return watched.stream().map(signal -> signal.ask(nowNanos)).toList();
    }
}
