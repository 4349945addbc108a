package dev.weir;

import java.util.Locale;

/** Why a call was refused. */
public enum Reason {
    /** A limit has less left than the call costs; waiting helps. 429. */
    OVER_LIMIT,
    /** The call costs more than the limit can ever hold; waiting does not help. 429 without Retry-After. */
    COST_ABOVE_LIMIT,
    /** The caller has as many calls in flight as it may. 429. */
    IN_FLIGHT_LIMIT,
    /** The caller's plan is {@code deny}. 403. */
    DENIED,
    /** The call lacks the key that a limit counts by. 400. */
    KEY_MISSING,
    /** The call lacks the key that a limit counts by, and should identify itself. 401. */
    KEY_MISSING_UNAUTHORIZED,
    /** No plan row knows the call's key. 403. */
    KEY_UNKNOWN,
    /** No plan row knows the call's key, and it should identify itself. 401. */
    KEY_UNKNOWN_UNAUTHORIZED,
    /** This instance is shutting down. 503. */
    DRAINING;

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The word in records, metrics and problem details: {@code over-limit}. */
    public String wireName() {
        return wireName;
    }
}
