package dev.weir.gateway;

import dev.weir.policy.GateRule;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Missing;
import dev.weir.policy.Policy;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * When answers of a moment ago are served. Immutable.
 *
 * @param served whether some step of a gate says {@code stale}
 * @param callerHeaders the headers, in lower case, by which the policy tells callers apart: each caller has copies of its own
 */
record StaleRules(boolean served, Set<String> callerHeaders) {

    static StaleRules of(Policy policy) {
        Set<String> headers = new TreeSet<>();
        for (Limit limit : policy.limits()) {
            collect(limit.key(), headers);
            collect(limit.ifMissing(), headers);
            collect(limit.unknown(), headers);
        }
        policy.gates().forEach(gate -> gate.tenant().ifPresent(key -> collect(key, headers)));
        return new StaleRules(policy.gates().stream().anyMatch(StaleRules::serves), headers);
    }

    private static boolean serves(GateRule gate) {
        return gate.settings().degrade().stream().anyMatch(step -> step.mode().equals(GateRule.STALE))
                || gate.fallbacks().stream().anyMatch(step -> step.mode().equals(GateRule.STALE));
    }

    private static void collect(Missing instead, Set<String> headers) {
        if (instead instanceof Missing.CountBy other) {
            collect(other.key(), headers);
        }
    }

    private static void collect(Key key, Set<String> headers) {
        if (key instanceof Key.Header header) {
            headers.add(header.name().toLowerCase(Locale.ROOT));
        } else if (key instanceof Key.Composite composite) {
            composite.parts().forEach(part -> collect(part, headers));
        }
    }
}
