package dev.weir.redis;

import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreKey;
import java.util.Optional;

/**
 * The names of keys in the store: {@code w:{h}:limit:window}, where h is the hash of who is counted. What stands in braces decides about the slot,
 * so that all limits on the same caller are counted together.
 */
record Names(String namespace) {

    String count(FleetCharge charge) {
        return namespace + ":{" + charge.key() + "}:" + charge.limit() + ":" + charge.window();
    }

    /** That a receipt was used. */
    String used(StoreKey key, String receipt) {
        return namespace + ":{" + key + "}:receipt:" + receipt + ":used";
    }

    String instances() {
        return namespace + ":instances";
    }

    String settings() {
        return namespace + ":settings";
    }

    /** What SCAN finds a limit's counts by. */
    String pattern(String limit) {
        return namespace + ":{*}:" + limit.replaceAll("([\\\\*?\\[\\]])", "\\\\$1") + ":*";
    }

    /** Who is counted under that name, when it is a count of that limit. */
    Optional<StoreKey> counted(String name, String limit) {
        int from = namespace.length() + 2;
        String rest = name.substring(Math.min(name.length(), from + 32));
        return name.startsWith(namespace + ":{")
                        && rest.startsWith("}:" + limit + ":")
                        && rest.lastIndexOf(':') == limit.length() + 2
                ? Optional.of(StoreKey.parse(name.substring(from, from + 32)))
                : Optional.empty();
    }
}
