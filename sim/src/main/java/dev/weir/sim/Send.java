package dev.weir.sim;

import dev.weir.load.Entry;
import org.jspecify.annotations.Nullable;

/** One sending of a call, from the client to an instance and back. */
final class Send {

    final Call call;
    final long sentNanos;
    /** From 0 to 1, how much work it is: the place in the distribution of service times. */
    final double workDraw;

    /** Where it went. */
    @Nullable
    Instance instance;
    /** Answered or refused. */
    boolean ended;
    /** The client waits for it no longer. */
    boolean abandoned;
    /** What the gate gave for it. */
    long stamp;
    /** Its place in a gate's queue. */
    @Nullable
    Entry entry;
    /** When it got past the gate, and what was in flight then: what rivals want to be told. */
    long admittedNanos;

    int inFlightThen;
    /** How long the instance had stood still in all when a worker took it. */
    long standstillNanos;

    Send(Call call, long sentNanos, double workDraw) {
        this.call = call;
        this.sentNanos = sentNanos;
        this.workDraw = workDraw;
    }

    long deadlineNanos() {
        return sentNanos + call.crowd.settings().deadlineNanos();
    }
}
