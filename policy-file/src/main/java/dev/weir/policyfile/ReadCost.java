package dev.weir.policyfile;

import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A cost and the places of the numbers in it. */
record ReadCost(Cost cost, List<Units> units) {

    /** A number of units and the value it was read from. */
    record Units(long units, Value value) {}

    static Optional<ReadCost> read(Value value) {
        if (value.isSequence()) {
            return rules(value);
        }
        if (value.isMapping()) {
            return value.fields(Definitions.COST_ESTIMATE).flatMap(ReadCost::estimate);
        }
        Optional<String> text = value.text(Definitions.COST);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.get().startsWith("header:")) {
            return value.parsed(Definitions.FROM_HEADER, ReadCost::header)
                    .map(name -> new ReadCost(new Cost.FromHeader(name), List.of()));
        }
        OptionalLong units = value.whole(
                Definitions.COUNT,
                text.get().equals("0")
                        ? ": a limit that costs nothing counts nothing; say mode: off, or 0 in a rule for some calls"
                        : "; or header:NAME, a list of { match, is }, or { estimate, settle }");
        return units.isPresent()
                ? Optional.of(
                        new ReadCost(new Cost.Fixed(units.getAsLong()), List.of(new Units(units.getAsLong(), value))))
                : Optional.empty();
    }

    /** The name in {@code header:NAME}. */
    static String header(String text) {
        if (text.startsWith("header:") && Key.parse(text) instanceof Key.Header header) {
            return header.name();
        }
        throw new IllegalArgumentException(
                "'" + Value.shown(text) + "' is not " + Definitions.FROM_HEADER.grammar() + ", such as header:X-Name");
    }

    private static Optional<ReadCost> rules(Value value) {
        List<Units> units = new ArrayList<>();
        Optional<List<Cost.ByMatch.Rule>> rules =
                value.list(item -> item.fields(Definitions.COST_RULE).flatMap(fields -> rule(fields, units)));
        return rules.map(all -> new ReadCost(new Cost.ByMatch(all), List.copyOf(units)));
    }

    private static Optional<Cost.ByMatch.Rule> rule(Fields fields, List<Units> units) {
        fields.requireBoth("match", "is");
        Optional<Match> match = fields.read("match", MatchReader::read);
        Optional<Units> cost = fields.read("is", ReadCost::number);
        cost.ifPresent(units::add);
        return match.flatMap(m -> cost.map(c -> new Cost.ByMatch.Rule(m, c.units())));
    }

    private static Optional<ReadCost> estimate(Fields fields) {
        fields.requireBoth("estimate", "settle");
        Optional<Units> units = fields.read("estimate", ReadCost::number);
        Optional<Cost.SettleBy> settle = fields.read("settle", v -> v.parsed(Definitions.SETTLE, ReadCost::settleBy));
        return units.flatMap(u -> settle.map(s -> new ReadCost(new Cost.Estimated(u.units(), s), List.of(u))));
    }

    private static Optional<Units> number(Value value) {
        OptionalLong units = value.whole(Definitions.UNITS);
        return units.isPresent() ? Optional.of(new Units(units.getAsLong(), value)) : Optional.empty();
    }

    private static Cost.SettleBy settleBy(String text) {
        if (text.equals("response-bytes")) {
            return new Cost.SettleBy.ResponseBytes();
        }
        if (text.equals("duration")) {
            return new Cost.SettleBy.DurationMillis();
        }
        String prefix = "response-";
        if (text.startsWith(prefix + "header:")) {
            return new Cost.SettleBy.ResponseHeader(header(text.substring(prefix.length())));
        }
        throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + Definitions.SETTLE.grammar());
    }
}
