package dev.weir.rate;

import java.util.Locale;
import java.util.Optional;

/** How a budget refills. {@link RateLimit} says which numbers each one reads. */
public enum Algorithm {
    /**
     * A bucket of {@code burst} units that refills at the rate, kept as one timestamp (the generic cell rate algorithm). The
     * default. The names {@code gcra} and {@code leaky-bucket} decide the same and are accepted for it.
     */
    TOKEN_BUCKET,
    /** {@code count} units in each window; windows are multiples of the period from the epoch. Up to twice the count may pass across an edge. */
    FIXED_WINDOW,
    /** The previous window's count weighed by how much of it still overlaps, plus the current one's. Two numbers a key. */
    SLIDING_WINDOW,
    /** The exact times of the grants in the last period. As many numbers a key as the count: for limits that are few and low. */
    SLIDING_LOG,
    /** Turns at even distance: a call is told when to start, up to {@code depth} turns ahead. For pacing what goes out. */
    LEAKY_QUEUE,
    /** {@code count} units in each hour, day, week, month or year of a time zone. */
    QUOTA;

    /** The word of the policy file: {@code token-bucket}. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The algorithm of that policy word, {@code gcra} and {@code leaky-bucket} included, or empty when there is none. */
    public static Optional<Algorithm> named(String policyName) {
        if (policyName.equals("gcra") || policyName.equals("leaky-bucket")) {
            return Optional.of(TOKEN_BUCKET);
        }
        for (Algorithm algorithm : values()) {
            if (algorithm.policyName().equals(policyName)) {
                return Optional.of(algorithm);
            }
        }
        return Optional.empty();
    }
}
