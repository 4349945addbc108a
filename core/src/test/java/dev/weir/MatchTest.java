package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.Criticality;
import dev.weir.policy.AddressRange;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Answers;
import dev.weir.policy.CallHeaders;
import dev.weir.policy.ClientIp;
import dev.weir.policy.CriticalityRules;
import dev.weir.policy.Identity;
import dev.weir.policy.Match;
import dev.weir.policy.PathPattern;
import dev.weir.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which calls a condition is about: limits, exemptions, preflights, criticality. */
class MatchTest {

    private static final Identity TRUSTING =
            new Identity(List.of(AddressRange.parse("10.0.0.0/8")), ClientIp.PEER, 32, 64, Optional.empty());

    @Test
    void eachField() {
        Match path = Match.path("/api/**");
        assertThat(path.matches(TestCall.of("/api"))).isTrue();
        assertThat(path.matches(TestCall.of("/apis"))).isFalse();

        Match method = match(List.of("GET", "POST"), List.of(), Map.of(), Map.of(), List.of(), List.of(), Map.of());
        assertThat(method.matches(TestCall.of("/").method("POST"))).isTrue();
        assertThat(method.matches(TestCall.of("/").method("post"))).isFalse();

        Match host = match(
                List.of(),
                List.of("API.example.com", "*.cdn.example.com"),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        assertThat(host.matches(TestCall.of("/").header("Host", "api.Example.com:80")))
                .isTrue();
        assertThat(host.matches(TestCall.of("/").header("Host", "a.b.cdn.example.com")))
                .isTrue();
        assertThat(host.matches(TestCall.of("/").header("Host", "cdn.example.com")))
                .isFalse();
        assertThat(host.matches(TestCall.of("/").header("Host", "evilcdn.example.com")))
                .isFalse();
        assertThat(host.matches(TestCall.of("/"))).isFalse();

        Match header = match(
                List.of(),
                List.of(),
                Map.of("X-Tier", List.of("a", "b"), "X-Any", List.of("*")),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        assertThat(header.matches(TestCall.of("/").header("x-tier", "b").header("X-Any", "x")))
                .isTrue();
        assertThat(header.matches(TestCall.of("/").header("x-tier", "b"))).isFalse();
        assertThat(header.matches(TestCall.of("/").header("x-tier", "c", "a").header("X-Any", "x")))
                .as("only the first line counts")
                .isFalse();

        Match query =
                match(List.of(), List.of(), Map.of(), Map.of("v", List.of("1 0")), List.of(), List.of(), Map.of());
        assertThat(query.matches(TestCall.of("/").query("x=1&v=1+0"))).isTrue();
        assertThat(query.matches(TestCall.of("/").query("v=2&v=1+0"))).isFalse();
        assertThat(query.matches(TestCall.of("/"))).isFalse();

        Match peer = match(
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(AddressRange.parse("10.0.0.0/8"), AddressRange.parse("::1")),
                List.of(),
                Map.of());
        assertThat(peer.matches(TestCall.of("/").peer("::ffff:10.1.1.1"))).isTrue();
        assertThat(peer.matches(TestCall.of("/").peer("11.0.0.1"))).isFalse();
        assertThat(peer.matches(TestCall.of("/").peer("not an address"))).isFalse();

        Match route = match(List.of(), List.of(), Map.of(), Map.of(), List.of(), List.of("orders"), Map.of());
        assertThat(route.matches(TestCall.of("/").route("orders"))).isTrue();
        assertThat(route.matches(TestCall.of("/"))).isFalse();

        Match attribute =
                match(List.of(), List.of(), Map.of(), Map.of(), List.of(), List.of(), Map.of("role", List.of("bot")));
        assertThat(attribute.matches(TestCall.of("/").attribute("role", "bot"))).isTrue();
        assertThat(attribute.matches(TestCall.of("/").attribute("role", "person")))
                .isFalse();
    }

    @Test
    void allFieldsMustHold() {
        Match both = new Match(
                List.of(PathPattern.parse("/a"), PathPattern.parse("/b")),
                List.of("GET"),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        assertThat(both.matches(TestCall.of("/b"))).isTrue();
        assertThat(both.matches(TestCall.of("/b").method("PUT"))).isFalse();
        assertThat(both.matches(TestCall.of("/c"))).isFalse();
        assertThat(Match.ANY.matches(TestCall.of("*").method("OPTIONS"))).isTrue();
    }

    private static Match match(
            List<String> method,
            List<String> host,
            Map<String, List<String>> header,
            Map<String, List<String>> query,
            List<AddressRange> peer,
            List<String> route,
            Map<String, List<String>> attribute) {
        return new Match(List.of(), method, host, header, query, peer, route, attribute);
    }

    @Test
    void preflightsAreSkippedOrCounted() {
        TestCall preflight = TestCall.of("/")
                .method("OPTIONS")
                .header("Origin", "https://a.example")
                .header("Access-Control-Request-Method", "PUT");
        Policy.Builder builder = Policy.builder().limit(forAll("one", fixed("1/m")));
        assertThat(new Scene(builder.build()).passing(preflight, 9)).isEqualTo(9);
        assertThat(new Scene(builder.build()).passing(TestCall.of("/").method("OPTIONS"), 9))
                .as("no preflight")
                .isEqualTo(1);
        Answers counting = new Answers(Answers.Generation.DRAFT_11, 0, false, true);
        assertThat(new Scene(builder.answers(counting).build()).passing(preflight, 9))
                .isEqualTo(1);
    }

    @Test
    void exemptCallsHoldNothingEvenWhileDraining() {
        Scene scene = new Scene(Policy.builder()
                .exempt(List.of(Match.path("/healthz")))
                .limit(forAll("one", fixed("1/m")))
                .build());
        assertThat(scene.passing(TestCall.of("/healthz"), 9)).isEqualTo(9);
        assertThat(scene.passing(TestCall.of("/"), 9)).isEqualTo(1);
        scene.advance(Duration.ofMinutes(1));
        scene.weir.close();
        assertThat(scene.passes(TestCall.of("/healthz"))).isTrue();
        Decision.Rejected no = scene.rejected(TestCall.of("/"));
        assertThat(no.reason()).isEqualTo(Reason.DRAINING);
        assertThat(no.speaker()).isEmpty();
        assertThat(no.retryAfterNanos()).isPresent();
    }

    @Test
    void limitsOfOtherPointsDoNotCountHere() {
        assertThat(new Scene(forAll("edge", fixed("1/m")).at(Set.of(AdmissionPoint.EDGE))).passing(TestCall.of("/"), 5))
                .isEqualTo(5);
        assertThat(new Scene(forAll("here", fixed("1/m")).at(Set.of(AdmissionPoint.EDGE, AdmissionPoint.SERVICE)))
                        .passing(TestCall.of("/"), 5))
                .isEqualTo(1);
    }

    @Test
    void criticalityByTheFirstRuleThatMatchesOrATrustedHeader() {
        Scene scene = new Scene(Policy.builder()
                .identity(TRUSTING)
                .callHeaders(new CallHeaders(Optional.empty(), Optional.of("X-Criticality")))
                .criticality(new CriticalityRules(
                        Criticality.SHEDDABLE_PLUS,
                        List.of(
                                new CriticalityRules.Rule(Match.path("/reports/urgent"), Criticality.CRITICAL_PLUS),
                                new CriticalityRules.Rule(Match.path("/reports/**"), Criticality.SHEDDABLE))))
                .build());
        assertThat(scene.admitted(TestCall.of("/reports/urgent")).criticality()).isEqualTo(Criticality.CRITICAL_PLUS);
        assertThat(scene.admitted(TestCall.of("/reports/x")).criticality()).isEqualTo(Criticality.SHEDDABLE);
        assertThat(scene.admitted(TestCall.of("/x")).criticality()).isEqualTo(Criticality.SHEDDABLE_PLUS);
        assertThat(scene.admitted(TestCall.of("/x").header("X-Criticality", "critical-plus"))
                        .criticality())
                .as("not from an untrusted peer")
                .isEqualTo(Criticality.SHEDDABLE_PLUS);
        assertThat(scene.admitted(TestCall.of("/reports/x").peer("10.0.0.1").header("X-Criticality", "critical-plus"))
                        .criticality())
                .isEqualTo(Criticality.CRITICAL_PLUS);
        assertThat(scene.admitted(TestCall.of("/reports/x").peer("10.0.0.1").header("X-Criticality", "VERY"))
                        .criticality())
                .as("an unknown word says nothing")
                .isEqualTo(Criticality.SHEDDABLE);
    }
}
