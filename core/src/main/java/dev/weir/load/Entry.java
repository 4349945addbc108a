package dev.weir.load;

import java.util.Optional;
import java.util.OptionalLong;

/** What became of a call that asked to enter. Thread safe. */
public sealed interface Entry {

    /** The slot, when the call entered at once. */
    default OptionalLong stamp() {
        return OptionalLong.empty();
    }

    /** The refusal, when the call was refused at once. */
    default Optional<GateRefusal> refusal() {
        return Optional.empty();
    }

    /** Gives up waiting. True when it left no trace; false when there is nothing to give up, or the waiter has been told or is being told. */
    default boolean cancel() {
        return false;
    }

    /** It entered at once. The waiter is not told. */
    record Admitted(long admittedStamp) implements Entry {
        @Override
        public OptionalLong stamp() {
            return OptionalLong.of(admittedStamp);
        }
    }

    /** It was refused at once. The waiter is not told. */
    record Refused(GateRefusal because) implements Entry {
        @Override
        public Optional<GateRefusal> refusal() {
            return Optional.of(because);
        }
    }

    /** It waits: the waiter will be told, unless this is cancelled first. */
    non-sealed interface Parked extends Entry {}
}
