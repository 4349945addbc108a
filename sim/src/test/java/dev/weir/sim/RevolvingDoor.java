package dev.weir.sim;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import java.util.OptionalInt;

/** A door that takes a send for over, and learns nothing from it, when its client leaves, although the server still works on it. */
final class RevolvingDoor implements Door {

    private final Limit limit = Gradient2Limit.newDefault();
    private final VirtualTime time;
    private int inFlight;

    private RevolvingDoor(VirtualTime time) {
        this.time = time;
    }

    /** A contender with such doors. */
    static Contender contender() {
        return new Contender() {
            @Override
            public String name() {
                return "revolving";
            }

            @Override
            public Door door(Scenario scenario, VirtualTime time) {
                return new RevolvingDoor(time);
            }
        };
    }

    @Override
    public void arrive(Send send, Instance instance) {
        if (inFlight >= limit.getLimit()) {
            instance.refused(send);
            return;
        }
        inFlight++;
        send.admittedNanos = time.nanos();
        instance.admitted(send);
    }

    @Override
    public void responding(Send send) {}

    @Override
    public void leave(Send send) {
        if (!send.abandoned) {
            inFlight--;
            limit.onSample(send.admittedNanos, time.nanos() - send.admittedNanos, inFlight + 1, false);
        }
    }

    @Override
    public void abandoned(Send send) {
        inFlight--;
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public OptionalInt allowed() {
        return OptionalInt.of(limit.getLimit());
    }
}
