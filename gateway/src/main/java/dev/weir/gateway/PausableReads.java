package dev.weir.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.VertxHandler;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is read from a connection over HTTP/1, or from a tunnel, held back while nobody takes it; the end of the connection too. The engine
 * can pause reading as well, but when the connection ends meanwhile it says so at once and forgets what it holds: the rest of an answer
 * whose sender closes behind it.
 *
 * <pre>
 *   upstream:  last bytes ─ FIN
 *   engine:         paused, the bytes wait ─ closed: the call failed ─ resumed: nobody is there any more
 *   here:           paused, the bytes wait ─ so does the end         ─ resumed: the bytes, then the end
 * </pre>
 *
 * <p>Held is one reading at most, and what the system had taken when the other side closed. Used on the event loop of the connection.
 */
final class PausableReads extends ChannelInboundHandlerAdapter {

    /** Stands for the end of the connection among what is held. */
    private static final Object END = new Object();

    private final Channel channel;
    /** Told directly of what was held: once a channel is closed, Netty takes its handlers away. */
    private final ChannelInboundHandler engine;

    private final ChannelHandlerContext engineContext;
    private final UpstreamCodec codec;
    private final Deque<Object> held = new ArrayDeque<>();
    private boolean paused;
    private boolean passing;

    private PausableReads(ChannelHandlerContext engineContext, UpstreamCodec codec) {
        this.engineContext = engineContext;
        this.codec = codec;
        channel = engineContext.channel();
        engine = (ChannelInboundHandler) engineContext.handler();
    }

    /** Those of a connection to an upstream, before its first request. */
    static PausableReads of(ChannelPipeline pipeline) {
        PausableReads known = pipeline.get(PausableReads.class);
        if (known != null) {
            return known;
        }
        ChannelHandlerContext engine = pipeline.context(VertxHandler.class);
        UpstreamCodec codec = new UpstreamCodec();
        pipeline.replace(HttpClientCodec.class, "codec", codec);
        PausableReads reads = new PausableReads(engine, codec);
        pipeline.addBefore(engine.name(), null, reads);
        return reads;
    }

    /** The version of the answer that came last. */
    HttpVersion answeredVersion() {
        return codec.answeredVersion();
    }

    void pause() {
        paused = true;
        channel.config().setAutoRead(false);
    }

    void resume() {
        paused = false;
        if (!passing) {
            passHeld();
        }
    }

    private void passHeld() {
        passing = true;
        try {
            boolean any = false;
            while (!paused && !held.isEmpty()) {
                pass(held.remove());
                any = true;
            }
            if (any && channel.isActive()) {
                engine.channelReadComplete(engineContext);
            }
        } catch (Exception e) {
            engineContext.pipeline().fireExceptionCaught(e);
        } finally {
            passing = false;
        }
        if (!paused && channel.isActive()) {
            channel.config().setAutoRead(true);
        }
    }

    @SuppressWarnings("deprecation") // of inbound handlers it is not
    private void pass(Object came) throws Exception {
        if (came == END) {
            engine.channelInactive(engineContext);
        } else if (came instanceof Throwable failure) {
            engine.exceptionCaught(engineContext, failure);
        } else {
            engine.channelRead(engineContext, came);
        }
    }

    /** Whether it is held, behind what already is. */
    private boolean hold(Object came) {
        return (paused || !held.isEmpty()) && held.add(came);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!hold(message)) {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (!hold(failure)) {
            context.fireExceptionCaught(failure);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!hold(END)) {
            context.fireChannelInactive();
        }
    }
}
