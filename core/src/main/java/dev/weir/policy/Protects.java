package dev.weir.policy;

import java.util.Locale;

/** What a limit is for. Documents it, and decides which warnings apply. */
public enum Protects {
    CAPACITY,
    FAIRNESS,
    COST,
    ABUSE,
    PRICING;

    /** The word of the policy file. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
