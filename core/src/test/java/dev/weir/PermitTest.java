package dev.weir;

import static dev.weir.Scene.fixed;
import static dev.weir.Scene.forAll;
import static dev.weir.Scene.perKey;
import static dev.weir.Scene.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.load.Outcome;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What an admitted call holds ends exactly once, on every way out. */
class PermitTest {

    private static final TestCall A = TestCall.by("a");
    private static final Limit HELD = perKey("held", new Budget.InFlight(2));

    private static final class Outcomes implements WeirListener {
        final List<Outcome> released = new ArrayList<>();

        @Override
        public void released(Call call, Outcome outcome, long heldNanos) {
            released.add(outcome);
        }
    }

    @Test
    void callsAreHeldUntilTheirPermitEnds() {
        Scene scene = new Scene(HELD);
        Permit first = scene.admitted(A).permit();
        scene.admitted(A);
        assertThat(scene.rejected(A).reason()).isEqualTo(Reason.IN_FLIGHT_LIMIT);
        assertThat(scene.passes(TestCall.by("b"))).isTrue();
        scene.advance(Duration.ofDays(1));
        assertThat(scene.passes(A)).as("time frees nothing").isFalse();
        first.release(Outcome.SUCCESS);
        assertThat(Scene.judged(scene.admitted(A), "held").standing().remaining())
                .isZero();
        assertThat(scene.passes(A)).isFalse();
    }

    @Test
    void everyWayOutEndsItOnce() {
        List<Consumer<Permit>> ways = List.of(
                permit -> permit.release(Outcome.SUCCESS),
                permit -> permit.release(Outcome.DROPPED),
                Permit::close,
                Permit::undo,
                permit -> {
                    permit.success();
                    permit.close();
                },
                PermitTest::runs,
                PermitTest::runsAndThrows,
                permit -> ends(permit, null),
                permit -> ends(permit, new TimeoutException()),
                permit -> ends(permit, new CompletionException(new TimeoutException())),
                permit -> ends(permit, new CancellationException()),
                permit -> ends(permit, new IllegalStateException("other")),
                PermitTest::endsWhileTheOutcomeIsUnknown);
        Outcomes outcomes = new Outcomes();
        Scene scene = new Scene(Scene.policy(HELD), outcomes);
        for (Consumer<Permit> way : ways) {
            Permit other = scene.admitted(A).permit();
            Permit permit = scene.admitted(A).permit();
            way.accept(permit);
            Permit again = scene.admitted(A).permit();
            for (Consumer<Permit> second :
                    List.of(Permit::close, Permit::undo, (Consumer<Permit>) late -> late.release(Outcome.SUCCESS))) {
                second.accept(permit);
                assertThat(scene.passes(A)).as("freed once only").isFalse();
            }
            other.close();
            again.close();
        }
        assertThat(outcomes.released.stream()
                        .filter(outcome -> outcome != Outcome.IGNORED)
                        .toList())
                .containsExactly(
                        Outcome.SUCCESS,
                        Outcome.DROPPED,
                        Outcome.SUCCESS,
                        Outcome.SUCCESS,
                        Outcome.SUCCESS,
                        Outcome.DROPPED,
                        Outcome.DROPPED,
                        Outcome.DROPPED);
        assertThat(outcomes.released).hasSize(3 * ways.size());
        assertThat(scene.weir.doubleReleases()).isEqualTo(ways.size());
        assertThat(scene.weir.errors()).isZero();
    }

    private static void runs(Permit permit) {
        try {
            assertThat(permit.run(() -> "done")).isEqualTo("done");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void runsAndThrows(Permit permit) {
        assertThatThrownBy(() -> permit.run(() -> {
                    throw new IllegalStateException("work");
                }))
                .hasMessage("work");
    }

    private static void ends(Permit permit, Throwable failure) {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> told =
                permit.until(work, other -> Outcome.DROPPED).toCompletableFuture();
        if (failure == null) {
            work.complete("done");
            assertThat(told.join()).isEqualTo("done");
        } else {
            work.completeExceptionally(failure);
            assertThat(told).isCompletedExceptionally();
        }
    }

    private static void endsWhileTheOutcomeIsUnknown(Permit permit) {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> told = permit.until(work, other -> {
                    throw new IllegalArgumentException("what is this");
                })
                .toCompletableFuture();
        work.completeExceptionally(new IllegalStateException("other"));
        assertThat(told).isCompletedExceptionally();
    }

    @Test
    void aSecondReleaseSaysSoAndIsCounted() {
        Scene scene = new Scene(HELD);
        Permit permit = scene.admitted(A).permit();
        assertThat(permit.release(Outcome.SUCCESS)).isTrue();
        assertThat(permit.release(Outcome.DROPPED)).isFalse();
        assertThat(scene.weir.doubleReleases()).isEqualTo(1);
    }

    @Test
    void undoGivesEverythingBackInEveryLimit() {
        Scene scene = new Scene(
                HELD,
                perKey("bucket", Scene.rate("5/m")),
                forAll("window", fixed("5/m")),
                forAll("shadow", fixed("5/m")).mode(Mode.SHADOW));
        for (int i = 0; i < 50; i++) {
            Decision.Admitted in = scene.admitted(A);
            assertThat(in.judged()).extracting(j -> j.standing().remaining()).containsExactly(1L, 4L, 4L);
            assertThat(in.shadows().get(0).standing().remaining()).isEqualTo(4);
            in.permit().undo();
        }
    }

    @Test
    void aReloadKeepsWhatIsInFlight() {
        Scene scene = new Scene(HELD);
        Permit first = scene.admitted(A).permit();
        Permit second = scene.admitted(A).permit();
        scene.weir.reload(policy(perKey("held", new Budget.InFlight(3))));
        Permit third = scene.admitted(A).permit();
        assertThat(scene.passes(A)).isFalse();
        scene.weir.reload(policy(perKey("held", new Budget.InFlight(1))));
        first.close();
        second.close();
        assertThat(scene.passes(A)).isFalse();
        third.close();
        assertThat(scene.passes(A)).isTrue();
        assertThat(scene.passes(A)).isFalse();
    }

    @Test
    void aPermitOfALimitThatIsGoneEndsAndFreesNothingOfItsSuccessor() {
        Scene scene = new Scene(HELD);
        Permit old = scene.admitted(A).permit();
        scene.weir.reload(policy(Limit.of("held", Scene.API_KEY, fixed("1/m"))));
        scene.weir.reload(policy(HELD));
        scene.admitted(A);
        scene.admitted(A);
        old.close();
        assertThat(scene.passes(A)).isFalse();
    }

    @Test
    void permitsThatAreOutEndWhileDraining() {
        Outcomes outcomes = new Outcomes();
        Scene scene = new Scene(Policy.builder().limit(HELD).build(), outcomes);
        Permit permit = scene.admitted(A).permit();
        scene.weir.close();
        assertThat(scene.rejected(A).reason()).isEqualTo(Reason.DRAINING);
        assertThat(permit.release(Outcome.SUCCESS)).isTrue();
        assertThat(outcomes.released).containsExactly(Outcome.SUCCESS);
    }
}
