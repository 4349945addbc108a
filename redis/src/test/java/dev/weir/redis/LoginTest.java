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

import dev.weir.policy.StoreSettings;
import dev.weir.rate.Charged;
import dev.weir.rate.Charged.Cause;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreFigures;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is spoken to in secret and asks who comes. */
final class LoginTest {

    private static final String PASSWORD = "open sesame!@/:";
    private static final FleetCharge CALL = charge("limit", "all", "100/30d");

    @TempDir
    private static Path folder;

    private static Certificate servers;
    private static Certificate strangers;
    private static Certificate ours;
    private static Server server;
    private static int securePort;

    @BeforeAll
    static void start() {
        servers = Certificate.make(folder, "server");
        strangers = Certificate.make(folder, "stranger");
        ours = Certificate.make(folder, "ours");
        securePort = Server.freePort();
        server = Server.start(
                "--tls-port",
                Integer.toString(securePort),
                "--tls-cert-file",
                servers.certificate().toString(),
                "--tls-key-file",
                servers.key().toString(),
                "--tls-ca-cert-file",
                ours.certificate().toString(),
                "--tls-auth-clients",
                "optional");
        // What the page of the module lists, on the names that it lists, and nothing else.
        server.tell(
                "ACL",
                "SETUSER",
                "fleet",
                "on",
                ">" + PASSWORD,
                "~w:*",
                "&w:*",
                "-@all",
                "+evalsha",
                "+script|load",
                "+ping",
                "+info",
                "+del",
                "+scan",
                "+subscribe",
                "+time",
                "+get",
                "+set",
                "+exists",
                "+pexpire",
                "+publish",
                "+@hash",
                "+@sortedset");
        server.tell("ACL", "SETUSER", "reader", "on", ">" + PASSWORD, "~*", "&*", "-@all", "+ping", "+info");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static StoreSettings policy(
            int port, Optional<StoreSettings.Login> login, Optional<StoreSettings.Tls> tls) {
        return new StoreSettings(
                new StoreSettings.Redis(
                        List.of(new StoreSettings.Node("127.0.0.1", port)), false, Optional.empty(), login, 0, tls),
                Duration.ofSeconds(1),
                true,
                1);
    }

    private static Optional<StoreSettings.Login> login(String user, String password) {
        return Optional.of(new StoreSettings.Login(Optional.of(user), password));
    }

    private static Optional<StoreSettings.Tls> trusting(Certificate certificate) {
        return Optional.of(new StoreSettings.Tls(
                Optional.of(certificate.certificate()), Optional.empty(), Optional.empty(), true));
    }

    private static RedisSettings patient(StoreSettings policy) {
        return RedisSettings.of(policy).timeout(PATIENT);
    }

    /** Everything that a store asks of a server, by a user that may do what the module's page lists. */
    private static void works(RedisSettings settings) {
        server.commands().flushall();
        FleetCharge few = inFlight("few", "all", 3);
        try (RedisStore store = store(settings)) {
            Charged.Granted granted = (Charged.Granted) ask(store, CALL, few, charge("log", "all", "3/m"));
            assertThat(left(store, CALL)).isEqualTo(99);
            assertThat(now(store.keys("limit", 10)).orElseThrow()).containsExactly(key("all"));
            assertThat(now(store.forget(CALL))).isTrue();
            assertThat(now(store.giveBack(granted.receipt()))).isTrue();
            until(() -> left(store, few) == 3);
            assertThat(now(store.settings().put("a", "b", Optional.empty()))).isPresent();
            until(() -> store.settings().snapshot().settings().containsKey("a"));
            until(() -> store.instances().orElse(0) == 1
                    && store.figures().maxmemoryPolicy().isPresent());
            until(() -> server.commands().pubsubNumsub("w:settings").get("w:settings") == 1);
            assertThat(store.figures().unavailable()).isEmpty();
            assertThat(store.figures().trouble()).isEmpty();
        }
    }

    @Test
    void inSecretAndByName() {
        works(patient(policy(securePort, login("fleet", PASSWORD), trusting(servers))));
    }

    @Test
    void byAnAddressThatSaysEverything() {
        works(RedisSettings.of("rediss://fleet:open%20sesame%21%40%2F%3A@127.0.0.1:" + securePort)
                .trusted(servers.certificate())
                .timeout(PATIENT));
    }

    @Test
    void withACertificateOfItsOwn() {
        server.commands().configSet("tls-auth-clients", "yes");
        try {
            works(patient(policy(
                    securePort,
                    login("fleet", PASSWORD),
                    Optional.of(new StoreSettings.Tls(
                            Optional.of(servers.certificate()),
                            Optional.of(ours.certificate()),
                            Optional.of(ours.key()),
                            true)))));
            isRefused(policy(securePort, login("fleet", PASSWORD), trusting(servers)), "");
        } finally {
            server.commands().configSet("tls-auth-clients", "optional");
        }
    }

    @Test
    void byPasswordAlone() {
        server.commands().configSet("requirepass", PASSWORD);
        try {
            Optional<StoreSettings.Login> nameless = Optional.of(new StoreSettings.Login(Optional.empty(), PASSWORD));
            works(patient(policy(server.port(), nameless, Optional.empty())));
            isRefused(policy(server.port(), Optional.empty(), Optional.empty()), "NOAUTH");
        } finally {
            server.commands().configSet("requirepass", "");
        }
    }

    /** Calls are answered at once, without the store; the reason is there to be read, and no password stands in it. */
    private static void isRefused(StoreSettings policy, String why) {
        try (RedisStore store = RedisStore.start(RedisSettings.of(policy))) {
            until(() -> store.figures().trouble().isPresent());
            assertThat(store.figures().trouble().orElseThrow())
                    .startsWith("127.0.0.1:")
                    .contains(why)
                    .doesNotContain(PASSWORD);
            Charged answer = ask(store, CALL);
            while (store.figures().state() == StoreFigures.State.CLOSED) {
                assertThat(answer).isEqualTo(new Charged.Unavailable(Cause.CONNECTION_REFUSED, false));
                answer = ask(store, CALL);
            }
            assertThat(ask(store, CALL)).isInstanceOf(Charged.Unavailable.class);
            assertThat(store.figures().unavailable().keySet())
                    .containsAnyOf(Cause.CONNECTION_REFUSED)
                    .isSubsetOf(Cause.CONNECTION_REFUSED, Cause.BREAKER_OPEN);
            assertThat(store.instances()).isEmpty();
        }
    }

    @Test
    void aWrongPassword() {
        isRefused(policy(securePort, login("fleet", "shut"), trusting(servers)), "WRONGPASS");
        isRefused(policy(server.port(), login("nobody", PASSWORD), Optional.empty()), "WRONGPASS");
    }

    @Test
    void aStrangersCertificate() {
        isRefused(policy(securePort, login("fleet", PASSWORD), trusting(strangers)), "certif");
    }

    /** The certificate names the address and not the name, so that only the name is wrong. */
    @Test
    void aCertificateOfAnotherName() {
        StoreSettings byName = new StoreSettings(
                new StoreSettings.Redis(
                        List.of(new StoreSettings.Node("localhost", securePort)),
                        false,
                        Optional.empty(),
                        login("fleet", PASSWORD),
                        0,
                        trusting(servers)),
                Duration.ofSeconds(1),
                true,
                1);
        try (RedisStore store = RedisStore.start(RedisSettings.of(byName))) {
            until(() -> store.figures().trouble().isPresent());
            assertThat(store.figures().trouble().orElseThrow()).contains("localhost");
            assertThat(granted(ask(store, CALL))).isFalse();
        }
    }

    /** A password that is put right is enough: nothing need be started again. */
    @Test
    void aPasswordThatBecomesRight() {
        try (RedisStore store =
                RedisStore.start(patient(policy(server.port(), login("late", PASSWORD), Optional.empty())))) {
            until(() -> store.figures().trouble().isPresent());
            server.tell("ACL", "SETUSER", "late", "on", ">" + PASSWORD, "~*", "&*", "+@all");
            now(store.connected());
            until(() -> granted(ask(store, CALL)));
            assertThat(store.figures().trouble()).isEmpty();
            assertThat(store.figures().state()).isEqualTo(StoreFigures.State.CLOSED);
        }
    }

    /** Who is let in and may not run scripts is told which right is missing. */
    @Test
    void aUserWithoutTheRights() {
        try (RedisStore store = store(patient(policy(server.port(), login("reader", PASSWORD), Optional.empty())))) {
            assertThat(ask(store, CALL)).isEqualTo(new Charged.Unavailable(Cause.ERROR, false));
            assertThat(store.figures().trouble().orElseThrow())
                    .contains("NOPERM")
                    .contains("evalsha");
        }
    }
}
