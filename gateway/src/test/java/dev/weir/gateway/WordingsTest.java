package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Reason;
import dev.weir.policy.Answers;
import dev.weir.rate.Standing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordingsTest {

    private static final long SECOND = 1_000_000_000L;

    private final Wordings wordings = new Wordings();

    private static Decision.Rejected refused(
            String key, long waitNanos, Standing standing, Optional<String> partition) {
        Decision.Judged judged = new Decision.Judged("few", key, 1, standing, true, waitNanos, false, partition);
        return new Decision.Rejected(
                Reason.OVER_LIMIT,
                OptionalLong.of(waitNanos),
                Optional.of("few"),
                List.of(judged),
                List.of(),
                Optional.empty(),
                false,
                0);
    }

    private static Standing left(long units, long resetNanos) {
        return new Standing(5, OptionalLong.of(60), units, OptionalLong.of(resetNanos), false, false);
    }

    private Wording of(Decision.Rejected rejected) {
        return wordings.of(rejected, Answers.DEFAULT, null, new Random(1));
    }

    @Test
    void whatCallersHearAlikeIsPutIntoWordsOnce() {
        Wording first = of(refused("ada", 9 * SECOND, left(0, 9 * SECOND), Optional.empty()));
        assertThat(of(refused("bob", 9 * SECOND - 7, left(0, 9 * SECOND - 7), Optional.empty())))
                .isSameAs(first);
    }

    @Test
    void whateverCallersAreToldTellsWordingsApart() {
        Decision.Rejected plain = refused("ada", 9 * SECOND, left(0, 9 * SECOND), Optional.empty());
        Wording first = of(plain);
        List<Decision.Rejected> others = List.of(
                refused("ada", 8 * SECOND, left(0, 8 * SECOND), Optional.empty()),
                refused("ada", 9 * SECOND, left(0, 8 * SECOND), Optional.empty()),
                refused("ada", 9 * SECOND, left(1, 9 * SECOND), Optional.empty()),
                refused("ada", 9 * SECOND, left(0, 9 * SECOND), Optional.of("aaaa")));
        for (Decision.Rejected other : others) {
            assertThat(of(other)).isNotSameAs(first);
            first = of(plain);
        }
        assertThat(wordings.of(plain, Answers.DEFAULT, "https://app.example", new Random(1)))
                .isNotSameAs(first);
        first = of(plain);
        Answers bare = new Answers(Answers.Generation.OFF, 0, true, true);
        assertThat(wordings.of(plain, bare, null, new Random(1))).isNotSameAs(first);
    }
}
