package dev.weir.gateway;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection from the moment it is accepted: it counts, and it is closed unless the head of a request is there in time, however
 * many bytes come until then. The engine tells of a connection in clear text no earlier than that. Used on the event loop of the connection.
 */
final class AcceptedConnection extends ChannelHandlerAdapter {

    private final long firstHeadNanos;
    private final IntConsumer counter;
    private @Nullable Future<?> deadline;

    /** @param counter is told 1 now and -1 once the connection is closed, whatever it was used for */
    AcceptedConnection(long firstHeadNanos, IntConsumer counter) {
        this.firstHeadNanos = firstHeadNanos;
        this.counter = counter;
    }

    /** That of a connection which the engine tells of. */
    static Optional<AcceptedConnection> of(HttpConnection connection) {
        return connection instanceof HttpServerConnection served
                ? Optional.ofNullable(served.channelHandlerContext().pipeline().get(AcceptedConnection.class))
                : Optional.empty();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        counter.accept(1);
        ChannelFuture unused = context.channel().closeFuture().addListener(closed -> {
            headCame();
            counter.accept(-1);
        });
        Runnable close = () -> {
            ChannelFuture unusedToo = context.channel().close();
        };
        deadline = context.executor().schedule(close, firstHeadNanos, TimeUnit.NANOSECONDS);
    }

    /** The head of its first request is there, readable or not. */
    void headCame() {
        Future<?> waiting = deadline;
        if (waiting != null) {
            waiting.cancel(false);
            deadline = null;
        }
    }
}
