package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAdvice.Limit;
import dev.weir.client.PeerAnswer;
import dev.weir.client.PeerAnswer.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeerAnswersTest {

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    /** Mon, 23 Oct 2023 21:48:42 GMT. */
    private static final Instant NOW = Instant.ofEpochSecond(1_698_097_722);

    /** Fields as {@code name: value}, separated by bars; a name that stands twice is two lines. */
    private static PeerAnswer read(int status, String fields, Instant now, boolean milliseconds) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String field : fields.isEmpty() ? new String[0] : fields.split("\\|", -1)) {
            int colon = field.indexOf(':');
            lines.computeIfAbsent(field.substring(0, colon), name -> new ArrayList<>())
                    .add(field.substring(colon + 1).strip());
        }
        return PeerAnswers.of(status, name -> lines.getOrDefault(name, List.of()), now, milliseconds);
    }

    private static PeerAnswer read(int status, String fields) {
        return read(status, fields, NOW, false);
    }

    @ParameterizedTest
    @CsvSource({
        "200, , ACCEPTED",
        "200, Retry-After: 5, ACCEPTED",
        "301, Retry-After: 5, ACCEPTED",
        "400, , ACCEPTED",
        "404, , ACCEPTED",
        "500, , ACCEPTED",
        "500, Retry-After: 5, ACCEPTED",
        "429, , REFUSED",
        "503, , REFUSED",
        "403, , ACCEPTED",
        "403, Retry-After: 5, REFUSED",
        "403, X-RateLimit-Remaining: 0|X-RateLimit-Reset: 7, REFUSED",
        "403, X-RateLimit-Remaining: 4|X-RateLimit-Reset: 7, ACCEPTED",
        "413, , ACCEPTED",
        "413, Retry-After: never, ACCEPTED",
        "413, Retry-After: 5, REFUSED",
        "408, , FAILED",
        "502, , FAILED",
        "504, , FAILED",
    })
    void kinds(int status, String fields, Kind expected) {
        assertThat(read(status, fields == null ? "" : fields).kind()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Retry-After: 20; 20000",
                "Retry-After: 0; 0",
                "Retry-After: 1.5; 2000",
                "Retry-After: 5|Retry-After: 10; 10000",
                "Retry-After: Mon, 23 Oct 2023 21:49:12 GMT; 30000",
                "Retry-After: Monday, 23-Oct-23 21:49:12 GMT; 30000",
                "Retry-After: Mon Oct 23 21:49:12 2023; 30000",
                "Date: Mon, 23 Oct 2023 21:49:02 GMT|Retry-After: Mon, 23 Oct 2023 21:49:12 GMT; 10000",
                "Date: nonsense|Retry-After: Mon, 23 Oct 2023 21:49:12 GMT; 30000",
                "Retry-After: 120; 120000",
                // Retry-After counts first, whichever is longer
                "Retry-After: 20|RateLimit: \"default\"@r=0@t=5; 20000",
                "Retry-After: 2|RateLimit: \"default\"@r=0@t=5; 2000",
                "Retry-After: soon|RateLimit: \"default\"@r=0@t=5; 5000",
                // the farthest reset of what is used up
                "RateLimit: \"a\"@r=0@t=5, \"b\"@r=0@t=9, \"c\"@r=4@t=60; 9000",
                "RateLimit: \"a\"@r=0@t=0; 1000",
                "RateLimit-Policy: \"b\"@q=9@w=7, \"a\"@q=3@w=2|RateLimit: \"a\"@r=0; 2000",
                "RateLimit-Policy: \"a\"@q=3@w=2|RateLimit: \"a\"@r=0@t=1; 1000",
                "RateLimit: limit=10, remaining=0, reset=7; 7000",
                "RateLimit-Limit: 10|RateLimit-Remaining: 0|RateLimit-Reset: 8; 8000",
                "RateLimit-Limit: 10, 10@w=1|RateLimit-Remaining: 0|RateLimit-Reset: 8; 8000",
                "X-RateLimit-Limit: 10|X-RateLimit-Remaining: 0|X-RateLimit-Reset: 8; 8000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097752; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097752000; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097751.5; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097722; 1000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097000; 1000",
                "X-Rate-Limit-Remaining: 0|X-Rate-Limit-Reset: 1698097752; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: Mon, 23 Oct 2023 21:49:12 GMT; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 2023-10-23T21:49:12Z; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: 2023-10-23T23:49:12+02:00; 31000",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset-After: 0.65|X-RateLimit-Reset: 1698097752; 1000",
                "X-RateLimit-Remaining-Requests: 0|X-RateLimit-Reset-Requests: 6m0s; 360000",
                "X-RateLimit-Remaining-Requests: 0|X-RateLimit-Reset-Requests: 20ms; 1000",
                "X-RateLimit-Remaining-Requests: 0|X-RateLimit-Reset-Requests: 1d2h3m4.5s; 93785000",
                "X-RateLimit-Remaining: -1|X-RateLimit-Reset: 8; 8000",
                // not believed without being told to
                "Retry-After-Ms: 250|Retry-After: 1; 1000",
                // never from a later clock than the server's: 40 s fast, and the answer says when it was made
                "Date: Mon, 23 Oct 2023 21:48:02 GMT|X-RateLimit-Remaining: 0|X-RateLimit-Reset: 1698097712; 31000",
            })
    void pauses(String fields, long millis) {
        assertThat(read(429, fields.replace('@', ';')).advice().pauseNanos()).hasValue(millis * MILLI);
        assertThat(read(200, fields.replace('@', ';')).advice().pauseNanos()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Retry-After: -1",
                "Retry-After: inf",
                "Retry-After:",
                "Age: 3|Retry-After: 20",
                "Age: soon|Retry-After: 20",
                "Age: 1|RateLimit: \"a\";r=0;t=5",
                "RateLimit: \"a\";r=3;t=5",
                "RateLimit: \"a\";r=0",
                "RateLimit: a;r=0;t=5",
                "RateLimit: limit=10, remaining=0",
                "RateLimit-Policy: \"bytes\";q=100;qu=\"content-bytes\"|RateLimit: \"bytes\";r=0;t=5",
                "RateLimit-Policy: \"slots\";q=100;qu=\"concurrent-requests\"|RateLimit: \"slots\";r=0",
                "X-RateLimit-Remaining: none|X-RateLimit-Reset: 5",
                "X-RateLimit-Remaining: 0|X-RateLimit-Reset: later",
                "X-RateLimit-Remaining: 0",
            })
    void noPause(String fields) {
        assertThat(read(429, fields).advice().pauseNanos()).isEmpty();
    }

    @Test
    void anAgeOfZeroIsNoOldAnswer() {
        assertThat(read(429, "Age: 0|Retry-After: 3").advice().pauseNanos()).hasValue(3 * SECOND);
    }

    @Test
    void millisecondsAreBelievedWhereTheyAreAskedFor() {
        assertThat(read(429, "Retry-After-Ms: 250|Retry-After: 1", NOW, true)
                        .advice()
                        .pauseNanos())
                .hasValue(250 * MILLI);
        assertThat(read(429, "Retry-After-Ms: -5|Retry-After: 1", NOW, true)
                        .advice()
                        .pauseNanos())
                .hasValue(SECOND);
    }

    @Test
    void whatIsLeft() {
        assertThat(read(200, "RateLimit: \"burst\";r=4;t=1, \"day\";r=900;t=60;pk=:YQ==:")
                        .advice())
                .isEqualTo(PeerAdvice.left(
                        new Limit(Optional.of("burst"), 4, OptionalLong.of(SECOND), Optional.empty()),
                        new Limit(Optional.of("day"), 900, OptionalLong.of(60 * SECOND), Optional.of("YQ=="))));
        assertThat(read(200, "RateLimit: limit=10, remaining=3, reset=7")
                        .advice()
                        .limits())
                .containsExactly(Limit.of(3, 7 * SECOND));
        assertThat(read(200, "X-RateLimit-Remaining: 3|X-RateLimit-Reset: 7")
                        .advice()
                        .limits())
                .containsExactly(Limit.of(3, 7 * SECOND));
        assertThat(read(200, "Age: 9|X-RateLimit-Remaining: 3|X-RateLimit-Reset: 7")
                        .advice())
                .isEqualTo(PeerAdvice.NONE);
    }

    @Test
    void theNewestGenerationCounts() {
        assertThat(read(
                                200,
                                "RateLimit: \"a\";r=4;t=1|RateLimit-Remaining: 3|RateLimit-Reset: 9|X-RateLimit-Remaining: 2")
                        .advice()
                        .limits())
                .extracting(Limit::remaining)
                .containsExactly(4L);
        assertThat(read(200, "RateLimit-Remaining: 3|RateLimit-Reset: 9|X-RateLimit-Remaining: 2")
                        .advice()
                        .limits())
                .extracting(Limit::remaining)
                .containsExactly(3L);
    }

    @Test
    void absurdNumbersSaturate() {
        assertThat(read(429, "Retry-After: 99999999999999999999").advice().pauseNanos())
                .hasValue(RetryAfter.MAX_SECONDS * SECOND);
        assertThat(read(429, "RateLimit: \"a\";r=0;t=999999999999999").advice().pauseNanos())
                .hasValue(Long.MAX_VALUE);
    }

    @Test
    void nothingThatComesThrows() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] names = {
            "Retry-After",
            "RateLimit",
            "RateLimit-Policy",
            "RateLimit-Remaining",
            "RateLimit-Reset",
            "Date",
            "Age",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "X-Rate-Limit-Reset",
            "X-RateLimit-Reset-After",
            "Retry-After-Ms"
        };
        String alphabet = "0123456789.-,;:\"=@ TZGMWedOct\u00e9\t+smhdrqwt()";
        for (int round = 0; round < 20_000; round++) {
            Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String name : names) {
                if (random.nextInt(3) == 0) {
                    lines.put(name.toLowerCase(Locale.ROOT), List.of(text(random, alphabet)));
                }
            }
            PeerAnswer answer =
                    PeerAnswers.of(429, name -> lines.getOrDefault(name, List.of()), NOW, random.nextBoolean());
            assertThat(answer.advice().pauseNanos().orElse(0))
                    .as("seed %d", seed)
                    .isNotNegative();
        }
    }

    private static String text(Random random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(24); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
