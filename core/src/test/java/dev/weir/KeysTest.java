package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.perKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.AddressRange;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Identity;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.policy.Policy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is counted, and what becomes of calls that do not say who they are. */
class KeysTest {

    private static final Limit ONE = perKey("one", fixed("1/m"));

    private static Scene by(Key key) {
        return new Scene(Limit.of("one", key, fixed("1/m")).ifMissing(new Missing.Skip()));
    }

    /** The first two are one key; the third is another; the fourth has none and is not counted. */
    private static void assertKeys(Scene scene, TestCall first, TestCall same, TestCall other, TestCall none) {
        assertThat(scene.passes(first)).isTrue();
        assertThat(scene.passes(same)).as("the same key").isFalse();
        assertThat(scene.passes(other)).as("another key").isTrue();
        assertThat(scene.passing(none, 3)).as("no key").isEqualTo(3);
    }

    @Test
    void aCallWithoutAKeyIsCountedByItsAddress() {
        Scene scene = new Scene(ONE);
        assertThat(scene.passing(TestCall.of("/").peer("192.0.2.1"), 100)).isEqualTo(1);
        assertThat(scene.passes(TestCall.of("/").header("X-Api-Key", "").peer("192.0.2.1")))
                .as("an empty key is none")
                .isFalse();
        assertThat(scene.passes(TestCall.of("/").header("X-Api-Key", "  ").peer("192.0.2.1")))
                .isFalse();
        assertThat(scene.passes(TestCall.of("/").peer("192.0.2.2"))).isTrue();
    }

    @Test
    void aFallbacksKeysAreNotTheLimitsOwn() {
        Scene scene = new Scene(ONE);
        assertThat(scene.passing(TestCall.by("192.0.2.9"), 5)).isEqualTo(1);
        assertThat(scene.passes(TestCall.of("/").peer("192.0.2.9"))).isTrue();
        assertThat(scene.passes(TestCall.of("/").peer("192.0.2.9"))).isFalse();
    }

    @Test
    void skipAndReject() {
        assertThat(new Scene(ONE.ifMissing(new Missing.Skip())).passing(TestCall.of("/"), 50))
                .isEqualTo(50);
        Decision.Rejected no = new Scene(ONE.ifMissing(new Missing.Reject(false))).rejected(TestCall.of("/"));
        assertThat(no.reason()).isEqualTo(Reason.KEY_MISSING);
        assertThat(no.retryAfterNanos()).isEmpty();
        assertThat(no.speaker()).contains("one");
        assertThat(new Scene(ONE.ifMissing(new Missing.Reject(true)))
                        .rejected(TestCall.of("/"))
                        .reason())
                .isEqualTo(Reason.KEY_MISSING_UNAUTHORIZED);
        assertThat(new Scene(ONE.ifMissing(new Missing.CountBy(new Key.Cookie("id"))))
                        .rejected(TestCall.of("/"))
                        .reason())
                .as("the fallback is missing too")
                .isEqualTo(Reason.KEY_MISSING);
    }

    @Test
    void headersTakeTheFirstLineInAnyCase() {
        assertKeys(
                by(new Key.Header("X-Id")),
                TestCall.of("/").header("x-id", "a", "b"),
                TestCall.of("/").header("X-ID", " a "),
                TestCall.of("/").header("X-Id", "A"),
                TestCall.of("/"));
    }

    @Test
    void cookies() {
        assertKeys(
                by(new Key.Cookie("sid")),
                TestCall.of("/").header("Cookie", "x=1; sid=abc; sid=other"),
                TestCall.of("/").header("Cookie", "x=2").header("Cookie", "sid=\"abc\""),
                TestCall.of("/").header("Cookie", "sid=abd"),
                TestCall.of("/").header("Cookie", "SID=abc; sidx=abc; sid"));
    }

    @Test
    void queryParameters() {
        assertKeys(
                by(new Key.Query("user id")),
                TestCall.of("/").query("a=1&user+id=J%C3%BCrgen"),
                TestCall.of("/").query("user%20id=J%c3%bcrgen&user+id=other"),
                TestCall.of("/").query("user+id=J%ZZrgen"),
                TestCall.of("/").query("user+id=&user+id=x"));
    }

    @Test
    void hosts() {
        assertKeys(
                by(new Key.Host()),
                TestCall.of("/").header("Host", "Api.Example.com:8443"),
                TestCall.of("/").header("Host", "api.example.COM."),
                TestCall.of("/").header("Host", "[2001:db8::1]:80"),
                TestCall.of("/"));
    }

