package dev.weir.gateway;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Answers that the gateway gives itself, on the head of a request. A body that is still on its way is read to its end when that is near;
 * otherwise the stream or the connection ends, so that a caller that ignores its refusal occupies nothing.
 */
final class Refusals {

    /** How long an unwanted body may be for its connection to be kept. */
    private static final int MAX_DRAINED_BYTES = 65_536;

    /** Of HTTP/2. */
    private static final long NO_ERROR = 0;

    private Refusals() {}

    /** Answers what the policy said. */
    static void refuse(HttpServerRequest request, Vertx vertx, Wording wording) {
        wording.writeHead(request.response());
        send(request, vertx, wording.body());
    }

    /** A problem of the message or of the way, in the form of RFC 9457. */
    static Buffer problem(int status, String detail) {
        return Buffer.buffer("{\"type\":\"about:blank\",\"title\":\"" + title(status) + "\",\"status\":" + status
                + ",\"detail\":\"" + new String(JsonStringEncoder.getInstance().quoteAsCharArray(detail)) + "\"}");
    }

    /** How much of a body goes out. */
    static int sentBytes(HttpServerRequest request, Buffer body) {
        return request.method().equals(HttpMethod.HEAD) ? 0 : body.length();
    }

    private static String title(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }

    /** Answers a problem. Fields that are set already stay. */
    static void problem(HttpServerRequest request, Vertx vertx, int status, Buffer body) {
        HttpServerResponse response = request.response();
        response.setStatusCode(status);
        response.putHeader("Content-Type", "application/problem+json").putHeader("Cache-Control", "no-store");
        String title = title(status);
        if (!title.equals(response.getStatusMessage())) {
            response.setStatusMessage(title); // an upstream's phrase may have been set
        }
        send(request, vertx, body);
    }

    /** Answers an OPTIONS that is to go no further. */
    static void options(HttpServerRequest request, Vertx vertx) {
        request.response().putHeader(HttpHeaders.ALLOW, RequestHead.ALLOWED);
        send(request, vertx, Buffer.buffer());
    }

    private static void send(HttpServerRequest request, Vertx vertx, Buffer body) {
        HttpServerResponse response = request.response();
        response.putHeader(HttpHeaders.DATE, HttpDate.at(System.currentTimeMillis()));
        boolean unread = RequestHead.mayHaveBody(request.version(), request.headers()) && !request.isEnded();
        if (unread && request.version() != HttpVersion.HTTP_2 && mayBeLong(request)) {
            LastAnswer.announce(request);
        }
        // In HTTP/1.1 the engine itself leaves the body of an answer to HEAD away.
        boolean bodiless = request.version() == HttpVersion.HTTP_2
                && request.method().name().equals("HEAD");
        boolean closes = LastAnswer.isAnnounced(request);
        Future<Void> sending = bodiless ? response.end() : response.end(body);
        if (unread) {
            drain(request, vertx, sending);
        } else if (closes) {
            sending.onComplete(sent -> Failures.ignored(request.connection().close()));
        }
    }

    private static boolean mayBeLong(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null
                || request.headers().contains(HttpHeaders.EXPECT)
                || RequestHead.wholeNumber(length) < 0
                || RequestHead.wholeNumber(length) > MAX_DRAINED_BYTES;
    }

    /** Ends what is left of a body that nobody wants: once the answer is out over HTTP/2, with an eye on what comes in HTTP/1. */
    static void drain(HttpServerRequest request, Vertx vertx, Future<Void> sending) {
        if (request.version() == HttpVersion.HTTP_2) {
            // Not read on, since each byte read allows another; NO_ERROR says that the answer stands (RFC 9113 section
            // 8.1).
            request.pause();
            sending.onComplete(sent -> Failures.ignored(request.response().reset(NO_ERROR)));
        } else {
            new Lingering(request, vertx, LastAnswer.isAnnounced(request) || mayBeLong(request)).start(sending);
        }
    }
}
