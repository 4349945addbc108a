package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.LimitFigures;
import dev.weir.policy.Scope;
import dev.weir.rate.RateTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/** What is counted about one limit. */
final class LimitMeters implements AutoCloseable {

    private final MeterRegistry registry;
    private final Scope scope;
    private final List<Meter> meters = new ArrayList<>();
    private final Counter granted;
    private final Counter refused;
    private final Counter shadowRefused;
    private final Counter never;
    private volatile long keys;
    private volatile long evictions;
    private volatile long stricter;

    LimitMeters(MeterRegistry registry, String limit, Scope scope) {
        this.registry = registry;
        this.scope = scope;
        granted = charges(limit, "granted");
        refused = charges(limit, "refused");
        shadowRefused = charges(limit, "shadow-refused");
        never = charges(limit, "never");
        meters.add(Gauge.builder("weir.limit.keys", this, meters -> meters.keys)
                .description("Keys that are held.")
                .tag("limit", limit)
                .register(registry));
        meters.add(FunctionCounter.builder("weir.limit.evictions", this, meters -> meters.evictions)
                .description("Keys that had to leave with something used.")
                .tag("limit", limit)
                .register(registry));
        meters.add(FunctionCounter.builder("weir.limit.stricter", this, meters -> meters.stricter)
                .description("Newcomers that were judged more strictly, since others had to leave.")
                .tag("limit", limit)
                .register(registry));
    }

    Scope scope() {
        return scope;
    }

    private Counter charges(String limit, String result) {
        Counter counter = Counter.builder("weir.limit.charges")
                .description("Calls that the limit was charged for or would not let pass.")
                .tag("limit", limit)
                .tag("result", result)
                .tag("scope", scope.policyName())
                .register(registry);
        meters.add(counter);
        return counter;
    }

    /** The limit had a line on a call's bill. One that would have passed a call that others refused was not charged, and is not counted. */
    void judged(Decision.Judged judged, boolean admitted, boolean shadow) {
        if (judged.refused()) {
            Counter counter = judged.waitNanos() == RateTable.NEVER ? never : refused;
            (shadow ? shadowRefused : counter).increment();
        } else if (admitted) {
            granted.increment();
        }
    }

    /** What the counters hold now. */
    void figures(LimitFigures figures) {
        keys = figures.keys();
        evictions = figures.evictions();
        stricter = figures.stricter();
    }

    /** Shows the limit no longer. */
    @Override
    public void close() {
        meters.forEach(registry::remove);
    }
}
