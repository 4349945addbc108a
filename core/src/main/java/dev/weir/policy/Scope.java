package dev.weir.policy;

import java.util.Locale;

/** Who shares the budgets of a limit. */
public enum Scope {
    /** The calls of one instance: n instances grant up to n times as much. */
    INSTANCE,
    /** The calls of all instances, counted in the store. */
    FLEET;

    /** The word of the policy file. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
