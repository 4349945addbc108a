package dev.weir.load;

import static dev.weir.load.Criticality.CRITICAL;
import static dev.weir.load.Criticality.CRITICAL_PLUS;
import static dev.weir.load.Criticality.SHEDDABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting for a slot. */
final class QueueTest {

    private static final long MILLI = 1_000_000;

    private final FakeTicker ticker = new FakeTicker(0);

    private Gate gate(int limit, QueueSettings queue) {
        return Gate.of(GateSettings.of("service", ConcurrencyLimit.fixed(limit)).withQueue(queue), ticker);
    }

    private Gate gate(int limit, int size) {
        return gate(limit, QueueSettings.of(size, Duration.ofMillis(100)));
    }

    private static GateCall call(Criticality criticality, @Nullable String tenant) {
        return new GateCall(0, tenant, criticality, GateCall.NO_DEADLINE);
    }

    private static Told enter(Gate gate, Criticality criticality, @Nullable String tenant) {
        Told told = new Told();
        Entry entry = gate.enter(call(criticality, tenant), told);
        entry.stamp().ifPresent(told::admitted);
        entry.refusal().ifPresent(told::refused);
        return told;
    }

    private static Told enter(Gate gate) {
        return enter(gate, CRITICAL, null);
    }

    private static void exit(Gate gate, Told told) {
        gate.exit(told.stamps().get(0), Outcome.SUCCESS);
    }

    @Test
    void aFreedSlotGoesToTheOldest() {
        Gate gate = gate(1, 16);
        Told first = enter(gate);
        List<Told> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(enter(gate));
        }
        assertThat(gate.figures().waiting()).isEqualTo(5);
        Told holder = first;
        for (Told next : waiters) {
            assertThat(next.waits()).isTrue();
            exit(gate, holder);
            assertThat(next.stamps()).hasSize(1);
            assertThat(gate.inFlight()).isEqualTo(1);
            holder = next;
        }
        exit(gate, holder);
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void aFreedSlotIsNotContested() {
        Gate gate = gate(1, 2);
        Told first = enter(gate);
        Told waiting = enter(gate);
        exit(gate, first);
        assertThat(gate.tryEnter()).isEqualTo(Gate.REFUSED);
        assertThat(waiting.stamps()).hasSize(1);
    }

    @Test
    void aFullQueueRefuses() {
        Gate gate = gate(1, 2);
        enter(gate);
        enter(gate);
        enter(gate);
        assertThat(gate.judge(call(CRITICAL, null))).map(GateRefusal::reason).contains(GateReason.FULL);
        assertThat(enter(gate).reasons()).containsExactly(GateReason.FULL);
    }

    @Test
    void theMoreCriticalGoesFirst() {
        Gate gate = gate(1, 16);
        Told first = enter(gate);
        Told report = enter(gate, SHEDDABLE, null);
        Told page = enter(gate, CRITICAL, null);
        Told payment = enter(gate, CRITICAL_PLUS, null);
        exit(gate, first);
        exit(gate, payment);
        exit(gate, page);
        assertThat(report.stamps()).hasSize(1);
    }

    @Test
    void aMoreCriticalArrivalDisplacesTheLeastCriticalNewest() {
        Gate gate = gate(1, 3);
        enter(gate);
        Told oldReport = enter(gate, SHEDDABLE, null);
        Told newReport = enter(gate, SHEDDABLE, null);
        Told page = enter(gate, CRITICAL, null);
        assertThat(gate.judge(call(SHEDDABLE, null))).map(GateRefusal::reason).contains(GateReason.FULL);
        assertThat(gate.judge(call(CRITICAL, null))).isEmpty();
        Told payment = enter(gate, CRITICAL_PLUS, null);
        assertThat(newReport.reasons()).containsExactly(GateReason.FULL);
        assertThat(oldReport.waits()).isTrue();
        assertThat(page.waits()).isTrue();
        assertThat(payment.waits()).isTrue();
        assertThat(gate.figures().waiting()).isEqualTo(3);
    }

