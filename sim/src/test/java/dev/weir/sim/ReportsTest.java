package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario comes out as its committed report says, and shows what it must. A change of an algorithm shows as a change of the reports:
 * {@code mvn -pl sim -am test -Dtest=ReportsTest -Dsurefire.failIfNoSpecifiedTests=false -Dreports=write} rewrites them.
 */
class ReportsTest {
    private static final Path REPORTS = Path.of("reports");
    private static final boolean WRITE = System.getProperty("weir.reports", "").equals("write");

    @BeforeAll
    static void playAll() {
        Folder.scenarios().parallelStream().forEach(Folder::report);
    }

    @TestFactory
    Stream<DynamicTest> comesOutAsReported() {
        return Folder.scenarios().stream()
                .map(file -> dynamicTest(name(file), () -> {
                    String text = Folder.report(file).text();
                    Path report = REPORTS.resolve(name(file) + ".txt");
                    if (WRITE) {
                        Files.createDirectories(REPORTS);
                        Files.writeString(report, text);
                    }
                    assertThat(comparable(text)).isEqualTo(comparable(Files.readString(report)));
                }));
    }

    @TestFactory
    Stream<DynamicTest> showsWhatItMust() {
        return Folder.scenarios().stream()
                .map(file -> dynamicTest(
                        name(file),
                        () -> assertThat(Folder.report(file).verdicts()).allMatch(Verdict::holds)));
    }

    @Test
    void everyReportIsOfAScenario() throws IOException {
        try (Stream<Path> files = Files.list(REPORTS)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
                    .allMatch(name -> Files.exists(Folder.SCENARIOS.resolve(name + ".yaml"))
                            || Files.exists(Folder.SCENARIOS.resolve("deep/" + name + ".yaml")));
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".yaml", "");
    }

    /** Vegas draws random numbers from the thread's own source, so that its rows differ from run to run. */
    private static List<String> comparable(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("  vegas"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }
}
