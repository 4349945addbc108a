package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HopByHopTest {

    @Test
    void whatConnectionNamesStaysHereAndTheRestKeepsItsOrder() {
        MultiMap from = MultiMap.caseInsensitiveMultiMap()
                .add("X-A", "1")
                .add("Connection", "close, X-B ,,x-c")
                .add("x-b", "2")
                .add("X-C", "3")
                .add("X-A", "4")
                .add("Keep-Alive", "5")
                .add("X-Dropped", "6")
                .add(":status", "200");
        MultiMap to = MultiMap.caseInsensitiveMultiMap();
        HopByHop.copyEndToEnd(from, to, "X-Dropped"::equals);
        assertThat(to.names()).containsExactly("X-A");
        assertThat(to.getAll("x-a")).containsExactly("1", "4");
    }

    @Test
    void whatAMessageNeedsCannotBeNamed() {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap()
                .add("Connection", "Host, Content-Length, content-type, AUTHORIZATION, cookie, X-A");
        assertThat(HopByHop.namedByConnection(fields)).containsExactly("x-a");
    }

    @ParameterizedTest
    @CsvSource({
        "trailers, true",
        "Trailers, true",
        "'gzip, trailers', true",
        "gzip, false",
        "trailers;q=1, false",
        "'', false"
    })
    void trailersAreTakenByThoseWhoSaySo(String te, boolean taken) {
        assertThat(HopByHop.takesTrailers(MultiMap.caseInsensitiveMultiMap().add("TE", te)))
                .isEqualTo(taken);
    }

    @ParameterizedTest
    @CsvSource({
        "close, true",
        "Close, true",
        "'keep-alive, close', true",
        "'close,x-a', true",
        "closer, false",
        "'', false"
    })
    void theLastMessageSaysSo(String connection, boolean last) {
        assertThat(HopByHop.closes(MultiMap.caseInsensitiveMultiMap().add("Connection", connection)))
                .isEqualTo(last);
        assertThat(HopByHop.closes(MultiMap.caseInsensitiveMultiMap())).isFalse();
        assertThat(HopByHop.closes(MultiMap.caseInsensitiveMultiMap()
                        .add("Connection", "x-a")
                        .add("Connection", connection)))
                .isEqualTo(last);
    }
}
