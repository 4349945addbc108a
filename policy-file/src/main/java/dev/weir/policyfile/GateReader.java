package dev.weir.policyfile;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.DegradeStep;
import dev.weir.load.GateSettings;
import dev.weir.load.PoolSettings;
import dev.weir.load.QueueSettings;
import dev.weir.load.Shedding;
import dev.weir.load.SignalThreshold;
import dev.weir.policy.GateRule;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads one gate. */
final class GateReader {

    private static final String REST = "rest";

    /** A pool as it was read. */
    private record Pool(PoolSettings settings, GateRule.Pool rule) {}

    /** A degrade step as it was read. */
    private record Step(Optional<Double> above, Optional<String> without, String mode, Match match) {
        DegradeStep settings() {
            return new DegradeStep(above.orElseThrow(), mode);
        }

        GateRule.Fallback fallback() {
            return new GateRule.Fallback(without.orElseThrow(), mode, match);
        }
    }

    private final Value.Named named;
    private final Fields fields;

    private GateReader(Value.Named named, Fields fields) {
        this.named = named;
        this.fields = fields;
    }

    /** The gates of the section {@code load}, in file order. Those with an error are left out, and the error is reported. */
    static List<ReadGate> all(Fields sections) {
        List<Value.Named> named = sections.get("load")
                .map(value -> value.named(LoadDefinitions.GATES))
                .orElse(List.of());
        List<ReadGate> gates = new ArrayList<>();
        for (Value.Named one : named) {
            requireAscii(one, "the name of a gate is a label of metrics: printable ASCII only");
            one.value()
                    .fields(LoadDefinitions.GATE)
                    .flatMap(fields -> new GateReader(one, fields).read())
                    .ifPresent(gates::add);
        }
        return gates;
    }

    private static void requireAscii(Value.Named one, String message) {
        if (!one.name().chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            one.misnamed(message);
        }
    }

    private Optional<ReadGate> read() {
        Optional<Match> match = fields.readOr("match", Match.ANY, MatchReader::read);
        Optional<ConcurrencyLimit> concurrency = fields.read("concurrency", GateReader::concurrency);
        if (!fields.has("concurrency") && fields.understood()) {
            named.misnamed(
                    "this gate does not say how many calls may be in flight: say concurrency: gradient, or a number");
        }
        Optional<List<Pool>> pools = fields.readOr("pools", List.of(), this::pools);
        Optional<ReadKey> tenant = Optional.empty();
        OptionalDouble atMost = OptionalDouble.empty();
        Optional<Fields> tenants = fields.read("tenants", value -> value.fields(LoadDefinitions.TENANTS));
        if (tenants.isPresent()) {
            tenants.get().requireBoth("key", "at-most");
            tenant = tenants.get().read("key", ReadKey::read);
            tenant.ifPresent(key -> match.filter(m -> fields.understood()).ifPresent(key::requireVariables));
            atMost = share(tenants.get(), "at-most");
        }
        Optional<QueueSettings> queue = fields.readOr("queue", QueueSettings.NONE, this::queue);
        Optional<Shedding> shed = shedding();
        Optional<List<SignalThreshold>> signals = fields.readOr("signals", List.of(), SignalReader::all);
        Optional<List<Step>> steps = fields.readOr("degrade", List.of(), value -> value.list(GateReader::step));
        Optional<Duration> longCall =
                fields.readOr("long-call", GateSettings.DEFAULT_LONG_CALL, GatewayReader::duration);
        Optional<Mode> mode = fields.readOr("mode", Mode.ENFORCE, value -> value.word(LoadDefinitions.MODE));
        boolean complete = match.isPresent()
                && concurrency.isPresent()
                && pools.isPresent()
                && fields.has("tenants") == (tenant.isPresent() && atMost.isPresent())
                && queue.isPresent()
                && shed.isPresent()
                && signals.isPresent()
                && steps.isPresent()
                && longCall.isPresent()
                && mode.isPresent();
        if (!complete) {
            return Optional.empty();
        }
        List<Step> load =
                steps.get().stream().filter(step -> step.above().isPresent()).toList();
        GateSettings settings = new GateSettings(
                named.name(),
                concurrency.get(),
                pools.get().stream().map(Pool::settings).toList(),
                atMost,
                queue.get(),
                shed.get(),
                signals.get(),
                load.stream().map(Step::settings).toList(),
                longCall.get().toNanos());
        GateRule rule = new GateRule(
                settings,
                match.get(),
                pools.get().stream().map(Pool::rule).toList(),
                tenant.map(ReadKey::key),
                load.stream().map(Step::match).toList(),
                steps.get().stream()
                        .filter(step -> step.without().isPresent())
                        .map(Step::fallback)
                        .toList(),
                mode.get());
        return Optional.of(new ReadGate(rule, named.place(), fields));
    }

