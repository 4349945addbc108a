package dev.weir.cli;

import dev.weir.cli.size.Knee;
import dev.weir.cli.size.LoadPoint;
import dev.weir.cli.size.LoadResults;
import dev.weir.cli.size.ResultFormat;
import dev.weir.cli.size.Sizing;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** A size as text: the curve, the arithmetic, how sure it is, and the lines to paste. */
final class SizeText {

    private final PrintWriter out;

    SizeText(PrintWriter out) {
        this.out = out;
    }

    void print(List<String> files, LoadResults results, Knee knee, Sizing sizing) {
        int runs = results.points().size();
        out.println("Size by " + String.join(", ", files) + ": " + runs + (runs == 1 ? " run (" : " runs (")
                + results.formats().stream().map(ResultFormat::word).collect(Collectors.joining(", ")) + ")");
        out.println();
        new LoadCurve(results.points(), knee).draw().forEach(out::println);
        out.println();
        sizes(knee, sizing);
        failed(results.points());
        sure(knee);
        out.println();
        out.println("For the gate in front of this service, in the policy:");
        out.println();
        out.println("concurrency: { gradient: { initial: " + sizing.limit() + ", min: " + sizing.floor() + ", max: "
                + sizing.ceiling() + " } }");
    }

    private void sizes(Knee knee, Sizing sizing) {
        String rate = LoadCurve.rate(knee.ratePerSecond());
        String latency = LoadCurve.latency(knee.latencyMs());
        out.println("knee     " + rate + " at " + latency);
        out.println("useful   " + sizing.useful() + " calls in flight = " + rate + " x " + latency
                + "; more of them only wait");
        out.println("limit    " + sizing.limit() + " = 1.3 x useful, rounded up: where the gate starts");
        out.println("floor    " + sizing.floor() + " = limit / 8, rounded down");
        out.println("ceiling  " + sizing.ceiling() + " = 2 x useful, rounded up to ten");
    }

    private void failed(List<LoadPoint> points) {
        long failed = points.stream().filter(point -> !point.counts()).count();
        if (failed > 0) {
            out.println("left out " + failed + (failed == 1 ? " run" : " runs")
                    + " in which more than 1 % of the calls failed");
        }
    }

    private void sure(Knee knee) {
        String label = "sure     " + knee.sure().word() + ": ";
        for (String sentence : knee.why()) {
            out.println(label + sentence);
            label = " ".repeat(label.length());
        }
    }
}
