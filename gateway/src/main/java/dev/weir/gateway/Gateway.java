package dev.weir.gateway;

import dev.weir.Weir;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.GatewaySettings.Listener;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.PolicyFile;
import dev.weir.policyfile.Problem;
import dev.weir.rate.RateStore;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A reverse proxy that enforces a policy. Thread safe.
 *
 * <pre>{@code
 * try (Gateway gateway = Gateway.start(Path.of("policy.yaml"), System.getenv(), System.out, System.err::println)) {
 *     ...
 * } // drains, then stops
 * }</pre>
 */
public final class Gateway implements AutoCloseable {

    /** How long calls under way may take to end when the gateway stops. */
    public static final Duration DRAIN = Duration.ofSeconds(30);

    /** How long a connection may take to bring the head of its first request. */
    private static final Duration FIRST_HEAD = Duration.ofSeconds(20);

    private static final long SWEEP_MILLIS = 100;
    private static final long WATCH_MILLIS = 1_000;
    private static final int MAX_CONCURRENT_STREAMS = 256;
    private static final long IDLE_SWEEP_MILLIS = 1_000;

    private final Vertx vertx;
    private final Running running;
    /** How often is looked at what the fleet changed at run time. */
    private static final long CHANGES_MILLIS = 200;

    private final AccessLog accessLog;
    private final EventLoopDelay delay;
    private final AtomicInteger doors = new AtomicInteger();
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
    private final Watched watched;
    private final AdminPort admin;
    private final Consumer<String> events;
    /** What is done now and again, until the gateway stops. */
    private final List<Long> timers = new CopyOnWriteArrayList<>();

    private volatile boolean stopped;

    private Gateway(
            Vertx vertx,
            Running running,
            AccessLog accessLog,
            Watched watched,
            EventLoopDelay delay,
            Consumer<String> events) {
        this.events = events;
        this.delay = delay;
        this.vertx = vertx;
        this.running = running;
        this.accessLog = accessLog;
        this.watched = watched;
        admin = new AdminPort(
                running.now().settings().admin(), Endpoints.of(running, watched, this::applied, () -> stopped));
    }

    /**
     * Starts a gateway and answers once it listens.
     *
     * @param policyFile read now, and again on every reload
     * @param environment what {@code ${NAME}} in the file stands for
     * @param accessLog where the access log is written
     * @param events is told in a sentence what operators should know: reloads and why one was refused
     * @throws GatewayException when it cannot start; nothing runs then
     */
    public static Gateway start(
            Path policyFile, Map<String, String> environment, PrintStream accessLog, Consumer<String> events)
            throws GatewayException {
        return start(policyFile, environment, accessLog, events, FIRST_HEAD);
    }

