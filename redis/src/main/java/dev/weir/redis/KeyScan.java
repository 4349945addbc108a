package dev.weir.redis;

import dev.weir.rate.StoreKey;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Looks through all keys for those of one limit, a thousand at a time, so that the server is not held up. Takes as long as it takes, at most ten seconds. */
final class KeyScan {

    private static final int AT_ONCE = 1_000;
    private static final int MOST_SECONDS = 10;

    private final Names names;
    private final String limit;
    private final int max;
    private final Set<StoreKey> found = new HashSet<>();

    KeyScan(Names names, String limit, int max) {
        this.names = names;
        this.limit = limit;
        this.max = max;
    }

    CompletionStage<Optional<List<StoreKey>>> run(List<Node> nodes) {
        CompletionStage<Void> all = nodes.isEmpty()
                ? CompletableFuture.failedFuture(Trouble.notConnected())
                : CompletableFuture.completedFuture(null);
        for (Node node : nodes) {
            all = all.thenCompose(done -> scan(node, ScanCursor.INITIAL));
        }
        return all.thenApply(done -> Optional.of(found()))
                .exceptionally(error -> Optional.empty())
                .toCompletableFuture()
                .completeOnTimeout(Optional.empty(), MOST_SECONDS, TimeUnit.SECONDS);
    }

    private CompletionStage<Void> scan(Node node, ScanCursor from) {
        ScanArgs args = ScanArgs.Builder.matches(names.pattern(limit)).limit(AT_ONCE);
        return node.<KeyScanCursor<byte[]>>ask(commands -> commands.scan(from, args))
                .thenCompose(page -> {
                    boolean enough = add(page.getKeys());
                    return enough || page.isFinished() ? CompletableFuture.completedFuture(null) : scan(node, page);
                });
    }

    private synchronized boolean add(List<byte[]> keys) {
        for (byte[] key : keys) {
            names.counted(new String(key, StandardCharsets.UTF_8), limit).ifPresent(found::add);
        }
        return found.size() >= max;
    }

    private synchronized List<StoreKey> found() {
        return found.stream().limit(max).toList();
    }
}
