package dev.weir.sim;

import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/** A door that takes a send for over when its client leaves, although the server still works on it. */
final class RevolvingDoor implements Door {

    private final Door door;
    private final Set<Send> left = new HashSet<>();

    private RevolvingDoor(Door door) {
        this.door = door;
    }

    /** A contender with such doors. */
    static Contender in(Contender contender) {
        return new Contender() {
            @Override
            public String name() {
                return "revolving";
            }

            @Override
            public Door door(Scenario scenario, VirtualTime time) {
                return new RevolvingDoor(contender.door(scenario, time));
            }
        };
    }

    @Override
    public void arrive(Send send, Instance instance) {
        door.arrive(send, instance);
    }

    @Override
    public void responding(Send send) {
        if (!left.contains(send)) {
            door.responding(send);
        }
    }

    @Override
    public void leave(Send send) {
        if (!left.remove(send)) {
            door.leave(send);
        }
    }

    @Override
    public void abandoned(Send send) {
        left.add(send);
        door.leave(send);
    }

    @Override
    public int inFlight() {
        return door.inFlight();
    }

    @Override
    public OptionalInt allowed() {
        return door.allowed();
    }
}
