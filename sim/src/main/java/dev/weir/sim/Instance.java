package dev.weir.sim;

import java.util.ArrayDeque;
import java.util.Optional;

/** A server behind its door: workers that take sends first come, first served. */
final class Instance {

    private final int number;
    private final FleetSettings fleet;
    private final ServerSettings server;
    private final Door door;
    private final Optional<Dependency> dependency;
    private final VirtualTime time;
    private final Meters meters;
    private final ArrayDeque<Send> queue = new ArrayDeque<>();
    private int busy;
    private long standsUntilNanos;
    private long standstillNanos;

    Instance(
            int number,
            FleetSettings fleet,
            Door door,
            Optional<Dependency> dependency,
            VirtualTime time,
            Meters meters) {
        this.number = number;
        this.fleet = fleet;
        this.server = fleet.server();
        this.door = door;
        this.dependency = dependency.map(d -> d.seenFrom(number));
        this.time = time;
        this.meters = meters;
    }

    /** Plans what happens to the server by itself. */
    void begin() {
        server.workers().atNanos().forEach(change -> time.at(change, this::work));
        server.pauses().ifPresent(this::planPause);
    }

    private void planPause(ServerSettings.Pauses pauses) {
        time.after(pauses.everyNanos(), () -> {
            standsUntilNanos = time.nanos() + pauses.lastNanos();
            standstillNanos += pauses.lastNanos();
            planPause(pauses);
        });
    }

    int inFlight() {
        return door.inFlight();
    }

    Door door() {
        return door;
    }

    /** Calls in flight that this instance needs for its full throughput. */
    double knee() {
        return server.knee(time.nanos()) / fleet.slowness(number, time.nanos());
    }

    void arrive(Send send) {
        if (time.nanos() < standsUntilNanos) {
            time.at(standsUntilNanos, () -> arrive(send));
            return;
        }
        send.instance = this;
        if (!send.abandoned) {
            door.arrive(send, this);
        }
    }

    /** The door let it in. */
    void admitted(Send send) {
        meters.inFlight().add(1);
        queue.add(send);
        work();
    }

    /** The door refused it. */
    void refused(Send send) {
        send.ended = true;
        meters.refused(inFlight(), knee());
        send.call.crowd.refused(send);
    }

    /** Its client has left. */
    void abandoned(Send send) {
        door.abandoned(send);
    }

    private void work() {
        while (busy < server.workers().at(time.nanos()) && !queue.isEmpty()) {
            busy++;
            Send send = queue.remove();
            send.standstillNanos = standstillNanos;
            time.after(serviceNanos(send), () -> worked(send));
        }
    }

    private long serviceNanos(Send send) {
        long now = time.nanos();
        double crowding = 1 + server.contention() * queue.size();
        return (long) (server.service().at(now).nanos(send.workDraw) * fleet.slowness(number, now) * crowding);
    }

    private void worked(Send send) {
        long owedNanos = standstillNanos - send.standstillNanos;
        if (owedNanos > 0) {
            send.standstillNanos = standstillNanos;
            time.after(owedNanos, () -> worked(send));
            return;
        }
        busy--;
        work();
        long delayNanos = server.delayNanos().at(time.nanos());
        if (delayNanos > 0) {
            time.after(delayNanos, () -> needDependency(send));
        } else {
            needDependency(send);
        }
    }

    private void needDependency(Send send) {
        if (dependency.isPresent() && dependency.get().isNeeded()) {
            dependency.get().call(well -> answer(send, well));
        } else {
            answer(send, true);
        }
    }

    private void answer(Send send, boolean well) {
        if (time.nanos() < standsUntilNanos) {
            time.at(standsUntilNanos, () -> answer(send, well));
            return;
        }
        door.responding(send);
        send.ended = true;
        meters.inFlight().add(-1);
        door.leave(send);
        send.call.crowd.answered(send, well);
    }
}
