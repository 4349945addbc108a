package dev.weir.policyfile;

import dev.weir.load.Criticality;
import dev.weir.policy.Answers;
import dev.weir.policy.CallHeaders;
import dev.weir.policy.ClientIp;
import dev.weir.policy.CriticalityRules;
import dev.weir.policy.Identity;
import dev.weir.policy.Key;
import dev.weir.policy.Match;
import dev.weir.policy.OutboundRule;
import dev.weir.policy.Plans;
import dev.weir.policy.Policy;
import dev.weir.policy.StoreSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads a whole policy, section by section. */
final class PolicyReader {

    private final Reading reading;

    PolicyReader(Reading reading) {
        this.reading = reading;
    }

    Loaded read(Value root) {
        Optional<Fields> sections = root.fields(Sections.POLICY);
        if (sections.isEmpty()) {
            return reading.refused();
        }
        Fields fields = sections.get();
        format(fields, root);
        Optional<Identity> identity = section(fields, "identity", Definitions.IDENTITY, PolicyReader::identity);
        Optional<CallHeaders> call = section(fields, "call", Definitions.CALL, PolicyReader::call);
        Optional<List<Match>> exempt = fields.read("exempt", MatchReader::oneOrMore);
        Optional<Plans> plans = section(fields, "plans", Definitions.PLANS, this::plans);
        Optional<Answers> answers = section(fields, "answers", Definitions.ANSWERS, PolicyReader::answers);
        Optional<StoreSettings> store = StoreReader.read(fields, reading);
        List<ReadLimit> limits = limits(fields, plans);
        Optional<CriticalityRules> criticality =
                section(fields, "criticality", Definitions.CRITICALITY_SECTION, PolicyReader::criticality);
        List<ReadGate> gates = GateReader.all(fields);
        List<OutboundRule> outbounds = OutboundReader.all(fields);
        Optional<GatewaySettings> gateway = GatewayReader.read(fields, reading);
        gateway.ifPresent(settings -> RouteNames.check(fields, settings));
        if (reading.hasProblems()) {
            return reading.refused();
        }
        Policy.Builder builder = Policy.builder()
                .identity(identity.orElse(Identity.DEFAULT))
                .callHeaders(call.orElse(CallHeaders.NONE))
                .exempt(exempt.orElse(List.of()))
                .plans(plans.orElse(Plans.NONE))
                .answers(answers.orElse(Answers.DEFAULT))
                .criticality(criticality.orElse(CriticalityRules.DEFAULT));
        limits.forEach(read -> builder.limit(read.limit()));
        gates.forEach(read -> builder.gate(read.rule()));
        outbounds.forEach(builder::outbound);
        store.ifPresent(builder::store);
        Policy policy = builder.build();
        new PolicyWarnings(policy, fields, limits, reading).find();
        new LoadWarnings(policy, gates, reading).find();
        return reading.understood(policy, gateway);
    }

    private interface SectionReader<T> {
        Optional<T> read(Fields fields);
    }

    private static <T> Optional<T> section(Fields fields, String name, Shape.Group group, SectionReader<T> reader) {
        return fields.read(name, value -> value.fields(group).flatMap(reader::read));
    }

    private void format(Fields fields, Value root) {
        if (fields.has("weir")) {
            fields.get("weir")
                    .ifPresent(value -> value.whole(Definitions.FORMAT, ": this version reads format 1 alone"));
        } else if (fields.understood()) {
            reading.problem(root.place(), "weir", "the file does not say its format: begin it with weir: 1");
        }
    }

    private static Optional<Identity> identity(Fields fields) {
        Identity otherwise = Identity.DEFAULT;
        return Optional.of(new Identity(
                fields.read("trusted-proxies", v -> v.oneOrMore(MatchReader::range))
                        .orElse(otherwise.trustedProxies()),
                fields.read("client-ip", v -> v.word(Definitions.CLIENT_IP)).orElse(ClientIp.PEER),
                fields.read("ipv4-prefix", v -> integer(v, Definitions.IPV4_PREFIX))
                        .orElse(otherwise.ipv4Prefix()),
                fields.read("ipv6-prefix", v -> integer(v, Definitions.IPV6_PREFIX))
                        .orElse(otherwise.ipv6Prefix()),
                fields.read("secret", v -> v.text(Definitions.SECRET))));
    }

    private static Optional<Integer> integer(Value value, Shape.Whole whole) {
        OptionalLong number = value.whole(whole);
        return number.isPresent() ? Optional.of((int) number.getAsLong()) : Optional.empty();
    }

