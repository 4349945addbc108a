package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.judged;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Budget;
import dev.weir.rate.RateLimit;
import dev.weir.rate.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks that are set, and clocks that go on while a call is decided. */
class ClocksTest {

    private static final TestCall A = TestCall.by("a");
    private static final Instant NOON = Instant.parse("2026-03-14T12:00:00Z");

    @Test
    void aBucketDoesNotNoticeThatTheWallClockIsSet() {
        Scene scene = new Scene(
                        perKey("bucket", new Budget.Rate(RateLimit.parse("1/s").burst(5))))
                .at(NOON);
        assertThat(scene.passing(A, 3)).isEqualTo(3);
        scene.at(NOON.minusSeconds(11));
        assertThat(judged(scene.admitted(A), "bucket").standing().remaining()).isEqualTo(1);
        scene.at(NOON.plusSeconds(11));
        assertThat(scene.left("bucket", A)).as("no time has passed").isEqualTo(1);
        assertThat(scene.passing(A, 3)).isEqualTo(1);
        assertThat(scene.rejected(A).retryAfterNanos()).hasValue(1_000_000_000L);
    }

    /** Windows have only the wall clock: set back it brings nothing, and nobody waits longer than one window. */
    @Test
    void aWindowThatIsOverIsNotOpenedAgainBySettingTheClockBack() {
        Scene scene = new Scene(perKey("window", fixed("3/m"))).at(NOON.plusSeconds(50));
        assertThat(scene.passing(A, 5)).isEqualTo(3);
        for (int secondsBack : List.of(1, 49, 51, 110, 170, 86_400)) {
            scene.at(NOON.plusSeconds(50 - secondsBack));
            assertThat(scene.rejected(A).retryAfterNanos().orElseThrow())
                    .as("%d s back", secondsBack)
                    .isBetween(1L, Duration.ofMinutes(2).toNanos());
        }
        scene.at(NOON.plusSeconds(60));
        assertThat(scene.passing(A, 5)).isEqualTo(3);
    }

    /** The clock crosses the edge of a window between two readings: a decision that took both would tell a half of each window. */
    @Test
    void aDecisionReadsEachClockOnce() {
        long edge = NOON.getEpochSecond() * 1_000_000_000L;
        Deque<Long> wall = new ArrayDeque<>(List.of(edge, edge));
        Deque<Long> monotonic = new ArrayDeque<>(List.of(0L, 0L));
        Weir weir = Weir.builder(Scene.policy(perKey("window", fixed("2/m")), perKey("bucket", rate("9/s"))))
                .tickers(monotonic::remove, wall::remove)
                .build();
        wall.addAll(List.of(edge - 2_000_000, edge - 2_000_000, edge - 1_000_000, edge + 1_000_000));
        monotonic.addAll(List.of(1L, 2L, 3L, 4L));
        weir.judge(A);
        weir.judge(A);

        Decision before = weir.judge(A);
        assertThat(before).isInstanceOf(Decision.Rejected.class);
        assertStanding(judged(before, "window").standing(), 0, 1_000_000);
        Decision after = weir.judge(A);
        assertThat(after).isInstanceOf(Decision.Admitted.class);
        assertStanding(judged(after, "window").standing(), 1, 60_000_000_000L - 1_000_000);
        assertThat(wall).isEmpty();
        assertThat(monotonic).isEmpty();
    }

    private static void assertStanding(Standing standing, long remaining, long resetNanos) {
        assertThat(standing.remaining()).isEqualTo(remaining);
        assertThat(standing.resetNanos()).hasValue(resetNanos);
    }
}
