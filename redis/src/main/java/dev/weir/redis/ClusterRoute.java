package dev.weir.redis;

import dev.weir.rate.StoreKey;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a cluster and which slots they count. The table comes from any node that answers; a node that says MOVED corrects it, and the
 * script, of which nothing ran, goes where it was sent. The client library's own routing is not used: it writes again what was not answered when
 * a node leaves.
 */
final class ClusterRoute implements Route {

    private static final int MOST_MOVES = 3;
    private static final long LOOK_AGAIN_NANOS = 30_000_000_000L;
    private static final long LOOK_SOON_NANOS = 250_000_000L;

    private final Function<RedisURI, Node> maker;
    private final RedisURI like;
    private final Pulse pulse;
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Node> table = new AtomicReferenceArray<>(SlotHash.SLOT_COUNT);
    private volatile long lookAtNanos;
    private volatile boolean known;

    ClusterRoute(List<RedisURI> seeds, Function<RedisURI, Node> maker, Pulse pulse) {
        this.maker = maker;
        this.like = seeds.get(0);
        this.pulse = pulse;
        this.lookAtNanos = pulse.now();
        seeds.forEach(seed -> node(seed.getHost(), seed.getPort()));
    }

    private Node node(String host, int port) {
        return nodes.computeIfAbsent(host + ":" + port, name -> {
            RedisURI address = new RedisURI(host, port, like.getTimeout());
            address.applySsl(like);
            address.applyAuthentication(like);
            address.setClientName(like.getClientName());
            return maker.apply(address);
        });
    }

    @Override
    public int slot(StoreKey key) {
        return SlotHash.getSlot(key.toString());
    }

    @Override
    public int slot(String name) {
        return SlotHash.getSlot(name);
    }

    @Override
    public Optional<Node> node(int slot) {
        return Optional.ofNullable(table.get(slot));
    }

    @Override
    public void run(
            int slot,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told) {
        Node node = table.get(slot);
        if (node == null) {
            told.accept(null, Trouble.notConnected());
            return;
        }
        node.run(script, keys, args, redirecting(slot, script, keys, args, told, MOST_MOVES));
    }

    private BiConsumer<@Nullable Object, @Nullable Throwable> redirecting(
            int slot,
            Script script,
            byte[][] keys,
            byte[][] args,
            BiConsumer<@Nullable Object, @Nullable Throwable> told,
            int movesLeft) {
        return (value, error) -> {
            boolean moved = error != null && Trouble.says(error, "MOVED");
            boolean asked = error != null && Trouble.says(error, "ASK");
            if (error == null || movesLeft == 0 || !(moved || asked)) {
                told.accept(value, error);
                return;
            }
            Node target = named(error);
            var again = redirecting(slot, script, keys, args, told, movesLeft - 1);
            if (moved) {
                table.set(slot, target);
                lookAtNanos = pulse.now();
                target.run(script, keys, args, again);
            } else {
                target.runAsked(script, keys, args, again);
            }
        };
    }

    /** The node of {@code MOVED 3999 127.0.0.1:6381}. */
    private Node named(Throwable error) {
        String message = String.valueOf(Trouble.unwrapped(error).getMessage());
        String place = message.substring(message.lastIndexOf(' ') + 1);
        int colon = place.lastIndexOf(':');
        String host = colon == 0 ? like.getHost() : place.substring(0, colon);
        return node(host, Integer.parseInt(place.substring(colon + 1)));
    }

    @Override
    public List<Node> nodes() {
        Set<Node> serving = new HashSet<>();
        for (int slot = 0; slot < table.length(); slot++) {
            Node node = table.get(slot);
            if (node != null) {
                serving.add(node);
            }
        }
        return List.copyOf(serving);
    }

    /** Of nodes that count; before any is known, of those that were to name them. */
    @Override
    public Optional<String> trouble() {
        Collection<Node> serving = nodes();
        return (serving.isEmpty() ? nodes.values() : serving)
                .stream().flatMap(node -> node.trouble().stream()).findFirst();
    }

    @Override
    public void tend() {
        nodes.values().forEach(Node::tend);
        if (pulse.now() - lookAtNanos >= 0) {
            look();
        }
    }

    /** Asks a node that answers who counts what. */
    private void look() {
        Optional<Node> asked = nodes.values().stream()
                .filter(node -> node.isConnected() && node.breaker().closed())
                .findAny();
        if (asked.isEmpty()) {
            return;
        }
        lookAtNanos = pulse.now() + LOOK_SOON_NANOS;
        asked.get().ask(commands -> commands.clusterSlots()).whenComplete((slots, error) -> {
            if (error == null && slots != null && !slots.isEmpty()) {
                learn(asked.get(), slots);
            }
        });
    }

    private void learn(Node source, List<Object> ranges) {
        Set<Node> serving = new HashSet<>();
        for (Object each : ranges) {
            List<?> range = (List<?>) each;
            List<?> primary = (List<?>) range.get(2);
            String host = new String((byte[]) primary.get(0), StandardCharsets.UTF_8);
            int port = ((Long) primary.get(1)).intValue();
            Node node = node(host.isEmpty() ? source.address().getHost() : host, port);
            serving.add(node);
            for (long slot = (Long) range.get(0); slot <= (Long) range.get(1); slot++) {
                table.set((int) slot, node);
            }
        }
        known = true;
        boolean well = serving.stream()
                .allMatch(node -> node.isConnected() && node.breaker().closed());
        lookAtNanos = pulse.now() + (well ? LOOK_AGAIN_NANOS : LOOK_SOON_NANOS);
    }

    /** Whether the table was learnt. */
    boolean isKnown() {
        return known;
    }

    @Override
    public void close() {
        nodes.values().forEach(Node::close);
    }
}
