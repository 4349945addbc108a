package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.granted;
import static dev.weir.redis.Fleets.inFlight;
import static dev.weir.redis.Fleets.key;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.now;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three nodes. */
final class ClusterTest {

    private static final List<Server> NODES = new ArrayList<>();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            NODES.add(Server.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        }
        for (int i = 0; i < 3; i++) {
            int from = i * SlotHash.SLOT_COUNT / 3;
            int to = (i + 1) * SlotHash.SLOT_COUNT / 3;
            NODES.get(i).commands().clusterAddSlots(IntStream.range(from, to).toArray());
            NODES.get(0).commands().clusterMeet("127.0.0.1", NODES.get(i).port());
        }
        until(() -> NODES.stream()
                .allMatch(node -> node.commands().clusterInfo().contains("cluster_state:ok")
                        && node.commands().clusterInfo().contains("cluster_known_nodes:3")));
    }

    @AfterAll
    static void stop() {
        NODES.forEach(Server::close);
    }

    private static RedisStore cluster(String name) {
        return store(RedisSettings.cluster(List.of(NODES.get(0).address()))
                .timeout(PATIENT)
                .instance(name));
    }

    @Test
    void aCallWithSeveralKeysIsGrantedByAllNodesOrNone() {
        try (RedisStore store = cluster("one")) {
            FleetCharge all = charge("all", "everybody", "30/30d");
            int granted = 0;
            for (int i = 0; i < 60; i++) {
                Charged charged = ask(
                        store, charge("each", "k" + i % 12, "3/30d"), all, charge("address", "a" + i % 7, "100/30d"));
                assertThat(charged).isNotInstanceOf(Charged.Unavailable.class);
                granted += granted(charged) ? 1 : 0;
                if (charged instanceof Charged.Refused refused) {
                    assertThat(refused.lines()).hasSize(3).noneMatch(Charged.Line::charged);
                }
            }
            assertThat(granted).isEqualTo(30);
            assertThat(NODES).allMatch(node -> node.commands().dbsize() > 0, "counts keys");
            // What one node charged for a call that another refused has come back.
            until(() -> {
                long used = 0;
                for (int i = 0; i < 7; i++) {
                    used += 100 - left(store, charge("address", "a" + i, "100/30d"));
                }
                return used == 30;
            });
            assertThat(left(store, all)).isZero();
        }
    }

    @Test
    void callsInFlightOverSeveralSlots() {
        try (RedisStore one = cluster("one");
                RedisStore other = cluster("other")) {
            FleetCharge few = inFlight("few", "ann", 2);
            FleetCharge none = charge("none", "ben", "1/30d");
            Charged first = ask(one, few, none);
            assertThat(granted(first)).isTrue();
            assertThat(ask(other, few, none)).isInstanceOf(Charged.Refused.class);
            until(() -> left(one, few) == 1);
            assertThat(now(one.keys("none", 10)).orElseThrow()).containsExactly(key("ben"));
            now(one.giveBack(((Charged.Granted) first).receipt()));
            until(() -> left(other, few) == 2 && left(other, none) == 1);
            until(() -> one.instances().orElse(0) >= 2 || beat(one, other));
            assertThat(now(one.settings().put("x", "y", Optional.empty()))).isPresent();
            until(() -> other.settings().snapshot().settings().containsKey("x"));
        }
    }

    private static boolean beat(RedisStore... stores) {
        for (RedisStore store : stores) {
            store.beat();
            now(store.probe());
        }
        return false;
    }

    /** A slot moves from node to node under way: nobody is told an error, and nothing is granted twice. */
    @Test
    void aSlotMigratesWhileItIsAsked() throws Exception {
        FleetCharge call = charge("moving", "everybody", "4000/30d");
        int slot = SlotHash.getSlot(call.key().toString());
        Server from =
                NODES.stream().filter(node -> owns(node, slot)).findFirst().orElseThrow();
        Server to = NODES.get((NODES.indexOf(from) + 1) % 3);
        AtomicInteger granted = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        try (RedisStore store = cluster("one")) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < Callers.MANY; i++) {
                Thread caller = new Thread(() -> {
                    while (!stop.get()) {
                        Charged charged = ask(store, call);
                        granted.addAndGet(granted(charged) ? 1 : 0);
                        failed.addAndGet(charged instanceof Charged.Unavailable ? 1 : 0);
                    }
                });
                caller.start();
                callers.add(caller);
            }
            until(() -> granted.get() > 100);
            migrate(from, to, slot);
            until(() -> granted.get() >= 4_000 || left(store, call) == 0);
            stop.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(failed.get()).isZero();
            assertThat(granted.get()).isEqualTo(4_000);
            assertThat(to.commands().exists(new Names("w").count(call))).isEqualTo(1);
        }
    }

    private static boolean owns(Server node, int slot) {
        String self = node.commands().clusterMyId();
        for (String line : node.commands().clusterNodes().split("\n", -1)) {
            if (line.startsWith(self)) {
                for (String range : line.split(" ", -1)) {
                    String[] ends = range.split("-", -1);
                    if (ends.length == 2
                            && range.matches("\\d+-\\d+")
                            && Integer.parseInt(ends[0]) <= slot
                            && slot <= Integer.parseInt(ends[1])) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static void migrate(Server from, Server to, int slot) {
        to.commands().clusterSetSlotImporting(slot, from.commands().clusterMyId());
        from.commands().clusterSetSlotMigrating(slot, to.commands().clusterMyId());
        for (List<String> keys = from.commands().clusterGetKeysInSlot(slot, 100);
                !keys.isEmpty();
                keys = from.commands().clusterGetKeysInSlot(slot, 100)) {
            from.commands()
                    .migrate("127.0.0.1", to.port(), 0, 5_000, MigrateArgs.Builder.keys(keys.toArray(new String[0])));
        }
        String owner = to.commands().clusterMyId();
        to.commands().clusterSetSlotNode(slot, owner);
        NODES.forEach(node -> node.commands().clusterSetSlotNode(slot, owner));
    }
}
