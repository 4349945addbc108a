package dev.weir.bench;

import dev.weir.Decision;
import dev.weir.Permit;
import dev.weir.policy.Call;
import dev.weir.policyfile.Loaded;
import dev.weir.policyfile.PolicyFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What a service pays for one call: the policy is read for it, three limits of this instance count it, a gate lets it in and it leaves
 * again. The policy has a limit for each of a hundred routes, of which the call takes one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WholeDecision {

    private static final int ROUTES = 100;

    /** A call to one of the routes. */
    private record Visit(String path, List<String> apiKey) implements Call {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public List<String> headers(String name) {
            return name.equalsIgnoreCase("X-Api-Key") ? apiKey : List.of();
        }

        @Override
        public String peer() {
            return "198.51.100.7";
        }
    }

    /** Granted always, and refused always by the route's own limit. */
    @State(Scope.Benchmark)
    public static class Weir {
        final dev.weir.Weir granting = read("2000000000/s", "");
        final dev.weir.Weir refusing = read("1/365d", "");
        final dev.weir.Weir gated = read("2000000000/s", """
                load:
                  service:
                    concurrency: { gradient: { initial: 100, min: 20, max: 100 } }
                """);
        final Call visit = new Visit("/v1/route57/items/4711", List.of("key-4711"));

        private static dev.weir.Weir read(String rate, String load) {
            String routes = IntStream.range(0, ROUTES)
                    .mapToObj(i -> """
                              route%1$d:
                                match: { path: /v1/route%1$d/** }
                                key: client-ip
                                rate: %2$s
                            """.formatted(i, rate))
                    .collect(Collectors.joining());
            String text = """
                    weir: 1
                    limits:
                      per-address:
                        key: client-ip
                        rate: 2000000000/s
                      per-key:
                        key: header:X-Api-Key
                        rate: 2000000000/s
                    """ + routes + load;
            Loaded loaded = PolicyFile.parse(text, "policy.yaml", Path.of("."), Map.of(), Instant.EPOCH);
            if (loaded instanceof Loaded.Understood understood) {
                return dev.weir.Weir.of(understood.policy());
            }
            throw new IllegalStateException(loaded.toString());
        }
    }

    @Benchmark
    public boolean threeLimits(Weir weir) {
        return through(weir.granting, weir.visit);
    }

    @Benchmark
    public boolean threeLimitsAndGate(Weir weir) {
        return through(weir.gated, weir.visit);
    }

    @Benchmark
    public boolean refused(Weir weir) {
        return through(weir.refusing, weir.visit);
    }

    private static boolean through(dev.weir.Weir weir, Call call) {
        if (weir.judge(call) instanceof Decision.Admitted admitted) {
            try (Permit permit = admitted.permit()) {
                permit.success();
                return true;
            }
        }
        return false;
    }
}
