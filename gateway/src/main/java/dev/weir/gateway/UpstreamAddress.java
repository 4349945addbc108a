package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings.Scheme;
import dev.weir.policyfile.GatewaySettings.Target;
import io.vertx.core.http.RequestOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One address of an upstream: how many calls are in flight there, and whether it is well.
 *
 * <p>It is not well after two failed health checks, until one passes. After a connection to it failed it rests for a second; then one call
 * tries it while the others still go elsewhere, for another second at most, and the first connection ends the rest. Were all let in at once,
 * each end of a rest would cost a burst of calls: an address that is down looks the least loaded. Thread safe.
 */
final class UpstreamAddress {

    static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int FAILED_CHECKS_UNTIL_DOWN = 2;

    private final Target target;
    private final RequestOptions options;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile int failedChecks;
    private volatile boolean rests;
    private final AtomicLong restsUntilNanos = new AtomicLong();
    /** Why TLS failed last, as it was told; empty since it worked. */
    private volatile String told = "";

    UpstreamAddress(Target target) {
        this.target = target;
        options = new RequestOptions()
                .setHost(target.host())
                .setPort(target.port())
                .setSsl(target.scheme() == Scheme.HTTPS)
                .setURI("/");
    }

    /** Host and port, for records. */
    String text() {
        String host = target.host();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + target.port();
    }

    /** What every request to it starts from; not to be changed. */
    RequestOptions options() {
        return options;
    }

    /** Whether it is spoken to in HTTP/1.1, as far as that is known before a connection is there. */
    boolean isHttp1() {
        return target.scheme() == Scheme.HTTP;
    }

    /** Whether calls should come here rather than to one that is not well. */
    boolean isWell(long nowNanos) {
        return failedChecks < FAILED_CHECKS_UNTIL_DOWN && !(rests && nowNanos - restsUntilNanos.get() < 0);
    }

    /** Whether the call that chose this address may go there: not when it seems well only because its rest is over and another call tries it. */
    boolean mayTry(long nowNanos) {
        long until = restsUntilNanos.get();
        return !rests || nowNanos - until < 0 || restsUntilNanos.compareAndSet(until, nowNanos + REST_NANOS);
    }

    /** No connection could be made. */
    void failed(long nowNanos) {
        restsUntilNanos.set(nowNanos + REST_NANOS);
        rests = true;
    }

    /** There is a connection to it. */
    void connected() {
        if (rests) {
            rests = false;
        }
    }

    /** Whether that TLS failed for this reason was not told yet; of several calls at the same moment each may be the first. */
    boolean isNews(String why) {
        boolean news = !why.equals(told);
        told = why;
        return news;
    }

    /** There is a connection to it: its next failure is news. */
    void understood() {
        if (!told.isEmpty()) {
            told = "";
        }
    }

    /** What a health check found. */
    void checked(boolean passed) {
        failedChecks = passed ? 0 : failedChecks + 1;
        if (passed) {
            rests = false;
        }
    }

    /** One more call is in flight here. */
    void entered() {
        inFlight.incrementAndGet();
    }

    /** One less. */
    void left() {
        inFlight.decrementAndGet();
    }

    int inFlight() {
        return inFlight.get();
    }
}
