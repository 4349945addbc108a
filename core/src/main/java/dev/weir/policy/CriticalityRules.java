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

    /**
     * A condition and the criticality under it.
     *
     * @param match which calls
     * @param plans on which plans their caller is; empty: on any or none
     */
    public record Rule(Match match, List<String> plans, Criticality criticality) {
        public Rule {
            plans = List.copyOf(plans);
        }

        /** A condition on the call alone. */
        public Rule(Match match, Criticality criticality) {
            this(match, List.of(), criticality);
        }
    }
}
