package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.grants;
import static dev.weir.redis.Fleets.inFlight;
import static dev.weir.redis.Fleets.key;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.now;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Ticker;
import dev.weir.Weir;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import dev.weir.policy.OutboundRule;
import dev.weir.policy.Policy;
import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.FleetSettings;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.StoreKey;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fleet of two is told by one sound server. */
final class DecisionsTest {

    private static Server server;
    private RedisStore one;
    private RedisStore other;

    @BeforeAll
    static void start() {
        server = Server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        server.commands().flushall();
        one = store(settings("one"));
        other = store(settings("other"));
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private static RedisSettings settings(String name) {
        return RedisSettings.of(server.address()).timeout(PATIENT).instance(name);
    }

    @Test
    void manyCallersAreGrantedExactlyTheBudget() throws Exception {
        FleetCharge hot = charge("hot", "all", "500/30d");
        long before = server.calls("evalsha");
        assertThat(grants(64, 20, thread -> ask(thread % 2 == 0 ? one : other, hot)))
                .isEqualTo(500);
        long commands = server.calls("evalsha") - before;
        assertThat(commands).as("callers of one key share commands").isLessThan(64 * 20 / 2);
        assertThat(one.figures().calls() + other.figures().calls()).isEqualTo(64 * 20);
    }

    @Test
    void manyKeysAreGrantedTheirOwn() throws Exception {
        assertThat(grants(32, 20, thread -> ask(thread % 2 == 0 ? one : other, charge("each", "k" + thread, "7/30d"))))
                .isEqualTo(32 * 7);
    }

    /** Many different bills at once go in few scripts, and are decided one after the other as if each had come alone. */
    @Test
    void differentBillsShareCommands() {
        FleetCharge all = charge("all", "everybody", "60/30d");
        server.commands().hset(new Names("w").count(charge("each", "k17", "7/30d")), "spoiled", "by others");
        long before = one.figures().commands();
        server.commands().clientPause(300);
        List<CompletableFuture<Charged>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(
                    one.charge(List.of(charge("each", "k" + i, "7/30d"), all)).toCompletableFuture());
        }
        List<Charged> told = answers.stream().map(CompletableFuture::join).toList();
        assertThat(told.get(17)).isEqualTo(new Charged.Unavailable(Charged.Cause.ERROR, false));
        assertThat(told).filteredOn(Charged.Granted.class::isInstance).hasSize(60);
        assertThat(told).filteredOn(Charged.Refused.class::isInstance).hasSize(39);
        assertThat(one.figures().commands() - before).as("for a hundred bills").isLessThan(25);
        for (int i = 0; i < 100; i++) {
            long used = told.get(i) instanceof Charged.Granted ? 1 : 0;
            if (i != 17) {
                assertThat(left(other, charge("each", "k" + i, "7/30d"))).isEqualTo(7 - used);
            }
        }
        assertThat(one.figures().trouble().orElse("")).isEmpty();
    }

    @Test
    void noMoreCallsInFlightThanMayBe() throws Exception {
        FleetCharge few = inFlight("few", "all", 5);
        int granted = grants(16, 10, thread -> ask(thread % 2 == 0 ? one : other, few));
        assertThat(granted).isEqualTo(5);
    }

