package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaleCopiesTest {

    private static MultiMap fields(String... namesAndValues) {
        MultiMap fields = MultiMap.caseInsensitiveMultiMap();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=5                         | ''                        | true",
                "public                            | ''                        | true",
                "s-maxage=60                       | ''                        | true",
                "max-age=5                         | Accept-Encoding           | true",
                "max-age=5                         | X-Api-Key, accept         | true",
                "''                                | ''                        | false",
                "private, max-age=5                | ''                        | false",
                "no-store                          | ''                        | false",
                "public, no-cache                  | ''                        | false",
                "max-age=5, must-revalidate        | ''                        | false",
                "s-maxage=5, proxy-revalidate      | ''                        | false",
                "max-age=5                         | *                         | false",
                "max-age=5                         | Cookie                    | false",
            })
    void whatMayBeKept(String control, String vary, boolean kept) {
        assertThat(StaleCopies.mayKeep(200, fields("Cache-Control", control, "Vary", vary), Set.of("x-api-key")))
                .isEqualTo(kept);
        assertThat(StaleCopies.mayKeep(404, fields("Cache-Control", control, "Vary", vary), Set.of("x-api-key")))
                .isFalse();
        assertThat(StaleCopies.mayKeep(
                        200, fields("Cache-Control", control, "Vary", vary, "Set-Cookie", "a=b"), Set.of("x-api-key")))
                .isFalse();
    }

    private static StaleCopies.Copy copy(int bytes, long keptNanos) {
        return new StaleCopies.Copy(fields(), Buffer.buffer(new byte[bytes]), keptNanos, 7);
    }

    @Test
    void aCopyIsServedForFiveMinutesAndKnowsItsAge() {
        StaleCopies copies = new StaleCopies();
        copies.keep("a", copy(10, 1_000));
        assertThat(copies.find("a", 1_000 + StaleCopies.MAX_AGE_NANOS)).isPresent();
        assertThat(copies.find("a", 1_001 + StaleCopies.MAX_AGE_NANOS)).isEmpty();
        assertThat(copies.find("b", 1_000)).isEmpty();
        assertThat(copy(1, 0).ageSeconds(3_500_000_000L)).isEqualTo(10);
    }

    @Test
    void theLeastRecentlyUsedMakesRoom() {
        StaleCopies copies = new StaleCopies();
        int fit = 33_554_432 / (StaleCopies.MAX_BODY_BYTES + 520);
        for (int i = 0; i < fit; i++) {
            copies.keep("k" + i, copy(StaleCopies.MAX_BODY_BYTES, 0));
        }
        assertThat(copies.find("k0", 0)).isPresent();
        copies.keep("one more", copy(StaleCopies.MAX_BODY_BYTES, 0));
        copies.keep("and one", copy(StaleCopies.MAX_BODY_BYTES, 0));
        assertThat(copies.find("k0", 0)).as("used lately").isPresent();
        assertThat(copies.find("k1", 0)).isEmpty();
        assertThat(copies.find("and one", 0)).isPresent();
    }

    @Test
    void aNewerAnswerTakesThePlaceOfTheOlder() {
        StaleCopies copies = new StaleCopies();
        for (int i = 0; i < 1_000_000; i += 10_000) {
            copies.keep("a", copy(10_000, i));
        }
        assertThat(copies.find("a", 990_000).orElseThrow().keptNanos()).isEqualTo(990_000);
        copies.keep("b", copy(10, 0));
        assertThat(copies.find("a", 990_000)).isPresent();
    }
}
