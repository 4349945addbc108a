package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What wrk and wrk2 print: a run ends with its line {@code Requests/sec}. Answers that are neither 2xx nor 3xx are errors. */
final class WrkResults {

    private static final Pattern LATENCY = Pattern.compile("\\s*Latency\\s+([\\d.]+[a-z]+)\\s.*");
    private static final Pattern REQUESTS = Pattern.compile("\\s*(\\d+) requests in .*");
    private static final Pattern SOCKET_ERRORS =
            Pattern.compile("\\s*Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+).*");
    private static final Pattern REFUSED = Pattern.compile("\\s*Non-2xx or 3xx responses: (\\d+).*");
    private static final Pattern RATE = Pattern.compile("\\s*Requests/sec:\\s+([\\d.]+).*");

    private final List<LoadPoint> points = new ArrayList<>();
    private OptionalDouble latencyMs = OptionalDouble.empty();
    private double answered;
    private double refused;
    private double broken;

    private WrkResults() {}

    static boolean looksLike(String text) {
        return text.contains("Requests/sec:") || text.contains("Thread Stats");
    }

    static List<LoadPoint> read(String text) throws BadResults {
        WrkResults results = new WrkResults();
        int line = 0;
        for (String row : text.lines().toList()) {
            line++;
            results.row(line, row);
        }
        if (results.latencyMs.isPresent()) {
            throw new BadResults(
                    Math.max(1, line),
                    "the last run has no line 'Requests/sec': it was cut off; give all that wrk printed, or leave the run out");
        }
        if (results.points.isEmpty()) {
            throw new BadResults(
                    Math.max(1, line),
                    "no line 'Requests/sec' was found: give what wrk printed, of one run or of several");
        }
        return results.points;
    }

    private void row(int line, String row) throws BadResults {
        Matcher latency = LATENCY.matcher(row);
        Matcher requests = REQUESTS.matcher(row);
        Matcher socketErrors = SOCKET_ERRORS.matcher(row);
        Matcher refusals = REFUSED.matcher(row);
        Matcher rate = RATE.matcher(row);
        if (latency.matches()) {
            latencyMs = Measured.milliseconds(latency.group(1));
        } else if (requests.matches()) {
            answered = Double.parseDouble(requests.group(1));
        } else if (socketErrors.matches()) {
            for (int group = 1; group <= socketErrors.groupCount(); group++) {
                broken += Double.parseDouble(socketErrors.group(group));
            }
        } else if (refusals.matches()) {
            refused = Double.parseDouble(refusals.group(1));
        } else if (rate.matches()) {
            end(line, Measured.number(rate.group(1)));
        }
    }

    private void end(int line, OptionalDouble ratePerSecond) throws BadResults {
        if (latencyMs.isEmpty() || ratePerSecond.isEmpty()) {
            throw new BadResults(
                    line,
                    "before this line there is no line 'Latency' with an average such as 1.23ms: give all that wrk printed, not only its end");
        }
        points.add(Measured.point(
                line, ratePerSecond.getAsDouble(), latencyMs.getAsDouble(), refused + broken, answered + broken));
        latencyMs = OptionalDouble.empty();
        answered = 0;
        refused = 0;
        broken = 0;
    }
}