    @Test
    void pathVariablesRoutesMethodsAndAttributes() {
        Match orders = Match.path("/orders/{id}/**", "/carts/{id}");
        Scene variable = new Scene(Limit.of("one", new Key.PathVariable("id"), fixed("1/m"))
                .match(orders)
                .ifMissing(new Missing.Skip()));
        assertKeys(
                variable,
                TestCall.of("/orders/7/lines"),
                TestCall.of("/carts/7"),
                TestCall.of("/orders/8"),
                TestCall.of("/other"));
        assertKeys(
                by(new Key.Route()),
                TestCall.of("/a").route("r"),
                TestCall.of("/b").route("r"),
                TestCall.of("/a").route("s"),
                TestCall.of("/a"));
        assertKeys(
                by(new Key.Attribute("user")),
                TestCall.of("/").attribute("user", "u"),
                TestCall.of("/x").attribute("user", "u"),
                TestCall.of("/").attribute("user", "v"),
                TestCall.of("/"));
        Scene method = by(new Key.Method());
        assertThat(method.passes(TestCall.of("/").method("GET"))).isTrue();
        assertThat(method.passes(TestCall.of("/").method("get"))).isTrue();
        assertThat(method.passes(TestCall.of("/").method("GET"))).isFalse();
    }

    @Test
    void theSumCountsWhereAllAreOneKey() {
        Scene scene = new Scene(Limit.of("all", Key.ALL, fixed("3/m")));
        assertThat(scene.passes(TestCall.by("a"))).isTrue();
        assertThat(scene.passes(TestCall.by("b"))).isTrue();
        assertThat(scene.passes(TestCall.of("/"))).isTrue();
        assertThat(scene.passes(TestCall.by("c"))).isFalse();
    }

    @Test
    void partsOfACompositeKeyCannotBeShifted() {
        Key pair = new Key.Composite(List.of(new Key.Header("X-A"), new Key.Header("X-B")));
        String[][] all = {
            {"a:b", "c"}, {"a", "b:c"}, {"a\",\"b", "c"}, {"a", "b\",\"c"}, {"a\\", "b"}, {"a", "\\b"}, {"a\\\"", "b"},
            {"a", "b"}, {"b", "a"}, {"[\"a\"", "b"}, {"a,b", "c"}, {"a", "b,c"}, {"ab", "c"}, {"a", "bc"}
        };
        Scene scene = by(pair);
        for (String[] two : all) {
            assertThat(scene.passes(TestCall.of("/").header("X-A", two[0]).header("X-B", two[1])))
                    .as(String.join(" | ", two))
                    .isTrue();
        }
        for (String[] two : all) {
            assertThat(scene.passes(TestCall.of("/").header("X-A", two[0]).header("X-B", two[1])))
                    .as(String.join(" | ", two))
                    .isFalse();
        }
        assertThat(scene.passing(TestCall.of("/").header("X-A", "a"), 5))
                .as("a part is missing")
                .isEqualTo(5);
    }

    @Test
    void addressesBehindTrustedProxies() {
        Identity identity = new Identity(
                List.of(AddressRange.parse("10.0.0.0/8")), ClientIp.X_FORWARDED_FOR, 32, 64, Optional.empty());
        Scene scene = new Scene(Policy.builder()
                .identity(identity)
                .limit(Limit.of("one", Key.CLIENT_IP, fixed("1/m")))
                .build());
        assertThat(scene.passes(via("10.0.0.1", "1.1.1.1, 192.168.0.2"))).isTrue();
        assertThat(scene.passes(via("10.0.0.1", "2.2.2.2, 192.168.0.2")))
                .as("what the client put in front does not count")
                .isFalse();
        assertThat(scene.passes(via("203.0.113.5", "8.8.8.8"))).isTrue();
        assertThat(scene.passes(via("203.0.113.5", "9.9.9.9")))
                .as("an untrusted peer is the client")
                .isFalse();
    }

    @Test
    void addressesOfOnePrefixAreOneCaller() {
        Scene scene = new Scene(Limit.of("ten", Key.CLIENT_IP, fixed("10/m")));
        int passing = 0;
        for (int i = 0; i < 100; i++) {
            passing += scene.passes(TestCall.of("/").peer("2001:db8:1:2::" + Integer.toHexString(i))) ? 1 : 0;
        }
        assertThat(passing).isEqualTo(10);
        assertThat(scene.passes(TestCall.of("/").peer("2001:db8:1:3::1"))).isTrue();
        assertThat(scene.passing(TestCall.of("/").peer("10.116.4.32"), 7)).isEqualTo(7);
        assertThat(scene.passing(TestCall.of("/").peer("::ffff:a74:420"), 7))
                .as("mapped, the same address")
                .isEqualTo(3);
    }

    private static TestCall via(String peer, String forwarded) {
        return TestCall.of("/").peer(peer).header("X-Forwarded-For", forwarded);
    }

    @Test
    void manyMadeUpKeysOfCallersWithoutOneShareNothing() {
        Scene scene = new Scene(perKey("api", fixed("5/m")));
        for (int i = 0; i < 300; i++) {
            assertThat(scene.passes(TestCall.of("/").peer("198.51." + i / 200 + "." + i % 200)))
                    .isTrue();
        }
    }
}
