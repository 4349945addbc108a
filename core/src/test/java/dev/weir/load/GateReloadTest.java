package dev.weir.load;

import static dev.weir.load.Criticality.CRITICAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gate that goes on under other settings. */
final class GateReloadTest {

    private static final long MILLI = 1_000_000;

    private final FakeTicker ticker = new FakeTicker(0);

    private static GateSettings settings(ConcurrencyLimit concurrency) {
        return GateSettings.of("service", concurrency);
    }

    private static List<Long> enter(Gate gate, int calls) {
        List<Long> stamps = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            stamps.add(gate.tryEnter());
        }
        return stamps;
    }

    @Test
    void callsInFlightStay() {
        Gate before = Gate.of(settings(ConcurrencyLimit.fixed(4)), ticker);
        List<Long> stamps = enter(before, 4);
        Gate after = before.carriedOver(settings(ConcurrencyLimit.fixed(2)));
        assertThat(after.inFlight()).isEqualTo(4);
        assertThat(after.limit()).isEqualTo(2);
        before.exit(stamps.get(0), Outcome.SUCCESS);
        after.exit(stamps.get(1), Outcome.SUCCESS);
        assertThat(after.tryEnter()).as("until it is met").isEqualTo(Gate.REFUSED);
        before.exit(stamps.get(2), Outcome.SUCCESS);
        assertThat(after.tryEnter()).isNotEqualTo(Gate.REFUSED);
        assertThat(before.tryEnter()).as("one count for both").isEqualTo(Gate.REFUSED);
    }

    @Test
    void aHigherCeilingHasRoom() {
        Gate before = Gate.of(settings(ConcurrencyLimit.fixed(4)), ticker);
        enter(before, 4);
        Gate after = before.carriedOver(settings(ConcurrencyLimit.fixed(2000)));
        assertThat(enter(after, 1996)).doesNotContain(Gate.REFUSED).doesNotHaveDuplicates();
        assertThat(after.tryEnter()).isEqualTo(Gate.REFUSED);
    }

    @Test
    void whatWasLearntStaysWithTheSameAlgorithm() {
        Gate before = Gate.of(settings(ConcurrencyLimit.gradient(25, 4, 100)), ticker);
        List<Long> stamps = enter(before, 25);
        ticker.advance(50 * MILLI);
        stamps.forEach(stamp -> before.exit(stamp, Outcome.SUCCESS));
        stamps = enter(before, 25);
        ticker.advance(50 * MILLI);
        stamps.forEach(stamp -> before.exit(stamp, Outcome.SUCCESS));
        assertThat(before.limit()).isEqualTo(27);
        Gate same = before.carriedOver(settings(ConcurrencyLimit.gradient(10, 4, 200)));
        assertThat(same.limit()).isEqualTo(27);
        assertThat(same.figures().baseNanos()).isEqualTo(50.0 * MILLI);
        assertThat(same.carriedOver(settings(ConcurrencyLimit.gradient(10, 4, 20)))
                        .limit())
                .isEqualTo(20);
        assertThat(same.carriedOver(settings(ConcurrencyLimit.aimd(10, 4, 200))).limit())
                .isEqualTo(10);
    }

    @Test
    void poolsKeepTheirCallsByName() {
        GateSettings old = settings(ConcurrencyLimit.fixed(10))
                .withPools(new PoolSettings("a", 0.5, false), new PoolSettings("b", 0.5, false));
        Gate before = Gate.of(old, ticker);
        long inA = before.enter(call(0), new Told()).stamp().orElseThrow();
        before.enter(call(1), new Told()).stamp().orElseThrow();
        Gate after = before.carriedOver(settings(ConcurrencyLimit.fixed(10))
                .withPools(
                        new PoolSettings("c", 0.4, false),
                        new PoolSettings("b", 0.3, false),
                        new PoolSettings("a", 0.3, false)));
        assertThat(after.figures().pools())
                .extracting(GateFigures.Pool::inFlight)
                .containsExactly(0, 1, 1);
        before.enter(call(0), new Told());
        assertThat(after.figures().pools())
                .extracting(GateFigures.Pool::inFlight)
                .containsExactly(0, 1, 2);
        before.exit(inA, Outcome.SUCCESS);
        assertThat(after.figures().pools())
                .extracting(GateFigures.Pool::inFlight)
                .containsExactly(0, 1, 1);
    }

    private static GateCall call(int pool) {
        return new GateCall(pool, null, CRITICAL, GateCall.NO_DEADLINE);
    }

    @Test
    void waitersWithoutAPlaceAreRefusedAndTheOthersWaitOn() {
        GateSettings one = settings(ConcurrencyLimit.fixed(1));
        Gate before = Gate.of(one.withQueue(QueueSettings.of(3, Duration.ofMillis(100))), ticker);
        long stamp = before.tryEnter();
        List<Told> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Told told = new Told();
            waiters.add(told);
            before.enter(call(0), told);
        }
        Gate after = before.carriedOver(one.withQueue(QueueSettings.of(1, Duration.ofMillis(100))));
        assertThat(waiters.get(0).waits()).isTrue();
        assertThat(waiters.get(1).reasons()).containsExactly(GateReason.FULL);
        assertThat(waiters.get(2).reasons()).containsExactly(GateReason.FULL);
        Gate plain = after.carriedOver(one);
        assertThat(waiters.get(0).reasons()).containsExactly(GateReason.FULL);
        plain.exit(stamp, Outcome.SUCCESS);
        assertThat(plain.inFlight()).isZero();
    }

    @Test
    void aHigherLimitLetsWaitersIn() {
        QueueSettings queue = QueueSettings.of(3, Duration.ofMillis(100));
        Gate before = Gate.of(settings(ConcurrencyLimit.fixed(1)).withQueue(queue), ticker);
        before.tryEnter();
        Told waits = new Told();
        before.enter(call(0), waits);
        before.carriedOver(settings(ConcurrencyLimit.fixed(2)).withQueue(queue));
        assertThat(waits.stamps()).hasSize(1);
    }

    @Test
    void aGateWithPoolsBecomesPlainAndBack() {
        GateSettings plain = settings(ConcurrencyLimit.fixed(4));
        GateSettings pools = plain.withPools(PoolSettings.of("a", 0.5), PoolSettings.of("b", 0.5));
        Gate gate = Gate.of(pools, ticker);
        List<Long> stamps = enter(gate, 2);
        Gate second = gate.carriedOver(plain);
        stamps.addAll(enter(second, 2));
        assertThat(second.tryEnter()).isEqualTo(Gate.REFUSED);
        Gate third = second.carriedOver(pools);
        assertThat(third.tryEnter()).isEqualTo(Gate.REFUSED);
        stamps.forEach(stamp -> third.exit(stamp, Outcome.SUCCESS));
        assertThat(third.inFlight()).isZero();
        assertThat(third.figures().pools())
                .extracting(GateFigures.Pool::inFlight)
                .containsExactly(0, 0);
        assertThat(third.doubleExits()).isZero();
    }
}
