package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLeftTest {

    @ParameterizedTest
    @CsvSource({
        "X-Request-Timeout, 2, 2000000000",
        "X-Request-Timeout, 0.25, 250000000",
        "X-Request-Timeout, 250ms, 250000000",
        "X-Request-Timeout, 1.5s, 1500000000",
        "X-Request-Timeout, ' 3 ', 3000000000",
        "X-Request-Timeout, 0, 0",
        "X-Expected-Timeout-Ms, 40, 40000000",
        "X-Expected-Timeout-ms, 4s, 4000000000",
        "grpc-timeout, 100m, 100000000",
        "Grpc-Timeout, 2S, 2000000000",
        "grpc-timeout, 1M, 60000000000",
        "grpc-timeout, 1H, 3600000000000",
        "grpc-timeout, 5u, 5000",
        "grpc-timeout, 99999999n, 99999999",
        "X-Request-Timeout, 999999999999, 2305843009213693951",
    })
    void whatCanBeRead(String field, String value, long nanos) {
        assertThat(TimeLeft.nanos(field, value)).hasValue(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1e3", "1m", "soon", "1 2", "0x10", "1.", ".5", "9999999999999", "١"})
    void whatMeansNothingIsAsIfItWereNotThere(String value) {
        assertThat(TimeLeft.nanos("X-Request-Timeout", value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "X-Request-Timeout, 1500000000, 1500ms",
        "X-Request-Timeout, 999999, 0ms",
        "X-Request-Timeout, -5, 0ms",
        "X-Timeout-Ms, 1500000000, 1500",
        "grpc-timeout, 1500000000, 1500m",
    })
    void whatIsSaidCanBeRead(String field, long nanos, String text) {
        assertThat(TimeLeft.text(field, nanos)).isEqualTo(text);
        assertThat(TimeLeft.nanos(field, text)).hasValue(Math.max(0, nanos) / 1_000_000 * 1_000_000);
    }

    @Test
    void grpcHasUnitsOfItsOwn() {
        assertThat(TimeLeft.nanos("grpc-timeout", "5")).isEmpty();
        assertThat(TimeLeft.nanos("grpc-timeout", "100ms")).isEmpty();
        assertThat(TimeLeft.nanos("grpc-timeout", "123456789S")).isEmpty();
    }
}
