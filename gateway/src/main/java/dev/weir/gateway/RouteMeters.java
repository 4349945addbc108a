package dev.weir.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What is counted about the requests of one route. */
final class RouteMeters implements AutoCloseable {

    /** By the first digit of the status; the first is for callers that left before there was one. */
    private static final List<String> CLASSES = List.of("none", "1xx", "2xx", "3xx", "4xx", "5xx");

    private static final Duration[] BUCKETS = Metrics.micros(
            500,
            1_000,
            2_500,
            5_000,
            10_000,
            25_000,
            50_000,
            100_000,
            250_000,
            500_000,
            1_000_000,
            2_500_000,
            5_000_000,
            10_000_000,
            30_000_000);

    private final MeterRegistry registry;
    private final Counter[] byClass;
    private final Timer duration;
    private final LongAdder inFlight = new LongAdder();
    private final Gauge inFlightGauge;

    RouteMeters(MeterRegistry registry, String route) {
        this.registry = registry;
        byClass = CLASSES.stream()
                .map(status -> Counter.builder("weir.gateway.requests")
                        .description("Requests that are over, refused ones too.")
                        .tag("route", route)
                        .tag("status", status)
                        .register(registry))
                .toArray(Counter[]::new);
        duration = Timer.builder("weir.gateway.duration")
                .description("From the head of a request to the end of its answer.")
                .tag("route", route)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        inFlightGauge = Gauge.builder("weir.gateway.inflight", inFlight, LongAdder::sum)
                .description("Calls under way, refused ones not counted.")
                .tag("route", route)
                .register(registry);
    }

    void entered() {
        inFlight.increment();
    }

    void ended(CallRecord record) {
        int digit = record.status / 100;
        byClass[digit < 0 || digit >= byClass.length ? 0 : digit].increment();
        duration.record(record.durationNanos, TimeUnit.NANOSECONDS);
        if (record.letIn) {
            inFlight.decrement();
        }
    }

    long inFlight() {
        return inFlight.sum();
    }

    /** Shows the route no longer. */
    @Override
    public void close() {
        for (Counter counter : byClass) {
            registry.remove(counter);
        }
        registry.remove(duration);
        registry.remove(inFlightGauge);
    }
}
