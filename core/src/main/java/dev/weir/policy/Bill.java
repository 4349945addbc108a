package dev.weir.policy;

import dev.weir.load.Criticality;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a policy means for one call, before anything is counted.
 *
 * @param exempt why nothing applies to the call; empty when something may
 * @param criticality how much the call matters
 * @param lines a line for each limit that applies, in file order
 * @param entrance the gate that holds the call; empty when none does
 * @param timeLeftNanos how long the caller will still wait, as a trusted proxy says; empty when nobody says
 * @param failures how often the call threw when it was read; a limit that it threw for has no line, and a condition does not hold
 */
public record Bill(
        Optional<Exemption> exempt,
        Criticality criticality,
        List<Line> lines,
        Optional<Entrance> entrance,
        OptionalLong timeLeftNanos,
        int failures) {

    /**
     * How the call comes to its gate.
     *
     * @param gate the gate
     * @param pool the index of the call's pool there
     * @param tenant who is behind the call; empty text when the gate tells tenants apart and the call names none, empty when it does not
     */
    public record Entrance(GateRule gate, int pool, Optional<String> tenant) {}

    /** Why nothing applies to a call. */
    public enum Exemption {
        /** The policy's {@code exempt} lists it. */
        LISTED,
        /** It is a CORS preflight. */
        PREFLIGHT
    }

    /** Why a limit refuses a call whatever has been used. */
    public enum Block {
        /** The plan or override is {@code deny}. */
        DENIED,
        /** The call lacks the key. */
        KEY_MISSING,
        /** The call lacks the key, and should identify itself. */
        KEY_MISSING_UNAUTHORIZED,
        /** No plan row knows the key. */
        KEY_UNKNOWN,
        /** No plan row knows the key, and the call should identify itself. */
        KEY_UNKNOWN_UNAUTHORIZED
    }

    /**
     * One limit's line.
     *
     * @param limit the limit
     * @param countedBy the key expression that was used: the limit's own, or its fallback
     * @param key the text of who is counted; empty when the key is missing and the call is blocked for it
     * @param plan the caller's plan; empty when it has none
     * @param overridden whether an override of this key decides instead of plan and limit
     * @param budget what the key may use
     * @param cost units the call costs
     * @param enforced whether the limit acts for this key, or is shadow
     * @param block why it refuses without counting; empty when it counts
     */
    public record Line(
            Limit limit,
            Key countedBy,
            String key,
            Optional<String> plan,
            boolean overridden,
            Budget budget,
            long cost,
            boolean enforced,
            Optional<Block> block) {}
}
