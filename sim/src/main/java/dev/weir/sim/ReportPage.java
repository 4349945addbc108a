package dev.weir.sim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A report as one page that needs nothing else. */
final class ReportPage {

    /** Told apart by people who see colours differently, on light ground and on dark. */
    private static final List<String> COLOURS =
            List.of("#8a8f98", "#e6b800", "#cc79a7", "#3d9be0", "#d1495b", "#a0662d");

    private static final String PRODUCT_COLOUR = "#009e73";
    private static final String PRODUCT = "weir";

    private final Report report;
    private final Scenario scenario;

    ReportPage(Report report) {
        this.report = report;
        this.scenario = report.scenario();
    }

    String html() {
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                + escaped(scenario.name() + ": " + scenario.title()) + "</title>\n<style>\n" + css()
                + "</style>\n</head>\n<body>\n<h1>" + escaped(scenario.title()) + "</h1>\n<p class=\"note\">Scenario "
                + escaped(scenario.name()) + ", " + scenario.fleet().instances()
                + (scenario.fleet().instances() == 1 ? " instance. " : " instances. ")
                + "The figures are about the shaded stretch"
                + (scenario.changesAt().isPresent() ? "; the dashed line is where the load or the fleet changes" : "")
                + ".</p>\n" + legend() + charts() + figures() + verdicts() + "</body>\n</html>\n";
    }

    private static String css() {
        try (InputStream css = ReportPage.class.getResourceAsStream("page.css")) {
            return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String look(Played run) {
        boolean product = run.name().equals(PRODUCT);
        String colour = product ? PRODUCT_COLOUR : COLOURS.get(report.runs().indexOf(run) % COLOURS.size());
        return "class=\"line" + (product ? " product" : "") + "\" stroke=\"" + colour + "\"";
    }

    private String legend() {
        StringBuilder legend = new StringBuilder("<ul class=\"legend\">\n");
        for (Played run : report.runs()) {
            legend.append(
                            "<li><svg viewBox=\"0 0 30 10\" aria-hidden=\"true\"><line x1=\"0\" x2=\"30\" y1=\"5\" y2=\"5\" ")
                    .append(look(run))
                    .append("/></svg>")
                    .append(escaped(run.name()))
                    .append("</li>\n");
        }
        return legend.append("</ul>\n").toString();
    }

    private String charts() {
        return "<div class=\"charts\">\n"
                + chart("Answers in time, per second", run -> doubles(run.good()), true)
                + chart("p99 of answers, ms", Played::p99MillisBySecond, true)
                + chart("In flight, whole fleet", run -> run.meters().inFlight().bySecond(), true)
                + chart("Limit of an instance", Played::allowed, false)
                + chart("Refusals per second", run -> doubles(run.meters().refused), true)
                + "</div>\n";
    }

    private String chart(String title, Function<Played, double[]> values, boolean openToo) {
        List<Chart.Line> lines = new ArrayList<>();
        for (Played run : report.runs()) {
            if (openToo || run.isBounded()) {
                lines.add(new Chart.Line(
                        escaped(run.name()),
                        Arrays.stream(values.apply(run)).boxed().toList(),
                        !run.isBounded(),
                        look(run)));
            }
        }
        return new Chart(title, lines, scenario.measured(), scenario.changesAt()).svg();
    }

    private static double[] doubles(long[] values) {
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
        }
        return doubles;
    }

    private String figures() {
        Span span = scenario.measured();
        StringBuilder rows = new StringBuilder("<div class=\"scroll\"><table>\n<tr><th>from " + span
                + "</th><th>goodput</th><th>p99</th><th>late</th><th>refused</th><th>refused with room</th>"
                + "<th>limit at the end</th><th>in knees</th></tr>\n");
        for (Played run : report.runs()) {
            rows.append("<tr><td>")
                    .append(escaped(run.name()))
                    .append(cell("%.1f %%", run.goodput(span) * 100))
                    .append(cell("%,.1f ms", run.p99Millis(span)))
                    .append(cell("%.1f %%", run.late(span) * 100))
                    .append(cell("%.1f %%", run.refused(span) * 100))
                    .append(cell("%.1f %%", run.refusedFalsely(span) * 100))
                    .append(cell("%.0f", run.limitAtEnd(span)))
                    .append(cell("%.2f", run.limitToKnee(span)))
                    .append("</td></tr>\n");
        }
        return rows.append("</table></div>\n").toString();
    }

    private static String cell(String format, OptionalDouble value) {
        return value.isPresent() ? cell(format, value.getAsDouble()) : "</td><td>none";
    }

    private static String cell(String format, double value) {
        return "</td><td>" + String.format(Locale.ROOT, format, value);
    }

    private String verdicts() {
        StringBuilder rows = new StringBuilder();
        for (Verdict verdict : report.verdicts()) {
            rows.append("<tr><td class=\"demand\">")
                    .append(escaped(verdict.demand()))
                    .append("</td><td>")
                    .append(escaped(verdict.seen()))
                    .append(verdict.holds() ? "</td><td>holds" : "</td><td class=\"missed\">missed")
                    .append("</td></tr>\n");
        }
        return rows.isEmpty()
                ? ""
                : "<table>\n<tr><th>weir must</th><th>seen</th><th></th></tr>\n" + rows + "</table>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
