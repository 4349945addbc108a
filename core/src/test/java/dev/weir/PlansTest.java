package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.perKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.policy.AddressRange;
import dev.weir.policy.Budget;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Identity;
import dev.weir.policy.Key;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Missing;
import dev.weir.policy.Plans;
import dev.weir.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which budget a key gets: override, plan, limit. */
class PlansTest {

    private static final Limit LIMIT =
            perKey("api", fixed("2/m")).plans(Map.of("pro", fixed("5/m"), "free", fixed("3/m")));
    private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");

    static Plans fromAttribute(String name) {
        return new Plans(Optional.of(new Plans.Source.Attribute(name)), Optional.empty());
    }

    private static Plans rows(String defaultPlan, Map<String, Plans.Row> rows) {
        return new Plans(Optional.of(new Plans.Source.Rows(rows)), Optional.ofNullable(defaultPlan));
    }

    private static Plans.Row row(String plan, String until) {
        return new Plans.Row(plan, Optional.ofNullable(until).map(Instant::parse));
    }

    private static Scene scene(Plans plans, Limit limit) {
        return new Scene(Policy.builder().plans(plans).limit(limit).build());
    }

    @Test
    void fromAnAttribute() {
        Scene scene = scene(fromAttribute("plan"), LIMIT);
        assertThat(scene.passing(TestCall.by("p").attribute("plan", "pro"), 9)).isEqualTo(5);
        assertThat(scene.passing(TestCall.by("n"), 9)).isEqualTo(2);
        assertThat(scene.passing(TestCall.by("o").attribute("plan", "other"), 9))
                .isEqualTo(2);
        assertThat(scene.passing(TestCall.by("e").attribute("plan", ""), 9)).isEqualTo(2);
    }

    @Test
    void fromAHeaderOfTrustedProxiesOnly() {
        Identity trusting =
                new Identity(List.of(AddressRange.parse("10.0.0.0/8")), ClientIp.PEER, 32, 64, Optional.empty());
        Scene scene = new Scene(Policy.builder()
                .identity(trusting)
                .plans(new Plans(Optional.of(new Plans.Source.Header("X-Plan")), Optional.of("free")))
                .limit(LIMIT)
                .build());
        assertThat(scene.passing(TestCall.by("a").header("X-Plan", " pro ").peer("10.1.2.3"), 9))
                .isEqualTo(5);
        assertThat(scene.passing(TestCall.by("b").header("X-Plan", "pro").peer("11.1.2.3"), 9))
                .isEqualTo(3);
        assertThat(scene.passing(TestCall.by("c").header("X-Plan", "").peer("10.1.2.3"), 9))
                .as("an empty header names no plan")
                .isEqualTo(3);
    }

    @Test
    void fromRowsUntilTheyEnd() {
        Scene scene = scene(rows("free", Map.of(KeyDigest.sha256("k"), row("pro", "2026-03-02T00:00:00Z"))), LIMIT);
        assertThat(scene.passing(TestCall.by("k"), 9)).isEqualTo(5);
        scene.at(MARCH.plus(Duration.ofDays(1)).minusNanos(1));
        assertThat(scene.passing(TestCall.by("k"), 9)).isEqualTo(5);
        scene.at(MARCH.plus(Duration.ofDays(1)));
        assertThat(scene.passing(TestCall.by("k"), 9)).isEqualTo(3);
        assertThat(scene.passing(TestCall.by("unknown"), 9)).isEqualTo(3);
    }

    @Test
    void aCallWithoutAKeyOfItsOwnHasNoRow() {
        Scene scene = scene(rows(null, Map.of(KeyDigest.sha256("192.0.2.1"), row("pro", null))), LIMIT);
        assertThat(scene.passing(TestCall.of("/"), 9)).isEqualTo(2);
    }

    @Test
    void unknownKeysAreRefusedCountedByAnotherOrTakenAsDefault() {
        Plans rows = rows("free", Map.of(KeyDigest.sha256("known"), row("pro", null)));
        Scene reject = scene(rows, LIMIT.unknown(new Missing.Reject(false)));
        assertThat(reject.rejected(TestCall.by("x")).reason()).isEqualTo(Reason.KEY_UNKNOWN);
        assertThat(reject.passing(TestCall.by("known"), 9)).isEqualTo(5);
        assertThat(scene(rows, LIMIT.unknown(new Missing.Reject(true)))
                        .rejected(TestCall.by("x"))
                        .reason())
                .isEqualTo(Reason.KEY_UNKNOWN_UNAUTHORIZED);
        Scene byAddress = scene(rows, LIMIT.unknown(new Missing.CountBy(Key.CLIENT_IP)));
        int passing = 0;
        for (int i = 0; i < 10; i++) {
            passing += byAddress.passes(TestCall.by("made-up-" + i)) ? 1 : 0;
        }
        assertThat(passing).as("ten made-up keys of one address").isEqualTo(3);
        assertThat(byAddress.passing(TestCall.by("known"), 9)).isEqualTo(5);
        Scene byDefault = scene(rows, LIMIT);
        assertThat(byDefault.passing(TestCall.by("x"), 9)).isEqualTo(3);
        assertThat(byDefault.passing(TestCall.by("y"), 9)).isEqualTo(3);
    }

    @Test
    void anOverrideComesBeforeThePlanAndEndsByItself() {
        Limit overridden = LIMIT.overrides(Map.of(
                KeyDigest.sha256("k"),
                new KeyOverride(fixed("7/m"), Optional.of(MARCH.plus(Duration.ofDays(1))), Optional.empty()),
                KeyDigest.sha256("banned"),
                new KeyOverride(new Budget.Deny(), Optional.empty(), Optional.of("abuse"))));
        Scene scene = scene(fromAttribute("plan"), overridden);
        TestCall call = TestCall.by("k").attribute("plan", "pro");
        assertThat(scene.passing(call, 9)).isEqualTo(7);
        scene.at(MARCH.plus(Duration.ofDays(1)).minusSeconds(1));
        assertThat(scene.passing(call, 9)).isEqualTo(7);
        scene.at(MARCH.plus(Duration.ofDays(1)));
        assertThat(scene.passing(call, 9)).isEqualTo(5);
        assertThat(scene.rejected(TestCall.by("banned").attribute("plan", "pro"))
                        .reason())
                .isEqualTo(Reason.DENIED);
    }

    @Test
    void changingThePlanKeepsWhatWasUsed() {
        Scene scene = scene(fromAttribute("plan"), LIMIT);
        assertThat(scene.passing(TestCall.by("k").attribute("plan", "free"), 9)).isEqualTo(3);
        assertThat(scene.passing(TestCall.by("k").attribute("plan", "pro"), 9)).isEqualTo(2);
        assertThat(scene.passing(TestCall.by("k").attribute("plan", "free"), 9)).isZero();
    }

    @Test
    void aPlanCountsAsItsLimitDoes() {
        Limit mixed = LIMIT.plans(Map.of("pro", new Budget.InFlight(3)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scene.policy(mixed))
                .withMessageContaining("fixed-window")
                .withMessageContaining("in-flight");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scene.policy(LIMIT.plans(Map.of("pro", Scene.rate("3/m")))));
    }
}
