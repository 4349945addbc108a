package dev.weir.sim;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Gate;
import dev.weir.load.GateSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The contenders that a scenario can name. Rivals get the bounds of the product's default: from 20, between 4 and 500. */
final class Contenders {

    private static final int INITIAL = 20;
    private static final int MIN = 4;
    private static final int MAX = 500;
    private static final Pattern FIXED = Pattern.compile("fixed-([1-9][0-9]{0,4})");

    static final String GRAMMAR = "none, fixed-N, aimd, gradient2, vegas or weir";
    static final List<String> WORDS = List.of("none", "fixed-20", "aimd", "gradient2", "vegas", "weir");

    private Contenders() {}

    private record Made(String name, BiFunction<Scenario, VirtualTime, Door> maker) implements Contender {
        @Override
        public Door door(Scenario scenario, VirtualTime time) {
            return maker.apply(scenario, time);
        }
    }

    /** The contender of that name, or empty when there is none. */
    static Optional<Contender> named(String name) {
        Matcher fixed = FIXED.matcher(name);
        if (fixed.matches()) {
            return Optional.of(fixed(name, Integer.parseInt(fixed.group(1))));
        }
        return switch (name) {
            case "none" -> Optional.of(new Made(name, (scenario, time) -> new OpenDoor()));
            case "aimd" -> Optional.of(new Made(name, (scenario, time) -> new RivalDoor(aimd(scenario), time)));
            case "gradient2" -> Optional.of(new Made(name, (scenario, time) -> new RivalDoor(gradient2(), time)));
            case "vegas" -> Optional.of(new Made(name, (scenario, time) -> new RivalDoor(vegas(), time)));
            case "weir" -> Optional.of(gate(name, Scenario::gate));
            default -> Optional.empty();
        };
    }

    private static Contender fixed(String name, int most) {
        return gate(name, scenario -> GateSettings.of(name, ConcurrencyLimit.fixed(most)));
    }

    /** The product's gate with settings of its own. */
    static Contender gate(String name, Function<Scenario, GateSettings> settings) {
        return new Made(name, (scenario, time) -> {
            GateSettings own = settings.apply(scenario);
            return new GateDoor(Gate.of(own, time), pools(own), time);
        });
    }

    private static GateDoor.Pools pools(GateSettings settings) {
        return client -> client.pool()
                .map(name -> settings.pools().stream()
                        .map(pool -> pool.name())
                        .toList()
                        .indexOf(name))
                .orElse(0);
    }

    /** It is told the deadline, which a server in practice does not know. */
    private static Limit aimd(Scenario scenario) {
        return AIMDLimit.newBuilder()
                .initialLimit(INITIAL)
                .minLimit(MIN)
                .maxLimit(MAX)
                .timeout(scenario.clients().get(0).deadlineNanos(), TimeUnit.NANOSECONDS)
                .build();
    }

    private static Limit gradient2() {
        return WindowedLimit.newBuilder()
                .build(Gradient2Limit.newBuilder()
                        .initialLimit(INITIAL)
                        .minLimit(MIN)
                        .maxConcurrency(MAX)
                        .build());
    }

    private static Limit vegas() {
        return WindowedLimit.newBuilder()
                .build(VegasLimit.newBuilder()
                        .initialLimit(INITIAL)
                        .maxConcurrency(MAX)
                        .build());
    }
}
