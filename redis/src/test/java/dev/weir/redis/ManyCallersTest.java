package dev.weir.redis;

import static dev.weir.redis.Fleets.PATIENT;
import static dev.weir.redis.Fleets.ask;
import static dev.weir.redis.Fleets.charge;
import static dev.weir.redis.Fleets.key;
import static dev.weir.redis.Fleets.left;
import static dev.weir.redis.Fleets.now;
import static dev.weir.redis.Fleets.store;
import static dev.weir.redis.Fleets.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Ticker;
import dev.weir.rate.Algorithm;
import dev.weir.rate.Charged.Cause;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.StoreFigures;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many callers while the server or the way to it fails: every answer comes in time, what was granted and what the store counted agree but for
 * answers that were lost, and afterwards the store decides again. In a deep run the time budget is the usual one and is held to two milliseconds.
 */
@Timeout(120)
final class ManyCallersTest {

    private static final boolean DEEP = Seeds.DEPTH > 1;
    private static final Duration BUDGET = DEEP ? Duration.ofMillis(5) : Duration.ofMillis(100);
    private static final double LATE_MILLIS = BUDGET.toMillis() + (DEEP ? 2 : 5_000);
    private static final long ALL = 100_000_000L;
    /** Nothing comes back by itself, so that the count tells exactly what was charged. */
    private static final FleetCharge HOT = new FleetCharge(
            "hot",
            key("all"),
            new FleetCharge.Rate(RateLimit.of(ALL, Duration.ofDays(3_650)).algorithm(Algorithm.FIXED_WINDOW)),
            1,
            true);

    private Server server;
    private TcpProxy proxy;
    private RedisStore store;

    @BeforeEach
    void start() {
        server = Server.start("--enable-debug-command", "yes");
        proxy = new TcpProxy(server.port());
        store = store(RedisSettings.of(proxy.address()).timeout(BUDGET));
    }

    @AfterEach
    void stop() {
        store.close();
        proxy.close();
        server.close();
    }

    private long used() {
        try (RedisStore sound = store(RedisSettings.of(server.address()).timeout(PATIENT))) {
            return ALL - left(sound, HOT);
        }
    }

    /** Lets the callers ask, does that to the server, lets them ask on, puts it right, and waits until all are granted again. */
    private Callers.Told during(String what, Runnable fault, Runnable mend) throws InterruptedException {
        long commands = server.calls("evalsha");
        try (Callers callers = new Callers(number -> ask(store, HOT))) {
            callers.untilGranted(10);
            fault.run();
            callers.untilAnswered(20);
            mend.run();
            until(() -> now(store.probe()) && store.figures().state() == StoreFigures.State.CLOSED);
            callers.untilGranted(10);
            Callers.Told told = callers.stop();
            commands = server.calls("evalsha") - commands;
            System.out.printf(
                    "%s: %s; %.2f commands a decision%n",
                    what, told, (double) commands / (told.granted() + told.unsure()));
            assertThat(told.lateMillis()).as(what).isLessThan(LATE_MILLIS);
            assertThat(told.refused()).isZero();
            // Those of the heartbeat and of the settings aside.
            assertThat(commands).as(what).isLessThan(told.granted() + told.unsure() + 100);
            return told;
        }
    }

    /** The store counted what was granted, and at most what may have been charged besides. */
    private void agrees(Callers.Told told) {
        assertThat(used()).isBetween(told.granted(), told.granted() + told.unsure());
    }

    @Test
    void aSoundServer() throws Exception {
        agrees(during("sound", () -> {}, () -> {}));
    }

    @Test
    void aServerThatIsKilledAndComesBackEmpty() throws Exception {
        Callers.Told told = during("killed", server::kill, () -> {
            server.restart();
            proxy.cut();
        });
        assertThat(used()).isLessThanOrEqualTo(told.granted() + told.unsure());
        assertThat(told.causes()).doesNotContainKeys(Cause.ERROR, Cause.OUT_OF_MEMORY);
    }

    @Test
    void aServerThatStandsStill() throws Exception {
        Callers.Told told = during("stopped", server::freeze, server::thaw);
        agrees(told);
        assertThat(told.causes()).containsKeys(Cause.TIMEOUT, Cause.BREAKER_OPEN);
    }

    @Test
    void aHalfOpenConnection() throws Exception {
        Callers.Told told = during("half open", proxy::fallSilent, () -> {});
        agrees(told);
        assertThat(told.causes()).containsKeys(Cause.TIMEOUT, Cause.BREAKER_OPEN);
    }

    @Test
    void swallowedAnswersAndANewConnection() throws Exception {
        agrees(during("swallowed", proxy::swallowAnswers, proxy::cut));
    }

    @Test
    void aServerThatIsSlow() throws Exception {
        agrees(during(
                "slow",
                () -> {
                    for (int i = 0; i < 5; i++) {
                        server.tell("DEBUG", "SLEEP", "0.03");
                    }
                },
                () -> {}));
    }

    @Test
    void aServerThatIsToldToPause() throws Exception {
        agrees(during("paused", () -> server.commands().clientPause(300), () -> {}));
    }

    @Test
    void scriptsThatAreForgottenAgainAndAgain() throws Exception {
        long loads = server.calls("script|load");
        Callers.Told told = during(
                "flushed",
                () -> {
                    for (int i = 0; i < 20; i++) {
                        server.commands().scriptFlush();
                    }
                },
                () -> {});
        agrees(told);
        assertThat(told.causes()).doesNotContainKey(Cause.ERROR);
        // Four scripts are under way at most, and each that was forgotten is loaded by one of them; the rest are those
        // of the pulse.
        assertThat(server.calls("script|load") - loads).isLessThan(20 * 5);
    }

    @Test
    void aServerWithoutMemory() throws Exception {
        Callers.Told told = during(
                "out of memory",
                () -> server.commands().configSet("maxmemory", "1"),
                () -> server.commands().configSet("maxmemory", "0"));
        agrees(told);
        assertThat(told.causes()).containsKey(Cause.OUT_OF_MEMORY).doesNotContainKey(Cause.ERROR);
    }

    /** The clock of one instance is half a minute ahead, that of the other as much behind: the server's decides. */
    @Test
    void clocksThatAreAMinuteApart() throws Exception {
        long half = Duration.ofSeconds(30).toNanos();
        FleetCharge scarce = charge("scarce", "all", "5000/30d");
        RedisSettings settings = RedisSettings.of(server.address()).timeout(PATIENT);
        try (RedisStore ahead = RedisStore.startBy(
                        settings.instance("ahead"), () -> Ticker.wall().nanos() + half);
                RedisStore behind = RedisStore.startBy(
                        settings.instance("behind"), () -> Ticker.wall().nanos() - half)) {
            now(ahead.connected());
            now(behind.connected());
            try (Callers callers = new Callers(number -> ask(number % 2 == 0 ? ahead : behind, scarce))) {
                callers.untilAnswered(100);
                until(() -> left(ahead, scarce) == 0);
                callers.untilAnswered(2);
                Callers.Told told = callers.stop();
                assertThat(told.granted()).isEqualTo(5_000);
                assertThat(told.causes()).isEmpty();
            }
        }
    }
}
