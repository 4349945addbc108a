package dev.weir.gateway;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Answers that the gateway gives itself, on the head of a request. A body that is still on its way is read to its end when that is near;
 * otherwise the connection is closed, so that a caller that ignores its refusal occupies nothing.
 */
final class Refusals {

    /** How much of an unwanted body is read, so that the connection can be kept. */
    static final int MAX_DRAINED_BYTES = 65_536;

    /** How long is waited for it. */
    private static final long DRAIN_MILLIS = 2_000;

    private Refusals() {}

    /** Answers what the policy said. */
    static void refuse(HttpServerRequest request, Vertx vertx, Wording wording) {
        wording.writeHead(request.response());
        send(request, vertx, wording.body());
    }

    /** Answers a problem of the message or of the way, in the form of RFC 9457. Fields that are set already stay. */
    static void problem(HttpServerRequest request, Vertx vertx, int status, String detail) {
        HttpServerResponse response = request.response();
        response.setStatusCode(status);
        response.putHeader("Content-Type", "application/problem+json").putHeader("Cache-Control", "no-store");
        String title = HttpResponseStatus.valueOf(status).reasonPhrase();
        send(
                request,
                vertx,
                Buffer.buffer(
                        "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\""
                                + new String(JsonStringEncoder.getInstance().quoteAsCharArray(detail)) + "\"}"));
    }

    private static void send(HttpServerRequest request, Vertx vertx, Buffer body) {
        HttpServerResponse response = request.response();
        response.putHeader(HttpHeaders.DATE, HttpDate.at(System.currentTimeMillis()));
        boolean unread = RequestHead.mayHaveBody(request.version(), request.headers()) && !request.isEnded();
        if (unread && request.version() != HttpVersion.HTTP_2 && mayBeLong(request)) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        // In HTTP/1.1 the engine itself leaves the body of an answer to HEAD away.
        boolean bodiless = request.version() == HttpVersion.HTTP_2
                && request.method().name().equals("HEAD");
        boolean closes = isLast(request);
        Future<Void> sending = bodiless ? response.end() : response.end(body);
        if (unread) {
            drain(request, vertx);
        } else if (closes) {
            sending.onComplete(sent -> Failures.ignored(request.connection().close()));
        }
    }

    /** Whether the connection was told to end with this answer. */
    private static boolean isLast(HttpServerRequest request) {
        return request.version() != HttpVersion.HTTP_2
                && request.response().headers().contains(HttpHeaders.CONNECTION);
    }

    private static boolean mayBeLong(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null
                || request.headers().contains(HttpHeaders.EXPECT)
                || RequestHead.wholeNumber(length) < 0
                || RequestHead.wholeNumber(length) > MAX_DRAINED_BYTES;
    }

    /** Reads what is left of a body and forgets it; closes when that is too much or takes too long. */
    static void drain(HttpServerRequest request, Vertx vertx) {
        if (request.version() == HttpVersion.HTTP_2) {
            // The stream is closed with the answer; what still comes on it is dropped by the protocol.
            request.handler(piece -> {});
            request.resume();
            return;
        }
        long[] left = {MAX_DRAINED_BYTES};
        long timer = vertx.setTimer(
                DRAIN_MILLIS, late -> Failures.ignored(request.connection().close()));
        request.exceptionHandler(gone -> vertx.cancelTimer(timer));
        request.handler(piece -> {
            left[0] -= piece.length();
            if (left[0] < 0) {
                request.pause();
            }
        });
        boolean closes = isLast(request);
        request.endHandler(ended -> {
            vertx.cancelTimer(timer);
            if (closes) {
                Failures.ignored(request.connection().close());
            }
        });
        request.resume();
    }
}
