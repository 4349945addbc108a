package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "a, '', 1",
        "hash, hash, 0",
        "hahs, hash, 1",
        "hsah, hash, 1",
        "hsh, hash, 1",
        "trcae, trace, 1",
        "kitten, sitting, 3"
    })
    void countsTypingErrors(String a, String b, int errors) {
        assertThat(Nearest.distance(a, b)).isEqualTo(errors);
        assertThat(Nearest.distance(b, a)).isEqualTo(errors);
    }

    @Test
    void suggestsTheNearestOrNothing() {
        List<String> known = List.of("check", "explain", "trace", "replay");

        assertThat(Nearest.to("chek", known)).contains("check");
        assertThat(Nearest.to("relpay", known)).contains("replay");
        assertThat(Nearest.to("frobnicate", known)).isEmpty();
    }
}
