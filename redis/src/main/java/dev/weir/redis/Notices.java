package dev.weir.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Hears of changes of the settings as they are published, on a connection of its own. When that breaks it is made again; what was missed
 * meanwhile is found by looking. Never blocks.
 */
final class Notices {

    private final RedisClient client;
    private final byte[] channel;
    private final Runnable onNotice;
    private final AtomicBoolean connecting = new AtomicBoolean();
    private volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private volatile boolean closed;

    Notices(RedisClient client, byte[] channel, Runnable onNotice) {
        this.client = client;
        this.channel = channel.clone();
        this.onNotice = onNotice;
    }

    /** Listens to the server at that address, unless it does so already. */
    void tend(RedisURI address) {
        StatefulRedisPubSubConnection<byte[], byte[]> present = connection;
        boolean listening = present != null && present.isOpen();
        if (closed || listening || !connecting.compareAndSet(false, true)) {
            return;
        }
        try {
            var unused =
                    client.connectPubSubAsync(ByteArrayCodec.INSTANCE, address).whenComplete(this::connected);
        } catch (RuntimeException e) {
            connecting.set(false);
        }
    }

    private void connected(@Nullable StatefulRedisPubSubConnection<byte[], byte[]> fresh, @Nullable Throwable error) {
        if (fresh != null && error == null) {
            connection = fresh;
            fresh.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(byte[] on, byte[] version) {
                    onNotice.run();
                }
            });
            var unused = fresh.async().subscribe(channel);
            if (closed) {
                close();
            }
        }
        connecting.set(false);
    }

    void close() {
        closed = true;
        StatefulRedisPubSubConnection<byte[], byte[]> present = connection;
        if (present != null) {
            var unused = present.closeAsync();
        }
    }
}
