package dev.weir.http;

import static dev.weir.http.Decisions.bare;
import static dev.weir.http.Decisions.bucket;
import static dev.weir.http.Decisions.inFlight;
import static dev.weir.http.Decisions.keyed;
import static dev.weir.http.Decisions.passed;
import static dev.weir.http.Decisions.quota;
import static dev.weir.http.Decisions.refused;
import static dev.weir.http.Decisions.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.Decision.Judged;
import dev.weir.http.RateLimitFields.QuotaPolicy;
import dev.weir.http.RateLimitFields.ServiceLimit;
import dev.weir.policy.Answers.Generation;
import dev.weir.rate.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitFieldsTest {

    private static final Instant NOW = Instant.parse("2024-05-01T12:00:00Z");

    private static Map<String, String> granted(Generation generation, Judged... judged) {
        return RateLimitFields.of(List.of(judged), Optional.empty(), generation);
    }

    private static Map<String, String> refusal(Generation generation, String speaker, Judged... judged) {
        return RateLimitFields.of(List.of(judged), Optional.of(speaker), generation);
    }

    /** Lines by name in any case, given as name, value, name, value. */
    private static Function<String, List<String>> headers(String... namesAndValues) {
        Map<String, List<String>> lines = new HashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            lines.computeIfAbsent(namesAndValues[at].toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(namesAndValues[at + 1]);
        }
        return name -> lines.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Test
    void draft11ListsEveryLimitInFileOrder() {
        assertThat(granted(
                        Generation.DRAFT_11,
                        passed("burst", bucket(100, 60, 49, 29.4)),
                        passed("daily", window(1000, 86_400, 998, 3_600))))
                .containsExactly(
                        entry("RateLimit-Policy", "\"burst\";q=100;w=60, \"daily\";q=1000;w=86400"),
                        entry("RateLimit", "\"burst\";r=49;t=30, \"daily\";r=998;t=3600"));
    }

    @Test
    void draft11SaysOnlyWhatIsKnown() {
        assertThat(granted(
                        Generation.DRAFT_11,
                        passed("monthly", quota(1_000_000, 812_400, 1_209_600)),
                        passed("concurrent", inFlight(20, 3)),
                        passed(
                                "half second",
                                new Standing(5, OptionalLong.empty(), 5, OptionalLong.of(0), true, false)),
                        passed("none", new Standing(0, OptionalLong.of(1), 0, OptionalLong.empty(), false, false))))
                .containsExactly(
                        entry(
                                "RateLimit-Policy",
                                "\"monthly\";q=1000000, \"concurrent\";q=20;qu=\"concurrent-requests\","
                                        + " \"half second\";q=5, \"none\";q=0;w=1"),
                        entry(
                                "RateLimit",
                                "\"monthly\";r=812400;t=1209600, \"concurrent\";r=3, \"half second\";r=5;t=0, \"none\";r=0"));
    }

    @Test
    void draft11CarriesThePartitionKey() {
        assertThat(granted(Generation.DRAFT_11, keyed(passed("a", bucket(10, 1, 9, 0.1)), "c2VjcmV0")))
                .containsExactly(
                        entry("RateLimit-Policy", "\"a\";q=10;w=1;pk=:c2VjcmV0:"),
                        entry("RateLimit", "\"a\";r=9;t=1;pk=:c2VjcmV0:"));
        assertThat(granted(Generation.DRAFT_11, keyed(passed("a", bucket(10, 1, 9, 0.1)), "x:\r\nSet-Cookie: a=b")))
                .containsExactly(entry("RateLimit-Policy", "\"a\";q=10;w=1"), entry("RateLimit", "\"a\";r=9;t=1"));
    }

    @Test
    void namesAreQuoted() {
        assertThat(granted(Generation.DRAFT_11, passed("a \"b\" \\c", bucket(10, 1, 9, 0))))
                .containsEntry("RateLimit", "\"a \\\"b\\\" \\\\c\";r=9;t=0");
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void whatCannotBeWrittenOrMustNotBeToldIsLeftOut(Generation generation) {
        Judged told = passed("told", bucket(10, 1, 9, 0.1));
        Map<String, String> alone = granted(generation, told);
        assertThat(granted(
                        generation,
                        bare(passed("bare", bucket(1, 1, 0, 9))),
                        passed("huge", bucket(1_000_000_000_000_000L, 1, 0, 9)),
                        passed("caf\u00e9", bucket(1, 1, 0, 9)),
                        passed("x\r\nSet-Cookie: a=b", bucket(1, 1, 0, 9)),
                        told))
                .isEqualTo(alone);
        assertThat(granted(generation, bare(told))).isEmpty();
        assertThat(granted(generation)).isEmpty();
    }

    @Test
    void draft7HasRoomForOneLimit() {
        Judged minute = passed("minute", window(50, 60, 49, 57));
        Judged hour = passed("hour", window(1000, 3_600, 7, 1_200.5));
        Judged other = passed("other", bucket(50, 1, 8, 0.5));
        assertThat(granted(Generation.DRAFT_7, minute, hour, other))
                .containsExactly(
                        entry("RateLimit-Policy", "50;w=60, 1000;w=3600"),
                        entry("RateLimit", "limit=1000, remaining=7, reset=1201"));
    }

    @Test
    void olderGenerationsNameTheLimitWithTheFewestUnitsLeft() {
        Judged minute = passed("minute", window(50, 60, 49, 57));
        Judged hour = passed("hour", window(1000, 3_600, 7, 1_200.5));
        assertThat(granted(Generation.DRAFT_6, minute, hour))
                .containsExactly(
                        entry("RateLimit-Limit", "1000"),
                        entry("RateLimit-Remaining", "7"),
                        entry("RateLimit-Reset", "1201"));
        assertThat(granted(Generation.X_RATELIMIT, minute))
                .containsExactly(
                        entry("X-RateLimit-Limit", "50"),
                        entry("X-RateLimit-Remaining", "49"),
                        entry("X-RateLimit-Reset", "57"));
        assertThat(granted(Generation.OFF, minute, hour)).isEmpty();
        // As few units: the farther reset, then the first.
        assertThat(granted(Generation.DRAFT_6, passed("a", bucket(1, 1, 0, 1)), passed("b", bucket(2, 9, 0, 9))))
                .containsEntry("RateLimit-Limit", "2");
        assertThat(granted(Generation.DRAFT_6, passed("a", bucket(1, 1, 0, 9)), passed("b", bucket(2, 9, 0, 9))))
                .containsEntry("RateLimit-Limit", "1");
    }

    @Test
    void onARefusalTheyNameTheLimitThatSpeaks() {
        // 10 per 10 s and 15 per 20 s, after 10 at 0 s and 5 at 10 s: the second refuses at 11 s.
        Judged ten = passed("ten", window(10, 10, 5, 9));
        Judged twenty = refused("twenty", window(15, 20, 0, 9), 9);
        assertThat(refusal(Generation.DRAFT_7, "twenty", ten, twenty))
                .containsEntry("RateLimit", "limit=15, remaining=0, reset=9");
        assertThat(refusal(Generation.X_RATELIMIT, "ten", ten, twenty)).containsEntry("X-RateLimit-Limit", "10");
    }

    @Test
    void whatNeverResetsAndWhatIsInFlight() {
        Judged concurrent = refused("concurrent", inFlight(20, 0), 0);
        assertThat(refusal(Generation.DRAFT_7, "concurrent", concurrent))
                .containsEntry("RateLimit", "limit=20, remaining=0, reset=1");
        Judged never = refused("never", new Standing(0, OptionalLong.of(1), 0, OptionalLong.empty(), false, false), 0);
        assertThat(refusal(Generation.DRAFT_6, "never", never)).isEmpty();
        assertThat(granted(Generation.DRAFT_6, never, passed("a", bucket(3, 1, 2, 1))))
                .containsEntry("RateLimit-Limit", "3");
    }

    @Test
    void upstreamItemsAreKeptAndOursAppended() {
        Map<String, String> ours = granted(Generation.DRAFT_11, passed("edge", bucket(100, 60, 99, 1)));
        assertThat(RateLimitFields.merged(
                        ours,
                        headers(
                                "RateLimit-Policy", "\"own\";q=10;w=1;comment=x",
                                "ratelimit", "\"own\";r=9;t=1",
                                "RateLimit", "\"daily\";r=3"),
                        Generation.DRAFT_11))
                .containsExactly(
                        entry("RateLimit-Policy", "\"own\";q=10;w=1;comment=x, \"edge\";q=100;w=60"),
                        entry("RateLimit", "\"own\";r=9;t=1, \"daily\";r=3, \"edge\";r=99;t=1"));
        assertThat(RateLimitFields.merged(ours, headers(), Generation.DRAFT_11)).isEqualTo(ours);
        assertThat(RateLimitFields.merged(Map.of(), headers("RateLimit", "\"own\";r=9"), Generation.DRAFT_11))
                .isEmpty();
    }

    @Test
    void mergedTwiceIsMergedOnce() {
        Map<String, String> ours = granted(Generation.DRAFT_11, passed("edge", bucket(100, 60, 99, 1)));
        Function<String, List<String>> once = name -> ours.containsKey(name) ? List.of(ours.get(name)) : List.of();
        assertThat(RateLimitFields.merged(ours, once, Generation.DRAFT_11)).isEqualTo(ours);
    }

    @Test
    void anUnreadableListIsReplaced() {
        Map<String, String> ours = granted(Generation.DRAFT_11, passed("edge", bucket(100, 60, 99, 1)));
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("RateLimit", "quota;t=1", "RateLimit-Policy", "quota;q=100"),
                        Generation.DRAFT_11))
                .isEqualTo(ours);
    }

    @Test
    void anOlderUpstreamIsTranslated() {
        Map<String, String> ours = granted(Generation.DRAFT_11, passed("edge", bucket(100, 60, 99, 1)));
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("RateLimit", "limit=10, remaining=9, reset=3", "RateLimit-Policy", "10;w=5"),
                        Generation.DRAFT_11))
                .containsExactly(
                        entry("RateLimit-Policy", "\"upstream\";q=10, \"edge\";q=100;w=60"),
                        entry("RateLimit", "\"upstream\";r=9;t=3, \"edge\";r=99;t=1"));
    }

    @Test
    void withRoomForOneTheTighterIsSentOnce() {
        Map<String, String> ours = granted(Generation.X_RATELIMIT, passed("edge", bucket(100, 60, 99, 1)));
        assertThat(RateLimitFields.merged(ours, headers(), Generation.X_RATELIMIT))
                .isEqualTo(ours);
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("x-ratelimit-limit", "10", "x-ratelimit-remaining", "9", "x-ratelimit-reset", "5"),
                        Generation.X_RATELIMIT))
                .as("theirs stay as they are")
                .isEmpty();
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("x-ratelimit-limit", "1000", "x-ratelimit-remaining", "100", "x-ratelimit-reset", "5"),
                        Generation.X_RATELIMIT))
                .isEqualTo(ours);
        assertThat(RateLimitFields.merged(
                        ours,
                        headers(
                                "x-ratelimit-limit", "10",
                                "x-ratelimit-limit", "10",
                                "x-ratelimit-remaining", "9"),
                        Generation.X_RATELIMIT))
                .as("two of one name never stay")
                .isEqualTo(ours);
        assertThat(RateLimitFields.merged(ours, headers("x-ratelimit-remaining", "many"), Generation.X_RATELIMIT))
                .isEqualTo(ours);
        Map<String, String> six = granted(Generation.DRAFT_6, passed("edge", bucket(100, 60, 9, 5)));
        assertThat(RateLimitFields.merged(
                        six,
                        headers("RateLimit-Limit", "10", "RateLimit-Remaining", "9", "RateLimit-Reset", "5"),
                        Generation.DRAFT_6))
                .as("as tight: ours")
                .isEqualTo(six);
    }

    @Test
    void draft7Merges() {
        Map<String, String> ours = granted(Generation.DRAFT_7, passed("edge", bucket(100, 60, 99, 1)));
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("RateLimit", "limit=10, remaining=9, reset=3", "RateLimit-Policy", "10;w=5, 100;w=9"),
                        Generation.DRAFT_7))
                .containsExactly(entry("RateLimit-Policy", "10;w=5, 100;w=9"));
        assertThat(RateLimitFields.merged(
                        ours, headers("RateLimit", "limit=500, remaining=400, reset=3"), Generation.DRAFT_7))
                .isEqualTo(ours);
        assertThat(RateLimitFields.merged(
                        ours,
                        headers("RateLimit", "\"a\";r=400, \"b\";r=3", "RateLimit-Policy", "\"a\";q=500, \"b\";q=5"),
                        Generation.DRAFT_7))
                .isEmpty();
    }

    @Test
    void exposedNamesAreJoined() {
        assertThat(RateLimitFields.merged(
                        Map.of("Access-Control-Expose-Headers", "RateLimit-Policy, RateLimit"),
                        headers(
                                "access-control-expose-headers",
                                "ETag,ratelimit",
                                "Access-Control-Expose-Headers",
                                " X-Id ,"),
                        Generation.DRAFT_11))
                .containsExactly(entry("Access-Control-Expose-Headers", "ETag, ratelimit, X-Id, RateLimit-Policy"));
    }

    @Test
    void readsDraft11() {
        assertThat(RateLimitFields.read(
                        headers("RateLimit", "\"default\";r=50;t=30", "RateLimit", "\"b\";r=0;pk=:YQ==:;x"), NOW))
                .containsExactly(
                        new ServiceLimit(Optional.of("default"), 50, OptionalLong.of(30), Optional.empty()),
                        new ServiceLimit(Optional.of("b"), 0, OptionalLong.empty(), Optional.of("YQ==")));
        assertThat(RateLimitFields.readPolicies(
                        List.of("\"a\";q=100;w=60", "\"c\";q=5;qu=\"concurrent-requests\";pk=::")))
                .containsExactly(
                        new QuotaPolicy("a", 100, Optional.empty(), OptionalLong.of(60), Optional.empty()),
                        new QuotaPolicy(
                                "c", 5, Optional.of("concurrent-requests"), OptionalLong.empty(), Optional.of("")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "quota;r=1;t=1",
                "quota;t=1",
                "\"a\"",
                "\"a\";t=1",
                "\"a\";r=-1",
                "\"a\";r=1.5",
                "\"a\";r=\"1\"",
                "\"a\";r",
                "\"a\";r=1;t=-1",
                "\"a\";r=1;t=1.0",
                "\"a\";r=1;pk=\"x\"",
                "\"a\";r=1, b;r=2",
                "(\"a\");r=1",
                "\"a\";r=1,",
                "\"a\";r=1 \"b\";r=2",
                "",
                "limit=10, reset=3",
                "limit=10, remaining=-1, reset=3",
                "remaining=1, reset=3"
            })
    void aMalformedFieldIsIgnoredAsAWhole(String value) {
        assertThat(RateLimitFields.read(headers("RateLimit", value), NOW)).isEmpty();
        assertThat(RateLimitFields.read(headers("RateLimit", value, "X-RateLimit-Remaining", "4"), NOW))
                .containsExactly(new ServiceLimit(Optional.empty(), 4, OptionalLong.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;q=1",
                "\"a\"",
                "\"a\";q=-1",
                "\"a\";q=1;w=0",
                "\"a\";q=1;w=0.5",
                "\"a\";q=1;w=-1",
                "\"a\";q=1;qu=requests",
                "\"a\";q=1;pk=x",
                "\"a\";q=1, \"b\"",
                "10;w=1",
                "\"a\";q=1000000000000000"
            })
    void aMalformedPolicyIsIgnoredAsAWhole(String value) {
        assertThat(RateLimitFields.readPolicies(List.of("\"fine\";q=1", value))).isEmpty();
    }

    @Test
    void readsOlderGenerations() {
        ServiceLimit expected = new ServiceLimit(Optional.empty(), 3, OptionalLong.of(30), Optional.empty());
        assertThat(RateLimitFields.read(headers("RateLimit", "limit=10, remaining=3, reset=30"), NOW))
                .containsExactly(expected);
        assertThat(RateLimitFields.read(
                        headers("RateLimit-Limit", "10", "RateLimit-Remaining", "3", "RateLimit-Reset", "30"), NOW))
                .containsExactly(expected);
        assertThat(RateLimitFields.read(headers("x-ratelimit-remaining", "3", "x-ratelimit-reset", "30"), NOW))
                .containsExactly(expected);
        assertThat(RateLimitFields.read(headers(), NOW)).isEmpty();
    }

    @Test
    void aMomentBecomesTheWaitUntilJustAfterIt() {
        Instant date = Instant.ofEpochSecond(1_698_097_722);
        assertThat(reset(date, "1698097722")).hasValue(1);
        assertThat(reset(date, "1698097752")).hasValue(31);
        assertThat(reset(date, "1698097000")).hasValue(1);
        assertThat(reset(date, "60")).hasValue(60);
    }

    private static OptionalLong reset(Instant now, String value) {
        return RateLimitFields.read(headers("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", value), now)
                .get(0)
                .resetSeconds();
    }

    @Test
    void whatWeWriteAStrictClientReads() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            List<Judged> judged = new ArrayList<>();
            for (int limits = 1 + random.nextInt(4); limits > 0; limits--) {
                Standing standing = new Standing(
                        random.nextLong() >>> (14 + random.nextInt(50)),
                        random.nextBoolean() ? OptionalLong.of(random.nextInt(3)) : OptionalLong.empty(),
                        random.nextLong() >> random.nextInt(64),
                        random.nextBoolean() ? OptionalLong.of(random.nextLong() >>> 1) : OptionalLong.empty(),
                        random.nextBoolean(),
                        random.nextBoolean());
                judged.add(passed("limit \\\" " + limits, standing));
            }
            for (Generation generation : Generation.values()) {
                Map<String, String> fields = granted(generation, judged.toArray(Judged[]::new));
                List<ServiceLimit> read = RateLimitFields.read(
                        name -> fields.containsKey(name) ? List.of(fields.get(name)) : List.of(), NOW);
                assertThat(read.isEmpty()).as("seed %d: %s", seed, judged).isEqualTo(fields.isEmpty());
                if (generation == Generation.DRAFT_11 && !fields.isEmpty()) {
                    List<QuotaPolicy> policies = RateLimitFields.readPolicies(List.of(fields.get("RateLimit-Policy")));
                    assertThat(policies.stream().map(QuotaPolicy::name))
                            .as("seed %d: %s", seed, judged)
                            .isEqualTo(read.stream()
                                    .map(limit -> limit.name().orElseThrow())
                                    .toList());
                    assertThat(StructuredFields.parseList(List.of(fields.get("RateLimit")))
                                    .flatMap(StructuredFields::write))
                            .contains(fields.get("RateLimit"));
                }
            }
        }
    }
}
