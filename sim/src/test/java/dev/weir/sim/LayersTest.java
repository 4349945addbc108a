package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.AsyncOutboundWork;
import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundListener;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAnswer;
import dev.weir.client.RetryBudget;
import dev.weir.client.Sending;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services that call one another, each of which tries three times, above a database that fails. */
class LayersTest {

    private static final int LAYERS = 5;

    private final VirtualTime time = new VirtualTime();
    private int queries;

    /** A service: it asks the one below it by its own outbound half. */
    private final class Layer {
        private final int depth;
        private final boolean tellsAttempt;
        private final Outbound outbound;
        private final CompletableFuture<Layer> below;

        Layer(int depth, boolean tellsAttempt, OptionalInt budget) {
            this.depth = depth;
            this.tellsAttempt = tellsAttempt;
            OutboundSettings settings = OutboundSettings.of("layer " + depth)
                    .retry(new OutboundSettings.Retry(3, budget, Backoff.DEFAULT, Set.of()));
            outbound = Outbound.of(settings, time, time::after, new SplittableRandom(depth), OutboundListener.NONE);
            below = depth == 1
                    ? new CompletableFuture<>()
                    : CompletableFuture.completedFuture(new Layer(depth - 1, tellsAttempt, budget));
        }

        /** Serves a call that says which attempt of somebody's it is, if it does. */
        CompletableFuture<PeerAnswer> serve(OptionalInt attempt) {
            OutboundCall call = tellsAttempt && attempt.isPresent()
                    ? OutboundCall.REPEATABLE.inherited(attempt.getAsInt())
                    : OutboundCall.REPEATABLE;
            return outbound.callAsync(call, new AsyncOutboundWork<>() {
                @Override
                public CompletionStage<PeerAnswer> send(Sending sending) {
                    if (depth > 1) {
                        return below.join().serve(sending.announcedAttempt());
                    }
                    queries++;
                    CompletableFuture<PeerAnswer> answer = new CompletableFuture<>();
                    time.after(1_000_000, () -> answer.complete(PeerAnswer.FAILED));
                    return answer;
                }

                @Override
                public PeerAnswer read(PeerAnswer answer, Throwable failure) {
                    return answer;
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        // each layer for itself; each with a budget; only the one on top, since the others are told
        "false, , 243",
        "true, , 3",
        "true, 1000, 2",
    })
    void oneFailingQuery(boolean tellsAttempt, Integer budget, int expected) {
        Layer top = new Layer(LAYERS, tellsAttempt, budget == null ? OptionalInt.empty() : OptionalInt.of(budget));
        CompletableFuture<PeerAnswer> answer = top.serve(OptionalInt.empty());
        time.playUntil(600 * Meters.SECOND);
        assertThat(answer).isCompletedWithValue(PeerAnswer.FAILED);
        assertThat(queries).isEqualTo(expected);
    }

    @Test
    void aThousandFailingQueriesAreAtMostATenthMore() {
        Layer top = new Layer(LAYERS, true, OptionalInt.of(RetryBudget.DEFAULT_BASIS_POINTS));
        for (int call = 0; call < 1_000; call++) {
            time.at(call * 5_000_000L, () -> {
                CompletableFuture<PeerAnswer> unused = top.serve(OptionalInt.empty());
            });
        }
        time.playUntil(600 * Meters.SECOND);
        assertThat(queries).isBetween(1_050, 1_100);
    }
}
