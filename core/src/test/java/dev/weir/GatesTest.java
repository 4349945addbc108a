package dev.weir;

import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.DegradeStep;
import dev.weir.load.GateReason;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.load.PoolSettings;
import dev.weir.load.QueueSettings;
import dev.weir.load.Shedding;
import dev.weir.policy.AddressRange;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.CallHeaders;
import dev.weir.policy.CriticalityRules;
import dev.weir.policy.GateRule;
import dev.weir.policy.Identity;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Limits and gates on one call: who is asked first, who is charged, and what is given back. */
class GatesTest {

    private static final TestCall A = TestCall.by("a");

    private final FakeTicker ticker = new FakeTicker(1_000_000_000L);
    private final List<Runnable> delayed = new ArrayList<>();
    private final List<Decision> told = new ArrayList<>();

    private Weir weir(Policy policy) {
        return Weir.builder(policy)
                .tickers(ticker, () -> 1_700_000_000_000_000_000L)
                .delay((nanos, task) -> delayed.add(task))
                .listener(new WeirListener() {
                    @Override
                    public void decided(Call call, Decision decision) {
                        told.add(decision);
                    }
                })
                .build();
    }

    private static GateSettings fixed(int slots) {
        return GateSettings.of("service", ConcurrencyLimit.fixed(slots));
    }

    private static GateSettings queue(int slots, int size, Duration maxWait) {
        return fixed(slots).withQueue(QueueSettings.of(size, maxWait));
    }

    private static Policy policy(GateRule gate, Limit... limits) {
        Policy.Builder builder = Policy.builder().gate(gate);
        for (Limit limit : limits) {
            builder.limit(limit);
        }
        return builder.build();
    }

    private static Policy policy(GateSettings settings, Limit... limits) {
        return policy(GateRule.of(settings), limits);
    }

