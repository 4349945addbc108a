package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.policy;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.policy.Budget;
import dev.weir.policy.Changes;
import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reload conserves used units and calls in flight of every limit that is still the same. */
class ReloadTest {

    private static final TestCall A = TestCall.by("a");
    private static final Cost.SettleBy TOLD = new Cost.SettleBy.ResponseHeader("X-Tokens");

    private static Limit counted(String rate, Algorithm algorithm) {
        return perKey("api", new Budget.Rate(RateLimit.parse(rate).algorithm(algorithm)));
    }

    private static Limit bucket(String rate, long burst) {
        return perKey("api", new Budget.Rate(RateLimit.parse(rate).burst(burst)));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void theSamePolicyAHundredTimesChangesNothing(Algorithm algorithm) {
        Scene scene = new Scene(counted("10/m", algorithm));
        assertThat(scene.passing(A, 20)).isEqualTo(10);
        scene.advance(Duration.ofSeconds(3));
        Decision.Rejected before = scene.rejected(A);
        for (int i = 0; i < 100; i++) {
            Changes changes = scene.weir.reload(policy(counted("10/m", algorithm)));
            assertThat(changes).isEqualTo(new Changes(List.of("api"), List.of(), List.of(), List.of(), List.of()));
            assertThat(scene.rejected(A)).isEqualTo(before);
        }
        scene.weir.reload(policy(counted("20/m", algorithm)));
        assertThat(scene.passing(A, 20)).isEqualTo(10);
    }

    @Test
    void aFixedWindowRaisedAndLoweredWhileItRuns() {
        Scene scene = new Scene(counted("10000/h", Algorithm.FIXED_WINDOW)).at(Instant.parse("2026-03-01T10:15:00Z"));
        assertThat(scene.passing(A, 10_001)).isEqualTo(10_000);
        scene.at(Instant.parse("2026-03-01T10:16:00Z"));
        scene.weir.reload(policy(counted("15000/h", Algorithm.FIXED_WINDOW)));
        Decision.Admitted in = scene.admitted(A);
        assertThat(in.judged().get(0).standing().remaining()).isEqualTo(4_999);
        assertThat(in.judged().get(0).standing().resetNanos())
                .hasValue(Duration.ofMinutes(44).toNanos());
        in.permit().undo();
        scene.at(Instant.parse("2026-03-01T10:20:00Z"));
        scene.weir.reload(policy(counted("5000/h", Algorithm.FIXED_WINDOW)));
        Decision.Rejected no = scene.rejected(A);
        assertThat(no.judged().get(0).standing().remaining()).isZero();
        assertThat(no.retryAfterNanos()).hasValue(Duration.ofMinutes(40).toNanos());
        scene.at(Instant.parse("2026-03-01T11:00:00Z"));
        assertThat(scene.passing(A, 6_000)).isEqualTo(5_000);
    }

    @Test
    void aBucketRaisedAndLoweredKeepsItsDebt() {
        Scene scene = new Scene(bucket("1/s", 10));
        assertThat(scene.passing(A, 8)).isEqualTo(8);
        scene.weir.reload(policy(bucket("1/s", 20)));
        assertThat(scene.left("api", A)).isEqualTo(12);
        scene.weir.reload(policy(bucket("1/s", 5)));
        Decision.Rejected no = scene.rejected(A);
        assertThat(no.judged().get(0).standing().remaining()).isZero();
        assertThat(no.retryAfterNanos()).as("three of debt and one more").hasValue(4_000_000_000L);
        scene.advance(Duration.ofSeconds(4));
        assertThat(scene.passing(A, 5)).isEqualTo(1);
    }

    @Test
    void anotherNameKeyOrAlgorithmStartsFreshAndIsNamed() {
        Scene scene = new Scene(perKey("api", fixed("2/m")), perKey("keep", fixed("2/m")));
        assertThat(scene.passing(A, 5)).isEqualTo(2);
        Changes changes = scene.weir.reload(policy(perKey("renamed", fixed("2/m")), perKey("keep", fixed("4/m"))));
        assertThat(changes)
                .isEqualTo(new Changes(List.of("keep"), List.of(), List.of("renamed"), List.of("api"), List.of()));
        assertThat(scene.passing(A, 9)).isEqualTo(2);
        changes = scene.weir.reload(policy(forAll("renamed", fixed("2/m")), perKey("keep", rate("4/m"))));
        assertThat(changes.reset()).containsExactly("renamed", "keep");
        assertThat(scene.passing(A, 9)).isEqualTo(2);
    }

    @Test
    void aBrokenPolicyChangesNothing() {
        Limit limit = perKey("api", fixed("2/m"));
        Scene scene = new Scene(limit);
        assertThat(scene.passing(A, 1)).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> scene.weir.reload(policy(limit, limit)));
        assertThat(scene.weir.policy()).isEqualTo(policy(limit));
        assertThat(scene.passing(A, 5)).isEqualTo(1);
    }

