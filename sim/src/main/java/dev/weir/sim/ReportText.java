package dev.weir.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** A report for people to read. */
final class ReportText {

    private static final int MOMENTS = 12;

    private final Report report;
    private final Scenario scenario;
    private final StringBuilder text = new StringBuilder();

    ReportText(Report report) {
        this.report = report;
        this.scenario = report.scenario();
    }

    String text() {
        line(scenario.name() + ": " + scenario.title());
        line("");
        contenders();
        limits();
        phases();
        verdicts();
        return text.toString();
    }

    private void contenders() {
        Span span = scenario.measured();
        line("From " + span + ":");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "", "goodput %", "p99 ms", "late %", "refused %", "falsely %", "settled s", "limit", "in knees"));
        for (Played run : report.runs()) {
            rows.add(List.of(
                    run.name(),
                    percent(run.goodput(span)),
                    one(run.p99Millis(span)),
                    percent(run.late(span)),
                    percent(run.refused(span)),
                    percent(run.refusedFalsely(span)),
                    scenario.changesAt().isPresent() ? whole(run.settledAfter(aim())) : "-",
                    limit(run.limitAtEnd(span), "%.0f"),
                    limit(run.limitToKnee(span), "%.2f")));
        }
        table(rows);
        servedRows(span);
    }

    private double aim() {
        return scenario.must().goodput().orElse(0.9);
    }

    private void servedRows(Span span) {
        if (scenario.must().served().isEmpty()) {
            return;
        }
        List<String> whose = scenario.clients().size() > 1
                ? scenario.clients().stream().map(ClientSettings::name).toList()
                : Grammar.criticalities();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("served %"));
        head.addAll(whose);
        rows.add(head);
        for (Played run : report.runs()) {
            List<String> row = new ArrayList<>(List.of(run.name()));
            whose.forEach(each -> row.add(percent(run.served(each, span))));
            rows.add(row);
        }
        table(rows);
    }

    private void limits() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("limit at second"));
        moments().forEach(second -> head.add(String.valueOf(second + 1)));
        rows.add(head);
        for (Played run : report.runs()) {
            if (run.isBounded()) {
                List<String> row = new ArrayList<>(List.of(run.name()));
                moments().forEach(second -> row.add(String.format(Locale.ROOT, "%.0f", run.allowed()[second])));
                rows.add(row);
            }
        }
        table(rows);
        report.runs().forEach(this::moves);
    }

    private void moves(Played run) {
        if (run.moves().size() > 1) {
            line("Windows of " + run.name() + ": "
                    + run.moves().entrySet().stream()
                            .map(move -> move.getValue() + " " + move.getKey().word())
                            .collect(Collectors.joining(", ")));
            line("");
        }
    }

    private List<Integer> moments() {
        List<Integer> moments = new ArrayList<>();
        for (int i = 1; i <= MOMENTS; i++) {
            moments.add(scenario.seconds() * i / MOMENTS - 1);
        }
        return moments.stream().filter(second -> second >= 0).distinct().toList();
    }

    private void phases() {
        scenario.phases().forEach((name, span) -> {
            line(name + ", from " + span + ":");
            List<List<String>> rows = new ArrayList<>();
            rows.add(head());
            report.runs().forEach(run -> rows.add(phase(run, span)));
            table(rows);
        });
    }

    private List<String> head() {
        List<String> head =
                new ArrayList<>(List.of("", "calls/s", "goodput %", "in flight each", "mean ms", "refused"));
        if (scenario.dependency().isPresent()) {
            String name = scenario.dependency().get().outbound().name();
            head.addAll(
                    List.of(name + "/s", "sends/s", "busiest s", "in flight each", "refused here", "refused there"));
        }
        return head;
    }

    private List<String> phase(Played run, Span span) {
        int instances = scenario.fleet().instances();
        Meters meters = run.meters();
        List<String> row = new ArrayList<>(List.of(
                run.name(),
                one(span.mean(run.offered())),
                percent(run.goodput(span)),
                two(run.inFlight(span) / instances),
                one(meters.latencies.meanMillis(span.from(), span.to())),
                String.valueOf(span.sum(meters.refused))));
        if (scenario.dependency().isPresent()) {
            DependencyMeters dependency = meters.dependency();
            row.addAll(List.of(
                    one(span.mean(dependency.calls)),
                    one(span.mean(dependency.sends)),
                    String.valueOf(span.most(dependency.busiest)),
                    two(span.mean(dependency.inFlight().bySecond()) / instances),
                    String.valueOf(span.sum(dependency.refusedOutbound)),
                    String.valueOf(span.sum(dependency.refusedThere))));
        }
        return row;
    }

    private void verdicts() {
        for (Verdict verdict : report.verdicts()) {
            line((verdict.holds() ? "holds   " : "MISSED  ") + verdict.demand() + ": " + verdict.seen());
        }
    }

    private static String percent(double share) {
        return one(share * 100);
    }

    private static String one(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String whole(OptionalInt value) {
        return value.isPresent() ? String.valueOf(value.getAsInt()) : "never";
    }

    private static String limit(OptionalDouble value, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }

    /** Columns as wide as they need to be, the first to the left and the others to the right, and an empty line. */
    private void table(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder cells = new StringBuilder("  ");
            for (int i = 0; i < columns; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                cells.append(i == 0 ? row.get(i) + pad : "  " + pad + row.get(i));
            }
            line(cells.toString().stripTrailing());
        }
        line("");
    }

    private void line(String content) {
        text.append(content).append('\n');
    }
}