    /** The same with another time for the first head. */
    static Gateway start(
            Path policyFile,
            Map<String, String> environment,
            PrintStream accessLog,
            Consumer<String> events,
            Duration firstHead)
            throws GatewayException {
        Loaded loaded = PolicyFile.load(policyFile, environment, Instant.now());
        if (loaded instanceof Loaded.Refused refused) {
            throw new GatewayException(String.join(
                    "\n", refused.problems().stream().map(Object::toString).toList()));
        }
        Loaded.Understood understood = (Loaded.Understood) loaded;
        GatewaySettings settings = understood
                .gateway()
                .orElseThrow(
                        () -> new GatewayException(
                                policyFile
                                        + ": there is no gateway section: add gateway: { routes: [ { match: { path: /** }, upstream: http://127.0.0.1:8081 } ] }"));
        AccessLog log = new AccessLog(accessLog);
        Metrics metrics = new Metrics();
        Watched watched = new Watched(log, metrics);
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(eventLoops()))
                .withTransport(
                        new AcceptingTransport(() -> new AcceptedConnection(firstHead.toNanos(), watched::connections)))
                .build();
        try {
            TlsFiles tls = TlsFiles.of(vertx, understood);
            requireNone(tls.problems());
            return started(vertx, policyFile, environment, log, metrics, watched, understood, settings, tls, events);
        } catch (GatewayException | IOException | RuntimeException e) {
            vertx.close();
            log.close();
            throw e instanceof GatewayException known ? known : new GatewayException(String.valueOf(e.getMessage()));
        }
    }

    private static Gateway started(
            Vertx vertx,
            Path policyFile,
            Map<String, String> environment,
            AccessLog log,
            Metrics metrics,
            Watched watched,
            Loaded.Understood understood,
            GatewaySettings settings,
            TlsFiles tls,
            Consumer<String> events)
            throws GatewayException, IOException {
        EventLoopDelay delay = new EventLoopDelay(eventLoops(), TimeUnit.MILLISECONDS.toNanos(SWEEP_MILLIS));
        Weir.Builder builder = Weir.builder(understood.policy())
                .signal(delay)
                .point(AdmissionPoint.GATEWAY)
                .listener(metrics)
                .listener(new StoreNews(events));
        Optional<RateStore> store = Stores.open(understood.policy());
        store.ifPresent(builder::store);
        Weir weir = builder.build();
        Running.Snapshot first = new Running.Snapshot(
                1,
                Running.hash(policyFile),
                Instant.now(),
                understood.policy(),
                understood.policy(),
                settings,
                Routes.of(vertx, settings, tls, eventLoops(), events, Optional.empty()),
                understood.warnings(),
                understood.readAlong(),
                tls,
                StaleRules.of(understood.policy()));
        Running running =
                new Running(vertx, eventLoops(), policyFile, environment, weir, store, watched, events, first);
        watched.watch(running);
        Gateway gateway = new Gateway(vertx, running, log, watched, delay, events);
        try {
            gateway.listen(settings.listen());
            gateway.listen(settings.admin());
        } catch (GatewayException | RuntimeException e) {
            Failures.ignored(gateway.admin.close());
            running.leaveFleet();
            throw e;
        }
        gateway.watch();
        if (AdminGuard.isOpenToOthers(settings.admin())) {
            events.accept("weir: gateway.admin: everybody who reaches "
                    + settings.admin().address() + " may read it: set read-token, or listen on 127.0.0.1");
        }
        return gateway;
    }

    private static void requireNone(List<Problem> problems) throws GatewayException {
        if (!problems.isEmpty()) {
            throw new GatewayException(
                    String.join("\n", problems.stream().map(Object::toString).toList()));
        }
    }

    private static int eventLoops() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    private void listen(Listener listen) throws GatewayException {
        HttpServerOptions options = serverOptions(listen);
        DeploymentOptions deployment = new DeploymentOptions().setInstances(eventLoops());
        try {
            await(vertx.deployVerticle(() -> new Door(options), deployment));
        } catch (ExecutionException e) {
            throw new GatewayException(startProblem("gateway.listen", listen.address(), cause(e)));
        }
    }

    private void listen(GatewaySettings.Admin settings) throws GatewayException {
        try {
            await(admin.start());
        } catch (ExecutionException e) {
            throw new GatewayException(startProblem("gateway.admin", settings.address(), cause(e)));
        }
    }

    private static Throwable cause(ExecutionException e) {
        return e.getCause() == null ? e : e.getCause();
    }

    private static <T> T await(Future<T> future) throws ExecutionException, GatewayException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GatewayException("interrupted while starting");
        } catch (TimeoutException e) {
            throw new GatewayException("the gateway did not start within 30 s");
        }
    }

    static String startProblem(String field, String address, Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        if (cause instanceof UnknownHostException) {
            return field + ": '" + address + "' names a host that is not known: name an address of this machine";
        }
        if (cause instanceof BindException || said.contains("bind")) {
            if (said.contains("Permission denied")) {
                return field + ": '" + address
                        + "' is a privileged port: choose one above 1023, or give this process the right to it";
            }
            if (said.contains("Cannot assign")) {
                return field + ": '" + address + "' is not an address of this machine";
            }
            return field + ": '" + address + "' is taken: stop what listens there, or choose another port";
        }
        return field + ": '" + address + "' cannot be opened: " + said;
    }

    private HttpServerOptions serverOptions(Listener listen) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(listen.host())
                .setPort(listen.port())
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setTcpNoDelay(true)
                .setAcceptBacklog(4_096)
                .setMaxInitialLineLength(FrontDoor.MAX_LINE_BYTES)
                .setMaxHeaderSize(FrontDoor.MAX_HEADER_BYTES)
                .setHandle100ContinueAutomatically(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setHttp2RstFloodMaxRstFramePerWindow(200)
                .setHttp2RstFloodWindowDuration(30)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(MAX_CONCURRENT_STREAMS)
                        .setMaxHeaderListSize(FrontDoor.MAX_HEADER_BYTES));
        listen.tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setUseAlpn(true)
                        .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
                        .setKeyCertOptions(running.now().tls().keys(tls)));
        return options;
    }

    /** One listener on one event loop; all share the port. */
    private final class Door extends VerticleBase {
        private final HttpServerOptions options;

        Door(HttpServerOptions options) {
            this.options = options;
        }

        @Override
        public Future<?> start() {
            FrontDoor door = new FrontDoor(vertx, running, doors.getAndIncrement());
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(door::connected)
                    .requestHandler(door::handle)
                    .invalidRequestHandler(door::malformed);
            long[] lastNanos = {System.nanoTime()};
            vertx.setPeriodic(SWEEP_MILLIS, timer -> {
                long now = System.nanoTime();
                delay.cameBy(door.number(), now - lastNanos[0]);
                lastNanos[0] = now;
                door.endOverdue();
                if (door.number() == 0) {
                    running.tellWhatIsOut();
                }
            });
            vertx.setPeriodic(IDLE_SWEEP_MILLIS, timer -> door.closeIdle());
            servers.add(server);
            return server.listen();
        }
    }

    /** The port that is listened on. */
    public int port() {
        return servers.get(0).actualPort();
    }

    /** The address that is listened on, as a URL. */
    public String address() {
        Listener listen = running.now().settings().listen();
        String host = listen.host().contains(":") ? "[" + listen.host() + "]" : listen.host();
        return (listen.tls().isPresent() ? "https://" : "http://") + host + ":" + port();
    }

    /** The port on which operators are answered. */
    public int adminPort() {
        return admin.port();
    }

    /** The address on which operators are answered, as a URL. */
    public String adminAddress() {
        return admin.address();
    }

    /** What operators are answered. */
    List<Endpoint> adminEndpoints() {
        return admin.endpoints();
    }

    /** Reloads when the file changes, and on SIGHUP. */
    private void watch() {
        FileWatch watch = new FileWatch(running::files);
        timers.add(vertx.setPeriodic(
                WATCH_MILLIS,
                timer -> Failures.ignored(vertx.executeBlocking(() -> {
                    if (watch.changed()) {
                        events.accept("weir: '" + running.file() + "' changed: " + reload());
                    }
                    return true;
                }))));
        timers.add(vertx.setPeriodic(
                CHANGES_MILLIS,
                timer -> Failures.ignored(vertx.executeBlocking(() -> {
                    running.applyChanges();
                    return true;
                }))));
        timers.add(vertx.setPeriodic(
                TimeUnit.MINUTES.toMillis(Busiest.PERIOD_MINUTES),
                timer -> watched.remembered().turn()));
        Hangup.onEach(() -> events.accept("weir: SIGHUP: " + reload()));
    }

    /** Reads the policy file and its certificates anew; what came of it, for people. */
    public String reload() {
        return applied().inWords();
    }

    private Running.Reload applied() {
        Running.Reload result = running.reload();
        watched.reloaded(result);
        if (result instanceof Running.Reload.Done done) {
            Running.Snapshot now = done.now();
            now.settings()
                    .listen()
                    .tls()
                    .ifPresent(tls -> renewCertificate(now.tls().keys(tls)));
        }
        return result;
    }

    private void renewCertificate(PemKeyCertOptions keys) {
        Future<?> renewed = Future.join(servers.stream()
                .map(server -> server.updateSSLOptions(
                        new ServerSSLOptions()
                                .setKeyCertOptions(keys)
                                .setApplicationLayerProtocols(List.of("h2", "http/1.1")),
                        true))
                .toList());
        Future<?> told = renewed.onFailure(why -> events.accept(
                "weir: gateway.listen.tls: the certificate of before stays in force: " + why.getMessage()));
        Failures.ignored(told);
    }

    /** Takes no more calls, lets those under way end within {@link #DRAIN}, and stops. */
    @Override
    public synchronized void close() {
        if (stopped) {
            return;
        }
        stopped = true;
        try {
            await(Future.join(
                    servers.stream().map(server -> server.shutdown(DRAIN)).toList()));
        } catch (ExecutionException | GatewayException e) {
            // Whatever could not be closed in good order ends with the engine.
        }
        timers.forEach(vertx::cancelTimer); // one that fired while the engine closes would find nobody to work for it
        running.leaveFleet();
        Failures.ignored(vertx.close());
        accessLog.close();
        Failures.ignored(admin.close());
    }
}