    @Test
    void theTenantWithFewestInFlightGoesFirst() {
        Gate gate = gate(3, new QueueSettings(16, 100 * MILLI, true));
        Told loud1 = enter(gate, CRITICAL, "loud");
        enter(gate, CRITICAL, "loud");
        enter(gate, CRITICAL, "quiet");
        Told loud3 = enter(gate, CRITICAL, "loud");
        Told quiet2 = enter(gate, CRITICAL, "new");
        exit(gate, loud1);
        assertThat(quiet2.stamps()).hasSize(1);
        assertThat(loud3.waits()).isTrue();
        Gate unfair = gate(1, 16);
        Told first = enter(unfair, CRITICAL, "loud");
        Told second = enter(unfair, CRITICAL, "loud");
        enter(unfair, CRITICAL, "quiet");
        exit(unfair, first);
        assertThat(second.stamps()).hasSize(1);
    }

    @Test
    void oneTenantsFloodDoesNotStandBeforeAnother() {
        Gate gate = gate(1, new QueueSettings(5000, 100 * MILLI, true));
        Told holder = enter(gate, CRITICAL, "loud");
        List<Told> flood = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            flood.add(enter(gate, CRITICAL, "loud"));
        }
        exit(gate, holder);
        Told quiet = enter(gate, CRITICAL, "quiet");
        exit(gate, flood.get(0));
        assertThat(quiet.stamps()).hasSize(1);
        assertThat(flood.get(1).waits()).isTrue();
    }

    @Test
    void ofAFullQueueTheTenantWithTheMostMakesPlaceForOneWithLess() {
        Gate gate = gate(2, new QueueSettings(3, 100 * MILLI, true));
        Told loud1 = enter(gate, CRITICAL, "loud");
        enter(gate, CRITICAL, "loud");
        Told loud3 = enter(gate, CRITICAL, "loud");
        Told loud4 = enter(gate, CRITICAL, "loud");
        Told loud5 = enter(gate, CRITICAL, "loud");
        assertThat(gate.judge(call(CRITICAL, "loud"))).isPresent();
        assertThat(gate.judge(call(CRITICAL, null))).isPresent();
        assertThat(gate.judge(call(CRITICAL, "quiet"))).isEmpty();
        Told quiet = enter(gate, CRITICAL, "quiet");
        assertThat(loud5.reasons()).containsExactly(GateReason.FULL);
        assertThat(loud3.waits()).isTrue();
        assertThat(loud4.waits()).isTrue();
        exit(gate, loud1);
        assertThat(quiet.stamps()).hasSize(1);
        assertThat(gate.figures().waiting()).isEqualTo(2);
    }

    @Test
    void nobodyIsDisplacedForATenantThatWouldThenHaveAsMuch() {
        Gate gate = gate(1, new QueueSettings(1, 100 * MILLI, true));
        enter(gate, CRITICAL, "other");
        Told first = enter(gate, CRITICAL, "one");
        assertThat(gate.judge(call(CRITICAL, "two"))).isPresent();
        assertThat(first.waits()).isTrue();
        Gate unfair = gate(1, 1);
        enter(unfair, CRITICAL, "loud");
        enter(unfair, CRITICAL, "loud");
        assertThat(unfair.judge(call(CRITICAL, "quiet"))).isPresent();
    }

    /** A flood of one tenant says nothing about how long another waits. */
    @Test
    void theWaitOfATenantIsThatOfThoseBeforeIt() {
        Gate gate = gate(1, new QueueSettings(5000, 10_000 * MILLI, true));
        for (int i = 0; i < 200; i++) {
            Told one = enter(gate, CRITICAL, "loud");
            ticker.advance(10 * MILLI);
            exit(gate, one);
        }
        enter(gate, CRITICAL, "loud");
        for (int i = 0; i < 1000; i++) {
            enter(gate, CRITICAL, "loud");
        }
        long soon = ticker.nanos() + 100 * MILLI;
        Told loud = new Told();
        Told quiet = new Told();
        assertThat(gate.enter(new GateCall(0, "loud", CRITICAL, soon), loud).refusal())
                .map(GateRefusal::reason)
                .contains(GateReason.DEADLINE);
        assertThat(gate.enter(new GateCall(0, "quiet", CRITICAL, soon), quiet).refusal())
                .isEmpty();
    }

    @Test
    void theNewestGoesFirstOnceTheOldestHasWaitedHalf() {
        Gate gate = gate(1, 16);
        Told first = enter(gate);
        Told old = enter(gate);
        ticker.advance(49 * MILLI);
        Told young = enter(gate);
        ticker.advance(MILLI);
        exit(gate, first);
        assertThat(old.waits()).isTrue();
        assertThat(young.stamps()).hasSize(1);
        assertThat(gate.figures().waits()).isEqualTo(new GateFigures.Waits(1, MILLI, MILLI));
    }

    @Test
    void whoWaitsTooLongIsRefused() {
        Gate gate = gate(1, 16);
        Told first = enter(gate);
        Told old = enter(gate);
        ticker.advance(60 * MILLI);
        Told young = enter(gate);
        assertThat(gate.nextExpiryNanos()).isEqualTo(100 * MILLI);
        ticker.advance(39 * MILLI);
        gate.expire();
        assertThat(old.waits()).isTrue();
        ticker.advance(MILLI);
        gate.expire();
        assertThat(old.reasons()).containsExactly(GateReason.WAIT_EXCEEDED);
        assertThat(young.waits()).isTrue();
        assertThat(gate.nextExpiryNanos()).isEqualTo(160 * MILLI);
        ticker.advance(60 * MILLI);
        exit(gate, first);
        assertThat(young.reasons()).as("a slot that comes too late").containsExactly(GateReason.WAIT_EXCEEDED);
        assertThat(gate.inFlight()).isZero();
        assertThat(gate.nextExpiryNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDeadlineEndsTheWait() {
        Gate gate = gate(1, 16);
        enter(gate);
        Told told = new Told();
        gate.enter(new GateCall(0, null, CRITICAL, 30 * MILLI), told);
        assertThat(gate.nextExpiryNanos()).isEqualTo(30 * MILLI);
        ticker.advance(30 * MILLI);
        gate.expire();
        assertThat(told.reasons()).containsExactly(GateReason.WAIT_EXCEEDED);
        Entry late = gate.enter(new GateCall(0, null, CRITICAL, 30 * MILLI), new Told());
        assertThat(late.refusal()).map(GateRefusal::reason).contains(GateReason.DEADLINE);
    }

    @Test
    void aHopelessWaitIsRefusedAtOnce() {
        Gate gate = gate(1, 16);
        for (int i = 0; i < 60; i++) {
            Told told = enter(gate);
            ticker.advance(20 * MILLI);
            exit(gate, told);
        }
        enter(gate);
        for (int i = 0; i < 5; i++) {
            assertThat(enter(gate).waits()).as("place %d", i).isTrue();
        }
        assertThat(enter(gate).reasons()).as("120 ms for 100").containsExactly(GateReason.WAIT_EXCEEDED);
        Entry hurried = gate.enter(new GateCall(0, null, CRITICAL_PLUS, ticker.nanos() + 19 * MILLI), new Told());
        assertThat(hurried.refusal()).map(GateRefusal::reason).contains(GateReason.DEADLINE);
        assertThat(enter(gate, CRITICAL_PLUS, null).waits()).as("first in line").isTrue();
    }

    @Test
    void whoGivesUpLeavesNoTrace() {
        Gate gate = gate(1, 1);
        Told first = enter(gate);
        Told gone = new Told();
        Entry entry = gate.enter(call(CRITICAL, "t"), gone);
        assertThat(enter(gate).reasons()).containsExactly(GateReason.FULL);
        assertThat(entry.cancel()).isTrue();
        assertThat(entry.cancel()).isFalse();
        Told next = enter(gate);
        assertThat(next.waits()).isTrue();
        exit(gate, first);
        assertThat(next.stamps()).hasSize(1);
        assertThat(gone.waits()).isTrue();
        exit(gate, next);
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void aWaiterBelowItsGuaranteeGoesBeforeTheOthers() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.fixed(4))
                        .withPools(PoolSettings.of("payments", 0.5), PoolSettings.of("browse", 0.5))
                        .withQueue(QueueSettings.of(16, Duration.ofMillis(100))),
                ticker);
        List<Told> payments = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            payments.add(enter(gate));
        }
        Told paymentWaits = enter(gate, CRITICAL_PLUS, null);
        Told browse = new Told();
        Entry waits = gate.enter(new GateCall(1, null, SHEDDABLE, GateCall.NO_DEADLINE), browse);
        exit(gate, payments.get(0));
        assertThat(browse.stamps()).hasSize(1);
        assertThat(paymentWaits.waits()).isTrue();
        assertThat(waits.cancel()).isFalse();
        exit(gate, payments.get(1));
        assertThat(paymentWaits.stamps()).hasSize(1);
    }

    @Test
    void aWaiterThatThrowsHoldsNothing() {
        Gate gate = gate(1, 16);
        Told first = enter(gate);
        gate.enter(call(CRITICAL, null), new Waiter() {
            @Override
            public void admitted(long stamp) {
                throw new IllegalStateException("listener");
            }

            @Override
            public void refused(GateRefusal refusal) {
                throw new IllegalStateException("listener");
            }
        });
        Told next = enter(gate);
        exit(gate, first);
        assertThat(next.stamps()).hasSize(1);
        assertThat(gate.figures().waiterErrors()).isEqualTo(1);
        exit(gate, next);
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void queueTimeIsASignal() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.fixed(1))
                        .withQueue(QueueSettings.of(16, Duration.ofMillis(100)))
                        .withShedding(Shedding.thresholds(0.99, 0.99))
                        .withSignals(new SignalThreshold("queue-time", 20.0 * MILLI)),
                ticker);
        Told first = enter(gate);
        Told waits = enter(gate);
        ticker.advance(10 * MILLI);
        exit(gate, first);
        exit(gate, waits);
        assertThat(gate.judge(call(SHEDDABLE, null))).isEmpty();
        Told holds = enter(gate);
        enter(gate);
        ticker.advance(90 * MILLI);
        exit(gate, holds);
        assertThat(gate.inFlight()).isEqualTo(1);
        ticker.advance(1000 * MILLI);
        assertThat(gate.judge(call(SHEDDABLE, null))).map(GateRefusal::reason).contains(GateReason.SHED);
    }

    // ---- with threads

    private CompletableFuture<Long> blocking(Gate gate, long maxWaitNanos) {
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(gate.enter(CRITICAL, maxWaitNanos));
            } catch (InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return result;
    }

    private final List<Thread> threads = new ArrayList<>();

    @Test
    void aThreadWaitsForASlot() throws Exception {
        Gate gate = gate(1, 16);
        long stamp = gate.tryEnter();
        CompletableFuture<Long> waits = blocking(gate, 1000 * MILLI);
        ticker.awaitParked(1);
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(waits.get(30, TimeUnit.SECONDS)).isNotEqualTo(Gate.REFUSED);
    }

    @Test
    void aThreadWaitsNoLongerThanItMay() throws Exception {
        Gate gate = gate(1, 16);
        gate.tryEnter();
        CompletableFuture<Long> waits = blocking(gate, 40 * MILLI);
        ticker.awaitParked(1);
        ticker.advance(40 * MILLI);
        assertThat(waits.get(30, TimeUnit.SECONDS)).isEqualTo(Gate.REFUSED);
        assertThat(gate.figures().waiting()).isZero();
        assertThat(gate.enter(CRITICAL, 0)).isEqualTo(Gate.REFUSED);
    }

    @Test
    void anInterruptedThreadLeavesItsPlace() throws Exception {
        Gate gate = gate(1, 1);
        long stamp = gate.tryEnter();
        CompletableFuture<Long> waits = blocking(gate, 1000 * MILLI);
        ticker.awaitParked(1);
        threads.get(0).interrupt();
        assertThatThrownBy(() -> waits.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(gate.figures().waiting()).isZero();
        Told next = enter(gate);
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(next.stamps()).hasSize(1);
    }
}
