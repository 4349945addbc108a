package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.load.Outcome;
import dev.weir.policy.AddressRange;
import dev.weir.policy.Budget;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Cost;
import dev.weir.policy.Identity;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Policy;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What calls cost, and how a charge is corrected once the answer is known. */
class CostsTest {

    private static final TestCall A = TestCall.by("a");
    private static final Cost.SettleBy HEADER = new Cost.SettleBy.ResponseHeader("X-Tokens");

    private static Limit estimated(String rate, long estimate, Cost.SettleBy by) {
        return perKey("tokens", rate(rate)).cost(new Cost.Estimated(estimate, by));
    }

    private static Answer answer(String header) {
        return new Answer(
                OptionalInt.of(200),
                OptionalLong.empty(),
                OptionalLong.empty(),
                name -> name.equals("X-Tokens") ? List.of(header) : List.of());
    }

    @Test
    void aListTakesTheFirstThatMatchesAndElseOne() {
        Scene scene = new Scene(perKey("api", fixed("10/m"))
                .cost(new Cost.ByMatch(List.of(
                        new Cost.ByMatch.Rule(Match.path("/export/small"), 2),
                        new Cost.ByMatch.Rule(Match.path("/export/**"), 5),
                        new Cost.ByMatch.Rule(Match.path("/free"), 0)))));
        assertThat(cost(scene, "/export/small")).isEqualTo(2);
        assertThat(cost(scene, "/export/all")).isEqualTo(5);
        assertThat(cost(scene, "/free")).isZero();
        assertThat(cost(scene, "/else")).isEqualTo(1);
        assertThat(scene.left("api", A)).isEqualTo(2);
    }

    private static long cost(Scene scene, String path) {
        return Scene.judged(scene.admitted(TestCall.of(path).header("X-Api-Key", "a")), "api")
                .cost();
    }

    @Test
    void aCostOfZeroPassesAlwaysAndCountsNothing() {
        Scene scene = new Scene(perKey("api", fixed("1/m"))
                .cost(new Cost.ByMatch(List.of(new Cost.ByMatch.Rule(Match.path("/free"), 0)))));
        TestCall free = TestCall.of("/free").header("X-Api-Key", "a");
        assertThat(scene.passing(free, 9)).isEqualTo(9);
        assertThat(scene.passing(A, 9)).isEqualTo(1);
        assertThat(scene.passing(free, 9)).isEqualTo(9);
    }

