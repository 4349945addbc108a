package dev.weir.sim;

import com.netflix.concurrency.limits.Limit;
import java.util.OptionalInt;

/** Asks an algorithm of Netflix's concurrency-limits, used as its own limiters use it. */
final class RivalDoor implements Door {

    private final Limit rival;
    private final VirtualTime time;
    private int inFlight;

    RivalDoor(Limit rival, VirtualTime time) {
        this.rival = rival;
        this.time = time;
    }

    @Override
    public void arrive(Send send, Instance instance) {
        if (inFlight >= rival.getLimit()) {
            instance.refused(send);
            return;
        }
        send.admittedNanos = time.nanos();
        send.inFlightThen = ++inFlight;
        instance.admitted(send);
    }

    @Override
    public void responding(Send send) {}

    @Override
    public void leave(Send send) {
        inFlight--;
        rival.onSample(send.admittedNanos, time.nanos() - send.admittedNanos, send.inFlightThen, send.abandoned);
    }

    @Override
    public void abandoned(Send send) {}

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public OptionalInt allowed() {
        return OptionalInt.of(rival.getLimit());
    }
}
