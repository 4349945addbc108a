package dev.weir.sim;

import dev.weir.load.MoveReason;
import java.util.Map;
import java.util.OptionalInt;

/** What stands in front of an instance and lets sends in, or does not. */
interface Door {

    /** A send asks. The instance is told what became of it, at once or later. */
    void arrive(Send send, Instance instance);

    /** The head of its answer is on its way. */
    void responding(Send send);

    /** Its work is over, and its client had left before or had not. */
    void leave(Send send);

    /** Its client has left, and it still waits or is worked on. */
    void abandoned(Send send);

    /** Sends let in and not yet over. */
    int inFlight();

    /** How many may be in flight now; empty: any number. */
    OptionalInt allowed();

    /** How many windows moved the limit, or left it, and why, where somebody says so. */
    default Map<MoveReason, Long> moves() {
        return Map.of();
    }
}
