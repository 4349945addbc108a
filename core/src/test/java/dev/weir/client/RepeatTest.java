package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.PeerAnswer.Kind;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatTest {

    @ParameterizedTest
    @CsvSource({
        "GET, false, true, SAFE",
        "get, false, true, SAFE",
        "HEAD, false, true, SAFE",
        "OPTIONS, false, true, SAFE",
        "TRACE, false, true, SAFE",
        "PUT, false, true, SAFE",
        "DELETE, false, true, SAFE",
        "POST, false, true, UNSENT_ONLY",
        "PATCH, false, true, UNSENT_ONLY",
        "CONNECT, false, true, UNSENT_ONLY",
        "POST, true, true, SAFE",
        "PATCH, true, true, SAFE",
        "POST, true, false, NEVER",
        "PUT, false, false, NEVER",
        "GET, false, false, NEVER",
    })
    void requests(String method, boolean keyed, boolean bodyRepeatable, Repeat expected) {
        assertThat(Repeat.of(method, keyed, bodyRepeatable)).isEqualTo(expected);
    }

    @Test
    void thePolicyMayAllowMore() {
        assertThat(Repeat.of("POST", false, true, Set.of("POST"))).isEqualTo(Repeat.SAFE);
        assertThat(Repeat.of("PATCH", false, true, Set.of("POST"))).isEqualTo(Repeat.UNSENT_ONLY);
        assertThat(Repeat.of("POST", false, false, Set.of("POST"))).isEqualTo(Repeat.NEVER);
    }

    @ParameterizedTest
    @CsvSource({
        "SAFE, REFUSED, true",
        "SAFE, FAILED, true",
        "SAFE, UNSENT, true",
        "SAFE, ACCEPTED, false",
        "SAFE, IGNORED, false",
        "UNSENT_ONLY, REFUSED, false",
        "UNSENT_ONLY, FAILED, false",
        "UNSENT_ONLY, UNSENT, true",
        "UNSENT_ONLY, ACCEPTED, false",
        "NEVER, REFUSED, false",
        "NEVER, FAILED, false",
        "NEVER, UNSENT, false",
    })
    void answers(Repeat repeat, Kind kind, boolean again) {
        assertThat(repeat.after(kind)).isEqualTo(again);
    }
}
