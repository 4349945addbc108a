package dev.weir.load;

import static dev.weir.load.Criticality.CRITICAL;
import static dev.weir.load.Criticality.SHEDDABLE;
import static dev.weir.load.Criticality.SHEDDABLE_PLUS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a gate listens to, when that acts, and how it shows. */
final class SignalsTest {

    private static final long MILLI = 1_000_000;

    private final FakeTicker ticker = new FakeTicker(0);

    private static GateSettings listening(String signal, double threshold) {
        return GateSettings.of("service", ConcurrencyLimit.fixed(10))
                .withShedding(Shedding.thresholds(0.6, 0.8))
                .withSignals(new SignalThreshold(signal, threshold));
    }

    private static Optional<GateReason> verdict(Gate gate, Criticality criticality) {
        return gate.judge(GateCall.of(criticality)).map(GateRefusal::reason);
    }

    /** What the figures say of the only signal, after a check that calls are shed exactly while it is above. */
    private GateFigures.Signal signal(Gate gate) {
        ticker.advance(100 * MILLI);
        Optional<GateReason> verdict = verdict(gate, SHEDDABLE);
        GateFigures.Signal signal = gate.figures().signals().get(0);
        assertThat(verdict).isEqualTo(signal.above() ? Optional.of(GateReason.SHED) : Optional.empty());
        return signal;
    }

    @Test
    void aSignalAboveItsThresholdShedsAsIfTheGateWereFull() {
        LoadSignals.Told cpu = LoadSignals.told("cpu");
        Gate gate = Gate.of(listening("cpu", 0.9), ticker, List.of(cpu));
        cpu.set(0.9);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("cpu", 0.9, 0.9, false));
        cpu.set(0.91);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("cpu", 0.91, 0.9, true));
        assertThat(verdict(gate, SHEDDABLE_PLUS)).contains(GateReason.SHED);
        assertThat(verdict(gate, CRITICAL)).isEmpty();
        cpu.set(Double.NaN);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("cpu", Double.NaN, 0.9, false));
    }

    @Test
    void aSignalIsAskedAtMostTenTimesASecondForADecision() {
        LoadSignals.Told cpu = LoadSignals.told("cpu");
        Gate gate = Gate.of(listening("cpu", 0.9), ticker, List.of(cpu));
        assertThat(verdict(gate, SHEDDABLE)).isEmpty();
        cpu.set(1);
        ticker.advance(99 * MILLI);
        assertThat(verdict(gate, SHEDDABLE)).isEmpty();
        ticker.advance(MILLI);
        assertThat(verdict(gate, SHEDDABLE)).contains(GateReason.SHED);
    }

    @Test
    void aSignalThatFailsSaysNothing() {
        LoadSignal failing = LoadSignals.gauge("pool:orders", () -> {
            throw new IllegalStateException("closed");
        });
        assertThat(signal(Gate.of(listening("pool:orders", 0.9), ticker, List.of(failing))))
                .isEqualTo(new GateFigures.Signal("pool:orders", Double.NaN, 0.9, false));
    }

    @Test
    void aSignalThatNobodyProvidesShowsAndNeverActs() {
        Gate gate = Gate.of(listening("pool:orders", 0), ticker);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("pool:orders", Double.NaN, 0, false));
        assertThat(gate.carriedOver(listening("event-loop", 0)).figures().signals())
                .containsExactly(new GateFigures.Signal("event-loop", Double.NaN, 0, false));
    }

    @Test
    void signalsOfTheProcessAreProvidedByName() {
        for (LoadSignal given : List.of(LoadSignals.cpu(), LoadSignals.heap(), LoadSignals.collectorTime())) {
            Gate gate = Gate.of(listening(given.name(), 2), ticker, List.of(given));
            GateFigures.Signal signal = signal(gate);
            assertThat(signal.name()).isEqualTo(given.name());
            assertThat(signal.above()).isFalse();
        }
    }

    @Test
    void queueTimeIsHowLongTheOldestWaits() {
        Gate gate = Gate.of(
                GateSettings.of("service", ConcurrencyLimit.fixed(1))
                        .withQueue(QueueSettings.of(5, Duration.ofSeconds(10)))
                        .withSignals(new SignalThreshold("queue-time", 50.0 * MILLI)),
                ticker);
        long stamp = gate.tryEnter();
        gate.enter(GateCall.of(CRITICAL), new Told());
        ticker.advance(50 * MILLI);
        assertThat(gate.figures().signals())
                .containsExactly(new GateFigures.Signal("queue-time", 50.0 * MILLI, 50.0 * MILLI, false));
        ticker.advance(10 * MILLI);
        assertThat(gate.figures().signals())
                .containsExactly(new GateFigures.Signal("queue-time", 60.0 * MILLI, 50.0 * MILLI, true));
        gate.exit(stamp, Outcome.SUCCESS);
        assertThat(gate.figures().signals()).allMatch(signal -> !signal.above());
    }

    @Test
    void queueTimeIsAlsoHowLongThoseWaitedWhoWereLetIn() {
        Gate gate = Gate.of(
                listening("queue-time", 50.0 * MILLI).withQueue(QueueSettings.of(5, Duration.ofSeconds(10))), ticker);
        long[] stamps = new long[10];
        for (int i = 0; i < stamps.length; i++) {
            stamps[i] = gate.tryEnter();
        }
        Told waiter = new Told();
        gate.enter(GateCall.of(CRITICAL), waiter);
        ticker.advance(80 * MILLI);
        gate.exit(stamps[0], Outcome.SUCCESS);
        gate.exit(waiter.stamps().get(0), Outcome.SUCCESS);
        for (int i = 1; i < stamps.length; i++) {
            gate.exit(stamps[i], Outcome.SUCCESS);
        }
        ticker.advance(1000 * MILLI);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("queue-time", 80.0 * MILLI, 50.0 * MILLI, true));
        ticker.advance(1000 * MILLI);
        assertThat(signal(gate).above()).isFalse();
    }

    @Test
    void p99IsOfTheLastSecond() {
        Gate gate = Gate.of(listening("p99", 15.0 * MILLI), ticker);
        answers(gate, 60, 20, Outcome.SUCCESS, false);
        assertThat(signal(gate).value()).isBetween(17.5 * MILLI, 20.0 * MILLI);
        assertThat(signal(gate).above()).isTrue();
        answers(gate, 210, 10, Outcome.SUCCESS, false);
        assertThat(signal(gate).above()).isFalse();
    }

    @Test
    void timeoutsAreDroppedCalls() {
        Gate gate = Gate.of(listening("timeouts", 0.5), ticker);
        answers(gate, 60, 20, Outcome.SUCCESS, false);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("timeouts", 0, 0.5, false));
        answers(gate, 110, 20, Outcome.DROPPED, false);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("timeouts", 1, 0.5, true));
    }

    @Test
    void errorsAreAnswersThatWereErrors() {
        Gate gate = Gate.of(listening("errors", 0.5), ticker);
        answers(gate, 60, 20, Outcome.SUCCESS, false);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("errors", 0, 0.5, false));
        answers(gate, 110, 20, Outcome.SUCCESS, true);
        assertThat(signal(gate)).isEqualTo(new GateFigures.Signal("errors", 1, 0.5, true));
    }

    private void answers(Gate gate, int calls, long millis, Outcome outcome, boolean error) {
        for (int i = 0; i < calls; i++) {
            long stamp = gate.tryEnter();
            ticker.advance(millis * MILLI);
            if (error) {
                gate.error();
            }
            gate.exit(stamp, outcome);
        }
    }
}