    private static Optional<CallHeaders> call(Fields fields) {
        return Optional.of(new CallHeaders(
                fields.read("deadline", v -> v.parsed(Definitions.FROM_HEADER, ReadCost::header)),
                fields.read("criticality", v -> v.parsed(Definitions.FROM_HEADER, ReadCost::header))));
    }

    private Optional<Plans> plans(Fields fields) {
        if (fields.has("default")) {
            fields.lacks("default", "from", "default needs from, which says who is on another plan: name a source");
        }
        Optional<Plans.Source> source = fields.read("from", this::source);
        Optional<String> otherwise = fields.read("default", v -> v.text(Definitions.PLAN));
        return source.isEmpty() ? Optional.empty() : Optional.of(new Plans(source, otherwise));
    }

    private Optional<Plans.Source> source(Value value) {
        Optional<String> text = value.text(Definitions.SOURCE);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.get().startsWith("file:") && text.get().length() > "file:".length()) {
            return PlanFile.read(value, text.get().substring("file:".length()), reading);
        }
        return value.parsed(Definitions.SOURCE, PolicyReader::attributeOrHeader);
    }

    private static Plans.Source attributeOrHeader(String text) {
        boolean known = text.startsWith("attribute:") || text.startsWith("header:");
        if (known && Key.parse(text) instanceof Key.Attribute attribute) {
            return new Plans.Source.Attribute(attribute.name());
        }
        if (known && Key.parse(text) instanceof Key.Header header) {
            return new Plans.Source.Header(header.name());
        }
        throw new IllegalArgumentException(
                "'" + Value.shown(text) + "' is not " + Definitions.SOURCE.grammar() + ", such as file:plans.csv");
    }

    private static Optional<Answers> answers(Fields fields) {
        Answers otherwise = Answers.DEFAULT;
        return Optional.of(new Answers(
                fields.read("fields", v -> v.word(Definitions.GENERATIONS)).orElse(otherwise.fields()),
                fields.read("jitter", v -> v.parsed(Definitions.PERCENT, Percent::basisPoints))
                        .orElse(otherwise.jitterBasisPoints()),
                fields.read("preflight", v -> v.word(Definitions.PREFLIGHT)).orElse(otherwise.skipPreflight()),
                fields.read("cors", v -> v.word(Definitions.CORS)).orElse(otherwise.reflectOrigin())));
    }

    private static Optional<CriticalityRules> criticality(Fields fields) {
        return Optional.of(new CriticalityRules(
                fields.read("default", v -> v.word(Definitions.CRITICALITY))
                        .orElse(CriticalityRules.DEFAULT.defaultCriticality()),
                fields.read(
                                "rules",
                                v -> v.list(item -> item.fields(Definitions.CRITICALITY_RULE)
                                        .flatMap(PolicyReader::rule)))
                        .orElse(List.of())));
    }

    private static Optional<CriticalityRules.Rule> rule(Fields fields) {
        boolean conditioned = fields.has("match") || fields.has("plan");
        if (conditioned && fields.has("match")) {
            fields.lacks("match", "is", "'match' stands without 'is': name both");
        } else if (conditioned) {
            fields.lacks("plan", "is", "'plan' stands without 'is': name both");
        } else if (fields.has("is") && fields.understood()) {
            fields.misplaced("is", "'is' stands without 'match' or 'plan': say which calls");
        }
        Optional<Match> match = fields.readOr("match", Match.ANY, MatchReader::read);
        Optional<List<String>> plans =
                fields.readOr("plan", List.of(), v -> v.oneOrMore(one -> one.text(Definitions.PLAN)));
        Optional<Criticality> is = fields.read("is", v -> v.word(Definitions.CRITICALITY));
        return conditioned && match.isPresent() && plans.isPresent() && is.isPresent()
                ? Optional.of(new CriticalityRules.Rule(match.get(), plans.get(), is.get()))
                : Optional.empty();
    }

    private List<ReadLimit> limits(Fields fields, Optional<Plans> plans) {
        // A section of plans that is wrong is said to be wrong once, not again by every limit that needs it.
        boolean from = fields.has("plans") || !fields.understood();
        boolean rows = plans.flatMap(Plans::source)
                .filter(Plans.Source.Rows.class::isInstance)
                .isPresent();
        boolean store = fields.has("store") || !fields.understood();
        List<Value.Named> named = fields.get("limits")
                .map(value -> value.named(Definitions.LIMITS))
                .orElse(List.of());
        LimitReader.Beside beside =
                new LimitReader.Beside(named.stream().map(Value.Named::name).toList(), from, rows, store);
        List<ReadLimit> limits = new ArrayList<>();
        for (Value.Named one : named) {
            LimitReader.read(one, beside).ifPresent(limits::add);
        }
        Rings.check(limits);
        return limits;
    }
}
