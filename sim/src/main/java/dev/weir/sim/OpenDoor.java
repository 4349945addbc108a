package dev.weir.sim;

import java.util.OptionalInt;

/** Lets everybody in. */
final class OpenDoor implements Door {

    private int inFlight;

    @Override
    public void arrive(Send send, Instance instance) {
        inFlight++;
        instance.admitted(send);
    }

    @Override
    public void responding(Send send) {}

    @Override
    public void leave(Send send) {
        inFlight--;
    }

    @Override
    public void abandoned(Send send) {}

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public OptionalInt allowed() {
        return OptionalInt.empty();
    }
}
