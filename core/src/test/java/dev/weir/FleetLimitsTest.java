package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Changes;
import dev.weir.policy.Cost;
import dev.weir.policy.GateRule;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.policy.Scope;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.MemoryStore;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that several instances share, through a whole decision. */
class FleetLimitsTest {

    private final FakeTicker time = new FakeTicker(1_900_000_000_000_000_000L);
    private final MemoryStore store = new MemoryStore(time);
    private final List<String> told = new ArrayList<>();
    private int instances;

    private static Limit shared(String name, Budget budget) {
        return Scene.perKey(name, budget).scope(Scope.FLEET);
    }

    private Weir weir(Policy policy) {
        return weir(policy, store.instance("i" + instances++));
    }

    private Weir weir(Policy policy, RateStore line) {
        return Weir.builder(policy)
                .tickers(time, time)
                .store(line)
                .listener(new WeirListener() {
                    @Override
                    public void judgedLater(Call call, List<Decision.Judged> shadows) {
                        shadows.forEach(each -> told.add(each.limit() + (each.refused() ? " refuses" : " passes")));
                    }

                    @Override
                    public void storeLost(Charged.Cause cause) {
                        told.add("lost " + cause.word());
                    }

                    @Override
                    public void storeBack() {
                        told.add("back");
                    }
                })
                .build();
    }

    private static Decision call(Weir weir, String key) {
        return weir.judge(TestCall.by(key));
    }

    private static Decision.Rejected refused(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return (Decision.Rejected) decision;
    }