    @Test
    void costsBelowZeroAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost.Fixed(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost.ByMatch.Rule(Match.ANY, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost.Estimated(-1, HEADER));
        Permit permit = new Scene(estimated("10/m", 4, HEADER)).admitted(A).permit();
        assertThatIllegalArgumentException().isThrownBy(() -> permit.settle(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> permit.settle("tokens", -1));
    }

    @Test
    void aHeadersCostIsClampedAndBelievedFromTrustedPeersOnly() {
        Identity identity =
                new Identity(List.of(AddressRange.parse("10.0.0.0/8")), ClientIp.PEER, 32, 64, Optional.empty());
        Scene scene = new Scene(Policy.builder()
                .identity(identity)
                .limit(perKey("api", new Budget.Rate(RateLimit.parse("10/s").burst(20)))
                        .cost(new Cost.FromHeader("X-Cost")))
                .build());
        for (String[] row : new String[][] {
            {"7", "7"}, {"0", "1"}, {"-5", "1"}, {"999", "20"}, {"1e3", "1"}, {" 3 ", "3"}, {"", "1"}, {"3.5", "1"}
        }) {
            assertThat(headerCost(scene, "10.0.0.1", row[0])).as(row[0]).isEqualTo(Long.parseLong(row[1]));
            assertThat(headerCost(scene, "192.0.2.1", row[0])).as(row[0]).isEqualTo(1);
        }
    }

    private static long headerCost(Scene scene, String peer, String cost) {
        Decision.Admitted in = scene.admitted(TestCall.by("a").peer(peer).header("X-Cost", cost));
        in.permit().undo();
        return in.judged().get(0).cost();
    }

    @Test
    void anEstimateIsSettledOnceByAHeader() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER));
        Permit permit = scene.admitted(A).permit();
        permit.answered(answer("50"));
        permit.answered(answer("0"));
        permit.settle(0);
        assertThat(scene.left("tokens", A)).isEqualTo(950);
        permit.release(Outcome.SUCCESS);
        scene.admitted(A).permit().answered(answer(" 700 "));
        assertThat(scene.left("tokens", A)).isEqualTo(250);
    }

    @Test
    void anAnswerThatDoesNotTellLeavesTheEstimate() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER));
        for (String said : List.of("many", "-5", "", "1.5")) {
            Permit permit = scene.admitted(A).permit();
            permit.answered(answer(said));
            assertThat(scene.left("tokens", TestCall.by("a"))).as(said).isEqualTo(800);
            permit.undo();
        }
        scene.admitted(A).permit().answered(Answer.ofStatus(200));
        assertThat(scene.left("tokens", A)).isEqualTo(800);
    }

    @Test
    void aNumberBeyondAllNumbersIsTheMostThereIs() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER));
        scene.admitted(A).permit().answered(answer("99999999999999999999"));
        assertThat(scene.left("tokens", A)).isZero();
    }

    @Test
    void byBytesAndByDuration() {
        Scene bytes = new Scene(estimated("1000/h", 200, new Cost.SettleBy.ResponseBytes()));
        bytes.admitted(A).permit().answered(timed(345, 0));
        assertThat(bytes.left("tokens", A)).isEqualTo(655);
        Scene millis = new Scene(estimated("1000/h", 200, new Cost.SettleBy.DurationMillis()));
        millis.admitted(A).permit().answered(timed(0, 12_000_001));
        assertThat(millis.left("tokens", A)).isEqualTo(987);
    }

    @Test
    void lengthsBelowZeroAreUnknownAndMintNothing() {
        for (Cost.SettleBy by :
                List.of(new Cost.SettleBy.ResponseBytes(), (Cost.SettleBy) new Cost.SettleBy.DurationMillis())) {
            Scene scene = new Scene(estimated("1000/h", 200, by));
            scene.admitted(A);
            scene.admitted(A).permit().answered(timed(-1, -5_000_000));
            assertThat(scene.left("tokens", A)).isEqualTo(600);
            scene.admitted(A).permit().answered(timed(Long.MIN_VALUE, Long.MIN_VALUE));
            assertThat(scene.left("tokens", A)).isEqualTo(400);
        }
    }

    private static Answer timed(long bytes, long nanos) {
        return new Answer(OptionalInt.of(200), OptionalLong.of(bytes), OptionalLong.of(nanos), name -> List.of());
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void whatCostMoreThanIsLeftBecomesDebtOfOneCapacityAtMost(Algorithm algorithm) {
        Scene scene = new Scene(
                perKey("tokens", new Budget.Rate(RateLimit.parse("10/m").algorithm(algorithm)))
                        .cost(new Cost.Estimated(1, HEADER)));
        scene.admitted(A).permit().settle(14);
        assertThat(scene.left("tokens", A)).isZero();
        assertThat(scene.passes(A)).isFalse();
        Scene deep = new Scene(perKey("tokens", rate("10/10s")).cost(new Cost.Estimated(1, HEADER)));
        deep.admitted(A).permit().settle(1_000_000);
        assertThat(deep.rejected(A).retryAfterNanos())
                .hasValue(Duration.ofSeconds(11).toNanos());
    }

    @Test
    void settleNamesOneLimitOrAllThatEstimate() {
        Scene scene = new Scene(
                estimated("1000/h", 200, HEADER),
                forAll("all", fixed("5000/h")).cost(new Cost.Estimated(300, HEADER)),
                forAll("calls", fixed("100/h")));
        Permit permit = scene.admitted(A).permit();
        permit.settle("all", 1_000);
        permit.settle("calls", 50);
        permit.settle("nobody", 50);
        permit.settle(10);
        permit.settle(999);
        permit.settle("tokens", 999);
        Decision.Admitted next = scene.admitted(A);
        assertThat(Scene.judged(next, "tokens").standing().remaining()).isEqualTo(1000 - 10 - 200);
        assertThat(Scene.judged(next, "all").standing().remaining()).isEqualTo(5000 - 1000 - 300);
        assertThat(Scene.judged(next, "calls").standing().remaining()).isEqualTo(98);
    }

    @Test
    void undoAfterSettlingGivesBackWhatStillStands() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER));
        scene.admitted(A);
        Permit cheap = scene.admitted(A).permit();
        cheap.settle(50);
        cheap.undo();
        assertThat(scene.left("tokens", A))
                .as("150 were given back before, 50 now, none twice")
                .isEqualTo(800);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
    void aChargeIsKeptByStatusOnly(Algorithm algorithm) {
        Scene scene = new Scene(
                perKey("logins", new Budget.Rate(RateLimit.parse("5/15m").algorithm(algorithm)))
                        .keepIfStatus(Set.of(401, 403)));
        for (int i = 0; i < 50; i++) {
            Permit permit = scene.admitted(A).permit();
            permit.answered(Answer.ofStatus(200));
            permit.release(Outcome.SUCCESS);
        }
        for (int i = 0; i < 5; i++) {
            scene.admitted(A).permit().answered(Answer.ofStatus(i % 2 == 0 ? 401 : 403));
        }
        assertThat(scene.passes(A)).isFalse();
        scene.advance(Duration.ofMinutes(3));
        Scene silent = new Scene(perKey("logins", rate("1/h")).keepIfStatus(Set.of(401)));
        silent.admitted(A).permit().release(Outcome.SUCCESS);
        assertThat(silent.passes(A)).as("never told, the charge stands").isFalse();
    }

    @Test
    void aForgivenChargeIsForgivenAfterSettlingToo() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER).keepIfStatus(Set.of(200)));
        Permit permit = scene.admitted(A).permit();
        permit.settle(120);
        permit.answered(Answer.ofStatus(500));
        permit.undo();
        assertThat(scene.left("tokens", A)).isEqualTo(1000);
    }

    @Test
    void anAnswerThatThrowsIsCountedAndTheEstimateStands() {
        Scene scene = new Scene(estimated("1000/h", 200, HEADER));
        scene.admitted(A)
                .permit()
                .answered(new Answer(OptionalInt.of(200), OptionalLong.empty(), OptionalLong.empty(), name -> {
                    throw new IllegalStateException("headers are gone");
                }));
        assertThat(scene.weir.errors()).isEqualTo(1);
        assertThat(scene.left("tokens", A)).isEqualTo(800);
    }
}