    @Test
    void aChargeGivenBackAfterARaiseTakesNothingOfTheOthersAlong() {
        for (Algorithm algorithm : List.of(
                Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.SLIDING_LOG)) {
            Scene scene = new Scene(counted("10/h", algorithm));
            Permit early = scene.admitted(A).permit();
            scene.weir.reload(policy(counted("100/h", algorithm)));
            assertThat(scene.passing(A, 90)).isEqualTo(90);
            early.undo();
            assertThat(scene.left("api", A)).as(algorithm.policyName()).isEqualTo(10);
        }
    }

    @Test
    void whatAnOldEstimateTurnsOutToCostIsChargedUnderTheNewBudget() {
        for (Algorithm algorithm : List.of(Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW)) {
            Limit before = counted("10/h", algorithm).cost(new Cost.Estimated(1, TOLD));
            Scene scene = new Scene(before);
            Permit early = scene.admitted(A).permit();
            scene.weir.reload(policy(counted("1000/h", algorithm).cost(new Cost.Estimated(1, TOLD))));
            assertThat(scene.passing(A, 100)).isEqualTo(100);
            early.settle(51);
            assertThat(scene.left("api", A)).as(algorithm.policyName()).isEqualTo(1000 - 101 - 50);
        }
    }

    @Test
    void refillUnderAFasterRateIsNotGivenBackOnTop() {
        Scene scene = new Scene(bucket("1/s", 10));
        Permit early = scene.admitted(A).permit();
        scene.passing(A, 9);
        scene.weir.reload(policy(bucket("1000/s", 10)));
        assertThat(scene.passes(A)).isFalse();
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.passing(A, 20)).isEqualTo(10);
        early.undo();
        assertThat(scene.passes(A)).as("its unit had long come back by itself").isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void thousandsOfReloadsEachWithANewRateConserveWhatIsUsed(Algorithm algorithm) {
        int most = algorithm == Algorithm.SLIDING_LOG ? 900 : 5_000;
        Scene scene = new Scene(counted("20/h", algorithm).maxKeys(10_000));
        assertThat(scene.passing(A, 7)).isEqualTo(7);
        Permit early = scene.admitted(A).permit();
        scene.passing(TestCall.by("untouched"), 5);
        for (int i = 1; i <= most; i++) {
            Limit next = counted(20 + i + "/h", algorithm).maxKeys(10_000);
            assertThat(scene.weir.reload(policy(next)).kept()).containsExactly("api");
            if (i % 100 == 0) {
                assertThat(scene.left("api", A)).isEqualTo(20 + i - 8);
            }
        }
        assertThat(scene.left("api", TestCall.by("untouched"))).isEqualTo(20 + most - 5);
        early.undo();
        assertThat(scene.left("api", A)).isBetween(20L + most - 8, 20L + most - 7);
    }

    @Test
    void aFullTableKeepsThePlansThatAreStillThere() {
        Scene scene = new Scene(withOverride("10/h"));
        assertThat(scene.passing(A, 300)).isEqualTo(300);
        assertThat(scene.passing(TestCall.by("b"), 20)).isEqualTo(10);
        for (int i = 1; i <= 1_500; i++) {
            scene.weir.reload(policy(withOverride(10 + i + "/24h")));
        }
        assertThat(scene.left("api", A)).isEqualTo(200);
        scene.weir.reload(policy(withOverride("12/h")));
        assertThat(scene.passing(TestCall.by("b"), 20)).isEqualTo(2);
    }

    private static Limit withOverride(String rate) {
        return perKey("api", rate(rate))
                .maxKeys(5_000)
                .overrides(Map.of(
                        KeyDigest.sha256("a"), new KeyOverride(rate("500/24h"), Optional.empty(), Optional.empty())));
    }

    @Test
    void moreBudgetsThanATableKnowsAreRefusedBeforeAnythingChanges() {
        Map<String, KeyOverride> many = new HashMap<>();
        for (int i = 0; i < RateTable.MAX_BUDGETS; i++) {
            many.put(
                    KeyDigest.sha256("k" + i), new KeyOverride(rate(i + 2 + "/h"), Optional.empty(), Optional.empty()));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy(perKey("api", rate("1/h")).overrides(many)))
                .withMessageContaining("1025");
        many.remove(KeyDigest.sha256("k0"));
        Scene scene = new Scene(perKey("api", rate("1/h")).overrides(many));
        assertThat(scene.passing(TestCall.by("k9"), 20)).isEqualTo(11);
        assertThat(scene.passing(TestCall.by("x"), 20)).isEqualTo(1);
        scene.weir.reload(policy(perKey("api", rate("5000/h")).overrides(many)));
        assertThat(scene.passing(TestCall.by("k9"), 20)).isZero();
    }

    @Test
    void inFlightNextToRatesSurvives() {
        Limit held = Limit.of("held", Key.ALL, new Budget.InFlight(5));
        Scene scene = new Scene(held, perKey("api", rate("10/m")));
        Permit permit = scene.admitted(A).permit();
        for (int i = 0; i < 10; i++) {
            scene.weir.reload(policy(perKey("api", rate(10 + i + "/m")), held));
        }
        assertThat(scene.left("held", A)).isEqualTo(4);
        permit.close();
        assertThat(scene.left("held", A)).isEqualTo(5);
    }
}
