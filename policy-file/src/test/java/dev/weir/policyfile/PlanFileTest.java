package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Plans;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {

    @TempDir
    Path directory;

    @Test
    void rowsAreKeptByTheirHash() throws IOException {
        Loaded loaded = load("# comment, with commas\r\n\r\n  test ,  pro\r\nsha256:" + "AB".repeat(32)
                + ",free,2031-03-01\r\nother,free,2031-03-01T10:00:00+01:00");
        assertThat(((Loaded.Understood) loaded).policy().plans().source())
                .contains(new Plans.Source.Rows(Map.of(
                        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        new Plans.Row("pro", Optional.empty()),
                        "ab".repeat(32),
                        new Plans.Row("free", Optional.of(Instant.parse("2031-03-02T00:00:00Z"))),
                        NamedKey.digest("other"),
                        new Plans.Row("free", Optional.of(Instant.parse("2031-03-01T09:00:00Z"))))));
    }

    @Test
    void whoWatchesThePolicyIsToldOfTheFile() throws IOException {
        Loaded loaded = load("a,pro");
        assertThat(((Loaded.Understood) loaded).readAlong()).containsExactly(directory.resolve("plans.csv"));
    }

    @Test
    void errorsStandInThePlanFileAllOfThemBehindThoseOfThePolicy() throws IOException {
        Files.writeString(directory.resolve("plans.csv"), """
                key,plan
                # fine
                a, pro
                b
                c,pro,soon
                , pro
                d,
                e,pro,2031-01-01,more
                  a ,free
                sha256:12,free
                "f",free
                g,"free"
                sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb,free
                h,pro,
                Sha256:12,free,never
                """);
        Loaded loaded = parse("weir: 1\nplans: { from: file:plans.csv, default: \"\" }\n");
        List<Problem> problems = ((Loaded.Refused) loaded).problems();
        assertThat(problems.get(0).toString()).startsWith("p.yaml:2:41: plans.default: the text is empty");
        assertThat(problems.subList(1, problems.size()))
                .allSatisfy(p -> assertThat(p.file())
                        .isEqualTo(directory.resolve("plans.csv").toString()))
                .extracting(p -> p.line() + ":" + p.column() + " " + p.message().split(":", 2)[0])
                .containsExactly(
                        "1:1 this is a header row",
                        "4:1 a row has a key, a plan and, if it ends, a date",
                        "5:7 'soon' is neither a date such as 2030-12-31, which lasts through that day in UTC, nor an instant such as 2030-06-30T12",
                        "6:1 the key is empty",
                        "7:3 the plan is empty",
                        "8:1 a row has a key, a plan and, if it ends, a date",
                        "9:3 this key stands on line 3 already",
                        "10:1 'sha256",
                        "11:1 quotes are not part of this format",
                        "12:3 quotes are not part of this format",
                        "13:1 this key stands on line 3 already",
                        "14:7 nothing stands behind the comma",
                        "15:1 'Sha256",
                        "15:16 'never' is neither a date such as 2030-12-31, which lasts through that day in UTC, nor an instant such as 2030-06-30T12");
    }

    @Test
    void aFileOfNothingIsAnError() throws IOException {
        assertThat(problems("# none\n"))
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("no row"));
    }

    @Test
    void aFileThatIsNotUtf8IsAnErrorWhereItStops() throws IOException {
        Files.write(directory.resolve("plans.csv"), "a,pro\nb\u00e4,pro\n".getBytes(StandardCharsets.ISO_8859_1));
        List<Problem> problems = ((Loaded.Refused) parse("weir: 1\nplans: { from: file:plans.csv }")).problems();
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).toString()).contains("plans.csv:2:2: the bytes here are not UTF-8");
    }

    @Test
    void theErrorsOfAFileThatIsNoPlanFileEnd() throws IOException {
        assertThat(problems("x\n".repeat(5_000))).hasSize(1_001);
    }

    @Test
    void aPathMayBeAbsolute() throws IOException {
        Files.writeString(directory.resolve("p"), "a,pro");
        Loaded loaded = PolicyFile.parse(
                "weir: 1\nplans: { from: \"file:" + directory.resolve("p") + "\" }",
                "p.yaml",
                Path.of("/"),
                Map.of(),
                Reads.NOW);
        assertThat(loaded).isInstanceOf(Loaded.Understood.class);
    }

    private List<Problem> problems(String rows) throws IOException {
        return ((Loaded.Refused) load(rows)).problems();
    }

    private Loaded load(String rows) throws IOException {
        Files.writeString(directory.resolve("plans.csv"), rows);
        return parse("weir: 1\nplans: { from: file:plans.csv }\n");
    }

    private Loaded parse(String yaml) {
        return PolicyFile.parse(yaml, "p.yaml", directory, Map.of(), Reads.NOW);
    }
}
