package dev.weir.cli;

import dev.weir.cli.size.Knee;
import dev.weir.cli.size.LoadPoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Latency against rate as a picture of characters. Latencies that lie far apart are drawn in logarithms. */
final class LoadCurve {

    private static final int COLUMNS = 64;
    private static final int ROWS = 13;
    private static final double FAR_APART = 6;
    private static final int LABEL = 10;

    private static final char MEASURED = 'o';
    private static final char FAILED = 'x';
    private static final char KNEE = 'K';

    private final List<LoadPoint> points;
    private final Knee knee;
    private final double highestRate;
    private final double leastMs;
    private final double mostMs;
    private final boolean logarithmic;
    private final char[][] cells = new char[ROWS][COLUMNS];

    LoadCurve(List<LoadPoint> points, Knee knee) {
        this.points = points;
        this.knee = knee;
        double rate = knee.ratePerSecond();
        double least = knee.latencyMs();
        double most = knee.latencyMs();
        for (LoadPoint point : points) {
            rate = Math.max(rate, point.ratePerSecond());
            least = Math.min(least, point.latencyMs());
            most = Math.max(most, point.latencyMs());
        }
        this.highestRate = rate;
        this.logarithmic = most > FAR_APART * least;
        this.leastMs = logarithmic ? least : 0;
        this.mostMs = most;
    }

    /** The lines of the picture, with scales and a legend. */
    List<String> draw() {
        Arrays.stream(cells).forEach(row -> Arrays.fill(row, ' '));
        points.forEach(point -> mark(point.ratePerSecond(), point.latencyMs(), point.counts() ? MEASURED : FAILED));
        mark(knee.ratePerSecond(), knee.latencyMs(), KNEE);
        List<String> lines = new ArrayList<>();
        lines.add("latency" + (logarithmic ? ", in logarithms" : ""));
        for (int row = ROWS - 1; row >= 0; row--) {
            lines.add((label(row) + " |" + new String(cells[row])).stripTrailing());
        }
        lines.add(" ".repeat(LABEL) + " +" + "-".repeat(COLUMNS));
        lines.add(" ".repeat(LABEL + 2) + rates());
        lines.add(" ".repeat(LABEL + 2) + legend());
        return lines;
    }

    private void mark(double ratePerSecond, double latencyMs, char mark) {
        cells[row(latencyMs)][column(ratePerSecond)] = mark;
    }

    private int column(double ratePerSecond) {
        return (int) Math.round(ratePerSecond / highestRate * (COLUMNS - 1));
    }

    private int row(double latencyMs) {
        double share = logarithmic
                ? Math.log(latencyMs / leastMs) / Math.log(mostMs / leastMs)
                : (latencyMs - leastMs) / (mostMs - leastMs);
        return (int) Math.round(share * (ROWS - 1));
    }

    private String label(int row) {
        String text = row == row(knee.latencyMs())
                ? latency(knee.latencyMs())
                : row == ROWS - 1 ? latency(mostMs) : row == 0 ? latency(leastMs) : "";
        return " ".repeat(Math.max(0, LABEL - text.length())) + text;
    }

    /** From left to right nothing, the knee's rate below its column, and the highest rate where there is room for it. */
    private String rates() {
        String atKnee = rate(knee.ratePerSecond());
        String most = rate(highestRate);
        int from = Math.min(COLUMNS - atKnee.length(), Math.max(2, column(knee.ratePerSecond()) - atKnee.length() / 2));
        String line = "0" + " ".repeat(from - 1) + atKnee;
        int gap = COLUMNS - line.length() - most.length();
        return gap < 2 ? line : line + " ".repeat(gap) + most;
    }

    private String legend() {
        boolean failed = points.stream().anyMatch(point -> !point.counts());
        return KNEE + " the knee   " + MEASURED + " a run" + (failed ? "   " + FAILED + " more than 1 % errors" : "")
                + "   calls completed a second";
    }

    /** A rate with as many digits as matter: 600/s, 12.5/s. */
    static String rate(double ratePerSecond) {
        return digits(ratePerSecond) + "/s";
    }

    /** A latency with as many digits as matter: 40 ms, 2.25 ms. */
    static String latency(double latencyMs) {
        return digits(latencyMs) + " ms";
    }

    private static String digits(double value) {
        int places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
        String text = String.format(Locale.ROOT, "%,." + places + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }
}
