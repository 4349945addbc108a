package dev.weir;

import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Key;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told of limits and keys without a call. */
class StandingsTest {

    private static List<String> limits(List<KeyStanding> standings) {
        return standings.stream()
                .map(KeyStanding::line)
                .map(Bill.Line::limit)
                .map(Limit::name)
                .toList();
    }

    private static long remaining(Scene scene, String key) {
        return scene.weir.standings(key).get(0).standing().orElseThrow().remaining();
    }

    @Test
    void aKeyStandsWhereItsCallsLeftIt() {
        Scene scene = new Scene(perKey("api", rate("5/h")));
        scene.weir.judge(TestCall.by("a"));
        scene.weir.judge(TestCall.by("a"));

        assertThat(remaining(scene, "a")).isEqualTo(3);
        assertThat(remaining(scene, "b")).isEqualTo(5);
    }

    @Test
    void askingHoldsNoKeyAndCostsNothing() {
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm == Algorithm.QUOTA) {
                continue;
            }
            Scene scene = new Scene(
                    perKey("api", new Budget.Rate(RateLimit.parse("5/h").algorithm(algorithm))));
            long before = remaining(scene, "a");

            assertThat(remaining(scene, "a")).isEqualTo(before);
            assertThat(scene.weir.limits().get(0).keys()).isZero();
        }
    }

    @Test
    void aKeyOnAPlanThatOnlyItsCallsTellStaysOnIt() {
        Limit limit = perKey("api", rate("2/h")).plans(Map.of("pro", rate("100/h")));
        Scene scene = new Scene(Policy.builder()
                .plans(PlansTest.fromAttribute("plan"))
                .limit(limit)
                .build());
        Call pro = TestCall.by("a").attribute("plan", "pro");
        scene.weir.judge(pro);

        assertThat(remaining(scene, "a")).isEqualTo(99);

        scene.weir.judge(pro);
        assertThat(remaining(scene, "a")).isEqualTo(98);
    }

    @Test
    void onlyLimitsThatCouldCountTheKeyAreTold() {
        Scene scene = new Scene(
                perKey("by-key", rate("5/h")),
                Limit.of("by-address", Key.CLIENT_IP, rate("5/h")),
                forAll("everybody", rate("5/h")),
                perKey("off", rate("5/h")).mode(Mode.OFF));

        assertThat(limits(scene.weir.standings("a"))).containsExactly("by-key");
        assertThat(limits(scene.weir.standings("192.0.2.1"))).containsExactly("by-key", "by-key", "by-address");
        assertThat(limits(scene.weir.standings("all"))).containsExactly("by-key", "everybody");
    }

    @Test
    void anAddressStandsWhereItsPrefixIsCounted() {
        Scene scene = new Scene(Limit.of("by-address", Key.CLIENT_IP, rate("5/h")));
        scene.weir.judge(TestCall.of("/").peer("2001:db8::1"));

        assertThat(remaining(scene, "2001:db8::2")).isEqualTo(4);
        assertThat(remaining(scene, "2001:db8::/64")).isEqualTo(4);
    }

    @Test
    void aFallbackCountsApart() {
        Scene scene = new Scene(perKey("api", rate("5/h")).ifMissing(new Missing.CountBy(Key.CLIENT_IP)));
        scene.weir.judge(TestCall.of("/").peer("192.0.2.1"));

        List<KeyStanding> standings = scene.weir.standings("192.0.2.1");

        assertThat(standings)
                .extracting(standing -> standing.line().countedBy())
                .containsExactly(Scene.API_KEY, Key.CLIENT_IP);
        assertThat(standings)
                .extracting(standing -> standing.standing().orElseThrow().remaining())
                .containsExactly(5L, 4L);
    }

    @Test
    void whoIsNotCountedHasNoStanding() {
        Scene scene = new Scene(perKey("api", rate("5/h"))
                .overrides(Map.of(
                        KeyDigest.sha256("free"),
                        new KeyOverride(new Budget.Unlimited(), Optional.empty(), Optional.empty()),
                        KeyDigest.sha256("out"),
                        new KeyOverride(new Budget.Deny(), Optional.empty(), Optional.empty()))));

        assertThat(scene.weir.standings("free").get(0).line().overridden()).isTrue();
        assertThat(scene.weir.standings("free").get(0).standing()).isEmpty();
        assertThat(scene.weir.standings("out").get(0).standing()).isEmpty();
    }

    @Test
    void whatIsInFlightStands() {
        Scene scene = new Scene(perKey("held", new Budget.InFlight(3)));
        scene.weir.judge(TestCall.by("a"));

        assertThat(remaining(scene, "a")).isEqualTo(2);
        assertThat(scene.weir.limits().get(0).keys()).isEqualTo(1);
    }

    @Test
    void aFullTableTellsWhoHadToLeave() {
        Scene scene = new Scene(perKey("api", rate("5/h")).maxKeys(4));
        for (int i = 0; i < 10; i++) {
            scene.weir.judge(TestCall.by("key " + i));
        }

        LimitFigures figures = scene.weir.limits().get(0);
        assertThat(figures.limit().name()).isEqualTo("api");
        assertThat(figures.keys()).isLessThanOrEqualTo(4);
        assertThat(figures.evictions()).isEqualTo(10 - figures.keys());
    }

    @Test
    void aListenerIsToldHowLongADecisionTook() {
        List<Long> took = new ArrayList<>();
        WeirListener listener = new WeirListener() {
            @Override
            public void decided(Call call, Decision decision, long tookNanos) {
                took.add(tookNanos);
            }
        };
        Scene scene = new Scene(Scene.policy(perKey("api", rate("5/h"))), listener);

        scene.weir.judge(TestCall.by("a"));

        assertThat(took).containsExactly(0L);
    }
}
