package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What h2load prints: a run begins with its line {@code finished in}, and ends with the line that tells the time for a request. */
final class H2loadResults {

    private static final Pattern FINISHED = Pattern.compile("\\s*finished in [^,]+, ([\\d.]+) req/s.*");
    private static final Pattern REQUESTS = Pattern.compile("\\s*requests: .* (\\d+) succeeded, (\\d+) failed, .*");
    private static final Pattern COLUMNS = Pattern.compile("\\s+min\\s+max\\s.*mean.*");
    private static final Pattern TIME = Pattern.compile("\\s*(?:time for )?request\\s*:\\s*(.*)");
    private static final List<String> USUAL_COLUMNS = List.of("min", "max", "mean", "sd");

    private final List<LoadPoint> points = new ArrayList<>();
    private List<String> columns = USUAL_COLUMNS;
    private OptionalDouble ratePerSecond = OptionalDouble.empty();
    private double succeeded;
    private double failed;

    private H2loadResults() {}

    static boolean looksLike(String text) {
        return text.contains("finished in ") && text.contains(" req/s");
    }

    static List<LoadPoint> read(String text) throws BadResults {
        H2loadResults results = new H2loadResults();
        int line = 0;
        for (String row : text.lines().toList()) {
            line++;
            results.row(line, row);
        }
        if (results.ratePerSecond.isPresent()) {
            throw new BadResults(
                    Math.max(1, line),
                    "the last run has no line 'time for request': it was cut off; give all that h2load printed, or leave the run out");
        }
        if (results.points.isEmpty()) {
            throw new BadResults(
                    Math.max(1, line),
                    "no line 'finished in' was found: give what h2load printed, of one run or of several");
        }
        return results.points;
    }

    private void row(int line, String row) throws BadResults {
        Matcher finished = FINISHED.matcher(row);
        Matcher requests = REQUESTS.matcher(row);
        Matcher time = TIME.matcher(row);
        if (finished.matches()) {
            ratePerSecond = Measured.number(finished.group(1));
        } else if (requests.matches()) {
            succeeded = Double.parseDouble(requests.group(1));
            failed = Double.parseDouble(requests.group(2));
        } else if (COLUMNS.matcher(row).matches()) {
            columns = Arrays.asList(row.strip().split("\\s+"));
        } else if (time.matches()) {
            end(line, time.group(1).strip().split("\\s+"));
        }
    }

    private void end(int line, String[] times) throws BadResults {
        int mean = columns.indexOf("mean");
        OptionalDouble latencyMs = mean < times.length ? Measured.milliseconds(times[mean]) : OptionalDouble.empty();
        if (ratePerSecond.isEmpty() || latencyMs.isEmpty()) {
            throw new BadResults(
                    line,
                    (ratePerSecond.isEmpty()
                                    ? "before this line there is no line 'finished in' with req/s"
                                    : "this line has no mean such as 1.23ms")
                            + ": give all that h2load printed");
        }
        points.add(
                Measured.point(line, ratePerSecond.getAsDouble(), latencyMs.getAsDouble(), failed, succeeded + failed));
        ratePerSecond = OptionalDouble.empty();
        succeeded = 0;
        failed = 0;
    }
}
