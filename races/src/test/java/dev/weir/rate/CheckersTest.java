package dev.weir.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Jcstress;
import java.io.IOException;
import java.nio.file.Path;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checkers of this module, on shells that are broken: each must be found by the very run that the right ones pass. */
final class CheckersTest {

    /** A limiter that looks and then writes: two charges may start from one state, and one of them is lost. */
    @Param(name = "cost", gen = IntGen.class, conf = "1:3")
    public static class LookThenWrite {
        private final TokenBucket bucket = new TokenBucket(RateLimit.parse("6/s"));
        private volatile long state = bucket.fresh(7);

        @Operation
        public long charge(@Param(name = "cost") int cost) {
            long wait = bucket.waitFor(state, 7, cost);
            if (wait == Meter.NOW) {
                state = bucket.charged(state, 7, cost);
            }
            return wait;
        }

        @Operation
        public long peek(@Param(name = "cost") int cost) {
            return bucket.waitFor(state, 7, cost);
        }
    }

    @Test
    void aLostChargeIsFound() {
        assertThatThrownBy(() -> LinearizabilityTest.check(LookThenWrite.class, LinearizabilityTest.PureBucket.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Invalid execution results");
    }

    @Test
    void permitsThatEndTwiceAndSlotsThatAreLostAreFound(@TempDir Path results)
            throws IOException, InterruptedException {
        Jcstress.Run run = Jcstress.run("dev.weir.broken", results);
        assertThat(run.exit()).as(run.output()).isNotZero();
        assertThat(run.output()).containsPattern("Failed tests:\\s+2 matching");
    }
}
