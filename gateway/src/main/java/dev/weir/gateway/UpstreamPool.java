package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.GatewaySettings.Scheme;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The addresses of one upstream and the connections to them. A call goes to the address with the fewest calls in flight among those that
 * are {@linkplain UpstreamAddress#isWell well}. When none is well all are tried, since a wrong check must not take a service down. Thread
 * safe.
 */
final class UpstreamPool {

    /** Connections to one address; more calls than that wait for one. */
    private static final int MAX_CONNECTIONS = 16_384;

    /** Shorter than common servers' own, so that a connection is seldom closed by them just as it is used. */
    private static final int KEEP_ALIVE_SECONDS = 4;

    private final Vertx vertx;
    private final Upstream settings;
    private final TlsFiles tls;
    private final Consumer<String> events;
    /** One for each front door, so that a call never leaves the event loop on which it came; then that of the health checks, if any. */
    private final List<HttpClientAgent> clients = new ArrayList<>();

    private final List<UpstreamAddress> addresses = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final long healthTimer;
    private volatile boolean retired;

    /** @param events is told when TLS fails, once until it works again or fails otherwise */
    UpstreamPool(Vertx vertx, Upstream settings, TlsFiles tls, int doors, Consumer<String> events) {
        this.vertx = vertx;
        this.settings = settings;
        this.tls = tls;
        this.events = events;
        for (int door = 0; door < doors; door++) {
            clients.add(newClient());
        }
        settings.targets().forEach(target -> addresses.add(new UpstreamAddress(target)));
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
        return vertx.createHttpClient(clientOptions(settings, tls), poolOptions());
    }

    private static PoolOptions poolOptions() {
        return new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS).setHttp2MaxSize(64);
    }

    private static HttpClientOptions clientOptions(Upstream settings, TlsFiles files) {
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
            settings.tls().ifPresent(tls -> secure(options, tls, files));
        }
        return options;
    }

    private static void secure(HttpClientOptions options, UpstreamTls tls, TlsFiles files) {
        options.setVerifyHost(tls.verifyHost());
        if (!tls.verifyHost() && tls.ca().isEmpty()) {
            options.setTrustAll(true);
        }
        tls.ca().ifPresent(ca -> options.setTrustOptions(files.authorities(ca)));
        if (tls.certificate().isPresent() && tls.key().isPresent()) {
            options.setKeyCertOptions(
                    files.keys(tls.certificate().get(), tls.key().get()));
        }
    }

    Upstream settings() {
        return settings;
    }

    List<UpstreamAddress> addresses() {
        return addresses;
    }

    /** The address for the next call, already counted there. */
    UpstreamAddress enter(long nowNanos) {
        inFlight.incrementAndGet();
        UpstreamAddress chosen = leastLoaded(nowNanos);
        while (!chosen.mayTry(nowNanos)) {
            chosen = leastLoaded(nowNanos); // another call tries that one just now, so it is not well any more
        }
        chosen.entered();
        return chosen;
    }

    private UpstreamAddress leastLoaded(long nowNanos) {
        int start = Math.floorMod(turn.getAndIncrement(), addresses.size());
        UpstreamAddress best = addresses.get(start);
        boolean bestWell = best.isWell(nowNanos);
        for (int step = 1; step < addresses.size(); step++) {
            UpstreamAddress other = addresses.get((start + step) % addresses.size());
            boolean well = other.isWell(nowNanos);
            if (well == bestWell ? other.inFlight() < best.inFlight() : well) {
                best = other;
                bestWell = well;
            }
        }
        return best;
    }

    /** A call there ended. */
    void leave(UpstreamAddress address) {
        address.left();
        if (inFlight.decrementAndGet() == 0 && retired) {
            closeAll();
        }
    }

    private void closeAll() {
        clients.forEach(client -> Failures.ignored(client.close()));
    }

    /** A request on a connection of its own or a pooled one; the head is not sent yet. To be asked on the event loop of the front door. */
    Future<HttpClientRequest> request(UpstreamAddress address, int door) {
        return request(clients.get(door), address, address.options());
    }

    private Future<HttpClientRequest> request(HttpClientAgent client, UpstreamAddress address, RequestOptions options) {
        return client.request(options).onComplete(connected -> {
            if (connected.succeeded()) {
                address.understood();
            } else {
                Failures.ofTls(connected.cause())
                        .filter(address::isNews)
                        .ifPresent(why -> events.accept("weir: upstream " + address.text() + ": TLS failed: " + why));
            }
        });
    }

    /** Whether any address is well. */
    boolean isWell() {
        long now = System.nanoTime();
        return addresses.stream().anyMatch(address -> address.isWell(now));
    }

    private void checkAll(HttpClientAgent client) {
        addresses.forEach(address -> check(client, address));
    }

    private void check(HttpClientAgent client, UpstreamAddress address) {
        GatewaySettings.Health health = settings.health().orElseThrow();
        long withinMillis =
                Math.min(health.every().toMillis(), settings.response().toMillis());
        RequestOptions options = new RequestOptions(address.options())
                .setMethod(HttpMethod.GET)
                .setURI(health.path())
                .setTimeout(withinMillis);
        request(client, address, options)
                .compose(HttpClientRequest::send)
                .compose(response -> response.body().map(body -> response.statusCode()))
                .onComplete(checked -> {
                    boolean passed = checked.succeeded() && checked.result() >= 200 && checked.result() < 400;
                    address.checked(passed);
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
