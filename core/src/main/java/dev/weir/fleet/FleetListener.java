package dev.weir.fleet;

import dev.weir.rate.Charged;

/** Is told when limits are decided without their store, and when they are no longer. On a deciding thread, so it must be quick. */
public interface FleetListener {

    /** The store was asked about a call, or for units in advance, and that took so long. */
    default void asked(long tookNanos) {}

    /** The store gave no answer, for that cause: limits decide by their own choice from now on. */
    default void storeLost(Charged.Cause cause) {}

    /** The store decides again, and has been told what was granted without it. */
    default void storeBack() {}
}
