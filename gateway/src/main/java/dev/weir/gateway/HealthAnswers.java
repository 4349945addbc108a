package dev.weir.gateway;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Whether the gateway lives, and whether calls should be sent to it. */
final class HealthAnswers {

    private final Running running;
    private final BooleanSupplier draining;

    HealthAnswers(Running running, BooleanSupplier draining) {
        this.running = running;
        this.draining = draining;
    }

    Answer healthz(Asked asked) {
        return Answer.json(200, Answer.object("status", "ok"));
    }

    Answer readyz(Asked asked) {
        if (draining.getAsBoolean()) {
            return Answer.problem(503, "Service Unavailable", "the gateway is draining");
        }
        Map<String, UpstreamPool> upstreams = running.now().routes().byUpstream();
        List<String> unwell = upstreams.entrySet().stream()
                .filter(entry -> !entry.getValue().isWell())
                .map(Map.Entry::getKey)
                .toList();
        if (unwell.size() == upstreams.size()) {
            return Answer.problem(
                    503,
                    "Service Unavailable",
                    "no upstream has an address that is well: " + String.join("; ", unwell));
        }
        return Answer.json(200, Answer.object("status", "ready", "unwell_upstreams", unwell));
    }
}
