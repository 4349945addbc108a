package dev.weir.cli;

import dev.weir.cli.log.AccessLogs;
import dev.weir.cli.log.LogFormat;
import dev.weir.cli.log.Progress;
import dev.weir.cli.log.SortedCalls;
import dev.weir.cli.log.TimeIs;
import dev.weir.cli.replay.LimitReport;
import dev.weir.cli.replay.Replay;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir replay}: what a policy would have refused, whom, and when. */
@Command(
        name = "replay",
        description = "Tell what a policy would have refused of the calls in access logs: whom, when, how hard.",
        footer = {
            "",
            "Examples:",
            "  weir replay policy.yaml access.log",
            "  zcat old.gz | weir replay policy.yaml - access.log.1.gz --format combined --json",
            "",
            "Each limit is judged by itself as if it were enforced, then the policy as it is.",
            "Exit code 1 says that lines were malformed; refusals are no finding."
        })
final class ReplayCommand implements Callable<Integer> {

    private static final int LINES_MALFORMED = 1;

    @Parameters(index = "0", paramLabel = "POLICY", description = "The policy file.")
    private Path policy = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "LOG",
            description = "Access logs, plain or gzip; - reads standard input.")
    private List<String> logs = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "combined",
            description = "common, combined, vhost-combined, nginx, json, json:FIELD=NAME,..., or a format string as"
                    + " Apache or nginx write it; default: combined.")
    private String format = "combined";

    @Option(
            names = "--time-is",
            paramLabel = "WHICH",
            defaultValue = "start",
            description = "Whether the log's times are the start or the end of a call: start (default), end.")
    private String timeIs = "start";

    @Option(names = "--json", description = "Print the totals as JSON.")
    private boolean json;

    private final Streams streams;

    ReplayCommand(Streams streams) {
        this.streams = streams;
    }

    record LimitTotals(long granted, long refused, int keys, List<LimitReport.Refused> top) {}

    record PolicyTotals(long admitted, long refused) {}

    @Override
    public Integer call() throws IOException {
        Policy read = Policies.require(policy);
        LogFormat logFormat = format();
        Progress progress = json ? Progress.none() : Progress.onTerminal(System.err);
        try (SortedCalls calls = open(logFormat, progress)) {
            warnOfTimes(calls);
            warnOfKeys(read, calls);
            boolean durations = calls.events() > 0 && calls.eventsWithDuration() == calls.events();
            Replay replay = new Replay(read, durations, !json);
            progress.begin("judging", calls.events());
            while (calls.hasNext()) {
                replay.judge(calls.next());
                progress.advance(1);
            }
            progress.end();
            if (json) {
                Json.print(streams.out(), report(calls, replay));
            } else {
                new ReplayText(streams.out()).print(policy.toString(), calls, replay);
            }
            return calls.malformedCount() == 0 ? Main.OK : LINES_MALFORMED;
        }
    }

    /** Without its duration a call's start cannot be told from its end. */
    private void warnOfTimes(SortedCalls calls) {
        long without = calls.events() - calls.eventsWithDuration();
        if (timeIs.equals(TimeIs.END.optionName()) && without > 0) {
            streams.err()
                    .println("weir: --time-is end has no effect on " + without + " of " + calls.events()
                            + " calls: the log does not say how long they took.");
        }
    }

    /** What no line can hold is missing in every call, which the totals alone do not show. */
    private void warnOfKeys(Policy read, SortedCalls calls) {
        for (Limit limit : read.limits()) {
            List<Key> parts = limit.key() instanceof Key.Composite all ? all.parts() : List.of(limit.key());
            for (Key part : parts) {
                boolean missing = part instanceof Key.Header header
                        ? !calls.carriesHeader(header.name())
                        : part instanceof Key.Cookie cookie && !calls.carriesCookie(cookie.name());
                if (missing && limit.mode().kind() != Mode.Kind.OFF) {
                    streams.err()
                            .println("weir: " + limit.name() + ": the log's format has no " + part
                                    + ": every call is judged as one without this key.");
                }
            }
        }
    }

    private LogFormat format() {
        try {
            return LogFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw new BadInput("--format: " + e.getMessage());
        }
    }

    private SortedCalls open(LogFormat logFormat, Progress progress) {
        TimeIs which = Arrays.stream(TimeIs.values())
                .filter(each -> each.optionName().equals(timeIs))
                .findFirst()
                .orElseThrow(() -> new BadInput("--time-is '" + timeIs + "' is neither start nor end."));
        try {
            return new AccessLogs(logFormat, which, progress).read(logs, streams.in());
        } catch (IOException e) {
            throw new BadInput(String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, Object> report(SortedCalls calls, Replay replay) {
        Map<String, LimitTotals> limits = new LinkedHashMap<>();
        for (LimitReport limit : replay.limits()) {
            limits.put(limit.name(), new LimitTotals(limit.granted(), limit.refused(), limit.keys(), limit.top()));
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("events", calls.events());
        report.put("malformed", calls.malformed());
        calls.from().ifPresent(from -> report.put("from", from.toString()));
        calls.to().ifPresent(to -> report.put("to", to.toString()));
        report.put("limits", limits);
        report.put("policy", new PolicyTotals(replay.admitted(), replay.refused()));
        if (!replay.notJudged().isEmpty()) {
            report.put("not_judged", replay.notJudged());
        }
        if (!replay.asOneInstance().isEmpty()) {
            report.put("as_one_instance", replay.asOneInstance());
        }
        return report;
    }
}
