package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the JDK can tell of load. */
final class LoadSignalsTest {

    @Test
    void sharesAreSharesOrUnknown() {
        for (LoadSignal signal : List.of(LoadSignals.cpu(), LoadSignals.heap(), LoadSignals.collectorTime())) {
            double value = signal.value();
            assertThat(Double.isNaN(value) || (value >= 0 && value <= 1))
                    .as("%s is %s", signal.name(), value)
                    .isTrue();
        }
        assertThat(LoadSignals.cpu().name()).isEqualTo("cpu");
        assertThat(LoadSignals.heap().name()).isEqualTo("heap");
        assertThat(LoadSignals.collectorTime().name()).isEqualTo("collector");
    }

    @Test
    void aQuietCollectorTakesNoTime() {
        FakeTicker ticker = new FakeTicker(0);
        LoadSignal collector = LoadSignals.collectorTime(ticker);
        ticker.advance(3_600_000_000_000L);
        assertThat(collector.value()).isLessThan(0.01);
        assertThat(collector.value()).isLessThan(0.01);
    }

    @Test
    void whatIsToldIsAnswered() {
        LoadSignals.Told delay = LoadSignals.told("event-loop");
        assertThat(delay.value()).isZero();
        delay.set(12.5);
        assertThat(delay.value()).isEqualTo(12.5);
        assertThat(LoadSignals.gauge("pool", () -> 0.5).value()).isEqualTo(0.5);
        assertThat(LoadSignals.gauge("pool", () -> 0.5).name()).isEqualTo("pool");
    }
}
