package dev.weir.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingTest {

    @ParameterizedTest
    @CsvSource({
        "24, 24, 32, 4, 50",
        "49, 49, 64, 8, 100",
        "0.2, 1, 2, 1, 10",
        "5, 5, 7, 1, 10",
        "10, 10, 13, 1, 20",
        "10.4, 10, 13, 1, 20",
        "20, 20, 26, 3, 40",
        "200, 200, 260, 32, 400",
    })
    void limitsFollowFromWhatIsUseful(double inFlight, long useful, long limit, long floor, long ceiling) {
        assertThat(Sizing.of(inFlight)).isEqualTo(new Sizing(useful, limit, floor, ceiling));
    }
}
