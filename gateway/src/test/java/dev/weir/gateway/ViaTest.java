package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ViaTest {

    @ParameterizedTest
    @CsvSource({"HTTP_1_0, 1.0 weir", "HTTP_1_1, 1.1 weir", "HTTP_2, 2 weir"})
    void theEntryNamesTheVersionThatCame(HttpVersion version, String entry) {
        assertThat(Via.entry(version)).isEqualTo(entry);
    }

    @Test
    void tenOfOursAreACircle() {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap();
        fields.add("Via", "1.1 other, 1.1 weir ,2 weir").add("Via", "1.1 weir, ".repeat(6) + "1.0 weirder");
        assertThat(Via.isLoop(fields)).isFalse();
        fields.add("Via", "2 weir");
        assertThat(Via.isLoop(fields)).isFalse();
        fields.add("Via", "2 weir");
        assertThat(Via.isLoop(fields)).isTrue();
    }
}
