package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.judged;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Budget;
import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** All limits of a call are charged or none, and the longest wait speaks. */
class SeveralLimitsTest {

    private static final TestCall A = TestCall.by("a");
    private static final TestCall B = TestCall.by("b");

    @Test
    void whatOneLimitRefusesTheOtherDoesNotCount() {
        Scene scene = new Scene(perKey("minute", rate("10/m")), perKey("half-hour", rate("30/30m")));
        assertThat(scene.passing(A, 31)).isEqualTo(10);
        assertThat(judged(scene.weir.judge(A), "half-hour").standing().remaining())
                .isEqualTo(20);
        scene.advance(Duration.ofSeconds(60));
        assertThat(scene.passing(A, 31)).isEqualTo(10);
    }

    @Test
    void oneCallersRefusalsLeaveTheSharedLimitToOthers() {
        for (boolean sharedFirst : List.of(true, false)) {
            Limit user = perKey("user", fixed("1/m"));
            Limit all = forAll("all", fixed("10/m"));
            Scene scene = sharedFirst ? new Scene(all, user) : new Scene(user, all);
            assertThat(scene.passing(A, 20)).isEqualTo(1);
            assertThat(judged(scene.weir.judge(A), "all").standing().remaining())
                    .isEqualTo(9);
            assertThat(scene.passes(B)).isTrue();
        }
    }

    @Test
    void theLongestWaitSpeaks() {
        Scene scene = new Scene(perKey("short", fixed("10/10s")), perKey("long", fixed("15/20s")));
        assertThat(scene.passing(A, 10)).isEqualTo(10);
        scene.advance(Duration.ofSeconds(10));
        assertThat(scene.passing(A, 5)).isEqualTo(5);
        scene.advance(Duration.ofSeconds(1));

        Decision.Rejected no = scene.rejected(A);

        assertThat(no.reason()).isEqualTo(Reason.OVER_LIMIT);
        assertThat(no.speaker()).contains("long");
        assertThat(no.retryAfterNanos()).hasValue(9_000_000_000L);
        assertThat(no.judged()).extracting(Decision.Judged::limit).containsExactly("short", "long");
        assertThat(no.judged()).extracting(Decision.Judged::refused).containsExactly(false, true);
    }

    @Test
    void ofSeveralThatRefuseTheLongestSpeaksWhateverTheOrder() {
        Limit fast = perKey("fast", rate("1/s"));
        Limit slow = perKey("slow", rate("1/m"));
        for (Scene scene : List.of(new Scene(fast, slow), new Scene(slow, fast))) {
            assertThat(scene.passes(A)).isTrue();
            Decision.Rejected no = scene.rejected(A);
            assertThat(no.speaker()).contains("slow");
            assertThat(no.retryAfterNanos()).hasValue(60_000_000_000L);
            assertThat(judged(no, "fast").waitNanos()).isEqualTo(1_000_000_000L);
        }
    }

    @Test
    void theAnnouncedWaitIsExact() {
        Scene scene = new Scene(perKey("seven", rate("7/m")), perKey("three", rate("3/11s")));
        scene.passing(A, 3);
        long wait = scene.rejected(A).retryAfterNanos().orElseThrow();
        scene.advanceNanos(wait - 1);
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(1);
        scene.advanceNanos(1);
        assertThat(scene.passes(A)).isTrue();
    }

    @Test
    void whatNeverPassesHasNoWaitAndTouchesNothing() {
        Scene scene = new Scene(perKey("small", rate("5/s")).cost(new Cost.Fixed(6)), perKey("other", fixed("1/m")));
        scene.passes(TestCall.by("x"));
        Decision.Rejected no = scene.rejected(A);
        assertThat(no.reason()).isEqualTo(Reason.COST_ABOVE_LIMIT);
        assertThat(no.retryAfterNanos()).isEmpty();
        assertThat(no.speaker()).contains("small");
        assertThat(judged(no, "small").waitNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(judged(no, "other").standing().remaining()).isEqualTo(1);
    }

    @Test
    void denyAndUnlimited() {
        Limit limit = perKey("plans", fixed("2/m"))
                .plans(Map.of("internal", new Budget.Unlimited(), "banned", new Budget.Deny()));
        Scene scene = new Scene(Policy.builder()
                .plans(PlansTest.fromAttribute("plan"))
                .limit(limit)
                .limit(forAll("all", fixed("1000/m")))
                .build());
        assertThat(scene.passing(TestCall.by("i").attribute("plan", "internal"), 100))
                .isEqualTo(100);
        Decision.Rejected no = scene.rejected(TestCall.by("x").attribute("plan", "banned"));
        assertThat(no.reason()).isEqualTo(Reason.DENIED);
        assertThat(no.retryAfterNanos()).isEmpty();
        assertThat(no.speaker()).contains("plans");
        assertThat(judged(no, "all").standing().remaining()).isEqualTo(900);
        assertThat(scene.passing(TestCall.by("f"), 3)).isEqualTo(2);
    }

    @Test
    void aBurstAndItsRefillStepByStep() {
        Scene scene = new Scene(perKey(
                "api", new Budget.Rate(dev.weir.rate.RateLimit.parse("2/s").burst(5))));
        assertThat(scene.passing(A, 8)).isEqualTo(5);
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(500_000_000L);
        assertThat(judged(scene.admitted(B), "api").standing().remaining()).isEqualTo(4);
        scene.advance(Duration.ofMillis(499));
        assertThat(scene.passes(A)).isFalse();
        scene.advance(Duration.ofMillis(1));
        assertThat(scene.passes(A)).isTrue();
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.passing(A, 3)).isEqualTo(2);
    }

