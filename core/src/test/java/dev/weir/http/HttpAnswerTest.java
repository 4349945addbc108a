package dev.weir.http;

import static dev.weir.http.Decisions.admitted;
import static dev.weir.http.Decisions.bare;
import static dev.weir.http.Decisions.bucket;
import static dev.weir.http.Decisions.inFlight;
import static dev.weir.http.Decisions.overLimit;
import static dev.weir.http.Decisions.passed;
import static dev.weir.http.Decisions.quota;
import static dev.weir.http.Decisions.refused;
import static dev.weir.http.Decisions.rejected;
import static dev.weir.http.Decisions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.Decision;
import dev.weir.Decision.Judged;
import dev.weir.Reason;
import dev.weir.policy.Answers;
import dev.weir.policy.Answers.Generation;
import dev.weir.rate.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HttpAnswerTest {

    private static final Answers EXACT = new Answers(Generation.DRAFT_11, 0, true, true);
    private static final Answers X = new Answers(Generation.X_RATELIMIT, 0, true, true);

    private static HttpAnswer answer(Decision decision) {
        return HttpAnswer.of(decision, EXACT, null, new Random(1));
    }

    private static JsonNode problem(HttpAnswer answer) {
        return JsonMapper.shared().readTree(answer.body().orElseThrow());
    }

    @Test
    void aRefusalInFull() {
        HttpAnswer answer = answer(overLimit(
                passed("global", bucket(1_000, 1, 12, 0.001)), refused("per-key", bucket(20, 2, 0, 0.1), 0.1)));
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.fields())
                .containsExactly(
                        entry("Cache-Control", "no-store"),
                        entry("Retry-After", "1"),
                        entry("RateLimit-Policy", "\"global\";q=1000;w=1, \"per-key\";q=20;w=2"),
                        entry("RateLimit", "\"global\";r=12;t=1, \"per-key\";r=0;t=1"),
                        entry("Content-Type", "application/problem+json"));
        assertThat(answer.body())
                .contains("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"The quota for these requests is used up\",\"status\":429,"
                        + "\"detail\":\"Limit 'per-key' has 0 of 20 units left; try again in 1 second.\","
                        + "\"reason\":\"over-limit\",\"violated-policies\":[\"per-key\"]}");
    }

    @Test
    void aGrantedAnswer() {
        HttpAnswer answer = answer(admitted(passed("per-key", bucket(20, 2, 19, 0.1))));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.fields())
                .containsExactly(
                        entry("RateLimit-Policy", "\"per-key\";q=20;w=2"), entry("RateLimit", "\"per-key\";r=19;t=1"));
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void theLastTokenIsGrantedWithNothingLeft() {
        assertThat(answer(admitted(passed("a", bucket(5, 5, 0, 0.8)))).fields())
                .containsEntry("RateLimit", "\"a\";r=0;t=1");
        assertThat(answer(admitted(passed("a", window(5, 3_600, 0, 3_000)))).fields())
                .containsEntry("RateLimit", "\"a\";r=0;t=3000")
                .doesNotContainKey("Retry-After");
    }

    @Test
    void remainingIsNeverNegative() {
        // 3 a minute, five calls.
        long[] left = {2, 1, 0};
        for (long remaining : left) {
            assertThat(HttpAnswer.of(admitted(passed("a", window(3, 60, remaining, 60))), X, null, new Random(1))
                            .fields())
                    .containsEntry("X-RateLimit-Limit", "3")
                    .containsEntry("X-RateLimit-Remaining", Long.toString(remaining));
        }
        for (long remaining : new long[] {0, -1}) {
            HttpAnswer refused =
                    HttpAnswer.of(overLimit(refused("a", window(3, 60, remaining, 60), 60)), X, null, new Random(1));
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.fields()).containsEntry("X-RateLimit-Remaining", "0");
        }
    }

    @Test
    void theResetIsWhatIsLeftOfTheWindow() {
        // 50 in each aligned minute, at second 3.
        assertThat(HttpAnswer.of(admitted(passed("a", window(50, 60, 49, 57))), X, null, new Random(1))
                        .fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "50"),
                        entry("X-RateLimit-Remaining", "49"),
                        entry("X-RateLimit-Reset", "57"));
    }

    @ParameterizedTest
    @CsvSource({
        // wait and reset in seconds, Retry-After
        "0.4, 0.4, 1",
        "0.3, 0.3, 1",
        "1, 1, 1",
        "7, 7, 7",
        "19, 7, 19",
        "6, 7, 7",
        "831600, 831600, 831600",
    })
    void retryAfterIsTheWait(double waitSeconds, double resetSeconds, String retryAfter) {
        Standing own = bucket(10, 20, 0, resetSeconds);
        Standing shared = quota(10, 0, resetSeconds);
        assertThat(answer(overLimit(refused("a", own, waitSeconds))).fields()).containsEntry("Retry-After", retryAfter);
        assertThat(answer(overLimit(refused("a", shared, waitSeconds))).fields())
                .containsEntry("Retry-After", retryAfter);
    }

    @Test
    void theLimitWithTheLongestWaitSpeaks() {
        HttpAnswer answer =
                answer(overLimit(passed("ten", window(10, 10, 5, 9)), refused("twenty", window(15, 20, 0, 9), 9)));
        assertThat(answer.fields())
                .containsEntry("Retry-After", "9")
                .containsEntry("RateLimit", "\"ten\";r=5;t=9, \"twenty\";r=0;t=9");
        assertThat(problem(answer).get("violated-policies")).hasToString("[\"twenty\"]");
        assertThat(problem(answer).get("detail").stringValue())
                .contains("'twenty'")
                .contains("9 seconds");
    }

    @Test
    void onlySharedInstantsAreSpread() {
        Answers jittered = new Answers(Generation.DRAFT_11, 2_000, true, true);
        Decision shared = overLimit(refused("a", window(100, 60, 0, 10), 10));
        Decision own = overLimit(refused("a", bucket(100, 60, 0, 10), 10));
        Random random = new Random(3);
        List<String> sent = new ArrayList<>();
        for (int caller = 0; caller < 100; caller++) {
            HttpAnswer answer = HttpAnswer.of(shared, jittered, null, random);
            sent.add(answer.fields().get("Retry-After"));
            assertThat(answer.fields()).containsEntry("RateLimit", "\"a\";r=0;t=10");
            assertThat(problem(answer).get("detail").stringValue())
                    .endsWith(answer.fields().get("Retry-After") + " seconds.");
            assertThat(HttpAnswer.of(own, jittered, null, random).fields()).containsEntry("Retry-After", "10");
        }
        assertThat(sent).containsOnly("10", "11", "12");
    }

    @ParameterizedTest
    @CsvSource({
        "OVER_LIMIT, 429, 5, quota-exceeded",
        "COST_ABOVE_LIMIT, 429, none, quota-exceeded",
        "IN_FLIGHT_LIMIT, 429, 1, quota-exceeded",
        "DENIED, 403, none, about:blank",
        "KEY_MISSING, 400, none, about:blank",
        "KEY_MISSING_UNAUTHORIZED, 401, none, about:blank",
        "KEY_UNKNOWN, 403, none, about:blank",
        "KEY_UNKNOWN_UNAUTHORIZED, 401, none, about:blank",
        "DRAINING, 503, 5, temporary-reduced-capacity",
    })
    void everyReason(Reason reason, int status, String retryAfter, String type) {
        HttpAnswer answer = answer(rejected(
                reason, OptionalLong.of(Decisions.nanos(4.2)), "a", refused("a", bucket(10, 60, 0, 0.5), 4.2)));
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.fields())
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("Content-Type", "application/problem+json")
                .containsEntry("RateLimit", "\"a\";r=0;t=1");
        assertThat(answer.fields().getOrDefault("Retry-After", "none")).isEqualTo(retryAfter);
        assertThat(answer.fields().containsKey("WWW-Authenticate")).isEqualTo(status == 401);
        assertThat(problem(answer).get("status").intValue()).isEqualTo(status);
        assertThat(problem(answer).get("type").stringValue()).endsWith(type);
        assertThat(problem(answer).get("reason").stringValue()).isEqualTo(reason.wireName());
        assertThat(problem(answer).get("detail").stringValue()).endsWith(".");
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void aRefusalWithoutALimit(Reason reason) {
        HttpAnswer answer = answer(rejected(reason));
        assertThat(answer.fields()).doesNotContainKeys("RateLimit", "RateLimit-Policy");
        assertThat(problem(answer).has("violated-policies")).isFalse();
        boolean helps = reason == Reason.IN_FLIGHT_LIMIT || HttpAnswer.status(reason) == 503;
        assertThat(answer.fields().get("Retry-After")).isEqualTo(helps ? "1" : null);
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"DEPENDENCY_OUT", "STORE_AWAY", "SHED", "FULL", "TENANT_SHARE", "DEADLINE", "WAIT_EXCEEDED"})
    void whoIsRefusedForWantOfCapacityIsSpreadOut(Reason reason) {
        Set<String> told = new TreeSet<>();
        for (int i = 0; i < 1_000; i++) {
            Decision refused = new Decision.Rejected(
                    reason,
                    OptionalLong.of(3_000_000_000L),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    false,
                    0);
            HttpAnswer answer = HttpAnswer.of(refused, Answers.DEFAULT, null, new Random(i));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(problem(answer).get("type").stringValue()).endsWith("#temporary-reduced-capacity");
            told.add(answer.fields().get("Retry-After"));
        }
        assertThat(told).containsExactly("4", "5", "6");
    }

    @Test
    void whereWaitingNeverHelpsThereIsNoRetryAfter() {
        Standing zero = new Standing(0, OptionalLong.of(1), 0, OptionalLong.empty(), false, false);
        HttpAnswer answer = answer(
                rejected(Reason.OVER_LIMIT, OptionalLong.empty(), "zero", refused("zero", zero, Long.MAX_VALUE / 1e9)));
        assertThat(answer.fields()).doesNotContainKey("Retry-After");
        assertThat(problem(answer).get("detail").stringValue()).contains("waiting does not help");
    }

    @Test
    void aLimitOnCallsInFlight() {
        HttpAnswer answer =
                answer(rejected(Reason.IN_FLIGHT_LIMIT, OptionalLong.empty(), "c", refused("c", inFlight(20, 0), 0)));
        assertThat(answer.fields())
                .containsEntry("Retry-After", "1")
                .containsEntry("RateLimit-Policy", "\"c\";q=20;qu=\"concurrent-requests\"")
                .containsEntry("RateLimit", "\"c\";r=0");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void bareTellsNothing(Generation generation) {
        Answers answers = new Answers(generation, 0, true, true);
        Judged login = bare(refused("logins", bucket(5, 900, 0, 100), 100));
        Judged perKey = passed("per-key", bucket(20, 2, 19, 0.1));
        HttpAnswer refusal = HttpAnswer.of(overLimit(perKey, login), answers, "https://app.example", new Random(1));
        assertThat(refusal).isEqualTo(new HttpAnswer(429, Map.of("Cache-Control", "no-store"), Optional.empty()));
        HttpAnswer granted = HttpAnswer.of(
                admitted(bare(passed("logins", bucket(5, 900, 4, 1))), perKey), answers, null, new Random(1));
        assertThat(granted).isEqualTo(HttpAnswer.of(admitted(perKey), answers, null, new Random(1)));
    }

    @Test
    void aBareLimitThatDoesNotSpeakIsNotNamed() {
        HttpAnswer answer = answer(overLimit(
                bare(refused("logins", bucket(5, 900, 0, 1), 1)), refused("per-key", bucket(20, 2, 0, 2), 2)));
        assertThat(answer.fields().toString() + answer.body())
                .doesNotContain("logins")
                .contains("per-key");
    }

    @Test
    void aBareChallengeStays() {
        HttpAnswer answer = answer(rejected(
                Reason.KEY_MISSING_UNAUTHORIZED, OptionalLong.empty(), "a", bare(refused("a", bucket(1, 1, 1, 0), 0))));
        assertThat(answer.fields().keySet()).containsExactly("Cache-Control", "WWW-Authenticate");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void aRefusalCanBeReadByItsOrigin() {
        Decision refusal = overLimit(refused("a", bucket(20, 2, 0, 1), 1));
        assertThat(HttpAnswer.of(refusal, EXACT, "https://app.example", new Random(1))
                        .fields())
                .containsEntry("Access-Control-Allow-Origin", "https://app.example")
                .containsEntry("Vary", "Origin")
                .containsEntry("Access-Control-Expose-Headers", "Retry-After, RateLimit-Policy, RateLimit");
        assertThat(HttpAnswer.of(refusal, X, "null", new Random(1)).fields())
                .containsEntry("Access-Control-Allow-Origin", "null")
                .containsEntry(
                        "Access-Control-Expose-Headers",
                        "Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset");
        Answers off = new Answers(Generation.DRAFT_11, 0, true, false);
        assertThat(HttpAnswer.of(refusal, off, "https://app.example", new Random(1)))
                .isEqualTo(HttpAnswer.of(refusal, EXACT, null, new Random(1)));
        assertThat(HttpAnswer.of(
                                admitted(passed("a", bucket(20, 2, 9, 1))), EXACT, "https://app.example", new Random(1))
                        .fields()
                        .keySet())
                .containsExactly("RateLimit-Policy", "RateLimit", "Access-Control-Expose-Headers");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "https://a.example\r\nSet-Cookie: x=y",
                "https://a.example, https://b.example",
                "https://a.example,https://b.example",
                "a b",
                "https://caf\u00e9",
                "a\u0000"
            })
    void anOriginThatIsNoneIsNotReflected(String origin) {
        Decision refusal = overLimit(refused("a", bucket(20, 2, 0, 1), 1));
        assertThat(HttpAnswer.of(refusal, EXACT, origin, new Random(1)))
                .isEqualTo(HttpAnswer.of(refusal, EXACT, null, new Random(1)));
    }

    @Test
    void grantedAndRefusedCarryTheSameFields() {
        for (Generation generation : Generation.values()) {
            Answers answers = new Answers(generation, 0, true, true);
            List<String> granted = new ArrayList<>(HttpAnswer.of(
                            admitted(passed("a", bucket(2, 2, 1, 1))), answers, null, new Random(1))
                    .fields()
                    .keySet());
            assertThat(HttpAnswer.of(overLimit(refused("a", bucket(2, 2, 0, 1), 1)), answers, null, new Random(1))
                            .fields()
                            .keySet())
                    .containsAll(granted)
                    .contains("Retry-After");
        }
    }

    @Test
    void retryAfterIsNeverBeforeTheResetAndNeverOnAGrant() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            Standing standing = new Standing(
                    10,
                    OptionalLong.of(60),
                    0,
                    OptionalLong.of(random.nextLong() >>> (20 + random.nextInt(40))),
                    random.nextBoolean(),
                    false);
            double wait = random.nextDouble() * 1_000;
            Decision.Rejected refusal = overLimit(refused("a", standing, wait));
            Answers answers = new Answers(Generation.DRAFT_11, random.nextInt(10_001), true, true);
            HttpAnswer answer = HttpAnswer.of(refusal, answers, null, random);
            long retryAfter = Long.parseLong(answer.fields().get("Retry-After"));
            long reset = RateLimitFields.read(name -> List.of(answer.fields().getOrDefault(name, "")), Instant.EPOCH)
                    .get(0)
                    .resetSeconds()
                    .orElseThrow();
            assertThat(retryAfter)
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(1)
                    .isGreaterThanOrEqualTo(reset)
                    .isGreaterThanOrEqualTo((long) Math.ceil(wait))
                    .isLessThanOrEqualTo(Math.max(reset, (long) Math.ceil(wait)) + 60);
            assertThat(HttpAnswer.of(admitted(passed("a", standing)), answers, null, random)
                            .fields())
                    .doesNotContainKey("Retry-After");
        }
    }

    @Test
    void anyNameMakesAWellFormedBody() {
        String name = "a\"b\\c\n\u0000\u001f\u007f\u2028\ud83d\ude00\ud800<script>";
        HttpAnswer answer = answer(overLimit(refused(name, bucket(1, 1, 0, 1), 1)));
        assertThat(problem(answer).get("violated-policies").get(0).stringValue())
                .isEqualTo(name);
        assertThat(answer.body().orElseThrow()).doesNotContain("\n", "\u0000", "\ud800");
        assertThat(answer.fields().toString()).doesNotContain("\n");
    }
}
