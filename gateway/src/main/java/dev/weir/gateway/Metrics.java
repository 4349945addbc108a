package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.GateState;
import dev.weir.LimitFigures;
import dev.weir.Weir;
import dev.weir.WeirListener;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundFigures;
import dev.weir.load.Outcome;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Call;
import dev.weir.policy.Limit;
import dev.weir.policy.Scope;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * What is counted about decisions, limits and permits. Labels are names of the policy and words of Weir's, never a key. Thread safe; what
 * happens for each call is a few counters that were found before.
 */
final class Metrics implements WeirListener {

    private static final Duration[] DECISION_BUCKETS = micros(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final DecisionCounters decisions = new DecisionCounters(registry, AdmissionPoint.GATEWAY);
    private final Map<String, LimitMeters> limits = new ConcurrentHashMap<>();
    private final Map<String, GateMeters> gates = new ConcurrentHashMap<>();
    private final Map<String, OutboundMeters> outbounds = new ConcurrentHashMap<>();
    private final Map<Call, Long> permits = new ConcurrentHashMap<>();
    private final LongAdder released = new LongAdder();
    private final LongAdder worked = new LongAdder();
    private volatile Optional<FleetMeters> fleet = Optional.empty();
    private final Counter reloadsDone = reloads("done");
    private final Counter reloadsRefused = reloads("refused");
    private final Timer decisionTime = Timer.builder("weir.decision.time")
            .description("How long decisions took.")
            .tag("point", AdmissionPoint.GATEWAY.policyName())
            .serviceLevelObjectives(DECISION_BUCKETS)
            .register(registry);

    static Duration[] micros(long... micros) {
        Duration[] durations = new Duration[micros.length];
        for (int i = 0; i < micros.length; i++) {
            durations[i] = Duration.ofNanos(micros[i] * 1_000);
        }
        return durations;
    }

    private Counter reloads(String result) {
        return Counter.builder("weir.policy.reloads")
                .description("Reloads of the policy file.")
                .tag("result", result)
                .register(registry);
    }

    PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Watches what runs; once. */
    void watch(Running running) {
        Weir weir = running.weir();
        FunctionCounter.builder("weir.errors", weir, Weir::errors)
                .description("Errors inside admission; none failed a call.")
                .register(registry);
        FunctionCounter.builder("weir.permits.double.release", weir, Weir::doubleReleases)
                .description("Permits that were released a second time.")
                .register(registry);
        FunctionCounter.builder("weir.permits.leaked", this, Metrics::leaked)
                .description("Permits that were still held when their call was over.")
                .register(registry);
        Gauge.builder("weir.permits.oldest", this, Metrics::oldestSeconds)
                .description("How long the permit has been held that is held longest.")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("weir.policy.version", running, now -> now.now().version())
                .description("The version of the policy in force, counted from 1 at the start.")
                .register(registry);
        fleet = weir.fleet().map(figures -> new FleetMeters(registry, weir));
        refresh(weir);
    }

    private void refresh(Weir weir) {
        limits(weir);
        gates(weir);
        outbounds(weir);
        fleet.ifPresent(FleetMeters::refresh);
    }

    private double oldestSeconds() {
        long now = System.nanoTime();
        return permits.values().stream().mapToLong(since -> now - since).max().orElse(0) / 1e9;
    }

    /** Calls are told as over only once their permit has been released. */
    private double leaked() {
        long over = worked.sum();
        return Math.max(0, over - released.sum());
    }

    private void limits(Weir weir) {
        Set<String> names = new HashSet<>();
        for (LimitFigures figures : weir.limits()) {
            names.add(figures.limit().name());
            limit(figures.limit()).figures(figures);
        }
        keepOnly(names, limits, LimitMeters::close);
    }

    private void gates(Weir weir) {
        Set<String> names = new HashSet<>();
        for (GateState state : weir.gates()) {
            names.add(state.rule().name());
            GateMeters known = gates.get(state.rule().name());
            if (known == null || !known.isOf(state)) {
                if (known != null) {
                    known.close();
                }
                gates.put(state.rule().name(), new GateMeters(registry, state));
            } else {
                known.figures(state.figures());
            }
        }
        keepOnly(names, gates, GateMeters::close);
    }

    private void outbounds(Weir weir) {
        Set<String> names = new HashSet<>();
        for (Outbound outbound : weir.outbounds()) {
            OutboundFigures now = outbound.figures();
            names.add(now.name());
            outbounds
                    .computeIfAbsent(now.name(), added -> new OutboundMeters(registry, now))
                    .figures(now);
        }
        keepOnly(names, outbounds, OutboundMeters::close);
    }

    private static <M> void keepOnly(Set<String> names, Map<String, M> meters, Consumer<M> close) {
        meters.entrySet().removeIf(entry -> {
            boolean gone = !names.contains(entry.getKey());
            if (gone) {
                close.accept(entry.getValue());
            }
            return gone;
        });
    }

    /** A limit that changed its scope is counted anew. */
    private LimitMeters limit(Limit limit) {
        LimitMeters known = limits.get(limit.name());
        if (known != null && known.scope() == limit.scope()) {
            return known;
        }
        if (known != null) {
            known.close();
        }
        LimitMeters other = new LimitMeters(registry, limit.name(), limit.scope());
        limits.put(limit.name(), other);
        return other;
    }

    private LimitMeters limit(String name) {
        LimitMeters known = limits.get(name);
        return known != null
                ? known
                : limits.computeIfAbsent(name, added -> new LimitMeters(registry, added, Scope.INSTANCE));
    }

    @Override
    public void decided(Call call, Decision decision, long tookNanos) {
        decisionTime.record(tookNanos, TimeUnit.NANOSECONDS);
        decisions.count(decision);
        boolean admitted = decision instanceof Decision.Admitted;
        for (Decision.Judged judged : decision.judged()) {
            limit(judged.limit()).judged(judged, admitted, false);
        }
        for (Decision.Judged judged : decision.shadows()) {
            limit(judged.limit()).judged(judged, admitted, true);
        }
        if (decision instanceof Decision.Admitted in && in.gate().isPresent()) {
            GateMeters gate = gates.get(in.gate().get().gate());
            if (gate != null) {
                gate.letIn(in);
            }
        }
        if (admitted) {
            permits.put(call, System.nanoTime());
        }
    }

    @Override
    public void judgedLater(Call call, List<Decision.Judged> shadows) {
        shadows.forEach(judged -> limit(judged.limit()).judged(judged, true, true));
    }

    @Override
    public void storeAsked(long tookNanos) {
        fleet.ifPresent(meters -> meters.asked(tookNanos));
    }

    @Override
    public void released(Call call, Outcome outcome, long heldNanos) {
        permits.remove(call);
        released.increment();
    }

    /** A call that was let in is over. */
    void worked() {
        worked.increment();
    }

    void reloaded(boolean done) {
        (done ? reloadsDone : reloadsRefused).increment();
    }

    /** All of it in Prometheus' text format. */
    String scrape(Weir weir) {
        refresh(weir);
        return registry.scrape();
    }
}
