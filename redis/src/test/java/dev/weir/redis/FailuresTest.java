package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.granted;
import static dev.weir.redis.Fleets.grants;
import static dev.weir.redis.Fleets.inFlight;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.now;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.Charged;
import dev.weir.rate.Charged.Cause;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreFigures;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server, or the way to it, that fails: what is answered, and what the counts are afterwards. */
final class FailuresTest {

    private static final Duration BUDGET = Duration.ofMillis(300);
    private static final FleetCharge CALL = charge("limit", "all", "100/30d");

    private Server server;
    private TcpProxy proxy;

    @BeforeEach
    void start() {
        server = Server.start();
        proxy = new TcpProxy(server.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    private static void untilBack(RedisStore store) {
        until(() -> now(store.probe()) && store.figures().state() == StoreFigures.State.CLOSED);
    }

    private static Charged.Unavailable unavailable(Charged charged) {
        return (Charged.Unavailable) charged;
    }

    /** Asks until nothing is sent any more, and answers how often each cause was told. */
    private static Map<Cause, Integer> askUntilLeftAlone(RedisStore store) {
        Map<Cause, Integer> causes = new EnumMap<>(Cause.class);
        while (causes.getOrDefault(Cause.BREAKER_OPEN, 0) < 3) {
            causes.merge(unavailable(ask(store, CALL)).cause(), 1, Integer::sum);
        }
        return causes;
    }

    /** Charged once, though nobody heard; told as such; not repeated on the next connection. */
    @Test
    void aSwallowedAnswerCountsOnce() {
        try (RedisStore store = store(RedisSettings.of(proxy.address()).timeout(BUDGET))) {
            untilGranted(store);
            long used = 100 - leftAtTheServer();
            proxy.swallowAnswers();
            assertThat(ask(store, CALL)).isEqualTo(new Charged.Unavailable(Cause.TIMEOUT, true));
            proxy.cut();
            untilBack(store);
            assertThat(leftAtTheServer()).isEqualTo(100 - used - 1);
        }
    }

    @Test
    void whatWasUnderWayWhenTheConnectionBrokeIsNotRepeated() {
        try (RedisStore store = store(RedisSettings.of(proxy.address()).timeout(PATIENT))) {
            assertThat(granted(ask(store, CALL))).isTrue();
            proxy.swallowAnswers();
            CompletionStage<Charged> lost = store.charge(List.of(CALL));
            until(() -> leftAtTheServer() == 98);
            proxy.cut();
            assertThat(now(lost)).isEqualTo(new Charged.Unavailable(Cause.CONNECTION_LOST, true));
            untilBack(store);
            assertThat(granted(ask(store, CALL))).isTrue();
            assertThat(leftAtTheServer()).isEqualTo(97);
        }
    }

    private static void untilGranted(RedisStore store) {
        until(() -> granted(ask(store, CALL)));
    }

    /** By a connection of its own, on which nothing is wrong. */
    private long leftAtTheServer() {
        try (RedisStore sound = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            return left(sound, CALL);
        }
    }

    /** The socket stays open, and nothing comes: after some silence another connection is made. */
    @Test
    void aHalfOpenConnectionIsReplaced() {
        try (RedisStore store = store(RedisSettings.of(proxy.address()).timeout(BUDGET))) {
            untilGranted(store);
            proxy.fallSilent();
            Map<Cause, Integer> causes = askUntilLeftAlone(store);
            assertThat(causes).containsOnlyKeys(Cause.TIMEOUT, Cause.BREAKER_OPEN);
            assertThat(causes.get(Cause.TIMEOUT)).isEqualTo(Breaker.FAILURES);
            untilBack(store);
            untilGranted(store);
        }
    }

    @Test
    void aServerThatIsKilledAndComesBack() {
        try (RedisStore store = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            untilGranted(store);
            server.kill();
            Map<Cause, Integer> causes = askUntilLeftAlone(store);
            assertThat(causes.keySet()).isSubsetOf(Cause.CONNECTION_LOST, Cause.CONNECTION_REFUSED, Cause.BREAKER_OPEN);
            assertThat(store.figures().unavailable()).containsKey(Cause.BREAKER_OPEN);
            assertThat(now(store.peek(List.of(CALL)))).isEmpty();
            server.restart();
            untilBack(store);
            assertThat(granted(ask(store, CALL))).isTrue();
        }
    }

    /** What was sent to a server that stood still is charged when it goes on, and was told as possibly charged. */
    @Test
    void aServerThatStandsStill() {
        try (RedisStore store = store(RedisSettings.of(server.address()).timeout(BUDGET))) {
            untilGranted(store);
            long before = leftAtTheServer();
            server.freeze();
            Map<Cause, Integer> causes = askUntilLeftAlone(store);
            server.thaw();
            untilBack(store);
            assertThat(causes).containsOnlyKeys(Cause.TIMEOUT, Cause.BREAKER_OPEN);
            assertThat(leftAtTheServer()).isEqualTo(before - causes.get(Cause.TIMEOUT));
        }
    }

    @Test
    void aServerThatIsToldToPause() {
        try (RedisStore store = store(RedisSettings.of(server.address()).timeout(BUDGET))) {
            untilGranted(store);
            server.commands().clientPause(2_000);
            assertThat(unavailable(ask(store, CALL))).isEqualTo(new Charged.Unavailable(Cause.TIMEOUT, true));
            untilBack(store);
            untilGranted(store);
        }
    }

    /** Nobody home at the start: bills are unavailable, and decided once somebody is. */
    @Test
    void aServerThatStartsLater() {
        server.kill();
        try (RedisStore store =
                RedisStore.start(RedisSettings.of(server.address()).timeout(PATIENT))) {
            assertThat(unavailable(ask(store, CALL)))
                    .isEqualTo(new Charged.Unavailable(Cause.CONNECTION_REFUSED, false));
            assertThat(store.instances()).isEmpty();
            server.restart();
            now(store.connected());
            untilBack(store);
            assertThat(granted(ask(store, CALL))).isTrue();
        }
    }

    /** Without memory nothing new is counted; that is told apart, does not open the breaker, and refusals still come. */
    @Test
    void aServerWithoutMemory() {
        try (RedisStore store = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            FleetCharge spent = charge("spent", "all", "1/30d");
            assertThat(granted(ask(store, spent))).isTrue();
            server.commands().configSet("maxmemory", "1");
            for (int i = 0; i < 2 * Breaker.FAILURES; i++) {
                assertThat(ask(store, CALL)).isEqualTo(new Charged.Unavailable(Cause.OUT_OF_MEMORY, false));
            }
            assertThat(store.figures().unavailable()).containsEntry(Cause.OUT_OF_MEMORY, 2L * Breaker.FAILURES);
            assertThat(store.figures().state()).isEqualTo(StoreFigures.State.CLOSED);
            server.commands().configSet("maxmemory", "0");
            assertThat(granted(ask(store, CALL))).isTrue();
            assertThat(ask(store, spent)).isInstanceOf(Charged.Refused.class);
        }
    }

    /** Calls in flight of an instance that is cut off are taken for gone after ten seconds; one whose answer was lost repairs itself. */
    @Test
    void aLostAnswerAboutCallsInFlightIsMended() {
        FleetCharge few = inFlight("few", "all", 3);
        try (RedisStore store = store(RedisSettings.of(proxy.address()).timeout(PATIENT));
                RedisStore sound = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            assertThat(granted(ask(store, few))).isTrue();
            proxy.swallowAnswers();
            CompletionStage<Charged> lost = store.charge(List.of(few));
            until(() -> left(sound, few) == 1);
            proxy.cut();
            assertThat(now(lost)).isEqualTo(new Charged.Unavailable(Cause.CONNECTION_LOST, true));
            until(() -> left(sound, few) == 2);
        }
    }

    /** Under many callers a store that breaks again and again grants no more than the budget, lost answers included. */
    @Test
    void faultsMintNothing() throws Exception {
        FleetCharge scarce = charge("scarce", "all", "60/30d");
        try (RedisStore store = store(RedisSettings.of(proxy.address()).timeout(PATIENT))) {
            int granted = 0;
            for (int round = 0; round < 4; round++) {
                untilBack(store);
                granted += grants(16, 1, thread -> ask(store, scarce));
                proxy.swallowAnswers();
                CompletionStage<Charged> lost = store.charge(List.of(scarce));
                proxy.cut();
                granted += granted(now(lost)) ? 1 : 0;
            }
            untilBack(store);
            granted += grants(16, 5, thread -> ask(store, scarce));
            assertThat(granted).isBetween(56, 60);
        }
    }
}
