package dev.weir.gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The system's own transport where there is one, with a handler of ours on each connection as soon as it is accepted. Thread safe. */
final class AcceptingTransport implements Transport {

    private final io.vertx.core.spi.transport.Transport transport;

    /** @param onAccepted makes the handler for one connection */
    AcceptingTransport(Supplier<ChannelHandler> onAccepted) {
        EpollTransport epoll = new EpollTransport() {
            @Override
            public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
                super.configure(config, domainSocket, bootstrap);
                bootstrap.handler(new Acceptor(onAccepted));
            }
        };
        transport = epoll.isAvailable()
                ? epoll
                : new NioTransport() {
                    @Override
                    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
                        super.configure(config, domainSocket, bootstrap);
                        bootstrap.handler(new Acceptor(onAccepted));
                    }
                };
    }

    /** Stands where accepted connections come by. */
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Supplier<ChannelHandler> onAccepted;

        Acceptor(Supplier<ChannelHandler> onAccepted) {
            this.onAccepted = onAccepted;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            ((Channel) accepted).pipeline().addLast(onAccepted.get());
            context.fireChannelRead(accepted);
        }
    }

    @Override
    public String name() {
        return "accepting";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return transport;
    }
}
