package dev.weir.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1 at an upstream. In the place of the engine's own codec, which keeps what came behind a whole answer for the next one, so that
 * one caller's answer could begin with what an upstream sent behind another's, and which takes an interim answer that it does not know
 * for the last one. Here nothing behind an answer is read, its connection serves no other call, and of the interim answers only 101 and
 * 103 go on. Used on the event loop of the connection.
 */
final class UpstreamCodec extends CombinedChannelDuplexHandler<HttpResponseDecoder, HttpRequestEncoder> {

    /** What the answer that is due answers; null while none is. */
    private @Nullable HttpMethod asked;

    private @Nullable HttpResponse answer;
    private boolean tunnel;

    UpstreamCodec() {
        init(new Answers(), new Requests());
    }

    /** The version of the answer that came last. */
    HttpVersion answeredVersion() {
        HttpResponse last = answer;
        return last != null && last.protocolVersion().equals(io.netty.handler.codec.http.HttpVersion.HTTP_1_0)
                ? HttpVersion.HTTP_1_0
                : HttpVersion.HTTP_1_1;
    }

    private final class Requests extends HttpRequestEncoder {
        @Override
        protected void encode(ChannelHandlerContext context, Object message, List<Object> out) throws Exception {
            if (message instanceof HttpRequest request) {
                asked = request.method();
            }
            super.encode(context, message, out);
        }
    }

    private final class Answers extends HttpResponseDecoder {
        Answers() {
            super(new HttpDecoderConfig()
                    .setMaxInitialLineLength(HttpClientOptions.DEFAULT_MAX_INITIAL_LINE_LENGTH)
                    .setMaxHeaderSize(FrontDoor.MAX_HEADER_BYTES)
                    .setMaxChunkSize(HttpObjectDecoder.DEFAULT_MAX_CHUNK_SIZE));
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            boolean interim = message instanceof HttpResponse response
                    && response.status().code() < 200;
            return (!interim && HttpMethod.HEAD.equals(asked)) || super.isContentAlwaysEmpty(message);
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
            if (asked == null && !tunnel) {
                in.skipBytes(in.readableBytes()); // nobody asked for it
                ChannelFuture unused = context.close();
                return;
            }
            int before = out.size();
            super.decode(context, in, out);
            if (!tunnel) {
                look(in, out.subList(before, out.size()));
            }
        }

        private void look(ByteBuf in, List<Object> decoded) {
            HttpResponse last = answer;
            for (Object part : decoded) {
                if (part instanceof HttpResponse head) {
                    last = head;
                    answer = head;
                }
            }
            if (last == null || decoded.isEmpty()) {
                return;
            }
            int status = last.status().code();
            if (last.decoderResult().isFailure() || status == 103) {
                return;
            }
            if (status == 101) {
                tunnel = true;
            } else if (status < 200) {
                decoded.clear();
            } else if (decoded.get(decoded.size() - 1) instanceof LastHttpContent) {
                asked = null;
                if (in.isReadable()) {
                    in.skipBytes(in.readableBytes());
                    last.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE); // so the engine closes it
                }
            }
        }
    }
}
