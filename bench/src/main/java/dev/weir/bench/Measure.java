package dev.weir.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs one group of benchmarks and prints a Markdown table of ratios: {@code Measure hot|gate|decision|keys [NAME=VALUE...]}.
 *
 * <p>A machine that others use too is slower at one moment than at another. So the whole group is run several times over, each benchmark in
 * a process of its own and for a short time, each row is the median of its rounds, and ratios are of processor time.
 */
public final class Measure {
    private static final String USAGE =
            "usage: run hot|gate|decision|keys [only=REGEX] [rounds=N] [millis=N] [threads=N,N], run bytes [CAP...], or run fleet [seconds=N]";

    private Measure() {}

    /** What a group measures, and beside which row its others are put. */
    private record Group(Class<?> type, List<Integer> threads, int rounds, int warmups, int millis) {

        /** The row that others are put beside: in a group of limiters the hand-written loop, with a floor of its own for refusals. */
        String floorOf(String benchmark) {
            return switch (type.getSimpleName()) {
                case "HotGate" -> "semaphore";
                case "WholeDecision" -> "threeLimits";
                case "MillionKeys" -> benchmark.endsWith("AsItComes") ? "mapOfBucket4jAsItComes" : "mapOfBucket4j";
                default -> benchmark.endsWith("Refused") ? "loopRefused" : "loopGranted";
            };
        }

        String floorName() {
            return switch (type.getSimpleName()) {
                case "HotGate" -> "x Semaphore";
                case "WholeDecision" -> "x without a gate";
                case "MillionKeys" -> "x map of Bucket4j";
                default -> "x loop";
            };
        }
    }

    /** One benchmark's rounds. */
    private record Row(List<Double> nanos, List<Double> cpuNanos, List<Double> bytes) {
        Row() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    public static void main(String... args) throws RunnerException {
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        String name = rest.isEmpty() ? "" : rest.remove(0);
        switch (name) {
            case "hot" -> measure(group(HotLimiter.class, List.of(1, 2), 5, 2, 250, rest), rest);
            case "gate" -> measure(group(HotGate.class, List.of(1, 2), 5, 2, 250, rest), rest);
            case "decision" -> measure(group(WholeDecision.class, List.of(1, 2), 5, 4, 250, rest), rest);
            case "keys" -> measure(group(MillionKeys.class, List.of(1), 3, 3, 700, rest), rest);
            case "bytes" -> BytesPerKey.main(rest.toArray(String[]::new));
            case "fleet" -> FleetDecisions.main(rest.toArray(String[]::new));
            default -> {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
    }

    private static Group group(
            Class<?> type, List<Integer> threads, int rounds, int warmups, int millis, List<String> settings) {
        String given = setting(settings, "threads", "");
        return new Group(
                type,
                given.isEmpty()
                        ? threads
                        : Arrays.stream(given.split(",", -1))
                                .map(Integer::valueOf)
                                .toList(),
                Integer.parseInt(setting(settings, "rounds", Integer.toString(rounds))),
                warmups,
                Integer.parseInt(setting(settings, "millis", Integer.toString(millis))));
    }

    private static String setting(List<String> settings, String name, String otherwise) {
        return settings.stream()
                .filter(setting -> setting.startsWith(name + "="))
                .map(setting -> setting.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    private static void measure(Group group, List<String> settings) throws RunnerException {
        String only = setting(settings, "only", ".*");
        PrintStream out = System.out;
        System.setOut(System.err); // what rivals print at their start is no part of the table
        Map<Integer, Map<String, Row>> rows = new LinkedHashMap<>();
        for (int round = 1; round <= group.rounds; round++) {
            for (int threads : group.threads) {
                System.err.printf("round %d of %d, threads: %d%n", round, group.rounds, threads);
                for (RunResult result : new Runner(options(group, threads, only)).run()) {
                    String label = result.getParams().getBenchmark();
                    Row row = rows.computeIfAbsent(threads, absent -> new LinkedHashMap<>())
                            .computeIfAbsent(label.substring(label.lastIndexOf('.') + 1), absent -> new Row());
                    row.nanos.add(result.getPrimaryResult().getScore());
                    row.cpuNanos.add(profiled(result, CpuTime.RESULT));
                    row.bytes.add(profiled(result, "gc.alloc.rate.norm"));
                }
            }
        }
        print(group, rows, out);
    }

    private static Options options(Group group, int threads, String only) {
        return new OptionsBuilder()
                .include("\\." + group.type.getSimpleName() + "\\." + only + "$")
                .forks(1)
                .threads(threads)
                .warmupIterations(group.warmups)
                .warmupTime(TimeValue.milliseconds(group.millis))
                .measurementIterations(3)
                .measurementTime(TimeValue.milliseconds(group.millis))
                .jvmArgsAppend("-Xmx1g")
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTime.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    /** What a profiler said; not a number when it did not. */
    private static double profiled(RunResult result, String suffix) {
        for (String name : result.getSecondaryResults().keySet()) {
            if (name.endsWith(suffix)) {
                return result.getSecondaryResults().get(name).getScore();
            }
        }
        return Double.NaN;
    }

    private static void print(Group group, Map<Integer, Map<String, Row>> rows, PrintStream out) {
        out.printf("| name | threads | ns/op | CPU ns/op | %s | B/op |%n", group.floorName());
        out.println("| --- | --- | --- | --- | --- | --- |");
        rows.forEach((threads, byName) -> byName.forEach((name, row) -> {
            Row floor = byName.get(group.floorOf(name));
            out.printf(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %.1f | %s | %.0f |%n",
                    name,
                    threads,
                    median(row.nanos),
                    median(row.cpuNanos),
                    floor == null
                            ? ""
                            : String.format(Locale.ROOT, "%.2f", median(row.cpuNanos) / median(floor.cpuNanos)),
                    median(row.bytes));
        }));
    }

    private static double median(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
