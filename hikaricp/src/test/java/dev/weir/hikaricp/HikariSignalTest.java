package dev.weir.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.Ticker;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.Gate;
import dev.weir.load.GateCall;
import dev.weir.load.GateReason;
import dev.weir.load.GateSettings;
import dev.weir.load.Shedding;
import dev.weir.load.SignalThreshold;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HikariSignalTest {

    private final HikariDataSource source = source();
    private final HikariSignal signal = HikariSignal.of("orders-db", source);

    private static HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:orders");
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    @AfterEach
    void stop() {
        source.close();
    }

    @Test
    void itIsTheShareOfTheConnectionsInUse() throws Exception {
        assertThat(signal.name()).isEqualTo("pool:orders-db");
        assertThat(signal.value()).isZero();
        try (Connection one = source.getConnection()) {
            assertThat(signal.value()).isEqualTo(0.25);
            assertThat(one.isClosed()).isFalse();
        }
        assertThat(signal.value()).isZero();
    }

    @Test
    void whoWaitsForAConnectionCountsAsWell() throws Exception {
        CountDownLatch got = new CountDownLatch(1);
        try (Connection a = source.getConnection();
                Connection b = source.getConnection();
                Connection c = source.getConnection();
                Connection d = source.getConnection()) {
            assertThat(List.of(a, b, c, d)).doesNotHaveDuplicates();
            assertThat(signal.value()).isEqualTo(1);
            new Thread(() -> {
                        try {
                            source.getConnection().close();
                            got.countDown();
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    })
                    .start();
            while (signal.value() < 1.25) {
                Thread.onSpinWait();
            }
        }
        got.await();
    }

    @Test
    void aGateShedsWhileThePoolIsFull() throws Exception {
        GateSettings settings = GateSettings.of("service", ConcurrencyLimit.fixed(10))
                .withShedding(Shedding.thresholds(0.6, 0.8))
                .withSignals(new SignalThreshold("pool:orders-db", 0.7));
        long[] now = {0};
        Ticker ticker = () -> now[0];
        Gate gate = Gate.of(settings, ticker, List.of(signal));
        GateCall report = GateCall.of(Criticality.SHEDDABLE);
        assertThat(gate.judge(report)).isEmpty();
        try (Connection a = source.getConnection();
                Connection b = source.getConnection();
                Connection c = source.getConnection()) {
            assertThat(List.of(a, b, c)).doesNotHaveDuplicates();
            now[0] += 1_000_000_000L;
            assertThat(gate.judge(report).orElseThrow().reason()).isEqualTo(GateReason.SHED);
            assertThat(gate.judge(GateCall.of(Criticality.CRITICAL))).isEmpty();
        }
        now[0] += 1_000_000_000L;
        assertThat(gate.judge(report)).isEmpty();
    }

    @Test
    void aClosedDataSourceTellsNothing() {
        source.close();
        assertThat(signal.value()).isNaN();
    }

    @Test
    void aPoolHasAName() {
        assertThatThrownBy(() -> HikariSignal.of("", source)).isInstanceOf(IllegalArgumentException.class);
    }
}
