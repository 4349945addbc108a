package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.Reason;
import dev.weir.policy.AdmissionPoint;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** A counter for each outcome of a decision, found before the first call. */
final class DecisionCounters {

    private final Counter admitted;
    private final Counter waited;
    private final Counter degraded;
    private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);

    DecisionCounters(MeterRegistry registry, AdmissionPoint point) {
        admitted = counter(registry, point, "admitted", "none");
        waited = counter(registry, point, "waited", "none");
        degraded = counter(registry, point, "degraded", "none");
        for (Reason reason : Reason.values()) {
            refused.put(reason, counter(registry, point, "refused", reason.wireName()));
        }
    }

    private static Counter counter(MeterRegistry registry, AdmissionPoint point, String outcome, String reason) {
        return Counter.builder("weir.decisions")
                .description("Decisions, each call once.")
                .tag("point", point.policyName())
                .tag("outcome", outcome)
                .tag("reason", reason)
                .register(registry);
    }

    void count(Decision decision) {
        if (decision instanceof Decision.Admitted in) {
            boolean late = in.turnNanos() + in.waitedNanos() > 0;
            (in.degrade().isEmpty() ? late ? waited : admitted : degraded).increment();
        } else {
            Counter counter = refused.get(((Decision.Rejected) decision).reason());
            if (counter != null) {
                counter.increment();
            }
        }
    }
}
