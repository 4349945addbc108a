package dev.weir.policyfile;

import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Budget;
import dev.weir.policy.Key;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Protects;
import dev.weir.policy.Scope;
import dev.weir.policy.StoreFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads one limit. */
final class LimitReader {

    /**
     * What a limit needs to know of what stands beside it.
     *
     * @param names of all limits
     * @param plans whether plans are looked up somewhere, or may be: what was written of them holds an error
     * @param planRows whether that is a file of keys
     * @param store whether there is a store, or may be
     */
    record Beside(List<String> names, boolean plans, boolean planRows, boolean store) {}

    private final Value.Named named;
    private final Fields fields;
    private final Beside beside;
    private final List<ReadKey.Part> keys = new ArrayList<>();
    private final List<ReadBudget> budgets = new ArrayList<>();
    private final List<ReadCost.Units> costs = new ArrayList<>();
    private final List<ReadLimit.End> ends = new ArrayList<>();

    private LimitReader(Value.Named named, Fields fields, Beside beside) {
        this.named = named;
        this.fields = fields;
        this.beside = beside;
    }

    /** The limit; empty when it lacks what a limit cannot be without. Other errors leave a limit that must not be used. */
    static Optional<ReadLimit> read(Value.Named named, Beside beside) {
        if (!ascii(named.name())) {
            named.misnamed("the name of a limit stands in response headers: printable ASCII only");
        }
        return named.value().fields(Definitions.LIMIT).flatMap(fields -> new LimitReader(named, fields, beside).read());
    }

    private Optional<ReadLimit> read() {
        Optional<Match> match = fields.readOr("match", Match.ANY, MatchReader::read);
        Optional<List<Match>> except = fields.readOr("except", List.of(), MatchReader::oneOrMore);
        Optional<ReadKey> key = fields.read("key", ReadKey::read);
        if (!fields.has("key") && fields.understood()) {
            named.misnamed("this limit does not say who is counted: say key: " + Definitions.KEY.grammar());
        }
        Optional<Missing> ifMissing = instead("if-missing", Definitions.IF_MISSING, key, match);
        Optional<Missing> unknown = instead("unknown", Definitions.UNKNOWN, key, match);
        key.ifPresent(read -> {
            keys.addAll(read.parts());
            match.filter(m -> fields.understood()).ifPresent(read::requireVariables);
        });
        Terms terms = Terms.read(fields, named);
        Optional<ReadBudget> budget = ReadBudget.ofLimit(fields, terms);
        budget.ifPresent(budgets::add);
        Optional<ReadCost> cost = cost(terms);
        Map<String, Budget> plans = plans(terms, key);
        Map<String, KeyOverride> overrides = overrides(terms, key);
        Optional<List<String>> insteadOf = fields.read("instead-of", v -> v.oneOrMore(this::otherLimit));
        Optional<Set<Integer>> keepIf = keepIf(terms);
        Optional<Integer> maxKeys = fields.read("max-keys", v -> integer(v, Definitions.MAX_KEYS));
        Optional<Mode> mode = fields.read("mode", LimitReader::mode);
        Optional<Boolean> bare = fields.read("answer", v -> v.word(Definitions.ANSWER));
        Optional<Protects> protects = fields.read("protects", v -> v.word(Definitions.PROTECTS));
        Optional<List<AdmissionPoint>> at = fields.read("at", v -> v.oneOrMore(one -> one.word(Definitions.POINTS)));
        Optional<Scope> scope = fields.readOr("scope", beside.store() ? Scope.FLEET : Scope.INSTANCE, this::scope);
        Optional<StoreFailure> onStoreFailure = onStoreFailure(scope);
        if (key.isEmpty() || budget.isEmpty() || !ascii(named.name())) {
            return Optional.empty();
        }
        Limit plain = Limit.of(named.name(), key.get().key(), budget.get().budget());
        Limit limit = plain.match(match.orElse(Match.ANY))
                .except(except.orElse(List.of()))
                .ifMissing(ifMissing.orElse(plain.ifMissing()))
                .unknown(unknown.orElse(plain.unknown()))
                .cost(cost.map(ReadCost::cost).orElse(plain.cost()))
                .plans(plans)
                .overrides(overrides)
                .insteadOf(insteadOf.orElse(List.of()))
                .maxKeys(maxKeys.orElse(plain.maxKeys()))
                .mode(mode.orElse(plain.mode()))
                .bare(bare.orElse(plain.bare()))
                .at(at.map(Set::copyOf).orElse(plain.at()))
                .scope(scope.orElse(plain.scope()))
                .onStoreFailure(onStoreFailure.orElse(plain.onStoreFailure()));
        if (keepIf.isPresent()) {
            limit = limit.keepIfStatus(keepIf.get());
        }
        if (protects.isPresent()) {
            limit = limit.protects(protects.get());
        }
        return Optional.of(new ReadLimit(limit, named.place(), keys, budgets, costs, ends, fields));
    }

