package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Rows of points under a header row. Empty lines and lines that begin with {@code #} are nothing; columns of other names are not used. */
final class CsvResults {

    private static final String RATE = "rate";
    private static final String LATENCY = "latency_ms";
    private static final String ERRORS = "errors";
    private static final String HEADER =
            "the header row 'rate,latency_ms' or 'rate,latency_ms,errors' (calls completed a second, mean latency in ms, share of calls that failed)";
    private static final double PERCENT = 100;

    private final List<String> columns;
    private final List<LoadPoint> points = new ArrayList<>();

    private CsvResults(List<String> columns) {
        this.columns = columns;
    }

    static List<LoadPoint> read(String text) throws BadResults {
        CsvResults results = null;
        int line = 0;
        for (String row : text.lines().toList()) {
            line++;
            if (row.isBlank() || row.startsWith("#")) {
                continue;
            }
            if (results == null) {
                results = new CsvResults(header(line, cells(row)));
            } else {
                results.row(line, cells(row));
            }
        }
        if (results == null) {
            throw new BadResults(
                    1,
                    "the file is empty: it must hold " + HEADER + " and a row for each run, or "
                            + "what wrk, k6 or h2load wrote");
        }
        if (results.points.isEmpty()) {
            throw new BadResults(line, "there is no row below the header: give one for each run of the load test");
        }
        return results.points;
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.split(",", -1))
                .map(String::strip)
                .map(cell -> cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"")
                        ? cell.substring(1, cell.length() - 1).strip()
                        : cell)
                .toList();
    }

    private static List<String> header(int line, List<String> cells) throws BadResults {
        List<String> columns =
                cells.stream().map(cell -> cell.toLowerCase(Locale.ROOT)).toList();
        for (String column : List.of(RATE, LATENCY)) {
            if (!columns.contains(column)) {
                throw new BadResults(
                        line,
                        "no column is named " + column + " in " + shown(String.join(",", cells)) + ": begin with "
                                + HEADER + ", or give what wrk, k6 or h2load wrote");
            }
        }
        for (String column : List.of(RATE, LATENCY, ERRORS)) {
            if (columns.indexOf(column) != columns.lastIndexOf(column)) {
                throw new BadResults(line, "two columns are named " + column + ": leave one out");
            }
        }
        return columns;
    }

    private void row(int line, List<String> cells) throws BadResults {
        if (cells.size() != columns.size()) {
            throw new BadResults(
                    line,
                    "this row has " + cells.size() + " values, but the header names " + columns.size()
                            + " columns: write numbers with a point and without separators, such as 1250.5");
        }
        double ratePerSecond = positive(line, RATE, cells, "calls completed in a second");
        double latencyMs = positive(line, LATENCY, cells, "the mean latency in milliseconds");
        points.add(new LoadPoint(ratePerSecond, latencyMs, columns.contains(ERRORS) ? errorShare(line, cells) : 0));
    }

    private double positive(int line, String column, List<String> cells, String meaning) throws BadResults {
        String cell = cells.get(columns.indexOf(column));
        OptionalDouble number = Measured.number(cell);
        if (number.isEmpty() || number.getAsDouble() == 0) {
            throw new BadResults(
                    line,
                    column + " " + shown(cell) + " is no number above 0: give " + meaning
                            + ", such as 600 or 599.5, and leave out runs in which nothing was completed");
        }
        return number.getAsDouble();
    }

    private double errorShare(int line, List<String> cells) throws BadResults {
        String cell = cells.get(columns.indexOf(ERRORS));
        boolean percent = cell.endsWith("%");
        OptionalDouble number =
                Measured.number(percent ? cell.substring(0, cell.length() - 1).strip() : cell);
        double share = number.orElse(Double.NaN) / (percent ? PERCENT : 1);
        if (!(share <= 1)) {
            throw new BadResults(
                    line,
                    ERRORS + " " + shown(cell)
                            + " is no share of the calls: give one from 0 to 1, such as 0.02, or per cent with the sign, such as 2%");
        }
        return share;
    }

    private static String shown(String text) {
        int longest = 60;
        return text.length() > longest ? "'" + text.substring(0, longest) + "...'" : "'" + text + "'";
    }
}
