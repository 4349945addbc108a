package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Progress progress = Progress.to(new PrintStream(bytes, true, StandardCharsets.US_ASCII));

    private String shown() {
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void drawsEachHalfPercentAndWipesTheBarAway() {
        progress.begin("reading", 1_000);
        for (int i = 0; i < 500; i++) {
            progress.advance(1);
        }
        assertThat(shown().split("\r")).hasSize(101);
        assertThat(shown()).endsWith("\rreading [###############               ] 50 %");
        progress.advance(600);
        assertThat(shown()).endsWith("\rreading [##############################] 100 %");
        progress.end();
        assertThat(shown()).endsWith("\r" + " ".repeat(46) + "\r");
    }

    @Test
    void countsWhenNobodyKnowsTheTotal() {
        progress.begin("reading", 0);
        progress.advance(1);
        assertThat(shown()).isEmpty();
        progress.advance(5_000_000);
        assertThat(shown()).isEqualTo("\rreading: 5,000,001 so far");
        progress.begin("judging", 10);
        assertThat(shown()).endsWith("\r");
    }

    @Test
    void readingTellsTheBytesOfFiles(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("a.log");
        GeneratedLog.write(file, 5_000);
        new AccessLogs(LogFormat.of("combined"), TimeIs.START, progress)
                .read(List.of(file.toString()), System.in)
                .close();
        assertThat(shown()).contains("100 %").endsWith("\r");
    }

    @Test
    void showsNothingWhereNobodyLooks() {
        Progress none = Progress.none();
        none.begin("reading", 1);
        none.advance(1);
        none.end();
        assertThat(shown()).isEmpty();
    }
}
