package dev.weir.gateway;

import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundReason;
import dev.weir.client.PeerAdvice;
import dev.weir.load.Criticality;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What is measured of one dependency: its figures, read when somebody asks. */
final class OutboundMeters implements AutoCloseable {

    private final MeterRegistry registry;
    private final Tags dependency;
    private final List<Meter> meters = new ArrayList<>();
    private volatile OutboundFigures figures;

    OutboundMeters(MeterRegistry registry, OutboundFigures first) {
        this.registry = registry;
        dependency = Tags.of("dependency", first.name());
        figures = first;
        counter("weir.outbound.attempts", "Sends to the dependency.", Tags.empty(), OutboundFigures::attempts);
        counter(
                "weir.outbound.retries",
                "Sends of calls that had been sent before.",
                Tags.empty(),
                now -> now.retries() + now.hedges());
        for (OutboundReason reason : OutboundReason.values()) {
            counter(
                    "weir.outbound.refusals",
                    "Calls to the dependency that were not sent.",
                    Tags.of("reason", reason.word()),
                    now -> now.refusals().getOrDefault(reason, 0L));
        }
        gauge(
                "weir.outbound.budget",
                "Retries that could be made now.",
                Tags.empty(),
                now -> now.retriesLeft().orElse(0));
        for (Criticality criticality : Criticality.values()) {
            gauge(
                    "weir.outbound.throttle",
                    "With which probability the next call is not sent, since most were turned away.",
                    Tags.of("criticality", criticality.policyName()),
                    now -> now.throttle().getOrDefault(criticality, 0.0));
        }
        gauge(
                "weir.outbound.peer.remaining",
                "The fewest units left by what the dependency says; NaN when it says nothing.",
                Tags.empty(),
                OutboundMeters::remaining);
        meters.add(FunctionTimer.builder(
                        "weir.outbound.wait",
                        this,
                        own -> own.figures.waits(),
                        own -> own.figures.waitedNanos(),
                        TimeUnit.NANOSECONDS)
                .description("How long calls waited to be sent, or to be refused.")
                .tags(dependency)
                .register(registry));
    }

    private static double remaining(OutboundFigures now) {
        return now.peer().stream()
                .mapToDouble(PeerAdvice.Limit::remaining)
                .min()
                .orElse(Double.NaN);
    }

    private void counter(String name, String description, Tags tags, ToDoubleFunction<OutboundFigures> value) {
        meters.add(FunctionCounter.builder(name, this, own -> value.applyAsDouble(own.figures))
                .description(description)
                .tags(dependency.and(tags))
                .register(registry));
    }

    private void gauge(String name, String description, Tags tags, ToDoubleFunction<OutboundFigures> value) {
        meters.add(Gauge.builder(name, this, own -> value.applyAsDouble(own.figures))
                .description(description)
                .tags(dependency.and(tags))
                .register(registry));
    }

    void figures(OutboundFigures now) {
        figures = now;
    }

    @Override
    public void close() {
        meters.forEach(registry::remove);
    }
}
