package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.policy;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Budget;
import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** A shadow limit is judged and recorded, and changes nothing else. */
class ShadowTest {

    private static final TestCall A = TestCall.by("a");

    /** The same calls with and without shadow limits: equal decisions, waits, turns and standings. */
    @RepeatedTest(10)
    void shadowIsSilent(RepetitionInfo repetition) {
        List<Limit> enforced = List.of(
                perKey("bucket", rate("7/s")).cost(new Cost.Estimated(2, new Cost.SettleBy.ResponseBytes())),
                forAll("window", fixed("20/2s")).match(Match.path("/w/**")),
                perKey("held", new Budget.InFlight(3)),
                forAll("queue", new Budget.Rate(RateLimit.parse("20/s").depth(9)))
                        .match(Match.path("/w/q")));
        List<Limit> with = new ArrayList<>();
        with.add(perKey("s1", rate("1/s")).mode(Mode.SHADOW).insteadOf(List.of("bucket", "held")));
        with.add(enforced.get(0));
        with.add(forAll("s2", new Budget.InFlight(1)).mode(Mode.SHADOW));
        with.add(enforced.get(1));
        with.add(Limit.of("s3", new Key.Header("X-No"), fixed("1/s"))
                .ifMissing(new Missing.Reject(true))
                .mode(Mode.SHADOW));
        with.add(enforced.get(2));
        with.add(enforced.get(3));
        with.add(forAll("s4", new Budget.Rate(RateLimit.parse("3/s").depth(4))).mode(Mode.SHADOW));
        with.add(perKey("s5", rate("1/s")).cost(new Cost.Fixed(9)).mode(Mode.SHADOW));
        Scene plain = new Scene(enforced.toArray(Limit[]::new));
        Scene shadowed = new Scene(with.toArray(Limit[]::new));
        Random random = new Random(repetition.getCurrentRepetition());
        List<Permit[]> open = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            TestCall call = TestCall.of(List.of("/", "/w/x", "/w/q").get(random.nextInt(3)))
                    .header("X-Api-Key", "k" + random.nextInt(3));
            Decision one = plain.weir.judge(call);
            Decision other = shadowed.weir.judge(call);
            assertThat(told(other)).isEqualTo(told(one));
            assertThat(one.shadows()).isEmpty();
            assertThat(other.shadows()).hasSize(5);
            if (one instanceof Decision.Admitted left && other instanceof Decision.Admitted right) {
                open.add(new Permit[] {left.permit(), right.permit()});
            }
            if (!open.isEmpty() && random.nextInt(10) < 7) {
                int way = random.nextInt(4);
                long actual = random.nextInt(6);
                for (Permit permit : open.remove(random.nextInt(open.size()))) {
                    if (way == 0) {
                        permit.undo();
                    } else {
                        permit.settle(actual);
                        permit.close();
                    }
                }
            }
            long step = random.nextInt(3) == 0 ? 0 : random.nextInt(100_000_000);
            plain.advanceNanos(step);
            shadowed.advanceNanos(step);
        }
    }

    private static List<Object> told(Decision decision) {
        return decision.fold(
                in -> List.of(in.turnNanos(), in.judged(), in.criticality(), in.waitedNanos()),
                no -> List.of(no.reason(), no.retryAfterNanos(), no.speaker(), no.judged(), no.waitedNanos()));
    }

    @Test
    void itTellsWhatItWouldHaveDoneAndKeepsItsCountWhenItIsEnforced() {
        Limit limit = perKey("two", fixed("2/m"));
        Scene scene = new Scene(limit.mode(Mode.SHADOW));
        List<Boolean> refused = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Decision.Judged judged = scene.admitted(A).shadows().get(0);
            refused.add(judged.refused());
            assertThat(judged.waitNanos())
                    .isEqualTo(i < 2 ? 0 : Duration.ofMinutes(1).toNanos());
        }
        assertThat(refused).containsExactly(false, false, true, true);
        assertThat(scene.weir.reload(policy(limit)).kept()).containsExactly("two");
        assertThat(scene.rejected(A).speaker()).contains("two");
        scene.weir.reload(policy(limit.mode(Mode.SHADOW)));
        assertThat(scene.passes(A)).isTrue();
    }

    @Test
    void itIsChargedOnlyForCallsThatAreAdmitted() {
        Scene scene = new Scene(
                perKey("hard", fixed("1/m")), perKey("soft", fixed("5/m")).mode(Mode.SHADOW));
        assertThat(scene.passing(A, 9)).isEqualTo(1);
        assertThat(Scene.judged(scene.rejected(A), "soft").standing().remaining())
                .isEqualTo(4);
    }

    @Test
    void whatItWouldRefuseWhateverWasUsedIsToldToo() {
        Scene scene = new Scene(
                Limit.of("id", Scene.API_KEY, fixed("9/m"))
                        .ifMissing(new Missing.Reject(false))
                        .mode(Mode.SHADOW),
                perKey("banned", fixed("9/m"))
                        .overrides(Map.of(
                                KeyDigest.sha256("a"),
                                new KeyOverride(new Budget.Deny(), Optional.empty(), Optional.empty())))
                        .mode(Mode.SHADOW));
        assertThat(Scene.judged(scene.admitted(TestCall.of("/")), "id").refused())
                .isTrue();
        assertThat(Scene.judged(scene.admitted(A), "banned").refused()).isTrue();
        assertThat(Scene.judged(scene.admitted(A), "id").refused()).isFalse();
    }

    @Test
    void aShareOfTheKeysIsEnforcedAlwaysTheSameOnes() {
        Limit limit = perKey("share", fixed("1/m")).mode(Mode.share(1_000));
        Scene scene = new Scene(limit);
        Set<Integer> enforced = new HashSet<>();
        for (int key = 0; key < 10_000; key++) {
            TestCall call = TestCall.by("key-" + key);
            Decision.Admitted in = scene.admitted(call);
            assertThat(in.judged().size() + in.shadows().size()).isEqualTo(1);
            if (!in.judged().isEmpty()) {
                enforced.add(key);
            }
            assertThat(scene.passes(call)).isEqualTo(in.judged().isEmpty());
        }
        assertThat(enforced.size()).isBetween(900, 1_100);
        Scene another = new Scene(limit);
        Set<Integer> salted = new HashSet<>();
        Scene otherName = new Scene(perKey("other", fixed("1/m")).mode(Mode.share(1_000)));
        Scene more = new Scene(limit.mode(Mode.share(5_000)));
        for (int key = 0; key < 10_000; key++) {
            TestCall call = TestCall.by("key-" + key);
            assertThat(!another.admitted(call).judged().isEmpty()).isEqualTo(enforced.contains(key));
            boolean inMore = !more.admitted(call).judged().isEmpty();
            assertThat(inMore || !enforced.contains(key))
                    .as("a greater share holds the smaller one")
                    .isTrue();
            if (!otherName.admitted(call).judged().isEmpty()) {
                salted.add(key);
            }
        }
        salted.retainAll(enforced);
        assertThat(salted.size()).as("by chance in both").isBetween(60, 140);
        assertThat(new Scene(limit.mode(Mode.share(0))).passing(A, 5)).isEqualTo(5);
        assertThat(new Scene(limit.mode(Mode.share(10_000))).passing(A, 5)).isEqualTo(1);
    }

    @Test
    void anEnforcedStandInReplacesShadowLimitsToo() {
        Scene scene = new Scene(Policy.builder()
                .limit(perKey("old", fixed("1/m")).mode(Mode.SHADOW))
                .limit(perKey("new", fixed("3/m")).insteadOf(List.of("old")))
                .build());
        assertThat(scene.admitted(A).shadows()).isEmpty();
    }
}
