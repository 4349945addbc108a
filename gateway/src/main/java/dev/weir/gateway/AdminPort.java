package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings.Admin;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where operators come in. It has an engine of its own, so that what it does holds up no call, and outlives that of the calls while the
 * gateway drains.
 */
final class AdminPort {

    private static final int WORKERS = 2;
    private static final int IDLE_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx(new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(WORKERS)
            .setInternalBlockingPoolSize(WORKERS));
    private final Admin settings;
    private final AdminGuard guard;
    private final List<Endpoint> endpoints;
    private final HttpServer server;

    AdminPort(Admin settings, List<Endpoint> endpoints) {
        this.settings = settings;
        this.endpoints = List.copyOf(endpoints);
        guard = new AdminGuard(settings);
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost(settings.host())
                        .setPort(settings.port())
                        .setIdleTimeout(IDLE_SECONDS)
                        .setHttp2ClearTextEnabled(false)
                        .setCompressionSupported(true))
                .requestHandler(this::handle);
    }

    Future<?> start() {
        return server.listen();
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    int port() {
        return server.actualPort();
    }

    /** The address that is listened on, as a URL. */
    String address() {
        String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
        return "http://" + host + ":" + port();
    }

    Future<?> close() {
        return vertx.close();
    }

    private void handle(HttpServerRequest request) {
        // Nothing that is asked here has a body; one that comes is read and forgotten.
        request.handler(piece -> {});
        Optional<Answer> turnedAway = guard.checkHost(request);
        if (turnedAway.isPresent()) {
            send(request, turnedAway.get());
            return;
        }
        Optional<List<String>> segments = segments(request.uri());
        if (segments.isEmpty()) {
            send(request, Answer.problem(400, "Bad Request", "the path cannot be decoded"));
            return;
        }
        Set<String> allowed = new TreeSet<>();
        for (Endpoint endpoint : endpoints) {
            Optional<Map<String, String>> variables = endpoint.variables(segments.get());
            if (variables.isPresent() && endpoint.serves(request.method().name())) {
                answer(request, endpoint, variables.get());
                return;
            }
            if (variables.isPresent()) {
                allowed.addAll(endpoint.method().equals("GET") ? List.of("GET", "HEAD") : List.of(endpoint.method()));
            }
        }
        send(request, notServed(request.method().name(), allowed));
    }

    private static Answer notServed(String method, Set<String> allowed) {
        if (allowed.isEmpty()) {
            return Answer.problem(404, "Not Found", "nothing is here; /openapi.json says what is where");
        }
        String methods = String.join(", ", allowed);
        return Answer.problem(405, "Method Not Allowed", method + " is not possible here: " + methods)
                .with("Allow", methods);
    }

    /** The segments of the path, each decoded; empty when one cannot be. */
    private static Optional<List<String>> segments(String uri) {
        int end = uri.indexOf('?');
        String path = end < 0 ? uri : uri.substring(0, end);
        List<String> segments = new ArrayList<>();
        try {
            for (String segment : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
                segments.add(QueryStringDecoder.decodeComponent(segment.replace("+", "%2B")));
            }
            return Optional.of(segments);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void answer(HttpServerRequest request, Endpoint endpoint, Map<String, String> variables) {
        Optional<Answer> turnedAway =
                guard.checkAccess(endpoint, request.getHeader("authorization"), request.getHeader("origin"));
        if (turnedAway.isPresent()) {
            send(request, turnedAway.get());
            return;
        }
        if (endpoint.method().equals("GET")) {
            send(request, asked(request.uri(), endpoint, variables));
            return;
        }
        Failures.ignored(vertx.executeBlocking(() -> asked(request.uri(), endpoint, variables))
                .onSuccess(answer -> send(request, answer)));
    }

    private static Answer asked(String uri, Endpoint endpoint, Map<String, String> variables) {
        try {
            return endpoint.answer().apply(new Asked(variables, parameters(uri, endpoint)));
        } catch (Asked.Bad e) {
            return Answer.problem(400, "Bad Request", String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return Answer.problem(500, "Internal Server Error", "this is a defect in Weir, please report it: " + e);
        }
    }

    private static Map<String, String> parameters(String uri, Endpoint endpoint) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Map<String, List<String>> said;
        try {
            said = new QueryStringDecoder(uri).parameters();
        } catch (IllegalArgumentException e) {
            throw new Asked.Bad("the query cannot be decoded");
        }
        List<String> unknown = said.keySet().stream()
                .filter(name -> !endpoint.parameters().contains(name))
                .toList();
        if (!unknown.isEmpty()) {
            throw new Asked.Bad("unknown in the query: " + String.join(", ", unknown) + "; known: "
                    + (endpoint.parameters().isEmpty()
                            ? "none"
                            : String.join(", ", new TreeSet<>(endpoint.parameters()))));
        }
        said.forEach((name, values) -> {
            if (values.size() > 1) {
                throw new Asked.Bad(name + " is there more than once");
            }
            parameters.put(name, values.get(0));
        });
        return parameters;
    }

    private static void send(HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response().setStatusCode(answer.status());
        if (response.ended() || response.closed()) {
            return;
        }
        response.putHeader("Content-Type", answer.mediaType())
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Content-Type-Options", "nosniff");
        answer.fields().forEach(response::putHeader);
        if (request.method().equals(HttpMethod.HEAD)) {
            response.putHeader("Content-Length", String.valueOf(answer.body().getBytes(StandardCharsets.UTF_8).length));
            Failures.ignored(response.end());
        } else {
            Failures.ignored(response.end(answer.body()));
        }
    }
}
