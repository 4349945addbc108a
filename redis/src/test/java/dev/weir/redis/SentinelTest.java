package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.granted;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.now;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreFigures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary that dies, and the replica that sentinels put in its place. */
@Timeout(120)
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

    /** Many callers, while a sentinel has the replica take over from a primary that lives on. What is granted is counted, but for the lag. */
    @Test
    void manyCallersDuringAFailover() throws Exception {
        FleetCharge call = charge("limit", "all", "100000000/30d");
        try (Server primary = Server.start();
                Server replica = Server.start("--replicaof", "127.0.0.1 " + primary.port());
                Server sentinel = Server.startSentinel(primary.port());
                RedisStore store = store(RedisSettings.of("redis-sentinel://127.0.0.1:" + sentinel.port() + "#main")
                        .timeout(Duration.ofMillis(200)));
                Callers callers = new Callers(number -> ask(store, call))) {
            callers.untilGranted(5);
            until(() -> primary.commands().waitForReplication(1, 1_000) == 1);
            until(() -> sentinel.commands().info("sentinel").contains("slaves=1"));
            until(() -> failsOver(sentinel));
            until(() -> isPrimary(replica));
            until(() -> now(store.probe()) && store.figures().state() == StoreFigures.State.CLOSED);
            until(() -> replica.calls("evalsha") > Callers.MANY);
            callers.untilGranted(20);
            Callers.Told told = callers.stop();
            System.out.println("failover: " + told);
            assertThat(100_000_000 - left(store, call)).isLessThanOrEqualTo(told.granted() + told.unsure());
            assertThat(told.refused()).isZero();
        }
    }

    /** A server that takes over closes all connections, this one too. */
    private static boolean isPrimary(Server replica) {
        try {
            return replica.commands().info("replication").contains("role:master");
        } catch (RedisException e) {
            return false;
        }
    }

    /** False while the sentinel does not know of a replica that is good enough. */
    private static boolean failsOver(Server sentinel) {
        try {
            sentinel.tell("SENTINEL", "FAILOVER", "main");
            return true;
        } catch (RedisCommandExecutionException e) {
            return false;
        }
    }
}
