package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rate.RateLimit;
import dev.weir.rate.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the index finds is all that can match, in the policy's order, and little else. */
class PathIndexTest {

    private static final String[] SEGMENTS = {"a", "b", "Aa", "BB", "c%20d", "", "*", "**", "{id}"};

    private static Limit limit(int number, String... patterns) {
        Budget budget = new Budget.Rate(RateLimit.of(5, Duration.ofSeconds(1)));
        return Limit.of("limit-" + number, Key.ALL, budget).match(Match.path(patterns));
    }

    private static List<Integer> found(List<Limit> limits, String path) {
        long[] bits = new PathIndex(limits).candidates(path);
        return IntStream.range(0, limits.size())
                .filter(i -> (bits[i / 64] >>> i & 1) == 1)
                .boxed()
                .toList();
    }

    @Test
    void aLimitIsAskedOnlyUnderItsLiteralSegments() {
        List<Limit> limits = List.of(
                limit(0, "/v1/trees/**"),
                limit(1),
                limit(2, "/v1/{kind}/leaves"),
                limit(3, "/v2/trees", "/v1/trees/{id}"),
                limit(4, "/**/leaves"),
                limit(5, "/"));

        assertThat(found(limits, "/v1/trees/7")).containsExactly(0, 1, 2, 3, 4);
        assertThat(found(limits, "/v2/trees")).containsExactly(1, 3, 4);
        assertThat(found(limits, "/v1")).containsExactly(1, 2, 4);
        assertThat(found(limits, "/v1/treesandmore")).containsExactly(1, 2, 4);
        assertThat(found(limits, "/")).containsExactly(1, 4, 5);
        assertThat(found(limits, "*")).containsExactly(1, 4);
    }

    @Test
    void neitherTheNumberOfLimitsNorEqualHashesLoseOne() {
        Limit[] limits = IntStream.range(0, 200)
                .mapToObj(i -> limit(i, i % 2 == 0 ? "/Aa/" + i : "/BB/" + i))
                .toArray(Limit[]::new);
        for (int i = 0; i < limits.length; i++) {
            assertThat(found(List.of(limits), (i % 2 == 0 ? "/Aa/" : "/BB/") + i))
                    .containsExactly(i);
        }
        assertThat(found(List.of(limit(0, "/Aa"), limit(1, "/BB")), "/BB"))
                .as("equal hashes are both asked")
                .containsExactly(0, 1);
    }

    @Test
    void everyLimitThatMatchesIsFound() {
        Random random = new Random(Seeds.next("limits by path"));
        for (int round = 0; round < 2_000 * Seeds.DEPTH; round++) {
            List<Limit> limits = new ArrayList<>();
            for (int i = random.nextInt(80); i >= 0; i--) {
                String[] patterns = IntStream.range(0, random.nextInt(3))
                        .mapToObj(n -> randomPath(random, SEGMENTS.length))
                        .toArray(String[]::new);
                limits.add(limit(limits.size(), patterns));
            }
            String path = random.nextInt(50) == 0 ? "*" : NormalPath.of(randomPath(random, 6));
            List<Integer> matching = IntStream.range(0, limits.size())
                    .filter(i -> limits.get(i).match().path().isEmpty()
                            || limits.get(i).match().path().stream().anyMatch(pattern -> pattern.matches(path)))
                    .boxed()
                    .toList();

            assertThat(found(limits, path)).as(path + " in " + limits).containsAll(matching);
        }
    }

    /** Of a few segments, an empty one only at the end and a variable only once. */
    private static String randomPath(Random random, int choices) {
        List<String> segments = new ArrayList<>();
        for (int length = 1 + random.nextInt(4); length > 0; length--) {
            String segment = SEGMENTS[random.nextInt(choices)];
            boolean fits = segment.isEmpty() ? length == 1 : !segment.equals("{id}") || !segments.contains(segment);
            segments.add(fits ? segment : "a");
        }
        return segments.stream().collect(Collectors.joining("/", "/", ""));
    }
}