    // How many

    /** A number, or a way of finding one. */
    static Optional<ConcurrencyLimit> concurrency(Value value) {
        if (value.isMapping()) {
            return value.fields(LoadDefinitions.FOUND).flatMap(given -> found(value, given));
        }
        Optional<String> text = value.text(LoadDefinitions.CONCURRENCY);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (Character.isDigit(text.get().charAt(0))) {
            OptionalLong number = value.whole(LoadDefinitions.SLOTS);
            return number.isPresent()
                    ? Optional.of(ConcurrencyLimit.fixed((int) number.getAsLong()))
                    : Optional.empty();
        }
        LoadDefinitions.Way way = LoadDefinitions.WAYS.meanings().get(text.get());
        if (way == null) {
            return value.wrong(
                    "'" + Value.shown(text.get()) + "' is not " + LoadDefinitions.SLOTS.grammar() + ", or one of: "
                            + LoadDefinitions.WAYS.grammar() + Nearest.hint(text.get(), LoadDefinitions.WAYS.words()));
        }
        return Optional.of(limit(
                way,
                Durations.parse(LoadDefinitions.SAY_TARGET),
                ConcurrencyLimit.DEFAULT_INITIAL,
                ConcurrencyLimit.DEFAULT_MIN,
                ConcurrencyLimit.DEFAULT_MAX));
    }

    private static Optional<ConcurrencyLimit> found(Value whole, Fields given) {
        List<Optional<ConcurrencyLimit>> ways = new ArrayList<>();
        LoadDefinitions.WAYS
                .meanings()
                .forEach((name, way) -> given.get(name).ifPresent(value -> ways.add(found(way, value))));
        if (ways.size() == 1) {
            return ways.get(0);
        }
        return given.understood()
                ? whole.wrong("a limit is found in one way: keep one of " + LoadDefinitions.WAYS.grammar())
                : Optional.empty();
    }

    private static Optional<ConcurrencyLimit> found(LoadDefinitions.Way way, Value value) {
        Shape.Group group = way == LoadDefinitions.Way.TARGET_LATENCY ? LoadDefinitions.TARGET : LoadDefinitions.RANGE;
        return value.fields(group).flatMap(range -> limit(way, value, range));
    }

    private static Optional<ConcurrencyLimit> limit(LoadDefinitions.Way way, Value value, Fields range) {
        Optional<Integer> given = slots(range, "initial", ConcurrencyLimit.DEFAULT_INITIAL);
        Optional<Integer> min = slots(range, "min", ConcurrencyLimit.DEFAULT_MIN);
        Optional<Integer> max = slots(range, "max", ConcurrencyLimit.DEFAULT_MAX);
        Optional<Duration> target = way == LoadDefinitions.Way.TARGET_LATENCY
                ? range.readOr("target", Durations.parse(LoadDefinitions.SAY_TARGET), GatewayReader::duration)
                : Optional.of(Duration.ofMillis(1));
        if (given.isEmpty() || min.isEmpty() || max.isEmpty() || target.isEmpty()) {
            return Optional.empty();
        }
        if (min.get() > max.get()) {
            return value.wrong("the floor " + min.get() + " is above the ceiling " + max.get()
                    + ": min (default " + ConcurrencyLimit.DEFAULT_MIN + ") is at most max (default "
                    + ConcurrencyLimit.DEFAULT_MAX + ")");
        }
        // What is not said follows what is.
        int initial = range.has("initial") ? given.get() : Math.max(min.get(), Math.min(max.get(), given.get()));
        if (initial < min.get() || initial > max.get()) {
            return range.get("initial")
                    .orElse(value)
                    .wrong(initial + " is not between the floor " + min.get() + " and the ceiling " + max.get()
                            + ": start between them");
        }
        return Optional.of(limit(way, target.get(), initial, min.get(), max.get()));
    }

    private static ConcurrencyLimit limit(LoadDefinitions.Way way, Duration target, int initial, int min, int max) {
        return switch (way) {
            case AIMD -> ConcurrencyLimit.aimd(initial, min, max);
            case GRADIENT -> ConcurrencyLimit.gradient(initial, min, max);
            case TARGET_LATENCY -> ConcurrencyLimit.targetLatency(target, initial, min, max);
        };
    }

