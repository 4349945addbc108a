package dev.weir.cli;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The service behind the demo's gateway. It answers everything, counts what reaches it, can be slowed down, and knows one password.
 * All of it runs on one event loop.
 */
final class SampleService {

    private static final int MAX_SLOW_MILLIS = 60_000;
    private static final int WORKERS = 16;
    private static final long WORK_MILLIS = 5;
    private static final int EVENTS = 5;
    private static final long EVENT_MILLIS = 1_000;

    private final Vertx vertx;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger slowMillis = new AtomicInteger();
    private final Queue<Runnable> line = new ArrayDeque<>();
    private final Queue<String> kept = new ArrayDeque<>();
    private int busy;

    private SampleService(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Listens on the loopback address; the future fails when the port is taken. */
    static Future<HttpServer> start(Vertx vertx, int port) {
        SampleService service = new SampleService(vertx);
        return vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(port))
                .requestHandler(service::handle)
                .listen();
    }

    private void handle(HttpServerRequest request) {
        HttpServerResponse response = request.response();
        switch (request.path()) {
            case "/health" -> response.end("well\n");
            case "/slow" -> slow(request);
            case "/orders" -> order(request);
            case "/events" -> events(response);
            case "/login" ->
                request.body().onSuccess(body -> {
                    boolean right = body.toString().contains("password=orchard");
                    response.setStatusCode(right ? 200 : 401).end(right ? "welcome\n" : "wrong password\n");
                });
            default -> work(() -> answer(request));
        }
    }

    /** As a service of {@link #WORKERS} threads would: what comes while all are busy waits. */
    private void work(Runnable answer) {
        calls.incrementAndGet();
        if (busy < WORKERS) {
            busy++;
            begin(answer);
        } else {
            line.add(answer);
        }
    }

    private void begin(Runnable answer) {
        vertx.setTimer(WORK_MILLIS + slowMillis.get(), timer -> {
            answer.run();
            Runnable next = line.poll();
            if (next == null) {
                busy--;
            } else {
                begin(next);
            }
        });
    }

    /** Cheaper when the gateway asks for it: each mode leaves something out that a customer can do without for a moment. */
    private void answer(HttpServerRequest request) {
        if (request.response().closed()) {
            return;
        }
        Set<String> modes = modes(request);
        StringBuilder body = new StringBuilder("{\"service\":\"orchards\",\"calls_seen\":").append(calls.get());
        body.append(",\"read_from\":\"")
                .append(modes.contains("replica-reads") ? "replica" : "primary")
                .append('"');
        body.append(",\"order\":\"")
                .append(modes.contains("cheaper-order") ? "by name" : "by taste")
                .append('"');
        if (!modes.contains("no-enrichment")) {
            body.append(",\"goes_well_with\":[\"cheese\",\"walnuts\"]");
        }
        request.response()
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "public, max-age=1")
                .end(body.append("}\n").toString());
    }

    private static Set<String> modes(HttpServerRequest request) {
        String said = request.getHeader("Weir-Degrade");
        return said == null ? Set.of() : Set.copyOf(List.of(said.split(",\\s*")));
    }

    /** Writes later when it is asked to: the order is kept here, and done once there is time. */
    private void order(HttpServerRequest request) {
        if (modes(request).contains("write-later")) {
            kept.add("an order");
            request.response().setStatusCode(202).end("{\"kept\":" + kept.size() + "}\n");
        } else {
            work(() -> request.response().setStatusCode(201).end("{\"ordered\":true}\n"));
        }
    }

    /** {@code /slow?millis=500}: from now on every answer takes that long. */
    private void slow(HttpServerRequest request) {
        String asked = String.valueOf(request.getParam("millis"));
        boolean number = asked.matches("[0-9]{1,5}") && Integer.parseInt(asked) <= MAX_SLOW_MILLIS;
        if (number) {
            slowMillis.set(Integer.parseInt(asked));
        }
        request.response()
                .setStatusCode(number ? 200 : 400)
                .end(
                        number
                                ? "every answer takes " + asked + " ms from now on\n"
                                : "say ?millis= and a number from 0 to " + MAX_SLOW_MILLIS + "\n");
    }

    private void events(HttpServerResponse response) {
        calls.incrementAndGet();
        response.setChunked(true).putHeader("Content-Type", "text/event-stream");
        int[] sent = {0};
        vertx.setPeriodic(0, EVENT_MILLIS, timer -> {
            if (response.closed() || sent[0] == EVENTS) {
                vertx.cancelTimer(timer);
                response.end();
            } else {
                response.write("data: apple " + ++sent[0] + "\n\n");
            }
        });
    }
}
