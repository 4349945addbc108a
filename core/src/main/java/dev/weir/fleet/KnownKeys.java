package dev.weir.fleet;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the keys that were asked for lately, in two halves: when the young half is full the old one is forgotten and they change
 * places. Thread safe, and never more than twice {@link #HALF} keys and the few that come while halves change.
 */
final class KnownKeys {

    /** Keys of one half. */
    static final int HALF = 16_384;

    private volatile ConcurrentHashMap<Place, KnownKey> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<Place, KnownKey> old = new ConcurrentHashMap<>();

    /** What is known of the key; null when nothing is. */
    @Nullable
    KnownKey find(Place place) {
        KnownKey known = young.get(place);
        return known != null ? known : old.get(place);
    }

    /** What is known of the key, from now on at least that it was asked for. */
    KnownKey of(Place place, long nowNanos) {
        KnownKey known = young.get(place);
        if (known != null) {
            return known;
        }
        KnownKey former = old.get(place);
        KnownKey fresh = former != null ? former : new KnownKey(nowNanos);
        KnownKey first = young.putIfAbsent(place, fresh);
        if (young.size() > HALF) {
            turn();
        }
        return first != null ? first : fresh;
    }

    private synchronized void turn() {
        if (young.size() > HALF) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
    }

    void forget(Place place) {
        young.remove(place);
        old.remove(place);
    }

    void each(Consumer<KnownKey> action) {
        young.values().forEach(action);
        old.values().forEach(action);
    }
}