    private static boolean ascii(String name) {
        return name.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    /** A word, or another key to count by. */
    private Optional<Missing> instead(
            String field, Shape.Words<Missing> words, Optional<ReadKey> key, Optional<Match> match) {
        if (field.equals("unknown") && fields.has(field) && !beside.plans()) {
            fields.misplaced(field, "unknown needs plans.from, which knows keys: name a source there, or leave it out");
        }
        return fields.read(field, value -> {
            if (value.isScalar()) {
                Optional<String> text = value.text(words);
                if (text.isEmpty()) {
                    return Optional.empty();
                }
                Missing word = words.meanings().get(text.get());
                if (word != null) {
                    return Optional.of(word);
                }
                if (!text.get().contains(":") && !isKey(text.get())) {
                    return value.wrong("'" + Value.shown(text.get()) + "' is not one of: " + words.grammar()
                            + ", or another key: " + Key.GRAMMAR + Nearest.hint(text.get(), words.words()));
                }
            }
            return ReadKey.read(value).flatMap(other -> {
                match.filter(m -> fields.understood()).ifPresent(other::requireVariables);
                if (key.isPresent() && key.get().key().equals(other.key())) {
                    return value.wrong("'" + other.key() + "' is the limit's own key: name another, or one of: "
                            + words.grammar());
                }
                keys.addAll(other.parts());
                return Optional.of(new Missing.CountBy(other.key()));
            });
        });
    }

    private static boolean isKey(String text) {
        try {
            Key.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private Optional<ReadCost> cost(Terms terms) {
        refuseBesideInFlight("cost", terms, "each call takes one of the places");
        Optional<ReadCost> cost = fields.read("cost", ReadCost::read);
        cost.ifPresent(read -> costs.addAll(read.units()));
        return cost;
    }

    private void refuseBesideInFlight(String field, Terms terms, String because) {
        if (fields.has(field) && terms.measure().equals(Optional.of(Terms.Measure.IN_FLIGHT))) {
            fields.misplaced(field, field + " beside in-flight: " + because + "; leave it out");
        }
    }

    private Map<String, Budget> plans(Terms terms, Optional<ReadKey> key) {
        Map<String, Budget> plans = new LinkedHashMap<>();
        if (fields.has("plans") && !beside.plans()) {
            fields.misplaced(
                    "plans",
                    "plans of a limit need plans.from, which says who is on which: name a source there, or leave them out");
        } else if (fields.has("plans") && beside.planRows() && countsEverybody(key)) {
            fields.misplaced(
                    "plans",
                    "these plans can never apply: key: all has no key that a plan file could know; name another key, or leave them out");
        }
        for (Value.Named plan : named("plans", Definitions.PLAN_BUDGETS)) {
            String of = "plan " + plan.name();
            Optional<ReadBudget> budget = plan.value().isMapping()
                    ? plan.value()
                            .fields(Definitions.PLAN_BUDGET)
                            .flatMap(given -> ReadBudget.ofSome(given, terms, of, plan.value(), false))
                    : ReadBudget.word(plan.value(), of);
            budget.ifPresent(read -> {
                budgets.add(read);
                plans.put(plan.name(), read.budget());
            });
        }
        return plans;
    }

    private Map<String, KeyOverride> overrides(Terms terms, Optional<ReadKey> key) {
        Map<String, KeyOverride> overrides = new HashMap<>();
        if (fields.has("overrides") && countsEverybody(key)) {
            fields.misplaced(
                    "overrides",
                    "these overrides can never apply: key: all has no single keys; name another key, or leave them out");
        }
        for (Value.Named one : named("overrides", Definitions.OVERRIDES)) {
            Optional<KeyOverride> override = one.value().isMapping()
                    ? one.value().fields(Definitions.OVERRIDE).flatMap(given -> override(given, terms, one.value()))
                    : ReadBudget.word(one.value(), "an override")
                            .map(word -> new KeyOverride(word.budget(), Optional.empty(), Optional.empty()));
            try {
                String digest = NamedKey.digest(one.name());
                if (overrides.containsKey(digest)) {
                    one.misnamed("this key stands twice, once as it is and once as its hash: remove one");
                }
                override.ifPresent(read -> overrides.put(digest, read));
            } catch (IllegalArgumentException e) {
                one.misnamed(String.valueOf(e.getMessage()));
            }
        }
        return overrides;
    }

    private Optional<KeyOverride> override(Fields given, Terms terms, Value whole) {
        Optional<ReadBudget> budget = ReadBudget.ofSome(given, terms, "an override", whole, true);
        Optional<Instant> until = given.read("until", value -> {
            Optional<Instant> end = value.parsed(Definitions.UNTIL, Until::parse);
            end.ifPresent(instant -> ends.add(new ReadLimit.End(instant, value)));
            return end;
        });
        Optional<String> why = given.read("why", v -> v.text(Definitions.WHY));
        budget.ifPresent(budgets::add);
        return budget.map(read -> new KeyOverride(read.budget(), until, why));
    }

    private List<Value.Named> named(String field, Shape.Named shape) {
        return fields.get(field).map(value -> value.named(shape)).orElse(List.of());
    }

    private static boolean countsEverybody(Optional<ReadKey> key) {
        return key.isPresent() && key.get().key() instanceof Key.All;
    }

    private Optional<String> otherLimit(Value value) {
        return value.text(Definitions.OTHER_LIMIT).flatMap(name -> {
            if (name.equals(named.name())) {
                return value.wrong("a limit cannot stand instead of itself: name another, or leave it out");
            }
            return beside.names().contains(name)
                    ? Optional.of(name)
                    : value.wrong("'" + Value.shown(name) + "' is not the name of a limit"
                            + Nearest.hint(name, beside.names()));
        });
    }

    private Optional<Set<Integer>> keepIf(Terms terms) {
        refuseBesideInFlight("keep-if", terms, "a place is given back when the call ends");
        return fields.read("keep-if", value -> value.fields(Definitions.KEEP_IF))
                .flatMap(given -> given.read("status", v -> v.oneOrMore(one -> integer(one, Definitions.STATUS))))
                .map(Set::copyOf);
    }

    private static Optional<Integer> integer(Value value, Shape.Whole whole) {
        OptionalLong number = value.whole(whole);
        return number.isPresent() ? Optional.of((int) number.getAsLong()) : Optional.empty();
    }

    private static Optional<Mode> mode(Value value) {
        return value.text(Definitions.MODE).flatMap(text -> {
            Mode mode = Definitions.MODE_WORDS.meanings().get(text);
            if (mode != null) {
                return Optional.of(mode);
            }
            try {
                return Optional.of(Mode.share(Percent.basisPoints(text)));
            } catch (IllegalArgumentException e) {
                return value.wrong("'" + Value.shown(text) + "' is not one of: " + Definitions.MODE_WORDS.grammar()
                        + ", or " + Definitions.PERCENT.grammar()
                        + Nearest.hint(text, Definitions.MODE_WORDS.words()));
            }
        });
    }

    private Optional<Scope> scope(Value value) {
        Optional<Scope> scope = value.word(Definitions.SCOPES);
        return scope.equals(Optional.of(Scope.FLEET)) && !beside.store()
                ? value.wrong(
                        "the fleet shares nothing without a store: say store: { redis: { url: redis://HOST:PORT } }, or scope: instance")
                : scope;
    }

    private Optional<StoreFailure> onStoreFailure(Optional<Scope> scope) {
        if (fields.has("on-store-failure") && scope.equals(Optional.of(Scope.INSTANCE)) && fields.understood()) {
            fields.misplaced(
                    "on-store-failure",
                    beside.store()
                            ? "this limit never asks the store: say scope: fleet, or leave it out"
                            : "there is no store that could fail: say store: { redis: { url: redis://HOST:PORT } }, or leave it out");
        }
        return fields.read("on-store-failure", v -> v.word(Definitions.STORE_FAILURES));
    }
}