    private static Permit permit(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Admitted.class);
        return ((Decision.Admitted) decision).permit();
    }

    private static long left(Decision decision, String limit) {
        return decision.judged().stream()
                .filter(judged -> judged.limit().equals(limit))
                .findFirst()
                .orElseThrow()
                .standing()
                .remaining();
    }

    @Test
    void threeInstancesGrantFiveOfSix() {
        Policy policy = Scene.policy(shared("a", rate("2/s", 5)));
        List<Weir> fleet = List.of(weir(policy), weir(policy), weir(policy));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Decision decision = call(fleet.get(i % 3), "A");
            answers.add(decision.fold(yes -> "yes " + left(yes, "a"), no -> "no " + no.retryAfterNanos()));
        }
        assertThat(answers)
                .containsExactly("yes 4", "yes 3", "yes 2", "yes 1", "yes 0", "no " + OptionalLong.of(500_000_000L));
        assertThat(call(fleet.get(0), "B")).isInstanceOf(Decision.Admitted.class);
        time.advance(500_000_000L);
        assertThat(call(fleet.get(2), "A")).isInstanceOf(Decision.Admitted.class);
    }

    private static Budget rate(String rate, long burst) {
        return new Budget.Rate(RateLimit.parse(rate).burst(burst));
    }

    @Test
    void aRefusalOfTheFleetUndoesWhatTheInstanceCharged() {
        Weir weir = weir(Scene.policy(Scene.perKey("here", rate("1/h", 9)), shared("all", rate("1/h", 2))));
        permit(call(weir, "A"));
        permit(call(weir, "A"));
        Decision.Rejected no = refused(call(weir, "A"));
        assertThat(no.speaker()).contains("all");
        assertThat(left(no, "here")).isEqualTo(7);
        assertThat(no.judged()).extracting(Decision.Judged::limit).containsExactly("here", "all");
    }

    @Test
    void aRefusalOfTheInstanceAsksNobody() {
        Weir weir = weir(Scene.policy(Scene.perKey("here", rate("1/h", 1)), shared("all", rate("1/h", 9))));
        permit(call(weir, "A"));
        assertThat(refused(call(weir, "A")).speaker()).contains("here");
        assertThat(weir.fleet().orElseThrow().store().calls()).isEqualTo(1);
    }

    @Test
    void aRefusalOfTheGateGivesBackWhatTheFleetCharged() {
        Policy policy = Policy.builder()
                .limit(shared("all", rate("1/h", 9)).cost(new Cost.Fixed(2)))
                .gate(GateRule.of(GateSettings.of("gate", ConcurrencyLimit.fixed(1))))
                .build();
        Weir weir = weir(policy);
        Permit held = permit(call(weir, "A"));
        // judged full before anything is charged, unless the slot goes while the fleet is asked
        assertThat(refused(call(weir, "A")).reason()).isEqualTo(Reason.FULL);
        held.undo();
        assertThat(left(call(weir, "A"), "all")).isEqualTo(7);
    }

    @Test
    void aSlotLostWhileTheFleetIsAskedGivesBack() throws Exception {
        Held answers = new Held(store.instance("one"));
        Policy policy = Policy.builder()
                .limit(Scene.perKey("here", rate("1/h", 9)))
                .limit(shared("all", rate("1/h", 9)))
                .gate(GateRule.of(GateSettings.of("gate", ConcurrencyLimit.fixed(1))))
                .build();
        Weir weir = weir(policy, answers.store());
        CompletableFuture<Decision> first = weir.decideAsync(TestCall.by("A"));
        CompletableFuture<Decision> second = weir.decideAsync(TestCall.by("A"));
        assertThat(first).isNotDone();
        answers.release();
        assertThat(first.get()).isInstanceOf(Decision.Admitted.class);
        assertThat(refused(second.get()).reason()).isEqualTo(Reason.FULL);
        permit(first.get()).release(Outcome.SUCCESS);
        CompletableFuture<Decision> third = weir.decideAsync(TestCall.by("A"));
        answers.release();
        assertThat(left(third.get(), "all")).isEqualTo(7);
        assertThat(left(third.get(), "here")).isEqualTo(7);
    }

    @Test
    void whoGivesUpWhileTheFleetIsAskedIsCountedNowhere() throws Exception {
        Held answers = new Held(store.instance("one"));
        Weir weir = weir(
                Scene.policy(Scene.perKey("here", rate("1/h", 9)), shared("all", rate("1/h", 9))), answers.store());
        CompletableFuture<Decision> gone = weir.decideAsync(TestCall.by("A"));
        gone.cancel(false);
        answers.release();
        CompletableFuture<Decision> next = weir.decideAsync(TestCall.by("A"));
        answers.release();
        assertThat(left(next.get(), "here")).isEqualTo(8);
        assertThat(left(next.get(), "all")).isEqualTo(8);
    }

    @Test
    void decidingWaitsForTheAnswer() throws Exception {
        Weir weir = weir(Scene.policy(shared("all", rate("1/h", 1))));
        permit(weir.decide(TestCall.by("A")));
        assertThat(refused(weir.decide(TestCall.by("A"))).reason()).isEqualTo(Reason.OVER_LIMIT);
    }

    @ParameterizedTest
    @CsvSource({"OPEN, yes yes yes yes yes", "LOCAL, yes yes no no no", "CLOSED, no no no no no"})
    void whileTheStoreIsAway(StoreFailure choice, String expected) {
        Policy policy = Policy.builder()
                .limit(shared("all", rate("4/h", 4)).onStoreFailure(choice))
                .build();
        Weir weir = weir(policy);
        weir(policy);
        permit(call(weir, "B")); // two are heard of
        store.cutOff("i0", Charged.Cause.CONNECTION_REFUSED);
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Decision decision = call(weir, "A");
            assertThat(decision.withoutStore()).isTrue();
            answers.add(decision.fold(yes -> "yes", no -> "no"));
        }
        assertThat(String.join(" ", answers)).isEqualTo(expected);
        if (choice != StoreFailure.OPEN) {
            assertThat(refused(call(weir, "A")).reason())
                    .isEqualTo(choice == StoreFailure.CLOSED ? Reason.STORE_AWAY : Reason.OVER_LIMIT);
        }
        assertThat(told).containsExactly("lost connection-refused");
    }

    @Test
    void aCostAboveTheLimitIsNeverWhateverTheStoreDoes() {
        for (StoreFailure choice : StoreFailure.values()) {
            Weir weir = weir(Scene.policy(
                    shared("all", rate("4/h", 4)).cost(new Cost.Fixed(5)).onStoreFailure(choice)));
            assertThat(refused(call(weir, "A")).reason()).isEqualTo(Reason.COST_ABOVE_LIMIT);
            store.cutOff("i" + (instances - 1), Charged.Cause.TIMEOUT);
            assertThat(refused(call(weir, "A")).reason()).isEqualTo(Reason.COST_ABOVE_LIMIT);
        }
    }

    @Test
    void theStoreHearsOfWhatWasGrantedWithoutIt() {
        Policy policy = Scene.policy(shared("all", rate("6/h", 6)));
        Weir weir = weir(policy);
        Weir other = weir(policy);
        store.cutOff("i0", Charged.Cause.CONNECTION_REFUSED);
        permit(call(weir, "A"));
        permit(call(weir, "A"));
        permit(call(weir, "A")).undo();
        assertThat(left(call(other, "A"), "all")).isEqualTo(5);
        store.reconnect("i0");
        time.advance(100_000_000L);
        call(weir, "B"); // asks whether the store is back
        assertThat(told).containsExactly("lost connection-refused", "back");
        Decision after = call(weir, "A");
        assertThat(after.withoutStore()).isFalse();
        assertThat(left(after, "all")).isEqualTo(2);
        assertThat(weir.fleet().orElseThrow().away()).isFalse();
    }

    @Test
    void aQuestionWhoseAnswerWasLostIsNotToldAgain() {
        Held answers = new Held(store.instance("one"));
        Weir weir = weir(Scene.policy(shared("all", rate("6/h", 6))), answers.store());
        answers.loseNext();
        Decision lost = call(weir, "A");
        assertThat(lost.withoutStore()).isTrue();
        CompletableFuture<Decision> next = weir.decideAsync(TestCall.by("A"));
        answers.release();
        assertThat(left(next.join(), "all")).isEqualTo(4); // counted once, not given back and not added again
    }

    @Test
    void callsInFlightAreTheFleets() {
        Policy policy = Scene.policy(shared("held", new Budget.InFlight(2)));
        Weir one = weir(policy);
        Weir other = weir(policy);
        Permit first = permit(call(one, "A"));
        permit(call(other, "A"));
        assertThat(refused(call(one, "A")).reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
        first.release(Outcome.SUCCESS);
        permit(call(other, "A"));
    }

    @Test
    void costsAreSettledAndChargesKeptOrGivenBack() {
        Cost estimate = new Cost.Estimated(3, new Cost.SettleBy.ResponseHeader("X-Cost"));
        Weir weir = weir(Scene.policy(
                shared("tokens", rate("1/h", 20)).cost(estimate),
                shared("failures", rate("1/h", 5)).keepIfStatus(Set.of(401))));
        Permit permit = permit(call(weir, "A"));
        permit.answered(
                new Answer(OptionalInt.of(200), OptionalLong.empty(), OptionalLong.empty(), name -> List.of("8")));
        permit.release(Outcome.SUCCESS);
        Decision next = call(weir, "A");
        assertThat(left(next, "tokens")).isEqualTo(9);
        assertThat(left(next, "failures")).isEqualTo(4);
    }

    @Test
    void aShadowOfTheFleetIsSentAndForgotten() throws Exception {
        Held answers = new Held(store.instance("one"));
        Weir weir = weir(Scene.policy(shared("quiet", rate("1/h", 1)).mode(Mode.SHADOW)), answers.store());
        Decision.Admitted in =
                (Decision.Admitted) weir.decideAsync(TestCall.by("A")).get();
        assertThat(in.judged()).isEmpty();
        assertThat(told).isEmpty();
        answers.release();
        weir.decideAsync(TestCall.by("A")).get();
        answers.release();
        assertThat(told).containsExactly("quiet passes", "quiet refuses");
    }

    @Test
    void aShadowGoesAlongAndChangesNothing() {
        Limit loud = shared("loud", rate("1/h", 3));
        Weir alone = weir(Scene.policy(loud));
        Weir with = weir(Scene.policy(loud, shared("quiet", rate("1/h", 1)).mode(Mode.SHADOW)));
        for (int i = 0; i < 5; i++) {
            Decision one = call(alone, "A");
            Decision other = call(with, "B");
            assertThat(other.getClass()).isEqualTo(one.getClass());
            assertThat(left(other, "loud")).isEqualTo(left(one, "loud"));
        }
        Decision first = call(with, "C");
        assertThat(first.shadows()).extracting(Decision.Judged::refused).containsExactly(false);
        assertThat(call(with, "C").shadows())
                .extracting(Decision.Judged::refused)
                .containsExactly(true);
    }

    @Test
    void plansAndOverridesAreThoseOfTheKey() {
        Limit limit = shared("all", rate("1/h", 2))
                .overrides(Map.of(
                        KeyDigest.sha256("big"), new KeyOverride(rate("1/h", 50), Optional.empty(), Optional.empty())));
        Weir weir = weir(Scene.policy(limit));
        assertThat(left(call(weir, "small"), "all")).isEqualTo(1);
        assertThat(left(call(weir, "big"), "all")).isEqualTo(49);
    }

    @Test
    void aReloadKeepsWhatTheFleetCounted() {
        Policy policy = Scene.policy(shared("all", rate("1/h", 9)));
        Weir weir = weir(policy);
        permit(call(weir, "A"));
        Changes changes = weir.reload(Scene.policy(shared("all", rate("2/h", 9))));
        assertThat(changes.kept()).containsExactly("all");
        assertThat(left(call(weir, "A"), "all")).isEqualTo(7);
        assertThat(weir.reload(Scene.policy(shared("all", rate("2/h", 9)).scope(Scope.INSTANCE)))
                        .reset())
                .containsExactly("all");
        assertThat(left(call(weir, "A"), "all")).isEqualTo(8);
    }

    @Test
    void aFleetWithoutAStoreIsSaidAtOnce() {
        Policy policy = Scene.policy(shared("all", rate("1/h", 9)));
        assertThatThrownBy(() -> Weir.of(policy))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit 'all'")
                .hasMessageContaining(".store(...)");
        Weir weir = Weir.of(Scene.policy());
        assertThatThrownBy(() -> weir.reload(policy)).isInstanceOf(IllegalArgumentException.class);
        assertThat(weir.policy()).isEqualTo(Scene.policy());
    }

    @Test
    void manyLimitsAreAskedInSeveralBills() {
        Limit[] limits = new Limit[11];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = shared("l" + i, rate("1/h", i == 10 ? 1 : 3));
        }
        Weir weir = weir(Scene.policy(limits));
        permit(call(weir, "A"));
        assertThat(refused(call(weir, "A")).speaker()).contains("l10");
        permit(call(weir, "B"));
        Decision.Rejected no = refused(call(weir, "A"));
        assertThat(no.speaker()).contains("l10");
        assertThat(left(no, "l0")).isEqualTo(2);
    }

    /** A store whose answers a test lets through. */
    private static final class Held {
        private final RateStore inner;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean lose;

        Held(RateStore inner) {
            this.inner = inner;
        }

        void release() {
            List<Runnable> now = List.copyOf(waiting);
            waiting.clear();
            now.forEach(Runnable::run);
        }

        void loseNext() {
            lose = true;
        }

        private CompletionStage<Charged> charge(List<FleetCharge> bill) {
            CompletionStage<Charged> answer = inner.charge(bill);
            if (lose) {
                lose = false;
                return CompletableFuture.completedFuture(new Charged.Unavailable(Charged.Cause.TIMEOUT, true));
            }
            CompletableFuture<Charged> later = new CompletableFuture<>();
            waiting.add(() -> answer.thenAccept(later::complete));
            return later;
        }

        @SuppressWarnings("unchecked")
        RateStore store() {
            return (RateStore) Proxy.newProxyInstance(
                    RateStore.class.getClassLoader(),
                    new Class<?>[] {RateStore.class},
                    (proxy, method, arguments) -> method.getName().equals("charge")
                            ? charge((List<FleetCharge>) arguments[0])
                            : method.invoke(inner, arguments));
        }
    }
}
