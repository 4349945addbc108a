package dev.weir.gateway;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.VertxHandler;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Makes a request over HTTP/1 in a version that is not served one that cannot be read: those are answered here, while the engine answers
 * the others itself, with nothing, and without a word to anybody. Thread safe.
 */
@ChannelHandler.Sharable
final class ServedVersions extends ChannelInboundHandlerAdapter {

    /** By identity: one that came in small letters equals its like, and is not served by the engine all the same. */
    private static final Set<HttpVersion> SERVED = Collections.newSetFromMap(new IdentityHashMap<>());

    static {
        SERVED.add(HttpVersion.HTTP_1_0);
        SERVED.add(HttpVersion.HTTP_1_1);
    }

    private static final ServedVersions ONLY = new ServedVersions();

    /** Why such a request is not served. */
    static final class NotServed extends Exception {
        private static final long serialVersionUID = 1;

        /** @param version as it came */
        NotServed(String version) {
            super(version, null, false, false);
        }
    }

    /** Sees what comes on a connection from now on. */
    static void watch(HttpConnection connection) {
        if (connection instanceof HttpServerConnection served) {
            var pipeline = served.channelHandlerContext().pipeline();
            if (pipeline.get("httpDecoder") != null) {
                pipeline.addBefore(pipeline.context(VertxHandler.class).name(), null, ONLY);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request
                && request.decoderResult().isSuccess()
                && !SERVED.contains(request.protocolVersion())) {
            NotServed why = new NotServed(request.protocolVersion().text());
            request.setProtocolVersion(HttpVersion.HTTP_1_1).setDecoderResult(DecoderResult.failure(why));
        }
        context.fireChannelRead(message);
    }
}
