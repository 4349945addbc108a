package dev.weir.load;

import org.jspecify.annotations.Nullable;

/**
 * What a gate must know of a call.
 *
 * @param pool the index of its pool in the gate's settings; 0 for a gate without pools
 * @param tenant on whose behalf it comes, if that is known
 * @param criticality how much it matters
 * @param deadlineNanos until when an answer is of use, on the gate's ticker; {@link #NO_DEADLINE} for ever
 */
public record GateCall(int pool, @Nullable String tenant, Criticality criticality, long deadlineNanos) {

    /** The call may wait for ever. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** A call of the first pool, of no tenant, without deadline. */
    public static GateCall of(Criticality criticality) {
        return new GateCall(0, null, criticality, NO_DEADLINE);
    }

    boolean hasDeadline() {
        return deadlineNanos != NO_DEADLINE;
    }
}
