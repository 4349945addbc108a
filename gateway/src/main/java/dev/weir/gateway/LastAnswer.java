package dev.weir.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** An answer over HTTP/1 behind which its connection ends (RFC 9112 section 9.6). Who announces it has to close. */
final class LastAnswer {

    private LastAnswer() {}

    /** Says so in the answer's head, which is not written yet. Over HTTP/2 nothing needs to be said. */
    static void announce(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return;
        }
        HttpServerResponse response = request.response();
        MultiMap fields = response.headers();
        fields.set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        // To a client of HTTP/1.0 that would keep the connection the engine says that it does, and may send it chunks.
        response.headersEndHandler(head -> {
            fields.set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            if (request.version() == HttpVersion.HTTP_1_0) {
                fields.remove(HttpHeaders.TRANSFER_ENCODING);
            }
        });
    }

    /**
     * Ends the connection within an answer, so that its client sees that it is not whole. Where the end of the connection would be that
     * of the answer, a reset says so, past TLS, which would say a plain goodbye.
     */
    static void cut(HttpServerRequest request) {
        boolean endsWithConnection = request.version() == HttpVersion.HTTP_1_0
                && !request.response().headers().contains(HttpHeaders.CONTENT_LENGTH);
        if (endsWithConnection && request.connection() instanceof HttpServerConnection connection) {
            Channel channel = connection.channelHandlerContext().channel();
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.unsafe().close(channel.voidPromise());
        } else {
            Failures.ignored(request.connection().close());
        }
    }

    /** The connection becomes a tunnel instead. */
    static void retract(HttpServerRequest request) {
        request.response().headersEndHandler(head -> {});
    }

    /** Whether the answer says, or will say, that it is the last one. */
    static boolean isAnnounced(HttpServerRequest request) {
        return request.version() != HttpVersion.HTTP_2
                && request.response().headers().contains(HttpHeaders.CONNECTION, HttpHeaders.CLOSE, true);
    }
}
