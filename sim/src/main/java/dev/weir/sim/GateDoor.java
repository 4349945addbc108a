package dev.weir.sim;

import dev.weir.load.Entry;
import dev.weir.load.Gate;
import dev.weir.load.GateCall;
import dev.weir.load.GateRefusal;
import dev.weir.load.MoveReason;
import dev.weir.load.Outcome;
import dev.weir.load.Waiter;
import java.util.Map;
import java.util.OptionalInt;

/** Asks the production gate, as an adapter of a server does. */
final class GateDoor implements Door {

    private final Gate gate;
    private final Pools pools;
    private final VirtualTime time;
    private long expiryPlannedNanos = Long.MAX_VALUE;

    GateDoor(Gate gate, Pools pools, VirtualTime time) {
        this.gate = gate;
        this.pools = pools;
        this.time = time;
    }

    /** The numbers of the gate's pools. */
    interface Pools {
        int of(ClientSettings client);
    }

    Gate gate() {
        return gate;
    }

    @Override
    public void arrive(Send send, Instance instance) {
        ClientSettings client = send.call.crowd.settings();
        GateCall asked = new GateCall(
                pools.of(client),
                client.tenant().orElse(null),
                send.call.criticality,
                client.tellsDeadline() ? send.deadlineNanos() : GateCall.NO_DEADLINE);
        if (gate.judge(asked).isPresent()) {
            instance.refused(send);
            return;
        }
        Told told = new Told(send, instance);
        Entry entry = gate.enter(asked, told);
        entry.stamp().ifPresent(told::admitted);
        entry.refusal().ifPresent(told::refused);
        send.entry = entry;
        planExpiry();
    }

    private record Told(Send send, Instance instance) implements Waiter {
        @Override
        public void admitted(long stamp) {
            send.stamp = stamp;
            instance.admitted(send);
        }

        @Override
        public void refused(GateRefusal refusal) {
            instance.refused(send);
        }
    }

    private void planExpiry() {
        long next = gate.nextExpiryNanos();
        if (next < expiryPlannedNanos) {
            expiryPlannedNanos = next;
            time.at(next, this::expire);
        }
    }

    private void expire() {
        expiryPlannedNanos = Long.MAX_VALUE;
        gate.expire();
        planExpiry();
    }

    @Override
    public void responding(Send send) {
        if (!send.abandoned) {
            gate.responseStarted(send.stamp);
        }
    }

    @Override
    public void leave(Send send) {
        gate.exit(send.stamp, send.abandoned ? Outcome.IGNORED : Outcome.SUCCESS);
    }

    @Override
    public void abandoned(Send send) {
        if (send.entry != null) {
            send.entry.cancel();
        }
    }

    @Override
    public int inFlight() {
        return gate.inFlight();
    }

    @Override
    public OptionalInt allowed() {
        return OptionalInt.of(gate.limit());
    }

    @Override
    public Map<MoveReason, Long> moves() {
        return gate.figures().moves();
    }
}
