package dev.weir.cli;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The service behind the demo's gateway. It answers everything, counts what reaches it, can be slowed down, and knows one password.
 * Thread safe.
 */
final class SampleService {

    private static final int MAX_SLOW_MILLIS = 60_000;
    private static final int EVENTS = 5;
    private static final long EVENT_MILLIS = 1_000;

    private final Vertx vertx;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicInteger slowMillis = new AtomicInteger();

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
            case "/events" -> events(response);
            case "/login" ->
                request.body().onSuccess(body -> {
                    boolean right = body.toString().contains("password=orchard");
                    response.setStatusCode(right ? 200 : 401).end(right ? "welcome\n" : "wrong password\n");
                });
            default -> later(() -> answer(request));
        }
    }

    private void later(Runnable answer) {
        calls.incrementAndGet();
        int millis = slowMillis.get();
        if (millis == 0) {
            answer.run();
        } else {
            vertx.setTimer(millis, timer -> answer.run());
        }
    }

    private void answer(HttpServerRequest request) {
        if (!request.response().closed()) {
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .end("{\"service\":\"orchards\",\"calls_seen\":" + calls.get() + "}\n");
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
