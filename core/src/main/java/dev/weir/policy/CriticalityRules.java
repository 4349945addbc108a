package dev.weir.policy;

import dev.weir.load.Criticality;
import java.util.List;

/**
 * How much a call matters: the first rule that matches decides.
 *
 * @param defaultCriticality of calls that no rule matches
 * @param rules in file order
 */
public record CriticalityRules(Criticality defaultCriticality, List<Rule> rules) {

    /** Every call is critical. */
    public static final CriticalityRules DEFAULT = new CriticalityRules(Criticality.CRITICAL, List.of());

    public CriticalityRules {
        rules = List.copyOf(rules);
    }

    /** A condition and the criticality under it. */
    public record Rule(Match match, Criticality criticality) {}
}
