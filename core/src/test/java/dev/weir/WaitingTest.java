package dev.weir;

import static dev.weir.Scene.perKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.HttpAnswer;
import dev.weir.policy.Answers;
import dev.weir.policy.Budget;
import dev.weir.policy.Cost;
import dev.weir.policy.Limit;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whoever waits as long as Retry-After says passes, if nobody else asks meanwhile. */
class WaitingTest {

    private static final TestCall A = TestCall.by("a");
    private static final List<Algorithm> ALGORITHMS = List.of(
            Algorithm.TOKEN_BUCKET,
            Algorithm.FIXED_WINDOW,
            Algorithm.SLIDING_WINDOW,
            Algorithm.SLIDING_LOG,
            Algorithm.LEAKY_QUEUE);

    private static long retryAfter(Decision.Rejected no, Random random) {
        return Long.parseLong(
                HttpAnswer.of(no, Answers.DEFAULT, null, random).fields().get("Retry-After"));
    }

    /** Two limits of random rates and costs, brought to a refusal from a random state. */
    @Test
    void waitingExactlyRetryAfterPasses() {
        Random random = new Random(Seeds.next("waiting Retry-After"));
        for (int state = 0; state < 10_000; state++) {
            Limit first = perKey("first", budget(random)).maxKeys(10);
            Limit second = perKey("second", budget(random)).maxKeys(10).cost(new Cost.Fixed(1 + random.nextInt(2)));
            Scene scene = new Scene(first, second);
            Decision decision = scene.weir.judge(A);
            while (decision instanceof Decision.Admitted) {
                scene.advanceNanos(random.nextInt(4) == 0 ? random.nextInt(200_000_000) : 0);
                decision = scene.weir.judge(A);
            }
            long seconds = retryAfter((Decision.Rejected) decision, random);
            assertThat(seconds).isPositive();
            scene.advance(Duration.ofSeconds(seconds));
            assertThat(scene.passes(A))
                    .as("%s and %s", first.budget(), second.budget())
                    .isTrue();
        }
    }

    private static Budget budget(Random random) {
        RateLimit rate = RateLimit.of(2 + random.nextInt(9), Duration.ofMillis(900 + random.nextInt(100_000)))
                .algorithm(ALGORITHMS.get(random.nextInt(ALGORITHMS.size())));
        return new Budget.Rate(rate.algorithm() == Algorithm.TOKEN_BUCKET ? rate.burst(2 + random.nextInt(9)) : rate);
    }

    @Test
    void aPartOfASecondIsAWholeOne() {
        for (int millis : new int[] {0, 100, 299, 399}) {
            Scene later = new Scene(
                    perKey("bucket", new Budget.Rate(RateLimit.parse("5/2s").burst(1))));
            assertThat(later.passes(A)).isTrue();
            later.advance(Duration.ofMillis(millis));
            assertThat(retryAfter(later.rejected(A), new Random(1))).isEqualTo(1);
        }
    }
}
