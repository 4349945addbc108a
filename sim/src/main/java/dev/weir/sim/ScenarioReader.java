package dev.weir.sim;

import dev.weir.client.Backoff;
import dev.weir.client.OutboundSettings;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.policyfile.Nearest;
import dev.weir.policyfile.Problem;
import dev.weir.rate.RateLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a scenario, or says all that is wrong with it. */
final class ScenarioReader {

    private static final ServiceTime ANY = new ServiceTime.Constant(1);
    /** Stands for the end of a scenario whose duration is wrong: nothing is said to be behind it. */
    private static final int UNKNOWN_END = Integer.MAX_VALUE;

    private final Part.Problems problems;

    private ScenarioReader(String file) {
        this.problems = new Part.Problems(file, new ArrayList<>());
    }

    static Scenario load(Path file) throws BadScenario {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new BadScenario(List.of(new Problem(
                    file.toString(), 1, 1, Optional.empty(), "the file cannot be read: " + e.getMessage())));
        }
        return parse(text, file.toString(), name(file));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    }

    static Scenario parse(String text, String file, String name) throws BadScenario {
        ScenarioReader reader = new ScenarioReader(file);
        Optional<Scenario> scenario = reader.root(text).map(root -> reader.scenario(name, root));
        if (!reader.problems.found().isEmpty() || scenario.isEmpty()) {
            List<Problem> found = new ArrayList<>(reader.problems.found());
            found.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
            throw new BadScenario(found);
        }
        return scenario.get();
    }

    private Optional<Part> root(String text) {
        try {
            Optional<Node> node = new Compose(LoadSettings.builder()
                            .setLabel(problems.file())
                            .setMaxAliasesForCollections(0)
                            .build())
                    .composeString(text);
            if (node.isEmpty()) {
                unreadable(Optional.empty(), "the file is empty: a scenario begins with title");
            }
            return node.map(root -> new Part(root, "", problems));
        } catch (MarkedYamlEngineException e) {
            unreadable(e.getProblemMark(), "this is not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            unreadable(Optional.empty(), "this is not YAML: " + e.getMessage());
        }
        return Optional.empty();
    }

    private void unreadable(Optional<Mark> mark, String message) {
        int line = mark.map(at -> at.getLine() + 1).orElse(1);
        int column = mark.map(at -> at.getColumn() + 1).orElse(1);
        problems.found().add(new Problem(problems.file(), line, column, Optional.empty(), message));
    }

    private Scenario scenario(String name, Part root) {
        Part.Fields fields = root.fields(
                "title",
                "seed",
                "duration",
                "fleet",
                "clients",
                "dependency",
                "gate",
                "contenders",
                "measure",
                "changes",
                "phases",
                "must");
        int seconds = fields.need("duration", Grammar::duration, UNKNOWN_END);
        fields.require("fleet");
        fields.require("clients");
        Read<List<ClientSettings>> clients = read(
                fields,
                "clients",
                () -> fields.get("clients").map(ScenarioReader::clients).orElse(List.of()));
        Read<List<Contender>> contenders = read(fields, "contenders", () -> contenders(fields));
        Read<Map<String, Span>> phases = read(fields, "phases", () -> phases(seconds, fields));
        MustReader.Beside beside = new MustReader.Beside(
                seconds,
                phases.ifSure(Map::keySet),
                clients.ifSure(ScenarioReader::servedNames),
                contenders.ifSure(
                        all -> all.stream().map(Contender::name).collect(Collectors.toCollection(LinkedHashSet::new))));
        return new Scenario(
                name,
                fields.need("title", text -> text, ""),
                fields.read("seed", Grammar.whole(0, 999_999_999), 1),
                seconds,
                fields.get("fleet").map(ScenarioReader::fleet).orElseGet(ScenarioReader::noFleet),
                clients.value(),
                fields.get("dependency").map(ScenarioReader::dependency),
                GateReader.read(fields.get("gate")),
                contenders.value(),
                within(seconds, fields, "measure", new Span(0, seconds)),
                phases.value(),
                changesAt(seconds, fields),
                MustReader.read(fields.get("must"), beside));
    }

    /**
     * What a field is read as.
     *
     * @param sure whether it says so itself: nothing was wrong with it, and no misspelt name may have been meant for it
     */
    private record Read<T>(T value, boolean sure) {
        <U> Optional<U> ifSure(Function<T, U> of) {
            return sure ? Optional.of(of.apply(value)) : Optional.empty();
        }
    }

    private <T> Read<T> read(Part.Fields fields, String name, Supplier<T> reader) {
        int before = problems.found().size();
        T value = reader.get();
        boolean wrong = problems.found().size() > before;
        return new Read<>(
                value, !wrong && (fields.understood() || fields.get(name).isPresent()));
    }

    /** Whose calls a share of answers can be demanded of: kinds of clients, and criticalities that they have. */
    private static Set<String> servedNames(List<ClientSettings> clients) {
        Set<String> names = new LinkedHashSet<>();
        clients.forEach(client -> names.add(client.name()));
        clients.forEach(client ->
                client.mix().forEach(part -> names.add(part.criticality().policyName())));
        return names;
    }

    private static OptionalInt changesAt(int seconds, Part.Fields fields) {
        return fields.get("changes")
                .flatMap(part -> part.read(text -> Grammar.secondBefore(seconds, text)))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private static FleetSettings fleet(Part part) {
        Part.Fields fields =
                part.fields("instances", "balance", "slow", "workers", "service", "delay", "contention", "pauses");
        fields.require("workers");
        fields.require("service");
        String balance = fields.read("balance", Grammar.word(List.of("round-robin", "least-loaded")), "round-robin");
        return new FleetSettings(
                fields.read("instances", Grammar.whole(1, 1000), 1),
                balance.equals("round-robin") ? FleetSettings.Balance.ROUND_ROBIN : FleetSettings.Balance.LEAST_LOADED,
                new ServerSettings(
                        fields.steps("workers", Grammar.whole(1, 100_000), 1),
                        fields.steps("service", Grammar::serviceTime, ANY),
                        fields.steps("delay", Grammar::durationNanos, 0L),
                        fields.read("contention", Grammar::percent, 0.0),
                        fields.read("pauses", Grammar::pauses)),
                fields.get("slow").map(slow -> new FleetSettings.Slow(fields.steps("slow", Grammar::number, 1.0))));
    }

    private static FleetSettings noFleet() {
        return new FleetSettings(
                1,
                FleetSettings.Balance.ROUND_ROBIN,
                new ServerSettings(Steps.always(1), Steps.always(ANY), Steps.always(0L), 0, Optional.empty()),
                Optional.empty());
    }

    private static List<ClientSettings> clients(Part part) {
        List<ClientSettings> clients = new ArrayList<>();
        part.named().forEach((name, client) -> clients.add(client(name, client)));
        return clients;
    }

    private static ClientSettings client(String name, Part part) {
        Part.Fields fields = part.fields(
                "rate",
                "arrivals",
                "users",
                "think",
                "deadline",
                "aborts",
                "tells-deadline",
                "criticality",
                "tenant",
                "pool",
                "retry");
        return new ClientSettings(
                name,
                arrivals(part, fields),
                fields.need("deadline", Grammar::durationNanos, 1L),
                fields.read("aborts", Grammar::yesOrNo, false),
                fields.read("tells-deadline", Grammar::yesOrNo, false),
                fields.read("criticality", Grammar::mix, Grammar.mix("critical")),
                fields.read("tenant", text -> text),
                fields.read("pool", text -> text),
                fields.get("retry").map(ScenarioReader::retry));
    }

    private static ClientSettings.Arrivals arrivals(Part part, Part.Fields fields) {
        if (fields.get("rate").isPresent() == fields.get("users").isPresent()) {
            part.wrong("clients have either a rate, or users");
        }
        if (fields.get("users").isPresent()) {
            return new ClientSettings.Arrivals.Closed(
                    fields.need("users", Grammar.whole(1, 100_000), 1),
                    Math.max(1_000_000, fields.need("think", Grammar::durationNanos, 1_000_000L)));
        }
        boolean even = fields.read("arrivals", Grammar.word(List.of("poisson", "even")), "poisson")
                .equals("even");
        return new ClientSettings.Arrivals.Open(fields.steps("rate", Grammar::rate, new Rate(0, 0)), even);
    }

    private static RetrySettings retry(Part part) {
        Part.Fields fields = part.fields("tries", "backoff", "budget");
        return new RetrySettings(
                fields.need("tries", Grammar.whole(1, 20), 1),
                fields.read("backoff", ScenarioReader::backoff, new Backoff(0, 0)),
                fields.read("budget", Grammar::percent).map(share -> (int) Math.round(share * 10_000)));
    }

    /** {@code 100ms..5s}. */
    private static Backoff backoff(String text) {
        String[] ends = text.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is not a first and a longest pause, such as 100ms..5s");
        }
        return new Backoff(Grammar.durationNanos(ends[0]), Grammar.durationNanos(ends[1]));
    }

    private static DependencySettings dependency(Part part) {
        Part.Fields fields = part.fields("name", "share", "latency", "refusal", "contract", "outbound", "retry");
        fields.require("latency");
        OutboundSettings outbound = outbound(fields.need("name", text -> text, "dependency"), fields.get("outbound"));
        return new DependencySettings(
                fields.need("share", Grammar::percent, 0.0),
                fields.steps("latency", Grammar::serviceTime, ANY),
                fields.read("refusal", Grammar::durationNanos, 1_000_000L),
                optional(fields.read("contract", Grammar::rate).map(rate -> (int) rate.from())),
                fields.get("retry")
                        .map(again -> outbound.retry(again(retry(again))))
                        .orElse(outbound));
    }

    private static OutboundSettings.Retry again(RetrySettings retry) {
        return new OutboundSettings.Retry(
                retry.tries(), optional(retry.budgetBasisPoints()), retry.backoff(), Set.of());
    }

    private static OptionalInt optional(Optional<Integer> number) {
        return number.map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private static OutboundSettings outbound(String name, Optional<Part> part) {
        OutboundSettings settings = OutboundSettings.of(name.isEmpty() ? "dependency" : name);
        if (part.isEmpty()) {
            return settings;
        }
        Part.Fields fields = part.get().fields("rate", "burst", "max-wait", "in-flight", "throttle");
        OptionalInt burst = optional(fields.read("burst", Grammar.whole(1, 100_000)));
        Optional<RateLimit> rate = fields.read("rate", RateLimit::parse);
        settings = rate.map(limit -> new OutboundSettings.Pace(limit, burst, false))
                .map(settings::pace)
                .orElse(settings);
        settings = fields.read("max-wait", Grammar::durationNanos)
                .map(Duration::ofNanos)
                .map(settings::maxWait)
                .orElse(settings);
        settings = fields.read("in-flight", Grammar.whole(1, 100_000))
                .map(ConcurrencyLimit::fixed)
                .map(settings::inFlight)
                .orElse(settings);
        return fields.read("throttle", Grammar::number).map(settings::throttle).orElse(settings);
    }

    private static List<Contender> contenders(Part.Fields fields) {
        List<Contender> contenders = new ArrayList<>();
        fields.require("contenders");
        for (Part item : fields.get("contenders").map(Part::items).orElse(List.of())) {
            item.read(text -> Contenders.named(text)
                            .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not "
                                    + Contenders.GRAMMAR + Nearest.hint(text, Contenders.WORDS))))
                    .ifPresent(contenders::add);
        }
        return contenders;
    }

    private static Map<String, Span> phases(int seconds, Part.Fields fields) {
        Map<String, Span> phases = new LinkedHashMap<>();
        fields.get("phases")
                .map(Part::named)
                .orElse(Map.of())
                .forEach((name, part) ->
                        part.read(Grammar::span).ifPresent(span -> phases.put(name, within(seconds, part, span))));
        return phases;
    }

    private static Span within(int seconds, Part.Fields fields, String name, Span otherwise) {
        return fields.read(name, Grammar::span)
                .map(span -> within(seconds, fields.get(name).orElseThrow(), span))
                .orElse(otherwise);
    }

    private static Span within(int seconds, Part part, Span span) {
        if (span.to() > seconds) {
            part.wrong(span + " goes beyond the end, " + seconds + "s");
        }
        return span;
    }
}
