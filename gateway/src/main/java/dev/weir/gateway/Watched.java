package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.policy.Limit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Passes on what is seen at the front doors to all that keep something of it. */
final class Watched implements Seen {

    private final AccessLog log;
    private final Metrics metrics;
    private final GatewayMeters meters;
    private final Remembered remembered = new Remembered();
    private volatile @Nullable Running running;

    Watched(AccessLog log, Metrics metrics) {
        this.log = log;
        this.metrics = metrics;
        meters = new GatewayMeters(metrics.registry(), log);
    }

    /** Says what runs; before the first call. */
    void watch(Running running) {
        metrics.watch(running);
        this.running = running;
    }

    /** A reload was tried. */
    void reloaded(Running.Reload result) {
        metrics.reloaded(result instanceof Running.Reload.Done);
        if (result instanceof Running.Reload.Done done) {
            remembered.keepOnly(
                    done.now().policy().limits().stream().map(Limit::name).collect(Collectors.toSet()));
        }
    }

    Remembered remembered() {
        return remembered;
    }

    /** All metrics in Prometheus' text format. */
    String scrape(Running running) {
        meters.refresh(running.now());
        return metrics.scrape(running.weir());
    }

    /** A client's connection was accepted, 1, or is closed, -1. */
    void connections(int more) {
        meters.connections(more);
    }

    @Override
    public void decided(String requestId, GatewayCall call, Decision decision) {
        remembered.decided(requestId, call, decision);
        if (decision instanceof Decision.Admitted) {
            meters.entered(call.route());
        }
    }

    @Override
    public void ended(CallRecord record) {
        if (record.letIn) {
            metrics.worked();
        }
        meters.ended(record);
        Running form = running;
        if (form != null) {
            log.add(form.now().settings().accessLog(), record);
        }
    }
}