    @Test
    void callsInFlightComeAndGo() throws Exception {
        FleetCharge few = inFlight("few", "all", 3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        grants(16, 30, thread -> {
            RedisStore store = thread % 2 == 0 ? one : other;
            Charged charged = ask(store, few);
            if (charged instanceof Charged.Granted granted) {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
                assertThat(store.release(granted.receipt())).isTrue();
            }
            return charged;
        });
        assertThat(most.get()).isBetween(1, 3);
        until(() -> left(one, few) == 3 && left(other, few) == 3);
    }

    @Test
    void whoLeavesHoldsNothing() {
        ask(one, inFlight("few", "all", 2));
        ask(one, inFlight("few", "all", 2));
        assertThat(ask(other, inFlight("few", "all", 2))).isInstanceOf(Charged.Refused.class);
        one.close();
        assertThat(ask(other, inFlight("few", "all", 2))).isInstanceOf(Charged.Granted.class);
        assertThat(ask(one, inFlight("few", "all", 2))).isEqualTo(new Charged.Unavailable(Charged.Cause.CLOSED, false));
    }

    @Test
    void instancesAreCounted() {
        one.beat();
        other.beat();
        until(() -> {
            one.beat();
            now(one.probe());
            return one.instances().orElse(0) == 2;
        });
        other.close();
        until(() -> {
            one.beat();
            now(one.probe());
            return one.instances().orElse(0) == 1;
        });
    }

    @Test
    void aReceiptThatIsReadTwiceSettlesOnce() {
        FleetCharge call = charge("tokens", "ann", "100/30d");
        Charged.Granted granted = (Charged.Granted) ask(one, call);
        assertThat(left(other, call)).isEqualTo(99);
        String text = granted.receipt().text();
        assertThat(now(other.settle(other.receipt(text), new long[] {0}))).isTrue();
        assertThat(now(one.settle(granted.receipt(), new long[] {0}))).isFalse();
        assertThat(left(other, call)).isEqualTo(100);
        assertThatThrownBy(() -> one.receipt("weir1;nonsense")).hasMessageContaining("no receipt");
    }

    @Test
    void aCountThatSomebodySpoiledIsMended() {
        FleetCharge call = charge("limit", "ann", "10/s");
        String name = new Names("w").count(call);
        server.commands().set(name, "999");
        assertThat(ask(one, call)).isInstanceOf(Charged.Granted.class);
        assertThat(server.commands().pttl(name)).isPositive();
        server.commands().del(name);
        assertThat(ask(one, call)).isInstanceOf(Charged.Granted.class);
    }

    @Test
    void whatIsOverLeavesTheStore() {
        for (String algorithm : List.of("token-bucket", "fixed-window", "sliding-window", "sliding-log")) {
            RateLimit limit = RateLimit.parse("5/50ms")
                    .algorithm(Algorithm.named(algorithm).orElseThrow());
            ask(one, new FleetCharge(algorithm, key("ann"), new FleetCharge.Rate(limit), 2, true));
        }
        until(() -> server.commands().keys("w:{*").isEmpty());
    }

    @Test
    void scriptsAreLoadedAgainOnce() throws Exception {
        FleetCharge call = charge("limit", "all", "10/60s");
        int before = grants(4, 1, thread -> ask(one, call));
        long loads = server.calls("script|load");
        server.commands().scriptFlush();
        int after = grants(4, 2, thread -> ask(one, call));
        assertThat(before + after).isEqualTo(10);
        assertThat(server.calls("script|load") - loads)
                .as("the charge script, and those of the pulse")
                .isLessThanOrEqualTo(5);
    }

    /** The instance's clock is years behind: it learns the server's from the first answer. */
    @Test
    void windowsOfACalendarThatDoNotFitAreSentAgain() {
        long years = Duration.ofDays(800).toNanos();
        try (RedisStore behind =
                RedisStore.startBy(settings("behind"), () -> Ticker.wall().nanos() - years)) {
            now(behind.connected());
            FleetCharge call = new FleetCharge(
                    "monthly",
                    key("ann"),
                    new FleetCharge.Rate(RateLimit.quota(3, CalendarPeriod.MONTH, ZoneOffset.UTC)),
                    1,
                    true);
            assertThat(ask(one, call)).isInstanceOf(Charged.Granted.class);
            assertThat(ask(behind, call)).isInstanceOf(Charged.Granted.class);
            assertThat(left(behind, call)).isEqualTo(1);
        }
    }

    /** The units that were used stay used, to the tick and in the limit's favour. */
    @Test
    void anotherRateKeepsWhatWasUsed() {
        Random random = new Random(Seeds.next("another rate"));
        FakeMicros clock = new FakeMicros(1_700_000_000_000_000L);
        try (RedisStore store = RedisStore.start(settings("rates"), clock)) {
            now(store.connected());
            for (int round = 0; round < 100 * Seeds.DEPTH; round++) {
                RateLimit before = RateLimit.of(
                                1 + random.nextInt(2_000), Duration.ofMillis(1 + random.nextInt(1_000_000)))
                        .burst(1 + random.nextInt(1_000));
                RateLimit after = RateLimit.of(
                                1 + random.nextInt(2_000), Duration.ofMillis(1 + random.nextInt(1_000_000)))
                        .burst(before.capacity());
                StoreKey key = new StoreKey(random.nextLong(), random.nextLong());
                long cost = 1 + random.nextLong(before.capacity());
                ask(store, new FleetCharge("limit", key, new FleetCharge.Rate(before), cost, true));
                long gap = random.nextLong(before.periodNanos() / 1_000 / before.count() + 1);
                clock.advance(gap);
                MicroTicks from = MicroTicks.of(before);
                MicroTicks to = MicroTicks.of(after);
                long backlog = Math.max(0, cost * from.perUnit() - gap * from.perMicro());
                BigInteger[] converted = BigInteger.valueOf(backlog)
                        .multiply(BigInteger.valueOf(to.perUnit()))
                        .divideAndRemainder(BigInteger.valueOf(from.perUnit()));
                long expected = converted[0].longValueExact() + (converted[1].signum() == 0 ? 0 : 1);
                long all = after.capacity();
                Charged.Line line = now(store.peek(
                                List.of(new FleetCharge("limit", key, new FleetCharge.Rate(after), all, true))))
                        .orElseThrow()
                        .get(0);
                assertThat(line.waitNanos())
                        .as("%s after %d us under %s", before, gap, after)
                        .isEqualTo((expected + to.perMicro() - 1) / to.perMicro() * 1_000);
                clock.advance(1_000_000);
            }
        }
    }

    @Test
    void keysAboveTheCapShareCounts() {
        one.maxKeys("capped", 50);
        for (int i = 0; i < 200; i++) {
            assertThat(ask(one, charge("capped", "k" + i, "100/30d"))).isInstanceOf(Charged.Granted.class);
        }
        assertThat(one.figures().overflowed()).isEqualTo(150);
        assertThat(one.figures().keys()).isEqualTo(50);
        assertThat(ask(one, charge("capped", "k0", "100/30d"))).isInstanceOf(Charged.Granted.class);
        assertThat(one.figures().overflowed()).as("a known key stays itself").isEqualTo(150);
        assertThatThrownBy(() -> one.maxKeys("capped", 0)).hasMessageContaining("max-keys 0");
    }

    @Test
    void keysAreListedAndForgotten() {
        List<StoreKey> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ask(one, charge("listed", "k" + i, "10/30d"), charge("listed-not", "k" + i, "10/30d"));
            all.add(key("k" + i));
        }
        assertThat(now(other.keys("listed", 1_000)).orElseThrow()).containsExactlyInAnyOrderElementsOf(all);
        assertThat(now(other.keys("listed", 7)).orElseThrow()).hasSize(7);
        assertThat(now(other.forget(charge("listed", "k3", "10/30d")))).isTrue();
        assertThat(now(other.forget(charge("listed", "k3", "10/30d")))).isFalse();
        assertThat(left(one, charge("listed", "k3", "10/30d"))).isEqualTo(10);
    }

