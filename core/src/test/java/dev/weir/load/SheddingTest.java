package dev.weir.load;

import static dev.weir.load.Criticality.CRITICAL;
import static dev.weir.load.Criticality.CRITICAL_PLUS;
import static dev.weir.load.Criticality.SHEDDABLE;
import static dev.weir.load.Criticality.SHEDDABLE_PLUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.FakeTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is refused early, and what is done cheaper. */
final class SheddingTest {

    private static final long MILLI = 1_000_000;

    private final FakeTicker ticker = new FakeTicker(0);

    private static GateSettings settings(int limit) {
        return GateSettings.of("service", ConcurrencyLimit.fixed(limit));
    }

    private static Optional<GateReason> verdict(Gate gate, Criticality criticality) {
        return gate.judge(GateCall.of(criticality)).map(GateRefusal::reason);
    }

    private static void fillTo(Gate gate, int inFlight) {
        while (gate.inFlight() < inFlight) {
            assertThat(gate.tryEnter(CRITICAL_PLUS)).isNotEqualTo(Gate.REFUSED);
        }
    }

    @Test
    void theLeastCriticalGoFirst() {
        Gate gate = Gate.of(settings(10).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
        fillTo(gate, 5);
        assertThat(verdict(gate, SHEDDABLE)).isEmpty();
        fillTo(gate, 6);
        assertThat(verdict(gate, SHEDDABLE)).contains(GateReason.SHED);
        assertThat(verdict(gate, SHEDDABLE_PLUS)).isEmpty();
        fillTo(gate, 8);
        assertThat(verdict(gate, SHEDDABLE_PLUS)).contains(GateReason.SHED);
        assertThat(verdict(gate, CRITICAL)).isEmpty();
        fillTo(gate, 10);
        assertThat(verdict(gate, CRITICAL)).contains(GateReason.FULL);
        assertThat(verdict(gate, CRITICAL_PLUS)).contains(GateReason.FULL);
        assertThat(verdict(gate, SHEDDABLE)).contains(GateReason.SHED);
    }

    @Test
    void judgingTakesNothing() {
        Gate gate = Gate.of(settings(10).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
        for (int i = 0; i < 100; i++) {
            assertThat(verdict(gate, CRITICAL)).isEmpty();
        }
        assertThat(gate.inFlight()).isZero();
    }

    @Test
    void theLastTwoOfEightAreForCheckouts() {
        for (Shedding shedding :
                List.of(new Shedding.Reserve(Map.of(CRITICAL, 2)), new Shedding.Thresholds(Map.of(SHEDDABLE, 0.75)))) {
            Gate gate = Gate.of(settings(8).withShedding(shedding), ticker);
            for (int i = 0; i < 6; i++) {
                assertThat(gate.tryEnter(SHEDDABLE)).as("report %d", i).isNotEqualTo(Gate.REFUSED);
            }
            GateRefusal refusal = gate.judge(GateCall.of(SHEDDABLE)).orElseThrow();
            assertThat(refusal.reason()).isEqualTo(GateReason.SHED);
            assertThat(refusal.retryAfterNanos()).isEqualTo(1000 * MILLI);
            assertThat(gate.tryEnter(SHEDDABLE)).isEqualTo(Gate.REFUSED);
            assertThat(gate.tryEnter(CRITICAL)).isNotEqualTo(Gate.REFUSED);
            assertThat(gate.tryEnter(CRITICAL)).isNotEqualTo(Gate.REFUSED);
            assertThat(verdict(gate, CRITICAL)).contains(GateReason.FULL);
            Gate idle = Gate.of(settings(8).withShedding(shedding), ticker);
            fillTo(idle, 8);
        }
    }

    /** So many rounds of 100 ms in which one critical call finds no slot, or so many find one. */
    private void rounds(Gate gate, int count, int lost, int found) {
        for (int round = 0; round < count; round++) {
            ticker.advance(100 * MILLI);
            long[] stamps = new long[10];
            for (int i = 0; i < lost; i++) {
                for (int slot = 0; slot < stamps.length; slot++) {
                    stamps[slot] = gate.tryEnter(CRITICAL);
                }
                assertThat(verdict(gate, CRITICAL)).contains(GateReason.FULL);
                for (long stamp : stamps) {
                    gate.exit(stamp, Outcome.SUCCESS);
                }
            }
            for (int i = 0; i < found; i++) {
                gate.exit(gate.tryEnter(CRITICAL), Outcome.SUCCESS);
            }
        }
    }

    private int sheddableSlots(Gate gate) {
        int free = 0;
        long[] stamps = new long[10];
        while (free < stamps.length && verdict(gate, SHEDDABLE).isEmpty()) {
            stamps[free++] = gate.tryEnter(SHEDDABLE);
        }
        for (int i = 0; i < free; i++) {
            gate.exit(stamps[i], Outcome.SUCCESS);
        }
        return free;
    }

    @Test
    void whileCriticalCallsFindNoSlotSheddableOnesLeaveMoreFree() {
        Gate gate = Gate.of(settings(10).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
        assertThat(sheddableSlots(gate)).isEqualTo(6);
        rounds(gate, 1, 1, 0);
        assertThat(sheddableSlots(gate)).isEqualTo(6);
        rounds(gate, 13, 1, 0);
        assertThat(sheddableSlots(gate)).isEqualTo(3);
        rounds(gate, 100, 1, 0);
        assertThat(sheddableSlots(gate)).as("at most half of the limit is kept").isEqualTo(1);
        fillTo(gate, 10);
        assertThat(gate.inFlight()).as("for critical calls it is no cap").isEqualTo(10);
    }

    @Test
    void whatIsKeptForCriticalCallsIsLetGoWhenTheyFindSlots() {
        Gate gate = Gate.of(settings(10).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
        rounds(gate, 12, 1, 0);
        assertThat(sheddableSlots(gate)).isLessThan(6);
        rounds(gate, 50, 0, 100);
        assertThat(sheddableSlots(gate)).isEqualTo(6);
        rounds(gate, 12, 1, 0);
        assertThat(sheddableSlots(gate)).isLessThan(6);
        ticker.advance(60_000 * MILLI);
        rounds(gate, 1, 0, 1);
        assertThat(sheddableSlots(gate)).as("and when nobody comes").isEqualTo(6);
    }

    @Test
    void aFullMomentAloneKeepsNothing() {
        Gate gate = Gate.of(settings(10).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
        fillTo(gate, 10);
        for (int i = 0; i < 1000; i++) {
            assertThat(verdict(gate, CRITICAL)).contains(GateReason.FULL);
        }
        Gate sameMoment = gate.carriedOver(settings(20).withShedding(Shedding.thresholds(0.6, 0.8)));
        assertThat(verdict(sameMoment, SHEDDABLE)).isEmpty();
    }

    /** The limit was learnt too low, and those who would need more are shed before anybody is refused for want of a slot. */
    @Test
    void aLimitBelowWhatIsNeededGrowsThoughAllAreShedBeforeItIsReached() {
        Gate gate = shedding(ConcurrencyLimit.gradient(20, 4, 500));
        serve(gate, 10, 4 * MILLI);
        assertThat(gate.limit()).isBetween(10, 60);
        serve(gate, 400, 20 * MILLI);
        assertThat(gate.figures().moves()).containsKey(MoveReason.INTRINSIC);
        assertThat(gate.limit()).isGreaterThan(40);
    }

    private Gate shedding(ConcurrencyLimit limit) {
        return Gate.of(GateSettings.of("service", limit).withShedding(Shedding.thresholds(0.6, 0.8)), ticker);
    }

    /** Rounds of as many sheddable calls as may enter, each as long as the round, and one more. */
    private void serve(Gate gate, int rounds, long nanos) {
        for (int round = 0; round < rounds; round++) {
            List<Long> stamps = new ArrayList<>();
            for (long stamp = gate.tryEnter(SHEDDABLE); stamp != Gate.REFUSED; stamp = gate.tryEnter(SHEDDABLE)) {
                stamps.add(stamp);
            }
            ticker.advance(nanos);
            stamps.forEach(stamp -> gate.exit(stamp, Outcome.SUCCESS));
        }
    }

    @Test
    void sheddingBelowTheLimitDoesNotBindTheWindow() {
        Gate gate = shedding(ConcurrencyLimit.gradient(10, 4, 10));
        for (int round = 0; round < 30; round++) {
            long[] stamps = new long[6];
            for (int i = 0; i < 6; i++) {
                stamps[i] = gate.tryEnter(CRITICAL);
            }
            gate.tryEnter(SHEDDABLE);
            ticker.advance(20 * MILLI);
            for (long stamp : stamps) {
                gate.exit(stamp, Outcome.SUCCESS);
            }
        }
        assertThat(gate.figures().moves()).doesNotContainKeys(MoveReason.EXPERIMENT, MoveReason.STEADY);
        assertThat(gate.figures().refusals()).contains(new GateFigures.Refused("", SHEDDABLE, GateReason.SHED, 30));
    }

    @Test
    void criticalPlusIsNeverShed() {
        assertThatThrownBy(() -> new Shedding.Thresholds(Map.of(CRITICAL_PLUS, 0.9)))
                .hasMessageContaining("critical-plus");
    }

    @Test
    void modesComeCheapestFirstAndLeaveInReverse() {
        Gate gate = Gate.of(
                settings(20)
                        .withDegrade(
                                new DegradeStep(0.7, "stale"),
                                new DegradeStep(0.8, "no-enrichment"),
                                new DegradeStep(0.9, "write-later")),
                ticker);
        long[] stamps = new long[20];
        assertThat(modesAt(gate, stamps, 13)).isEmpty();
        assertThat(modesAt(gate, stamps, 14)).containsExactly("stale");
        assertThat(modesAt(gate, stamps, 16)).containsExactly("stale", "no-enrichment");
        assertThat(modesAt(gate, stamps, 19)).containsExactly("stale", "no-enrichment", "write-later");
        assertThat(modesAt(gate, stamps, 18)).containsExactly("stale", "no-enrichment", "write-later");
        assertThat(modesAt(gate, stamps, 16)).containsExactly("stale", "no-enrichment");
        assertThat(modesAt(gate, stamps, 14)).containsExactly("stale");
        assertThat(modesAt(gate, stamps, 12)).isEmpty();
    }

    /** After 3.1 s of so many in flight. */
    private List<String> modesAt(Gate gate, long[] stamps, int inFlight) {
        for (int i = 0; i < stamps.length; i++) {
            if (i < inFlight && stamps[i] == Gate.REFUSED) {
                stamps[i] = gate.tryEnter();
            } else if (i >= inFlight && stamps[i] != Gate.REFUSED) {
                gate.exit(stamps[i], Outcome.SUCCESS);
                stamps[i] = Gate.REFUSED;
            }
        }
        ticker.advance(3100 * MILLI);
        return gate.degrade();
    }

    @Test
    void aGateFullOfLongCallsIsFull() {
        Gate gate = Gate.of(
                settings(2).withShedding(Shedding.thresholds(0.5, 0.8)).withDegrade(new DegradeStep(0.9, "stale")),
                ticker);
        long first = gate.tryEnter(CRITICAL);
        gate.markLong(first);
        assertThat(gate.figures().utilisation()).isEqualTo(0.5);
        assertThat(verdict(gate, SHEDDABLE)).contains(GateReason.SHED);
        assertThat(verdict(gate, CRITICAL)).isEmpty();
        gate.markLong(gate.tryEnter(CRITICAL));
        assertThat(gate.figures().utilisation()).isEqualTo(1);
        assertThat(gate.figures().pools().get(0).utilisation()).isEqualTo(1);
        ticker.advance(3100 * MILLI);
        assertThat(gate.degrade()).containsExactly("stale");
        gate.exit(first, Outcome.SUCCESS);
        assertThat(gate.figures().utilisation()).isEqualTo(0.5);
        assertThat(gate.figures().pools().get(0).utilisation()).isEqualTo(0.5);
    }

    @Test
    void longCallsTakeNothingAwayWhileTheCeilingLeavesOthers() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.aimd(4, 4, 6)).withShedding(Shedding.thresholds(0.5, 0.8)),
                ticker);
        double[] shares = {0, 0, 0, 0.25, 0.5};
        for (int sockets = 0; sockets < shares.length; sockets++) {
            GateFigures figures = gate.figures();
            assertThat(figures.utilisation()).isEqualTo(shares[sockets]);
            assertThat(figures.pools().get(0).utilisation()).isEqualTo(shares[sockets]);
            gate.markLong(gate.tryEnter(CRITICAL));
            gate.exit(gate.tryEnter(CRITICAL), Outcome.SUCCESS);
        }
    }

    @Test
    void aGateWithNothingButANumberSaysTheSameOfLongCalls() {
        Gate gate = Gate.of(settings(2), ticker);
        gate.markLong(gate.tryEnter());
        gate.tryEnter();
        assertThat(gate.figures().utilisation()).isEqualTo(1);
        assertThat(gate.figures().pools().get(0).utilisation()).isEqualTo(1);
        assertThat(gate.figures().pools().get(0).inFlight()).isEqualTo(1);
    }

    @Test
    void aModeComesAfterASecondAndGoesAfterTwo() {
        Gate gate = Gate.of(settings(10).withDegrade(new DegradeStep(0.7, "stale")), ticker);
        long[] stamps = new long[10];
        for (int i = 0; i < 7; i++) {
            stamps[i] = gate.tryEnter();
        }
        ticker.advance(900 * MILLI);
        assertThat(gate.degrade()).isEmpty();
        ticker.advance(100 * MILLI);
        assertThat(gate.degrade()).containsExactly("stale");
        for (int i = 0; i < 7; i++) {
            gate.exit(stamps[i], Outcome.SUCCESS);
        }
        ticker.advance(1900 * MILLI);
        assertThat(gate.degrade()).containsExactly("stale");
        ticker.advance(200 * MILLI);
        assertThat(gate.degrade()).isEmpty();
        ticker.advance(3_600_000 * MILLI);
        assertThat(gate.degrade()).isEmpty();
    }
}