    private static Permit in(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Admitted.class);
        return ((Decision.Admitted) decision).permit();
    }

    private static Reason no(Decision decision) {
        assertThat(decision).isInstanceOf(Decision.Rejected.class);
        return ((Decision.Rejected) decision).reason();
    }

    // The order of a call

    @Test
    void whoFindsTheGateFullIsChargedNothing() {
        Weir weir = weir(policy(fixed(1), perKey("per-key", rate("5/m"))));
        Permit first = in(weir.judge(A));
        for (int i = 0; i < 20; i++) {
            Decision.Rejected refused = (Decision.Rejected) weir.judge(A);
            assertThat(refused.reason()).isEqualTo(Reason.FULL);
            assertThat(refused.judged()).as("limits that were not asked").isEmpty();
            assertThat(refused.gate())
                    .contains(new Decision.Gated("service", Optional.empty(), true, Optional.of(GateReason.FULL)));
            assertThat(refused.retryAfterNanos().orElse(0)).isBetween(1_000_000_000L, 30_000_000_000L);
        }
        first.release(Outcome.SUCCESS);
        for (int i = 0; i < 4; i++) {
            in(weir.judge(A)).release(Outcome.SUCCESS);
        }
        assertThat(no(weir.judge(A))).isEqualTo(Reason.OVER_LIMIT);
    }

    @Test
    void whoIsOverItsLimitTakesNoSlot() {
        Weir weir = weir(policy(fixed(1), perKey("per-key", rate("1/m"))));
        in(weir.judge(A)).release(Outcome.SUCCESS);
        assertThat(no(weir.judge(A))).isEqualTo(Reason.OVER_LIMIT);
        in(weir.judge(TestCall.by("b")));
    }

    @Test
    void anExemptCallHoldsNothing() {
        Policy policy = Policy.builder()
                .exempt(List.of(Match.path("/healthz")))
                .gate(GateRule.of(fixed(1)))
                .build();
        Weir weir = weir(policy);
        in(weir.judge(A));
        assertThat(no(weir.judge(A))).isEqualTo(Reason.FULL);
        for (int i = 0; i < 5; i++) {
            Decision health = weir.judge(TestCall.of("/healthz"));
            assertThat(health.gate()).isEmpty();
            in(health);
        }
    }

    @Test
    void theFirstGateThatMatchesHoldsTheCall() {
        Policy policy = Policy.builder()
                .gate(new GateRule(
                        GateSettings.of("reports", ConcurrencyLimit.fixed(1)),
                        Match.path("/reports/**"),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Mode.ENFORCE))
                .gate(GateRule.of(fixed(1)))
                .build();
        Weir weir = weir(policy);
        in(weir.judge(TestCall.of("/reports/1")));
        assertThat(no(weir.judge(TestCall.of("/reports/2")))).isEqualTo(Reason.FULL);
        in(weir.judge(TestCall.of("/other")));
    }

    @Test
    void anUndoneCallFreesItsSlotAndItsCharge() {
        Weir weir = weir(policy(fixed(1), perKey("per-key", rate("1/m"))));
        in(weir.judge(A)).undo();
        in(weir.judge(A));
    }

    @Test
    void reportsAreShedAndCheckoutsHaveTheLastSlots() {
        CriticalityRules rules = new CriticalityRules(
                Criticality.CRITICAL,
                List.of(new CriticalityRules.Rule(Match.path("/reports/**"), Criticality.SHEDDABLE)));
        Policy policy = Policy.builder()
                .criticality(rules)
                .gate(GateRule.of(fixed(8).withShedding(new Shedding.Thresholds(Map.of(Criticality.SHEDDABLE, 0.75)))))
                .limit(perKey("per-key", rate("7/h")))
                .build();
        Weir weir = weir(policy);
        TestCall report = TestCall.of("/reports/x").header("X-Api-Key", "r");
        List<Permit> held = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            held.add(in(weir.judge(report)));
        }
        assertThat(no(weir.judge(report))).isEqualTo(Reason.SHED);
        held.add(in(weir.judge(TestCall.of("/checkout").header("X-Api-Key", "c"))));
        held.add(in(weir.judge(TestCall.of("/checkout").header("X-Api-Key", "c"))));
        assertThat(no(weir.judge(TestCall.of("/checkout").header("X-Api-Key", "c"))))
                .isEqualTo(Reason.FULL);
        held.forEach(permit -> permit.release(Outcome.SUCCESS));
        in(weir.judge(report)).release(Outcome.SUCCESS);
        assertThat(no(weir.judge(report))).as("seven were charged, none more").isEqualTo(Reason.OVER_LIMIT);
    }

    // Waiting

    @Test
    void aWaitingCallGetsTheSlotThatIsFreed() throws Exception {
        Weir weir = weir(policy(queue(1, 1, Duration.ofMillis(50)), perKey("per-key", rate("9/m"))));
        Permit first = in(weir.decideAsync(A).get());
        CompletableFuture<Decision> second = weir.decideAsync(A);
        assertThat(second).isNotDone();
        assertThat(no(weir.decideAsync(A).get())).isEqualTo(Reason.FULL);
        ticker.advance(20_000_000);
        first.release(Outcome.SUCCESS);
        assertThat(second).isDone();
        Decision decision = second.get();
        assertThat(decision.waitedNanos()).isEqualTo(20_000_000);
        in(decision).release(Outcome.SUCCESS);
        in(weir.decideAsync(A).get());
        assertThat(told).hasSize(4);
    }

    @Test
    void aCallThatWaitsTooLongIsRefusedAndPaysNothing() throws Exception {
        Weir weir = weir(policy(queue(1, 1, Duration.ofMillis(50)), perKey("per-key", rate("2/h"))));
        Permit first = in(weir.decideAsync(A).get());
        CompletableFuture<Decision> second = weir.decideAsync(A);
        ticker.advance(50_000_000);
        delayed.forEach(Runnable::run);
        assertThat(no(second.get())).isEqualTo(Reason.WAIT_EXCEEDED);
        assertThat(second.get().waitedNanos()).isEqualTo(50_000_000);
        first.release(Outcome.SUCCESS);
        in(weir.decideAsync(A).get()).release(Outcome.SUCCESS);
        assertThat(no(weir.decideAsync(A).get())).isEqualTo(Reason.OVER_LIMIT);
    }

    @Test
    void aCallThatIsGivenUpLeavesItsPlaceAndItsCharge() throws Exception {
        Weir weir = weir(policy(queue(1, 1, Duration.ofMillis(50)), perKey("per-key", rate("2/h"))));
        Permit first = in(weir.decideAsync(A).get());
        CompletableFuture<Decision> second = weir.decideAsync(A);
        second.cancel(false);
        CompletableFuture<Decision> third = weir.decideAsync(A);
        assertThat(third).as("has the place that was left").isNotDone();
        first.release(Outcome.SUCCESS);
        in(third.get());
    }

    @Test
    void aDecisionNobodyWaitsForIsUndone() throws Exception {
        Weir weir = weir(policy(queue(1, 1, Duration.ofMillis(50))));
        Permit first = in(weir.decideAsync(A).get());
        CompletableFuture<Decision> second = weir.decideAsync(A);
        second.complete(second.getNow(null));
        first.release(Outcome.SUCCESS);
        in(weir.judge(A));
    }

    @Test
    void aCallAsksForASlotOnlyWhenItIsReady() throws Exception {
        Weir weir = weir(policy(fixed(1), perKey("per-key", rate("9/m"))));
        CompletableFuture<Void> body = new CompletableFuture<>();
        CompletableFuture<Decision> slow = weir.decideAsync(A, body);
        Permit other = in(weir.judge(A));
        other.release(Outcome.SUCCESS);
        assertThat(slow).isNotDone();
        body.complete(null);
        in(slow.get());
    }

    @Test
    void aCallThatNeverBecomesReadyIsUndone() throws Exception {
        Weir weir = weir(policy(fixed(1), perKey("per-key", rate("1/h"))));
        CompletableFuture<Void> body = new CompletableFuture<>();
        CompletableFuture<Decision> slow = weir.decideAsync(A, body);
        body.completeExceptionally(new IllegalStateException("reset"));
        assertThat(slow).isCompletedExceptionally();
        in(weir.judge(A));
    }

    @Test
    void theTurnComesBeforeTheGate() throws Exception {
        Limit paced = forAll("paced", new Budget.Rate(RateLimit.parse("10/s").depth(5)));
        Weir weir = weir(policy(fixed(1), paced));
        in(weir.decideAsync(A).get()).release(Outcome.SUCCESS);
        CompletableFuture<Decision> second = weir.decideAsync(A);
        assertThat(second).isNotDone();
        Permit between = in(weir.judge(TestCall.of("/")));
        between.release(Outcome.SUCCESS);
        delayed.get(0).run();
        Decision decision = second.get();
        assertThat(decision.waitedNanos()).isEqualTo(100_000_000);
        in(decision);
    }

    @Test
    void decideBlocksUntilASlotIsFree() throws Exception {
        Weir weir = weir(policy(queue(1, 1, Duration.ofSeconds(5))));
        Permit first = in(weir.decide(A));
        CompletableFuture<Decision> blocked = CompletableFuture.supplyAsync(() -> {
            try {
                return weir.decide(A);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (delayed.isEmpty()) {
            Thread.onSpinWait();
        }
        first.release(Outcome.SUCCESS);
        in(blocked.get());
    }

    @Test
    void aTrustedDeadlineBoundsTheWait() throws ExecutionException, InterruptedException {
        Policy policy = Policy.builder()
                .identity(new Identity(
                        List.of(AddressRange.parse("192.0.2.0/24")),
                        Identity.DEFAULT.clientIp(),
                        32,
                        64,
                        Optional.empty()))
                .callHeaders(new CallHeaders(Optional.of("X-Time-Left"), Optional.empty()))
                .gate(GateRule.of(queue(1, 4, Duration.ofSeconds(1))))
                .build();
        Weir weir = weir(policy);
        in(weir.decideAsync(A).get());
        CompletableFuture<Decision> hurried = weir.decideAsync(TestCall.of("/").header("X-Time-Left", "30ms"));
        CompletableFuture<Decision> stranger =
                weir.decideAsync(TestCall.of("/").header("X-Time-Left", "30ms").peer("198.51.100.1"));
        assertThat(no(weir.decideAsync(TestCall.of("/").header("X-Time-Left", "0"))
                        .get()))
                .isEqualTo(Reason.DEADLINE);
        ticker.advance(30_000_000);
        delayed.forEach(Runnable::run);
        assertThat(no(hurried.get())).isIn(Reason.DEADLINE, Reason.WAIT_EXCEEDED);
        assertThat(stranger).isNotDone();
    }

    // Shadow, degrade, dependencies

    private static GateRule rule(GateSettings settings, Mode mode) {
        GateRule plain = GateRule.of(settings);
        return new GateRule(
                settings, plain.match(), plain.pools(), Optional.empty(), plain.degradable(), List.of(), mode);
    }

    @Test
    void aShadowGateRefusesNobodyAndSaysWhatItWouldHaveDone() {
        Weir weir = weir(policy(rule(fixed(1), Mode.SHADOW), perKey("per-key", rate("9/m"))));
        Permit first = in(weir.judge(A));
        Decision second = weir.judge(A);
        assertThat(second.gate())
                .contains(new Decision.Gated("service", Optional.empty(), false, Optional.of(GateReason.FULL)));
        in(second).release(Outcome.SUCCESS);
        first.release(Outcome.SUCCESS);
        assertThat(weir.judge(A).gate())
                .contains(new Decision.Gated("service", Optional.empty(), false, Optional.empty()));
    }

    @Test
    void aGateThatIsOffHoldsNothing() {
        Weir weir = weir(policy(rule(fixed(1), Mode.OFF)));
        in(weir.judge(A));
        assertThat(weir.judge(A).gate()).isEmpty();
    }

    @Test
    void stepsAreToldToTheCallsTheyAreFor() {
        GateSettings settings = fixed(2).withDegrade(new DegradeStep(0.4, "stale"), new DegradeStep(0.45, "no-extras"));
        Weir weir = weir(policy(settings));
        in(weir.judge(A));
        ticker.advance(1_500_000_000L);
        Decision.Admitted get = (Decision.Admitted) weir.judge(TestCall.of("/"));
        assertThat(get.degrade()).containsExactly("stale", "no-extras");
        get.permit().release(Outcome.SUCCESS);
        Decision.Admitted post = (Decision.Admitted) weir.judge(TestCall.of("/").method("POST"));
        assertThat(post.degrade()).as("a change is never answered from memory").containsExactly("no-extras");
    }

    private static GateRule needing(GateRule.Fallback... fallbacks) {
        GateSettings settings = fixed(4).withPools(PoolSettings.of("payments", 0.5), PoolSettings.of("browse", 0.5));
        return new GateRule(
                settings,
                Match.ANY,
                List.of(
                        new GateRule.Pool(Optional.of(Match.path("/checkout/**")), List.of("payments")),
                        new GateRule.Pool(Optional.empty(), List.of())),
                Optional.empty(),
                List.of(),
                List.of(fallbacks),
                Mode.ENFORCE);
    }

    @Test
    void whatNeedsADependencyThatIsOutIsRefusedBeforeItIsCharged() {
        Weir weir = weir(policy(needing(), perKey("per-key", rate("1/h"))));
        weir.dependencies().out("payments", Duration.ofSeconds(3));
        Decision.Rejected refused = (Decision.Rejected) weir.judge(TestCall.of("/checkout/1"));
        assertThat(refused.reason()).isEqualTo(Reason.DEPENDENCY_OUT);
        assertThat(refused.retryAfterNanos()).hasValue(3_000_000_000L);
        in(weir.judge(TestCall.of("/browse")));
        ticker.advance(3_000_000_000L);
        in(weir.judge(TestCall.of("/checkout/1").header("X-Api-Key", "k")));
        weir.dependencies().out("payments", Duration.ofSeconds(3));
        assertThat(weir.dependencies().out()).containsExactly("payments");
        weir.dependencies().back("payments");
        in(weir.judge(TestCall.of("/checkout/1").header("X-Api-Key", "l")));
    }

    @Test
    void aStepWithoutADependencyServesItsCallsCheaper() {
        Weir weir =
                weir(policy(needing(new GateRule.Fallback("payments", "write-later", Match.path("/checkout/order")))));
        weir.dependencies().out("payments", Duration.ofSeconds(3));
        Decision.Admitted order = (Decision.Admitted) weir.judge(TestCall.of("/checkout/order"));
        assertThat(order.degrade()).containsExactly("write-later");
        assertThat(no(weir.judge(TestCall.of("/checkout/pay")))).isEqualTo(Reason.DEPENDENCY_OUT);
    }

    // Reload, faults

    @Test
    void aReloadKeepsWhatIsInFlight() {
        Weir weir = weir(policy(fixed(2)));
        Permit first = in(weir.judge(A));
        weir.reload(policy(fixed(1)));
        assertThat(no(weir.judge(A))).isEqualTo(Reason.FULL);
        first.release(Outcome.SUCCESS);
        in(weir.judge(A));
        weir.reload(policy(GateSettings.of("other", ConcurrencyLimit.fixed(1))));
        in(weir.judge(A));
    }

    @Test
    void aPermitThatEndsTwiceFreesOneSlot() {
        Weir weir = weir(policy(fixed(1)));
        Permit permit = in(weir.judge(A));
        assertThat(permit.release(Outcome.SUCCESS)).isTrue();
        assertThat(permit.release(Outcome.SUCCESS)).isFalse();
        assertThat(permit.abandon()).isFalse();
        permit.undo();
        in(weir.judge(A));
        assertThat(no(weir.judge(A))).isEqualTo(Reason.FULL);
        assertThat(weir.gates()).singleElement().satisfies(gate -> {
            assertThat(gate.rule().name()).isEqualTo("service");
            assertThat(gate.figures().inFlight()).isEqualTo(1);
            assertThat(gate.figures().doubleExits()).isZero();
        });
    }

    @Test
    void aCallThatIsGivenUpEndsItsPermit() {
        Weir weir = weir(policy(fixed(1)));
        Permit permit = in(weir.judge(A));
        permit.responseStarted();
        permit.lasts();
        assertThat(permit.abandon()).isTrue();
        in(weir.judge(A));
    }
}
