package dev.weir.redis;

import dev.weir.rate.StoreKey;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Which node counts a key. */
sealed interface Route permits SingleRoute, ClusterRoute {

    /** A number that equal for keys that one script may touch together. */
    int slot(StoreKey key);

    /** Runs a script on the node of a slot, once. */
    void run(
            int slot,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told);

    /** The slot of a key that is not a caller's. */
    int slot(String name);

    /** The node of a slot; empty while none is known. */
    Optional<Node> node(int slot);

    /** All nodes that count. */
    List<Node> nodes();

    /** Why the store cannot be used, in words for operators; empty while nothing is known against it. */
    Optional<String> trouble();

    /** What must be done now and again. */
    void tend();

    void close();
}
