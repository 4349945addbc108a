package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Jcstress;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the jcstress tests of this package. */
final class GateStressTest {

    @Test
    void noForbiddenOutcome(@TempDir Path results) throws IOException, InterruptedException {
        Jcstress.Run run = Jcstress.run("dev.weir.load", results);
        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("All remaining tests: 6 matching")
                .containsPattern("Failed tests:\\s+No matches")
                .containsPattern("Error tests:\\s+No matches");
    }
}
