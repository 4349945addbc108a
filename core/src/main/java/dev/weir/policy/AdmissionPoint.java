package dev.weir.policy;

import java.util.Locale;

/** Where a limit is enforced. */
public enum AdmissionPoint {
    /** In front of everything: a proxy that asks Weir. */
    EDGE,
    /** Weir's own gateway. */
    GATEWAY,
    /** Inside the service. */
    SERVICE;

    /** The word of the policy file. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
