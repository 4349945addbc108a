package dev.weir.load;

import java.util.Locale;

/** Why a window of answers moved the limit, or left it. */
public enum MoveReason {
    /** Latency leaves room, and what there is was used. */
    ROOM,
    /** Latency is above the baseline while nobody is refused. */
    LATENCY,
    /** An experiment begins: the limit is lowered, or raised off the floor, to see what that does to throughput. */
    EXPERIMENT,
    /** The experiment said that calls wait for each other: the lower limit loses nothing and stays. */
    QUEUEING,
    /** The experiment said that calls are slow by themselves: the limit goes up, and the slowness counts as normal. */
    INTRINSIC,
    /** The experiment told nothing, or told against the change: the limit is what it was. */
    RESTORED,
    /** Calls were dropped. */
    DROPPED,
    /** There was room, but less than half of the limit was used. */
    IDLE,
    /** At the floor, more in flight brought more throughput: the baseline had been too low. */
    OFF_THE_FLOOR,
    /** Nothing called for a change. */
    STEADY;

    /** The word of metrics and documents: {@code off-the-floor}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