    @Test
    void settingsReachEveryInstanceAndSurviveIt() {
        CompletableFuture<FleetSettings.Snapshot> told = new CompletableFuture<>();
        other.settings().onChange(told::complete);
        long version = now(one.settings().put("limits.a.mode", "shadow", Optional.empty()))
                .orElseThrow();
        assertThat(told.join().settings().get("limits.a.mode").value()).isEqualTo("shadow");
        assertThat(told.join().version()).isEqualTo(version);
        Instant soon =
                Instant.ofEpochSecond(Long.parseLong(server.commands().time().get(0)) - 1);
        assertThat(now(one.settings().put("over", "x", Optional.of(soon)))).isPresent();
        one.close();
        try (RedisStore third = store(settings("third"))) {
            until(() -> third.settings().snapshot().version() > version);
            assertThat(third.settings().snapshot().settings()).containsOnlyKeys("limits.a.mode");
            assertThat(now(third.settings().remove("limits.a.mode"))).isPresent();
            until(() -> other.settings().snapshot().settings().isEmpty());
        }
    }

    @Test
    void aPauseThatOneInstanceIsAskedForIsKeptByTheOther() throws InterruptedException {
        Policy policy = Policy.builder()
                .outbound(OutboundRule.of(OutboundSettings.of("payments").sharedPause(true)))
                .build();
        Outbound asked = Weir.builder(policy).store(one).build().outbound("payments");
        Outbound told = Weir.builder(policy).store(other).build().outbound("payments");
        ((Sending) asked.ask(OutboundCall.ONCE))
                .answered(new PeerAnswer(
                        PeerAnswer.Kind.REFUSED,
                        PeerAdvice.pause(Duration.ofMinutes(1).toNanos())));
        until(() -> told.figures().pausedNanos() > 0);
        assertThat(Duration.ofNanos(told.figures().pausedNanos()))
                .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(66));
    }

    /** Of a change the others hear by a notice; each has subscribed. */
    @Test
    void changesArePublished() {
        until(() -> server.commands().pubsubNumsub("w:settings").get("w:settings") == 2);
        CompletableFuture<FleetSettings.Snapshot> told = new CompletableFuture<>();
        other.settings().onChange(told::complete);
        long before = server.calls("publish");
        assertThat(now(one.settings().put("a", "b", Optional.empty()))).isPresent();
        assertThat(told.join().settings()).containsOnlyKeys("a");
        assertThat(server.calls("publish") - before).isEqualTo(1);
    }

    @Test
    void aStoreThatEvictsIsKnownAsSuch() {
        until(() -> one.figures().maxmemoryPolicy().isPresent());
        assertThat(one.figures().evicts()).isFalse();
        server.commands().configSet("maxmemory-policy", "allkeys-lru");
        try (RedisStore third = store(settings("third"))) {
            until(() -> third.figures().maxmemoryPolicy().isPresent());
            assertThat(third.figures().evicts()).isTrue();
        } finally {
            server.commands().configSet("maxmemory-policy", "noeviction");
        }
    }

    @Test
    void absorbedUnitsAreDebt() {
        FleetCharge call = charge("limit", "ann", "10/30d");
        FleetCharge many = new FleetCharge(call.limit(), call.key(), call.use(), 14, true);
        assertThat(now(one.absorb(List.of(new RateStore.Owed(many, 0))))).isTrue();
        assertThat(ask(other, call)).isInstanceOf(Charged.Refused.class);
    }
}
