package dev.weir.gateway;

import dev.weir.policy.Policy;
import dev.weir.policy.StoreSettings;
import dev.weir.rate.RateStore;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens the store that a policy names. */
final class Stores {

    private Stores() {}

    /** The store; empty when the policy names none. Does not wait for its server. */
    static Optional<RateStore> open(Policy policy) throws GatewayException {
        if (policy.store().isEmpty()) {
            return Optional.empty();
        }
        StoreSettings settings = policy.store().get();
        if (settings.redis().tls().isPresent()) {
            requireReadable(settings.redis().tls().get());
        }
        return Optional.of(RedisStore.start(RedisSettings.of(settings)));
    }

    private static void requireReadable(StoreSettings.Tls tls) throws GatewayException {
        Optional<Path> unreadable = Stream.of(tls.ca(), tls.certificate(), tls.key())
                .flatMap(Optional::stream)
                .filter(file -> !Files.isReadable(file))
                .findFirst();
        if (unreadable.isPresent()) {
            throw new GatewayException("store.redis.tls: '" + unreadable.get()
                    + "' cannot be read: name a PEM file that this user may read");
        }
    }
}
