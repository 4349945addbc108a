package dev.weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;

/** The signals that a gate listens to. Guarded by the gate's lock. */
final class Signals {

    /** Signals that each gate has for itself. */
    static final Set<String> OWN = Set.of("queue-time", "p99", "errors", "timeouts");

    private static final long EVERY_NANOS = 100_000_000;

    private record Watched(DoubleSupplier value, double threshold) {}

    private final Map<String, DoubleSupplier> known = new TreeMap<>();
    private List<Watched> watched = List.of();
    private long askedNanos;
    private boolean asked;
    private boolean above;

    Signals(Recent recent, DoubleSupplier queueTimeNanos, List<LoadSignal> given) {
        known.put("queue-time", queueTimeNanos);
        known.put("p99", recent::p99Nanos);
        known.put("errors", recent::errorShare);
        known.put("timeouts", recent::dropShare);
        given.forEach(signal -> known.put(signal.name(), signal::value));
    }

    /** Goes on listening to these. */
    void change(List<SignalThreshold> thresholds) {
        List<Watched> next = new ArrayList<>();
        for (SignalThreshold threshold : thresholds) {
            DoubleSupplier value = known.get(threshold.signal());
            if (value == null) {
                throw new IllegalArgumentException("there is no signal " + threshold.signal() + ", but "
                        + String.join(", ", new TreeSet<>(known.keySet())));
            }
            next.add(new Watched(value, threshold.threshold()));
        }
        watched = next;
        asked = false;
    }

    /** Whether one is above its threshold. A signal that fails says nothing. */
    boolean above(long nowNanos) {
        if (!watched.isEmpty() && (!asked || nowNanos - askedNanos >= EVERY_NANOS)) {
            asked = true;
            askedNanos = nowNanos;
            above = watched.stream().anyMatch(Signals::isAbove);
        }
        return above && !watched.isEmpty();
    }

    private static boolean isAbove(Watched signal) {
        try {
            return signal.value.getAsDouble() > signal.threshold;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
