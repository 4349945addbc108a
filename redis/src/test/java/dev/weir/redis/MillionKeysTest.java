package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Algorithm;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.StoreKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a key takes on the server, and that it leaves. In a deep run a million of them. */
final class MillionKeysTest {

    private static final int KEYS = 50_000 * Seeds.DEPTH;
    private static final int AT_ONCE = 256;
    private static final Pattern USED = Pattern.compile("used_memory:([0-9]+)");

    private static long memory(Server server) {
        Matcher used = USED.matcher(server.commands().info("memory"));
        return used.find() ? Long.parseLong(used.group(1)) : 0;
    }

    /** Charges each of so many keys once. */
    private static void charge(RedisStore store, RateLimit limit, int keys) {
        FleetCharge.Rate rate = new FleetCharge.Rate(limit);
        Queue<CompletionStage<Charged>> underWay = new ArrayDeque<>();
        for (int i = 0; i < keys; i++) {
            underWay.add(store.charge(
                    List.of(new FleetCharge("per-key", new StoreKey(i * 0x9E3779B97F4A7C15L, i), rate, 1, true))));
            if (underWay.size() == AT_ONCE || i == keys - 1) {
                underWay.forEach(answer -> assertThat(Fleets.now(answer)).isInstanceOf(Charged.Granted.class));
                underWay.clear();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void memoryOfAKey(Algorithm algorithm) {
        int keys = algorithm == Algorithm.TOKEN_BUCKET ? KEYS : 20_000;
        try (Server server = Server.start();
                RedisStore store = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            charge(store, RateLimit.parse("100/30d").algorithm(algorithm), 100);
            server.commands().flushall();
            long before = memory(server);
            charge(store, RateLimit.parse("100/30d").algorithm(algorithm), keys);
            double bytes = (double) (memory(server) - before) / keys;
            System.out.printf("%s: %.0f bytes a key, of %d%n", algorithm.policyName(), bytes, keys);
            assertThat(server.commands().dbsize()).isGreaterThanOrEqualTo(keys);
            assertThat(bytes).isBetween(50.0, 500.0);
        }
    }

    /** Once the windows are over nothing is left but what the fleet knows of itself. */
    @Test
    void nothingIsLeft() {
        try (Server server = Server.start();
                RedisStore store = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            charge(store, RateLimit.parse("5/500ms"), KEYS);
            charge(store, RateLimit.parse("5/500ms").algorithm(Algorithm.FIXED_WINDOW), KEYS);
            until(() -> server.commands().dbsize() <= 2);
            assertThat(server.commands().keys("w:{*")).isEmpty();
        }
    }
}
