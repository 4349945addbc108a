package dev.weir.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What came of a scenario: each contender's figures, and whether the product did what the scenario demands. */
public final class Report {

    /** The contender whom the demands are about. */
    static final String PRODUCT = "weir";
    /** The contender that stands for no limit at all. */
    static final String WITHOUT = "none";

    private final Scenario scenario;
    private final List<Played> runs;

    Report(Scenario scenario, List<Played> runs) {
        this.scenario = scenario;
        this.runs = List.copyOf(runs);
    }

    Scenario scenario() {
        return scenario;
    }

    List<Played> runs() {
        return runs;
    }

    /** A contender's run. */
    Optional<Played> run(String contender) {
        return runs.stream().filter(run -> run.name().equals(contender)).findFirst();
    }

    /** What the scenario demands and what the product did. */
    List<Verdict> verdicts() {
        return run(PRODUCT).map(run -> Verdict.of(scenario, run, run(WITHOUT))).orElse(List.of());
    }

    /** Whether the product did all that the scenario demands. */
    public boolean holds() {
        return verdicts().stream().allMatch(Verdict::holds);
    }

    /** For programs: ordered maps, lists, text, numbers and truth values. Shares are from 0 to 1. */
    public Map<String, Object> data() {
        return new ReportData(this).all();
    }

    /** For eyes: one page with charts that needs nothing else. */
    public String html() {
        return new ReportPage(this).html();
    }

    /** For people to read: lines that end with a newline. */
    public String text() {
        return new ReportText(this).text();
    }
}
