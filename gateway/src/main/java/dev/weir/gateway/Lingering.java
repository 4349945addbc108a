package dev.weir.gateway;

import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;

/**
 * What is still done for a request over HTTP/1 that was answered before its end: the rest of its body is read and forgotten. Were the
 * connection closed at once, what comes then would be answered with a reset, and that may wipe the answer out before a client that sends
 * first and reads then has seen it (RFC 9112 section 9.6). Bounded in bytes and in time. Runs on the event loop of the connection.
 */
final class Lingering {

    /** How much is read; what comes behind it stays where it is until the connection is closed. */
    static final long MAX_BYTES = 8_388_608;

    /** How long nothing may come. */
    private static final long QUIET_MILLIS = 2_000;

    /** How many such times may go by in which something came. */
    private static final int MAX_TURNS = 15;

    private final HttpServerRequest request;
    private final Vertx vertx;
    private final boolean last;
    private long leftBytes = MAX_BYTES;
    private int leftTurns = MAX_TURNS;
    private boolean moved;
    private long timer;

    /** @param last whether the connection ends with this request */
    Lingering(HttpServerRequest request, Vertx vertx, boolean last) {
        this.request = request;
        this.vertx = vertx;
        this.last = last;
    }

    /** @param sending completes once the answer is out */
    void start(Future<Void> sending) {
        timer = vertx.setTimer(QUIET_MILLIS, fired -> turn());
        request.exceptionHandler(gone -> vertx.cancelTimer(timer));
        request.handler(piece -> take(piece.length()));
        request.endHandler(ended -> end());
        request.resume();
        if (last) {
            sending.onSuccess(sent -> sayNoMore());
        }
    }

    private void take(int bytes) {
        moved = true;
        leftBytes -= bytes;
        if (leftBytes < 0) {
            request.pause();
        }
    }

    private void turn() {
        leftTurns--;
        if (moved && leftTurns > 0) {
            moved = false;
            timer = vertx.setTimer(QUIET_MILLIS, fired -> turn());
        } else {
            close();
        }
    }

    private void end() {
        vertx.cancelTimer(timer);
        if (last) {
            close();
        }
    }

    private void close() {
        Failures.ignored(request.connection().close());
    }

    /** Closes our half, so that a client that reads to the end knows it. With TLS the end of the answer must do. */
    private void sayNoMore() {
        if (!request.isSSL()
                && !request.isEnded()
                && request.connection() instanceof HttpServerConnection connection
                && connection.channelHandlerContext().channel() instanceof DuplexChannel channel) {
            ChannelFuture unused = channel.shutdownOutput();
        }
    }
}