    private static Optional<Integer> slots(Fields range, String name, int otherwise) {
        return range.readOr(name, otherwise, value -> whole(value, LoadDefinitions.SLOTS));
    }

    private static Optional<Integer> whole(Value value, Shape.Whole shape) {
        OptionalLong number = value.whole(shape);
        return number.isPresent() ? Optional.of((int) number.getAsLong()) : Optional.empty();
    }

    // For whom

    private Optional<List<Pool>> pools(Value value) {
        List<Pool> pools = new ArrayList<>();
        int given = 0;
        boolean rest = false;
        for (Value.Named one : value.named(LoadDefinitions.POOLS)) {
            given++;
            requireAscii(one, "the name of a pool is a label of metrics: printable ASCII only");
            Optional<Fields> pool = one.value().fields(LoadDefinitions.POOL);
            if (pool.isPresent() && pool.get().understood() && !pool.get().has("match")) {
                if (rest) {
                    one.misnamed("two pools take the rest: give all but one a match");
                }
                rest = true;
            }
            pool.flatMap(p -> pool(one, p)).ifPresent(pools::add);
        }
        if (given == 0 || pools.size() < given) {
            return Optional.empty();
        }
        if (!rest) {
            if (pools.stream().anyMatch(pool -> pool.settings().name().equals(REST))) {
                return value.wrong("no pool takes the calls that none of these match, and '" + REST
                        + "', which would be made for them, has a match: take that away, or name it otherwise");
            }
            pools.add(new Pool(PoolSettings.of(REST, 0), new GateRule.Pool(Optional.empty(), List.of())));
        }
        return Optional.of(withinAll(pools, guaranteedBasisPoints(value)));
    }

    /** What the pools are guaranteed together; those that are wrong count nothing. */
    static int guaranteedBasisPoints(Value pools) {
        int sum = 0;
        for (Value.Named one : pools.named(LoadDefinitions.POOLS)) {
            sum += one.value()
                    .fields(LoadDefinitions.POOL)
                    .flatMap(pool ->
                            pool.read("guarantee", v -> v.parsed(LoadDefinitions.PERCENT, Percent::basisPoints)))
                    .orElse(0);
        }
        return sum;
    }

    /** Each one's part of all slots, where more than all are guaranteed. */
    private static List<Pool> withinAll(List<Pool> pools, int guaranteedBasisPoints) {
        double all = Math.max(10_000, guaranteedBasisPoints);
        return pools.stream()
                .map(pool -> new Pool(
                        new PoolSettings(
                                pool.settings().name(),
                                Math.round(pool.settings().guarantee() * 10_000) / all,
                                pool.settings().borrow()),
                        pool.rule()))
                .toList();
    }

    private static Optional<Pool> pool(Value.Named one, Fields pool) {
        Optional<Match> match = pool.read("match", MatchReader::read);
        OptionalDouble guarantee = pool.has("guarantee") ? share(pool, "guarantee") : OptionalDouble.of(0);
        Optional<Boolean> borrow = pool.readOr("borrow", true, value -> value.word(Definitions.YES_OR_NO));
        Optional<List<String>> needs =
                pool.readOr("needs", List.of(), value -> value.oneOrMore(each -> each.text(Definitions.DEPENDENCY)));
        boolean complete = (match.isPresent() || !pool.has("match"))
                && guarantee.isPresent()
                && borrow.isPresent()
                && needs.isPresent();
        if (complete && pool.understood() && !borrow.get() && guarantee.getAsDouble() == 0) {
            one.misnamed(
                    "this pool has no guarantee and borrows nothing, so it could have no slot: give it a guarantee");
            return Optional.empty();
        }
        return complete
                ? Optional.of(new Pool(
                        new PoolSettings(one.name(), guarantee.getAsDouble(), borrow.get()),
                        new GateRule.Pool(match, needs.get())))
                : Optional.empty();
    }

    private static OptionalDouble share(Fields fields, String name) {
        Optional<Double> share = fields.read(name, GateReader::share);
        return share.isPresent() ? OptionalDouble.of(share.get()) : OptionalDouble.empty();
    }

    /** A percentage above nothing, as a fraction. */
    static Optional<Double> share(Value value) {
        return value.parsed(LoadDefinitions.PERCENT, text -> {
            int basisPoints = Percent.basisPoints(text);
            if (basisPoints == 0) {
                throw new IllegalArgumentException(
                        "'" + Value.shown(text) + "' is not " + LoadDefinitions.PERCENT.grammar());
            }
            return basisPoints / 10_000.0;
        });
    }

