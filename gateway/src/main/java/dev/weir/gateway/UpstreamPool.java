package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.GatewaySettings.Scheme;
import dev.weir.policyfile.GatewaySettings.Target;
import dev.weir.policyfile.GatewaySettings.Upstream;
import dev.weir.policyfile.GatewaySettings.UpstreamTls;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses of one upstream and the connections to them. A call goes to the address with the fewest calls in flight among those that
 * are well: the last health check passed, and no connection to it failed within the last second. When none is well all are tried, since a
 * wrong check must not take a service down. Thread safe.
 */
final class UpstreamPool {

    /** Connections to one address; more calls than that wait for one. */
    private static final int MAX_CONNECTIONS = 16_384;

    /** Shorter than common servers' own, so that a connection is seldom closed by them just as it is used. */
    private static final int KEEP_ALIVE_SECONDS = 4;

    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int FAILED_CHECKS_UNTIL_DOWN = 2;

    private final Vertx vertx;
    private final Upstream settings;
    /** One for each front door, so that a call never leaves the event loop on which it came; then that of the health checks, if any. */
    private final List<HttpClientAgent> clients = new ArrayList<>();

    private final List<Address> addresses = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final long healthTimer;
    private volatile boolean retired;

    /** One address. */
    static final class Address {
        private final Target target;
        private final RequestOptions options;
        private final AtomicInteger inFlight = new AtomicInteger();
        private volatile int failedChecks;
        private volatile boolean rests;
        private volatile long restsUntilNanos;

        Address(Target target) {
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

        boolean isWell(long nowNanos) {
            return failedChecks < FAILED_CHECKS_UNTIL_DOWN && !(rests && nowNanos - restsUntilNanos < 0);
        }

        /** Whether it is spoken to in HTTP/1.1, as far as that is known before a connection is there. */
        boolean isHttp1() {
            return target.scheme() == Scheme.HTTP;
        }

        int inFlight() {
            return inFlight.get();
        }

        /** No connection could be made: others are asked first for a moment. */
        void failed(long nowNanos) {
            restsUntilNanos = nowNanos + REST_NANOS;
            rests = true;
        }
    }

    UpstreamPool(Vertx vertx, Upstream settings, int doors) {
        this.vertx = vertx;
        this.settings = settings;
        for (int door = 0; door < doors; door++) {
            clients.add(newClient());
        }
        settings.targets().forEach(target -> addresses.add(new Address(target)));
        healthTimer = settings.health()
                .map(health -> {
                    HttpClientAgent client = newClient();
                    clients.add(client);
                    checkAll(client);
                    return vertx.setPeriodic(health.every().toMillis(), timer -> checkAll(client));
                })
                .orElse(-1L);
    }

    private HttpClientAgent newClient() {
        return vertx.createHttpClient(clientOptions(settings), poolOptions());
    }

    private static PoolOptions poolOptions() {
        return new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS).setHttp2MaxSize(64);
    }

    private static HttpClientOptions clientOptions(Upstream settings) {
        Scheme scheme = settings.targets().get(0).scheme();
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) settings.connect().toMillis())
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setHttp2KeepAliveTimeout(60)
                .setDecompressionSupported(false)
                .setMaxHeaderSize(FrontDoor.MAX_HEADER_BYTES)
                .setTcpNoDelay(true)
                .setMaxRedirects(0);
        if (scheme == Scheme.H2C) {
            options.setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false);
        }
        if (scheme == Scheme.HTTPS) {
            options.setSsl(true)
                    .setUseAlpn(true)
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1));
            settings.tls().ifPresent(tls -> secure(options, tls));
        }
        return options;
    }

    private static void secure(HttpClientOptions options, UpstreamTls tls) {
        options.setVerifyHost(tls.verifyHost());
        if (!tls.verifyHost() && tls.ca().isEmpty()) {
            options.setTrustAll(true);
        }
        tls.ca().ifPresent(ca -> options.setTrustOptions(new PemTrustOptions().addCertPath(ca.toString())));
        if (tls.certificate().isPresent() && tls.key().isPresent()) {
            options.setKeyCertOptions(new PemKeyCertOptions()
                    .addCertPath(tls.certificate().get().toString())
                    .addKeyPath(tls.key().get().toString()));
        }
    }

    Upstream settings() {
        return settings;
    }

    List<Address> addresses() {
        return addresses;
    }

    /** The address for the next call, already counted there. */
    Address enter(long nowNanos) {
        inFlight.incrementAndGet();
        Address chosen = addresses.size() == 1 ? addresses.get(0) : leastLoaded(nowNanos);
        chosen.inFlight.incrementAndGet();
        return chosen;
    }

    private Address leastLoaded(long nowNanos) {
        int start = Math.floorMod(turn.getAndIncrement(), addresses.size());
        Address best = addresses.get(start);
        boolean bestWell = best.isWell(nowNanos);
        for (int step = 1; step < addresses.size(); step++) {
            Address other = addresses.get((start + step) % addresses.size());
            boolean well = other.isWell(nowNanos);
            if (well == bestWell ? other.inFlight() < best.inFlight() : well) {
                best = other;
                bestWell = well;
            }
        }
        return best;
    }

    /** A call there ended. */
    void leave(Address address) {
        address.inFlight.decrementAndGet();
        if (inFlight.decrementAndGet() == 0 && retired) {
            closeAll();
        }
    }

    private void closeAll() {
        clients.forEach(client -> Failures.ignored(client.close()));
    }

    /** A request on a connection of its own or a pooled one; the head is not sent yet. To be asked on the event loop of the front door. */
    Future<HttpClientRequest> request(Address address, int door) {
        return clients.get(door).request(address.options);
    }

    /** Whether any address is well. */
    boolean isWell() {
        long now = System.nanoTime();
        return addresses.stream().anyMatch(address -> address.isWell(now));
    }

    private void checkAll(HttpClientAgent client) {
        addresses.forEach(address -> check(client, address));
    }

    private void check(HttpClientAgent client, Address address) {
        GatewaySettings.Health health = settings.health().orElseThrow();
        long withinMillis =
                Math.min(health.every().toMillis(), settings.response().toMillis());
        RequestOptions options = new RequestOptions(address.options)
                .setMethod(HttpMethod.GET)
                .setURI(health.path())
                .setTimeout(withinMillis);
        client.request(options)
                .compose(HttpClientRequest::send)
                .compose(response -> response.body().map(body -> response.statusCode()))
                .onComplete(checked -> {
                    boolean passed = checked.succeeded() && checked.result() >= 200 && checked.result() < 400;
                    address.failedChecks = passed ? 0 : address.failedChecks + 1;
                    if (passed) {
                        address.rests = false;
                    }
                });
    }

    /** No more calls come: connections close once the last call has ended. */
    void retire() {
        if (settings.health().isPresent()) {
            vertx.cancelTimer(healthTimer);
        }
        // Not at once: a call that found this pool in the old routes is just about to enter.
        vertx.setTimer(1_000, timer -> {
            retired = true;
            if (inFlight.get() == 0) {
                closeAll();
            }
        });
    }
}
