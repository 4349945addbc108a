package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.AsyncOutboundWork;
import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundListener;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thousand processes, all of which are refused within one second and told when to come back. */
class HerdTest {

    private static final int CLIENTS = 1_000;

    private final VirtualTime time = new VirtualTime();
    private final int[] returnsInTenth = new int[1_000];

    private final class Client implements AsyncOutboundWork<PeerAnswer> {
        private final long toldNanos;
        private int sends;

        Client(long toldNanos) {
            this.toldNanos = toldNanos;
        }

        @Override
        public CompletionStage<PeerAnswer> send(Sending attempt) {
            sends++;
            if (sends > 1) {
                returnsInTenth[(int) (time.nanos() * 10 / Meters.SECOND)]++;
                return CompletableFuture.completedFuture(PeerAnswer.ACCEPTED);
            }
            return CompletableFuture.completedFuture(
                    new PeerAnswer(PeerAnswer.Kind.REFUSED, PeerAdvice.pause(toldNanos)));
        }

        @Override
        public PeerAnswer read(PeerAnswer answer, Throwable failure) {
            return answer;
        }
    }

    /** Told to come back in a time, they come in at least that and within as many seconds more; no tenth of a second sees most of them. */
    @ParameterizedTest
    @CsvSource({"1, 1, 120", "10, 1, 120", "60, 6, 40"})
    void comesBackSpreadOut(int toldSeconds, int spreadSeconds, int mostInATenth) {
        for (int client = 0; client < CLIENTS; client++) {
            Outbound outbound = Outbound.of(
                    OutboundSettings.of("api")
                            .timeout(Duration.ofMinutes(5))
                            .retry(new OutboundSettings.Retry(2, OptionalInt.empty(), Backoff.DEFAULT, Set.of())),
                    time,
                    time::after,
                    new SplittableRandom(client),
                    OutboundListener.NONE);
            Client work = new Client(toldSeconds * Meters.SECOND);
            time.at(client * Meters.SECOND / CLIENTS, () -> {
                CompletableFuture<PeerAnswer> unused = outbound.callAsync(OutboundCall.REPEATABLE, work);
            });
        }
        time.playUntil(99 * Meters.SECOND);
        int back = 0;
        for (int tenth = 0; tenth < returnsInTenth.length; tenth++) {
            back += returnsInTenth[tenth];
            boolean inTime = tenth >= toldSeconds * 10 && tenth <= (toldSeconds + 1 + spreadSeconds) * 10;
            assertThat(returnsInTenth[tenth]).as("tenth %d", tenth).isBetween(0, inTime ? mostInATenth : 0);
        }
        assertThat(back).isEqualTo(CLIENTS);
    }
}
