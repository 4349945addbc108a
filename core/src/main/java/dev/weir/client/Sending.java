package dev.weir.client;

import dev.weir.load.Gate;
import dev.weir.load.Outcome;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leave to send one attempt of a call, now. It holds a slot, and ends exactly once: by {@link #answered}, or by {@link #unsent} when nothing
 * was sent after all. Thread safe; ending a second time changes nothing and answers false.
 */
public final class Sending implements Leave {

    /**
     * The field of a request that says which attempt of a call this is, from 1. Whoever is told so does not try again by itself, so that
     * only one layer does.
     */
    public static final String ATTEMPT_FIELD = "Weir-Attempt";

    private final Outbound outbound;
    private final Asking asking;
    private final long number;
    private final long stamp;
    private final AtomicBoolean ended = new AtomicBoolean();

    Sending(Outbound outbound, Asking asking, long number, long stamp) {
        this.outbound = outbound;
        this.asking = asking;
        this.number = number;
        this.stamp = stamp;
    }

    /** Which attempt of its call this is, from 1. */
    public int attempt() {
        return asking.attempt();
    }

    /** What {@value #ATTEMPT_FIELD} is to say; empty when nobody tries again, here or above. */
    public OptionalInt announcedAttempt() {
        OptionalInt inherited = asking.call().inheritedAttempt();
        return inherited.isPresent() || !outbound.triesAgain() ? inherited : OptionalInt.of(attempt());
    }

    /** How long an answer is still of use, in nanoseconds and not below 0; empty for ever. */
    public OptionalLong timeLeftNanos() {
        return asking.timeLeftNanos();
    }

    /** Says how it was taken. The slot is free, and all who call this dependency know what its answer advises. */
    public boolean answered(PeerAnswer answer) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        outbound.answered(this, answer);
        return true;
    }

    /** Nothing was sent: as if nobody had asked. */
    public boolean unsent() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        outbound.unsent(this);
        return true;
    }

    long number() {
        return number;
    }

    Asking asking() {
        return asking;
    }

    void exit(Gate gate, Outcome outcome) {
        if (stamp != Gate.REFUSED) {
            gate.exit(stamp, outcome);
        }
    }
}
