package dev.weir.load;

import java.util.Locale;
import java.util.Optional;

/** How much it matters that a call is served, best first. The names are those of the policy file and of the wire. */
public enum Criticality {
    /** Serving it matters more than anything else: a customer is harmed at once. */
    CRITICAL_PLUS,
    /** The default: a person is waiting. */
    CRITICAL,
    /** May fail for minutes and be tried again. */
    SHEDDABLE_PLUS,
    /** May fail for hours: batch work, prefetching, reports. */
    SHEDDABLE;

    /** The word of the policy file: {@code sheddable-plus}. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The criticality of that exact policy word, or empty when there is none. */
    public static Optional<Criticality> named(String policyName) {
        for (Criticality criticality : values()) {
            if (criticality.policyName().equals(policyName)) {
                return Optional.of(criticality);
            }
        }
        return Optional.empty();
    }
}
