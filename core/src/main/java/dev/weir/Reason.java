package dev.weir;

import dev.weir.load.GateReason;
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
    DRAINING,
    /** A dependency without which the call is of no use is out. 503. */
    DEPENDENCY_OUT,
    /** A limit of the fleet is closed while its store does not answer. 503. */
    STORE_AWAY,
    /** The gate keeps its last slots for calls that matter more. 503. */
    SHED,
    /** The gate has no slot, and no place to wait for one. 503. */
    FULL,
    /** Slots are scarce and the call's tenant has its share of them. 503. */
    TENANT_SHARE,
    /** The call's turn would come after its deadline. 503. */
    DEADLINE,
    /** The call waited at the gate as long as it may. 503. */
    WAIT_EXCEEDED;

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The same in the words of a decision. */
    static Reason of(GateReason reason) {
        return switch (reason) {
            case SHED -> SHED;
            case FULL -> FULL;
            case TENANT_SHARE -> TENANT_SHARE;
            case DEADLINE -> DEADLINE;
            case WAIT_EXCEEDED -> WAIT_EXCEEDED;
        };
    }

    /** The word in records, metrics and problem details: {@code over-limit}. */
    public String wireName() {
        return wireName;
    }
}
