package dev.weir.cli;

import dev.weir.Ticker;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateLimiter;
import dev.weir.rate.Reservation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir trace}: how each algorithm decides about the same arrivals. */
@Command(
        name = "trace",
        description = "Draw how each algorithm decides about the same arrivals.",
        footer = {
            "",
            "Example:",
            "  weir trace --rate 5/s --at 0,0,0,0,0,0,0.2,0.4",
            "",
            "A # is a call that passes, a . one that is refused. Windows begin at multiples of the period from 0."
        })
final class TraceCommand implements Callable<Integer> {

    private static final int MAX_ARRIVALS = 100_000;

    @Option(names = "--rate", required = true, paramLabel = "RATE", description = "Count and period: 5/s, 5/15m.")
    private String rate = "";

    @Option(names = "--burst", paramLabel = "N", description = "Units a bucket holds; default: the count.")
    private @Nullable Long burst;

    @Option(
            names = "--at",
            required = true,
            split = ",",
            paramLabel = "SECONDS",
            description =
                    "When the calls arrive: seconds with up to nine decimals, separated by commas, not decreasing.")
    private List<String> at = List.of();

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "Turns a leaky queue hands out ahead; default: burst - 1.")
    private @Nullable Long depth;

    @Option(names = "--algorithm", paramLabel = "NAME", description = "Only this algorithm.")
    private @Nullable String algorithm;

    @Option(names = "--json", description = "Print the decisions and waits as JSON.")
    private boolean json;

    private final Streams streams;

    TraceCommand(Streams streams) {
        this.streams = streams;
    }

    /** What {@code --json} prints. */
    record Report(List<Row> trace) {}

    /** One algorithm's decisions: waits are 0 for a grant (a leaky queue's: to its start), else whole milliseconds, rounded up; null for never. */
    @SuppressWarnings("MemberName") // the names of the JSON fields
    record Row(String algorithm, int granted, String decisions, List<@Nullable Long> waits_ms) {}

    @Override
    public Integer call() {
        List<Long> arrivals = arrivals();
        List<Row> rows = new ArrayList<>();
        for (RateLimit limit : limits()) {
            rows.add(row(limit, arrivals));
        }
        if (json) {
            Json.print(streams.out(), new Report(rows));
        } else {
            draw(arrivals, rows);
        }
        return 0;
    }

    private List<RateLimit> limits() {
        RateLimit base = given("--rate", () -> RateLimit.parse(rate));
        List<RateLimit> limits = new ArrayList<>();
        for (Algorithm each : wanted()) {
            long most = most(each);
            if (algorithm == null && base.count() > most) {
                streams.err()
                        .println("weir: " + each.policyName() + " is left out: it counts at most " + most
                                + " in a period.");
                continue;
            }
            limits.add(given(blamed(each), () -> limit(base, each)));
        }
        return limits;
    }

    /** The largest count that the algorithm takes. */
    private static long most(Algorithm each) {
        return switch (each) {
            case SLIDING_LOG -> RateLimit.MAX_LOG_COUNT;
            case SLIDING_WINDOW -> RateLimit.MAX_SLIDING_COUNT;
            case FIXED_WINDOW, QUOTA -> RateLimit.MAX_WINDOW_COUNT;
            case TOKEN_BUCKET, LEAKY_QUEUE -> RateLimit.MAX_COUNT;
        };
    }

    /** The option to change when the algorithm refuses its numbers. */
    private String blamed(Algorithm each) {
        return switch (each) {
            case TOKEN_BUCKET -> burst == null ? "--rate" : "--burst";
            case LEAKY_QUEUE -> depth != null ? "--depth" : burst != null ? "--burst" : "--rate";
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, QUOTA -> "--rate";
        };
    }

    private RateLimit limit(RateLimit base, Algorithm each) {
        long held = burst == null ? base.count() : burst;
        return switch (each) {
            case TOKEN_BUCKET -> base.burst(held);
            case LEAKY_QUEUE -> depth == null ? base.burst(held).algorithm(each) : base.depth(depth);
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, QUOTA -> base.algorithm(each);
        };
    }

    private List<Algorithm> wanted() {
        List<Algorithm> all = List.of(
                Algorithm.FIXED_WINDOW,
                Algorithm.SLIDING_LOG,
                Algorithm.SLIDING_WINDOW,
                Algorithm.TOKEN_BUCKET,
                Algorithm.LEAKY_QUEUE);
        if (algorithm == null) {
            return all;
        }
        Optional<Algorithm> named = Algorithm.named(algorithm).filter(all::contains);
        return List.of(named.orElseThrow(() -> new BadInput("--algorithm '" + algorithm
                + "' is none that can be traced: give one of "
                + String.join(", ", all.stream().map(Algorithm::policyName).toList()) + ".")));
    }

    private List<Long> arrivals() {
        if (at.size() > MAX_ARRIVALS) {
            throw new BadInput("--at has " + at.size() + " arrivals, but at most " + MAX_ARRIVALS + " are drawn.");
        }
        List<Long> nanos = new ArrayList<>();
        for (String text : at) {
            long arrival = nanos(text.trim());
            if (!nanos.isEmpty() && arrival < nanos.get(nanos.size() - 1)) {
                throw new BadInput("--at '" + text + "' comes before the arrival in front of it: give them in order.");
            }
            nanos.add(arrival);
        }
        return nanos;
    }

    private static long nanos(String text) {
        try {
            if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
                throw new NumberFormatException(text);
            }
            return new BigDecimal(text)
                    .movePointRight(9)
                    .setScale(0, RoundingMode.UNNECESSARY)
                    .longValueExact();
        } catch (NumberFormatException e) {
            throw new BadInput(
                    "--at '" + text + "' is no time in seconds: give digits with up to nine decimals, such as 0.70.");
        }
    }

    private static <T> T given(String option, java.util.function.Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new BadInput(option + ": " + e.getMessage() + ".");
        }
    }

    /** A clock that stands where the trace is. */
    private static final class Standing implements Ticker {
        long nanos;

        @Override
        public long nanos() {
            return nanos;
        }
    }

    private static Row row(RateLimit limit, List<Long> arrivals) {
        Standing clock = new Standing();
        RateLimiter limiter = RateLimiter.of(limit, clock);
        StringBuilder decisions = new StringBuilder();
        List<@Nullable Long> waits = new ArrayList<>();
        int granted = 0;
        for (long arrival : arrivals) {
            clock.nanos = arrival;
            boolean passed;
            long waitNanos;
            if (limit.algorithm() == Algorithm.LEAKY_QUEUE) {
                Reservation turn = limiter.reserve(1);
                passed = turn.granted();
                waitNanos = turn.waitNanos();
            } else {
                waitNanos = limiter.charge(1);
                passed = waitNanos == RateLimiter.NOW;
            }
            decisions.append(passed ? '#' : '.');
            granted += passed ? 1 : 0;
            waits.add(waitNanos == RateLimiter.NEVER ? null : (Long) ((waitNanos + 999_999) / 1_000_000));
        }
        return new Row(limit.algorithm().policyName(), granted, decisions.toString(), waits);
    }

    private void draw(List<Long> arrivals, List<Row> rows) {
        int width =
                rows.stream().mapToInt(row -> row.algorithm().length()).max().orElse(0);
        for (Row row : rows) {
            streams.out()
                    .println(pad(row.algorithm(), width) + "  " + row.decisions() + "  " + row.granted() + " of "
                            + arrivals.size());
        }
        streams.out().println();
        for (Row row : rows) {
            streams.out().println(pad(row.algorithm(), width) + "  " + waits(row));
        }
    }

    private static String waits(Row row) {
        StringBuilder text = new StringBuilder();
        int refused = row.decisions().indexOf('.');
        if (refused < 0) {
            text.append("refuses nothing");
        } else {
            Long wait = row.waits_ms().get(refused);
            text.append("first refusal is call ").append(refused + 1);
            text.append(wait == null ? ", which never passes" : ", which would pass " + wait + " ms later");
        }
        if (row.algorithm().equals(Algorithm.LEAKY_QUEUE.policyName())) {
            long longest = 0;
            for (int i = 0; i < row.decisions().length(); i++) {
                Long wait = row.waits_ms().get(i);
                longest = row.decisions().charAt(i) == '#' && wait != null ? Math.max(longest, wait) : longest;
            }
            text.append("; the longest turn is ").append(longest).append(" ms ahead");
        }
        return text.toString();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
