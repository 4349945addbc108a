package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.granted;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.FleetCharge;
import org.junit.jupiter.api.Test;

/** A primary that dies, and the replica that sentinels put in its place. */
final class SentinelTest {

    @Test
    void theReplicaCountsOn() {
        FleetCharge call = charge("limit", "all", "10/30d");
        try (Server primary = Server.start();
                Server replica = Server.start("--replicaof", "127.0.0.1 " + primary.port());
                Server sentinel = Server.startSentinel(primary.port());
                RedisStore store = store(RedisSettings.of("redis-sentinel://127.0.0.1:" + sentinel.port() + "#main")
                        .timeout(PATIENT))) {
            assertThat(granted(ask(store, call))).isTrue();
            until(() -> primary.commands().waitForReplication(1, 1_000) == 1);
            until(() -> sentinel.commands().info("sentinel").contains("slaves=1"));
            primary.kill();
            until(() -> granted(ask(store, call)));
            assertThat(replica.commands().info("replication")).contains("role:master");
            // The scripts were loaded there, the count came along, and every grant since is on it.
            assertThat(left(store, call)).isLessThanOrEqualTo(8);
        }
    }
}