    @Test
    void exceptionsStandInsAndModesOff() {
        Scene scene = new Scene(
                perKey("per-key", fixed("1/m")).except(List.of(Match.path("/free/**"))),
                perKey("search", fixed("3/m")).match(Match.path("/search")).insteadOf(List.of("per-key")),
                forAll("off", fixed("1/h")).mode(Mode.OFF));
        assertThat(scene.passing(call("/search"), 5)).isEqualTo(3);
        assertThat(scene.passing(call("/other"), 5)).isEqualTo(1);
        assertThat(scene.passing(call("/free/x"), 50)).isEqualTo(50);
    }

    @Test
    void standInsReplaceThroughOthersAndShadowOnesReplaceNothing() {
        Limit first = perKey("first", fixed("9/m")).insteadOf(List.of("second"));
        Limit second = perKey("second", fixed("2/m")).insteadOf(List.of("third"));
        Limit third = perKey("third", fixed("1/m"));
        assertThat(new Scene(first, second, third).passing(A, 20)).isEqualTo(9);
        assertThat(new Scene(first.mode(Mode.SHADOW), second, third).passing(A, 20))
                .isEqualTo(2);
        assertThat(new Scene(first.mode(Mode.SHADOW), second.mode(Mode.SHADOW), third).passing(A, 20))
                .isEqualTo(1);
    }

    /** Whatever is refused or undone leaves every counter as if it had not come. */
    @Test
    void nothingForNothing() {
        Limit[] limits = {
            perKey("bucket", rate("7/s")),
            forAll("window", fixed("20/2s")),
            perKey("held", new Budget.InFlight(3)),
            perKey("rare", rate("2/s")).match(Match.path("/rare"))
        };
        Random random = new Random(11);
        Scene tried = new Scene(limits);
        Scene clean = new Scene(limits);
        for (int i = 0; i < 5_000; i++) {
            TestCall call =
                    TestCall.of(random.nextBoolean() ? "/rare" : "/").header("X-Api-Key", "k" + random.nextInt(4));
            Decision decision = tried.weir.judge(call);
            if (decision instanceof Decision.Admitted in && random.nextInt(3) > 0) {
                Decision same = clean.weir.judge(call);
                assertThat(same).isInstanceOf(Decision.Admitted.class);
                assertThat(same.judged()).isEqualTo(in.judged());
                if (random.nextInt(4) > 0) {
                    in.permit().close();
                    ((Decision.Admitted) same).permit().close();
                }
            } else if (decision instanceof Decision.Admitted in) {
                in.permit().undo();
            }
            long step = random.nextInt(200_000_000);
            tried.advanceNanos(step);
            clean.advanceNanos(step);
        }
    }

    @Test
    void nothingIsSaidWhereNothingApplies() {
        Decision.Admitted in =
                new Scene(perKey("api", rate("1/s")).match(Match.path("/api"))).admitted(TestCall.of("/other"));
        assertThat(in.judged()).isEmpty();
        assertThat(in.turnNanos()).isZero();
        assertThat(new Scene().admitted(A).judged()).isEmpty();
    }

    @Test
    void inFlightWaitsASecondAndSpeaksAsItself() {
        Scene scene = new Scene(Limit.of("held", Key.ALL, new Budget.InFlight(1)));
        scene.admitted(A);
        Decision.Rejected no = scene.rejected(A);
        assertThat(no.reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
        assertThat(no.retryAfterNanos()).isEqualTo(OptionalLong.of(1_000_000_000L));
    }

    private static TestCall call(String path) {
        return TestCall.of(path).header("X-Api-Key", "a");
    }
}
