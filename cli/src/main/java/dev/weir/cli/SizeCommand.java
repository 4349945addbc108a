package dev.weir.cli;

import dev.weir.cli.size.Knee;
import dev.weir.cli.size.LoadPoint;
import dev.weir.cli.size.LoadResults;
import dev.weir.cli.size.ResultFormat;
import dev.weir.cli.size.Sizing;
import dev.weir.load.ConcurrencyLimit;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir size}: how many calls at once a service can usefully serve, by the results of a load test. */
@Command(
        name = "size",
        description = "Find the knee of a load test, and the limit on calls in flight that follows from it.",
        footer = {
            "",
            "Examples:",
            "  weir size results.csv",
            "  for c in 1 2 4 8 16 32 64; do wrk -t1 -c$c -d30s URL; done > runs.txt; weir size runs.txt",
            "",
            "A results.csv, one row for each run at a load of its own, in any order:",
            "  rate,latency_ms,errors",
            "  400,38.5,0",
            "  600,40.0,0.2%%",
            "  610,95.0,0.004",
            "rate is calls completed a second, latency_ms their mean; errors may be left out, and points with more than",
            "1 %% do not count. Five runs are enough when two are below the knee and two beyond it."
        })
final class SizeCommand implements Callable<Integer> {

    private static final MathContext TOLD_DIGITS = new MathContext(6);

    @Parameters(
            arity = "1..*",
            paramLabel = "RESULTS",
            description = "Files with the runs of one curve; - reads standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv, wrk, k6 (its summary as JSON) or h2load; default: told by the content of each file.")
    private @Nullable String format;

    @Option(names = "--json", description = "Print the size as JSON.")
    private boolean json;

    private final Streams streams;

    SizeCommand(Streams streams) {
        this.streams = streams;
    }

    /** What {@code --json} prints. */
    record Report(
            Place knee,
            long useful,
            long limit,
            long floor,
            long ceiling,
            String sure,
            List<String> why,
            List<Map<String, BigDecimal>> points) {}

    record Place(BigDecimal rate, BigDecimal latency_ms) {}

    @Override
    public Integer call() {
        LoadResults results = read();
        Knee knee = knee(results.points());
        Sizing sizing = sizing(knee);
        if (json) {
            Json.print(streams.out(), report(results.points(), knee, sizing));
        } else {
            new SizeText(streams.out()).print(files, results, knee, sizing);
        }
        return Main.OK;
    }

    private LoadResults read() {
        try {
            return LoadResults.read(
                    files, streams.in(), Optional.ofNullable(format).map(SizeCommand::format));
        } catch (IOException e) {
            throw new BadInput(String.valueOf(e.getMessage()));
        }
    }

    private static ResultFormat format(String word) {
        return ResultFormat.named(word)
                .orElseThrow(() -> new BadInput("--format '" + word + "' is not a format: give one of "
                        + ResultFormat.words() + ", or leave it out."));
    }

    private static Knee knee(List<LoadPoint> points) {
        if (points.stream().noneMatch(LoadPoint::counts)) {
            throw new BadInput("In each of the " + points.size()
                    + " runs more than 1 % of the calls failed, so none tells what is useful: test with less load,"
                    + " or find out why calls fail.");
        }
        return Knee.of(points);
    }

    private static Sizing sizing(Knee knee) {
        Sizing sizing = Sizing.of(knee.inFlight());
        if (sizing.ceiling() > ConcurrencyLimit.HIGHEST) {
            throw new BadInput(String.format(
                    Locale.ROOT,
                    "The knee at %.0f/s and %.1f ms makes %d calls in flight, but a limit is at most %d: are the"
                            + " latencies in milliseconds?",
                    knee.ratePerSecond(),
                    knee.latencyMs(),
                    sizing.useful(),
                    ConcurrencyLimit.HIGHEST));
        }
        return sizing;
    }

    private static Report report(List<LoadPoint> points, Knee knee, Sizing sizing) {
        return new Report(
                new Place(told(knee.ratePerSecond()), told(knee.latencyMs())),
                sizing.useful(),
                sizing.limit(),
                sizing.floor(),
                sizing.ceiling(),
                knee.sure().word(),
                knee.why(),
                points.stream().map(SizeCommand::told).toList());
    }

    private static Map<String, BigDecimal> told(LoadPoint point) {
        Map<String, BigDecimal> told = new LinkedHashMap<>();
        told.put("rate", told(point.ratePerSecond()));
        told.put("latency_ms", told(point.latencyMs()));
        told.put("errors", told(point.errorShare()));
        told.put("in_flight", told(point.inFlight()));
        return told;
    }

    /** Six digits and no zeros behind the point, never as 6E+2. */
    private static BigDecimal told(double value) {
        BigDecimal rounded = new BigDecimal(value, TOLD_DIGITS).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
