package dev.weir.redis;

import dev.weir.rate.StoreKey;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One server for all keys: standalone, or the primary that sentinels name. */
record SingleRoute(Node only) implements Route {

    @Override
    public int slot(StoreKey key) {
        return 0;
    }

    @Override
    public void run(
            int slot,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told) {
        only.run(script, keys, args, told);
    }

    @Override
    public int slot(String name) {
        return 0;
    }

    @Override
    public Optional<Node> node(int slot) {
        return Optional.of(only);
    }

    @Override
    public List<Node> nodes() {
        return List.of(only);
    }

    @Override
    public Optional<String> trouble() {
        return only.trouble();
    }

    @Override
    public void tend() {
        only.tend();
    }

    @Override
    public void close() {
        only.close();
    }
}
