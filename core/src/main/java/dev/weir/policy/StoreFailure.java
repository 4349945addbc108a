package dev.weir.policy;

import java.util.Locale;

/** How a fleet limit decides while the store does not answer. */
public enum StoreFailure {
    /** Lets calls pass, and counts them so that the store learns of them later. */
    OPEN,
    /** Refuses calls with 503. */
    CLOSED,
    /** Grants this instance its share: the budget divided by the number of instances. */
    LOCAL;

    /** The word of the policy file. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
