package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Reason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentDecisionsTest {

    private static final Decision REFUSED = new Decision.Rejected(
            Reason.OVER_LIMIT,
            OptionalLong.of(1),
            Optional.of("limit"),
            List.of(),
            List.of(),
            Optional.empty(),
            false,
            0);

    private final RecentDecisions recent = new RecentDecisions();

    private void refused(String id, String path) {
        recent.add(0, id, "route", "GET", path, REFUSED);
    }

    @Test
    void theNewestStandsFirst() {
        refused("one", "/");
        refused("two", "/");

        assertThat(recent.newestFirst())
                .extracting(RecentDecisions.Entry::requestId)
                .containsExactly("two", "one");
    }

    @Test
    void theOldestMakeRoom() {
        IntStream.range(0, RecentDecisions.SIZE + 10).forEach(i -> refused("id " + i, "/"));

        List<RecentDecisions.Entry> kept = recent.newestFirst();
        assertThat(kept).hasSize(RecentDecisions.SIZE);
        assertThat(kept.get(kept.size() - 1).requestId()).isEqualTo("id 10");
    }

    @Test
    void ofALongPathTheBeginningIsKept() {
        refused("id", "/" + "x".repeat(10_000));

        assertThat(recent.newestFirst().get(0).path()).hasSize(RecentDecisions.MAX_PATH_CHARS);
    }
}