    private Optional<QueueSettings> queue(Value value) {
        return value.fields(LoadDefinitions.QUEUE).flatMap(queue -> {
            queue.requireBoth("size", "max-wait");
            if (queue.understood() && !queue.has("size") && !queue.has("max-wait")) {
                value.wrong("a queue names its size and its max-wait");
            }
            Optional<Integer> size = queue.read("size", v -> whole(v, LoadDefinitions.PLACES));
            Optional<Duration> maxWait = queue.read("max-wait", GatewayReader::duration);
            Optional<Boolean> byTenant = queue.readOr("fair-by", false, v -> v.word(LoadDefinitions.FAIR_BY));
            if (byTenant.equals(Optional.of(true)) && !fields.has("tenants") && fields.understood()) {
                queue.misplaced("fair-by", "fair-by: tenant needs tenants, which says who they are: name a key there");
            }
            return size.isPresent() && maxWait.isPresent() && byTenant.isPresent()
                    ? Optional.of(new QueueSettings(size.get(), maxWait.get().toNanos(), byTenant.get()))
                    : Optional.empty();
        });
    }

    // Who is refused early, who is served cheaper

    private Optional<Shedding> shedding() {
        if (fields.has("shed") && fields.has("reserve")) {
            fields.misplaced("reserve", "reserve beside shed: both say who gets the last slots; keep one");
        }
        Optional<Shedding> reserve = fields.read("reserve", value -> value.fields(LoadDefinitions.RESERVE))
                .flatMap(given -> byCriticality(
                        given, LoadDefinitions.RESERVE, v -> whole(v, LoadDefinitions.SLOTS), Shedding.Reserve::new));
        Optional<Shedding> shed = fields.readOr(
                "shed",
                Shedding.NONE,
                value -> value.fields(LoadDefinitions.SHED)
                        .flatMap(given -> byCriticality(
                                given, LoadDefinitions.SHED, GateReader::share, Shedding.Thresholds::new)));
        return fields.has("reserve") ? reserve : shed;
    }

    private interface EachReader<T> {
        Optional<T> read(Value value);
    }

    private interface SheddingOf<T> {
        Shedding of(Map<Criticality, T> each);
    }

    private static <T> Optional<Shedding> byCriticality(
            Fields given, Shape.Group group, EachReader<T> reader, SheddingOf<T> made) {
        Map<Criticality, T> each = new EnumMap<>(Criticality.class);
        boolean complete = given.understood();
        for (Field field : group.fields()) {
            if (given.has(field.name())) {
                Optional<T> read = given.read(field.name(), reader::read);
                complete &= read.isPresent();
                read.ifPresent(r -> each.put(Criticality.named(field.name()).orElseThrow(), r));
            }
        }
        return complete ? Optional.of(made.of(each)) : Optional.empty();
    }

    private static Optional<Step> step(Value value) {
        return value.fields(LoadDefinitions.DEGRADE).flatMap(step -> {
            if (step.understood() && step.has("above") == step.has("without")) {
                value.wrong(
                        "a step begins above a share of the slots or without a dependency: say one of above and without");
            }
            if (step.understood() && !step.has("do")) {
                value.wrong("a step says what is done: do: no-enrichment");
            }
            Optional<Double> above = step.read("above", GateReader::shareBelowAll);
            Optional<String> without = step.read("without", v -> v.text(Definitions.DEPENDENCY));
            Optional<String> mode = step.read("do", v -> v.parsed(LoadDefinitions.DEGRADE_MODE, GateReader::modeName));
            Optional<Match> match = step.readOr("match", Match.ANY, MatchReader::read);
            boolean begins = above.isPresent() != without.isPresent();
            return begins && mode.isPresent() && match.isPresent()
                    ? Optional.of(new Step(above, without, mode.get(), match.get()))
                    : Optional.empty();
        });
    }

    private static Optional<Double> shareBelowAll(Value value) {
        return share(value)
                .flatMap(share ->
                        share < 1 ? Optional.of(share) : value.wrong("a step above 100% never begins: say less"));
    }

    private static String modeName(String text) {
        if (!text.matches(LoadDefinitions.DEGRADE_MODE.pattern().orElseThrow())) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' is not " + LoadDefinitions.DEGRADE_MODE.grammar());
        }
        return text;
    }
}
