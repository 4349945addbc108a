package dev.weir.client;

import dev.weir.load.Criticality;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What must be known of a call to a dependency. Immutable.
 *
 * @param repeat whether it may be sent again
 * @param criticality how much it matters
 * @param timeLeftNanos for how long its answer is of use; empty for ever
 * @param inheritedAttempt which attempt of somebody else's call this is part of, from 1: that somebody tries again, and so nobody below
 *     does; empty when nobody above said so
 */
public record OutboundCall(
        Repeat repeat, Criticality criticality, OptionalLong timeLeftNanos, OptionalInt inheritedAttempt) {

    /** A call that is sent once. */
    public static final OutboundCall ONCE = of(Repeat.NEVER);
    /** A call that may be sent again. */
    public static final OutboundCall REPEATABLE = of(Repeat.SAFE);

    /** A critical call without deadline. */
    public static OutboundCall of(Repeat repeat) {
        return new OutboundCall(repeat, Criticality.CRITICAL, OptionalLong.empty(), OptionalInt.empty());
    }

    /** The same, mattering as much as that. */
    public OutboundCall criticality(Criticality criticality) {
        return new OutboundCall(repeat, criticality, timeLeftNanos, inheritedAttempt);
    }

    /** The same, whose answer is of use for so long. */
    public OutboundCall timeLeft(Duration left) {
        return new OutboundCall(repeat, criticality, OptionalLong.of(left.toNanos()), inheritedAttempt);
    }

    /**
     * The same with what its request says of itself: whether it may be sent again, its own timeout where that is shorter, and the attempt of
     * somebody else's call that it is part of, where that was not known.
     *
     * @param attemptField the value of {@value Sending#ATTEMPT_FIELD}; what is no number says nothing
     */
    public OutboundCall asSaid(Repeat said, OptionalLong ownTimeoutNanos, Optional<String> attemptField) {
        OptionalLong left = ownTimeoutNanos.isEmpty()
                ? timeLeftNanos
                : OptionalLong.of(Math.min(ownTimeoutNanos.getAsLong(), timeLeftNanos.orElse(Long.MAX_VALUE)));
        OptionalInt attempt = inheritedAttempt.isPresent()
                ? inheritedAttempt
                : attemptField
                        .filter(text -> text.matches("[0-9]{1,9}"))
                        .map(text -> OptionalInt.of(Integer.parseInt(text)))
                        .orElseGet(OptionalInt::empty);
        return new OutboundCall(said, criticality, left, attempt);
    }

    /** The same as a part of an attempt of somebody else's call. */
    public OutboundCall inherited(int attempt) {
        return new OutboundCall(repeat, criticality, timeLeftNanos, OptionalInt.of(attempt));
    }
}
