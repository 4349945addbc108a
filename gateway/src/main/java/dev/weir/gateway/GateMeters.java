package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.GateState;
import dev.weir.load.Criticality;
import dev.weir.load.GateFigures;
import dev.weir.load.GateReason;
import dev.weir.load.MoveReason;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What is measured of one gate: its figures, read when somebody asks, and how long calls waited there. */
final class GateMeters implements AutoCloseable {

    /** The label of a gate that has no pools. */
    private static final String ALL = "all";

    private static final Duration[] WAIT_BUCKETS =
            Metrics.micros(1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000);

    private final MeterRegistry registry;
    private final String gate;
    private final List<String> pools;
    private final List<String> signals;
    private final List<Meter> meters = new ArrayList<>();
    private final Timer wait;
    private volatile GateFigures figures;

    GateMeters(MeterRegistry registry, GateState state) {
        this.registry = registry;
        gate = state.rule().name();
        pools = pools(state);
        signals = signals(state);
        figures = state.figures();
        gauge("weir.gate.limit", "Calls that may be in flight.", GateFigures::limit);
        gauge("weir.gate.floor", "The lowest that the limit may become.", GateFigures::floor);
        gauge("weir.gate.ceiling", "The highest that the limit may become.", GateFigures::ceiling);
        gauge("weir.gate.long", "Calls in flight that last, such as streams.", GateFigures::longCalls);
        gauge(
                "weir.degrade.level",
                "Steps of serving calls cheaper that are in force.",
                now -> now.degrade().size());
        seconds("weir.gate.floor.seconds", "Time that the limit has spent at its floor.", GateFigures::atFloorNanos);
        seconds(
                "weir.gate.ceiling.seconds",
                "Time that the limit has spent at its ceiling.",
                GateFigures::atCeilingNanos);
        for (MoveReason reason : MoveReason.values()) {
            counter(
                    "weir.gate.moves",
                    "Windows that moved the limit, or left it.",
                    Tags.of("reason", word(reason)),
                    now -> now.moves().getOrDefault(reason, 0L));
        }
        for (int pool = 0; pool < pools.size(); pool++) {
            pool(pool, pools.get(pool));
        }
        for (int signal = 0; signal < signals.size(); signal++) {
            signal(signal);
        }
        wait = Timer.builder("weir.gate.wait")
                .description("How long calls waited that were let in after a wait.")
                .tag("gate", gate)
                .serviceLevelObjectives(WAIT_BUCKETS)
                .register(registry);
        meters.add(wait);
    }

    private static List<String> pools(GateState state) {
        return state.figures().pools().stream()
                .map(pool -> pool.name().isEmpty() ? ALL : pool.name())
                .toList();
    }

    private static List<String> signals(GateState state) {
        return state.figures().signals().stream().map(GateFigures.Signal::name).toList();
    }

    private void signal(int index) {
        signalGauge(
                "weir.signal",
                "A sign of being full: a share from 0 to 1, or seconds; not a number when nobody tells it.",
                index,
                signal -> ownUnit(signal, signal.value()));
        signalGauge(
                "weir.signal.threshold",
                "Above this the gate sheds as if it were full.",
                index,
                signal -> ownUnit(signal, signal.threshold()));
    }

    /** Shares from 0 to 1 as they are, times in seconds. */
    static double ownUnit(GateFigures.Signal signal, double value) {
        return signal.threshold() > 1
                ? value / 1e9
                : value; // a time is at least a millisecond, and counted in nanoseconds
    }

    private void pool(int index, String pool) {
        poolGauge("weir.gate.inflight", "Calls in flight that the limit counts.", index, GateFigures.Pool::inFlight);
        poolGauge("weir.gate.queue", "Calls that wait.", index, GateFigures.Pool::waiting);
        poolGauge(
                "weir.gate.utilisation",
                "The share in use of the slots that it can have.",
                index,
                GateFigures.Pool::utilisation);
        for (Criticality criticality : Criticality.values()) {
            for (GateReason reason : GateReason.values()) {
                counter(
                        "weir.gate.refusals",
                        "Calls that the gate refused.",
                        Tags.of("pool", pool, "criticality", criticality.policyName(), "reason", reason.word()),
                        now -> refused(now, pool, criticality, reason));
            }
        }
    }

    private static double refused(GateFigures now, String pool, Criticality criticality, GateReason reason) {
        return now.refusals().stream()
                .filter(refused -> (refused.pool().isEmpty() ? ALL : refused.pool()).equals(pool)
                        && refused.criticality() == criticality
                        && refused.reason() == reason)
                .mapToLong(GateFigures.Refused::count)
                .sum();
    }

    private void gauge(String name, String description, ToDoubleFunction<GateFigures> value) {
        gauge(name, description, Tags.empty(), value);
    }

    private void poolGauge(String name, String description, int index, ToDoubleFunction<GateFigures.Pool> value) {
        Tags pool = Tags.of("pool", pools.get(index));
        gauge(name, description, pool, now -> value.applyAsDouble(now.pools().get(index)));
    }

    private void signalGauge(String name, String description, int index, ToDoubleFunction<GateFigures.Signal> value) {
        Tags signal = Tags.of("signal", signals.get(index));
        gauge(
                name,
                description,
                signal,
                now -> value.applyAsDouble(now.signals().get(index)));
    }

    private void gauge(String name, String description, Tags tags, ToDoubleFunction<GateFigures> value) {
        meters.add(Gauge.builder(name, this, meters -> value.applyAsDouble(meters.figures))
                .description(description)
                .tag("gate", gate)
                .tags(tags)
                .register(registry));
    }

    private void counter(String name, String description, Tags tags, ToDoubleFunction<GateFigures> value) {
        meters.add(FunctionCounter.builder(name, this, meters -> value.applyAsDouble(meters.figures))
                .description(description)
                .tag("gate", gate)
                .tags(tags)
                .register(registry));
    }

    private void seconds(String name, String description, ToDoubleFunction<GateFigures> nanos) {
        counter(name, description, Tags.empty(), now -> nanos.applyAsDouble(now) / 1e9);
    }

    /** The word of metrics and documents: {@code off-the-floor}. */
    static String word(MoveReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A call came through the gate. */
    void letIn(Decision.Admitted admitted) {
        if (admitted.waitedNanos() > 0) {
            wait.record(Duration.ofNanos(admitted.waitedNanos()));
        }
    }

    /** How the gate stands now; it has the same pools and signals. */
    void figures(GateFigures now) {
        figures = now;
    }

    /** Whether it has the same pools and signals. */
    boolean isOf(GateState state) {
        return pools.equals(pools(state)) && signals.equals(signals(state));
    }

    /** Shows the gate no longer. */
    @Override
    public void close() {
        meters.forEach(registry::remove);
    }
}
