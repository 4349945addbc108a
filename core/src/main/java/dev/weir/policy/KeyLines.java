package dev.weir.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a policy grants a key that is known by its text alone, without a call. */
final class KeyLines {

    private KeyLines() {}

    /** See {@link Policy#linesOf}. */
    static List<Bill.Line> of(Policy policy, String keyText, Instant now) {
        List<Bill.Line> lines = new ArrayList<>();
        for (Limit limit : policy.limits()) {
            if (limit.mode().kind() == Mode.Kind.OFF) {
                continue;
            }
            for (Key countedBy : expressions(policy, limit)) {
                text(policy.identity(), countedBy, keyText)
                        .map(text -> line(policy, limit, countedBy, text, now))
                        .ifPresent(lines::add);
            }
        }
        return lines;
    }

    private static Set<Key> expressions(Policy policy, Limit limit) {
        Set<Key> expressions = new LinkedHashSet<>(List.of(limit.key()));
        boolean mayLack = !(limit.key() instanceof Key.All) && !(limit.key() instanceof Key.ClientAddressKey);
        if (mayLack && limit.ifMissing() instanceof Missing.CountBy other) {
            expressions.add(other.key());
        }
        if (policy.plans().source().isPresent() && limit.unknown() instanceof Missing.CountBy other) {
            expressions.add(other.key());
        }
        return expressions;
    }

    /** The text as it is counted; empty when this expression cannot read such a text off any call. */
    private static Optional<String> text(Identity identity, Key countedBy, String text) {
        if (countedBy instanceof Key.ClientAddressKey) {
            String address = text.indexOf('/') < 0 ? text : text.substring(0, text.indexOf('/'));
            return Address.parse(address).map(parsed -> ClientAddress.prefix(identity, parsed.toString()));
        }
        boolean possible = countedBy instanceof Key.All
                ? text.equals("all")
                : !(countedBy instanceof Key.Composite) || text.startsWith("[\"");
        return possible ? Optional.of(text) : Optional.empty();
    }

    private static Bill.Line line(Policy policy, Limit limit, Key countedBy, String text, Instant now) {
        Optional<String> plan = policy.plans()
                .rowOf(countedBy.equals(limit.key()) ? text : "", now)
                .or(policy.plans()::defaultPlan);
        return Billing.priced(limit, countedBy, text, plan, now, budget -> 0);
    }
}
