package dev.weir.load;

/**
 * Who waits for a slot, and is told once on whichever thread decides it. Must not block. What it throws is counted and goes no further; a
 * slot that it was told of then is free again.
 */
public interface Waiter {

    /** It has a slot, to be let go by {@link Gate#exit}. */
    void admitted(long stamp);

    /** It gets none. */
    void refused(GateRefusal refusal);
}
