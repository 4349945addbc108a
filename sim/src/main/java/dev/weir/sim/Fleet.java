package dev.weir.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The instances, and who takes the next call. */
final class Fleet {

    private final FleetSettings settings;
    private final List<Instance> instances = new ArrayList<>();
    private int next;

    /** Instances behind doors of one contender. */
    Fleet(Scenario scenario, Contender contender, VirtualTime time, Meters meters) {
        this.settings = scenario.fleet();
        Optional<Dependency> dependency = scenario.dependency().map(d -> new Dependency(d, time, meters));
        for (int i = 0; i < settings.instances(); i++) {
            Door door = contender.door(scenario, time);
            instances.add(new Instance(i, settings, door, dependency, time, meters));
        }
    }

    void begin() {
        instances.forEach(Instance::begin);
    }

    List<Instance> instances() {
        return instances;
    }

    void arrive(Send send) {
        chosen().arrive(send);
    }

    private Instance chosen() {
        next = (next + 1) % instances.size();
        Instance chosen = instances.get(next);
        if (settings.balance() == FleetSettings.Balance.LEAST_LOADED) {
            for (Instance each : instances) {
                chosen = each.inFlight() < chosen.inFlight() ? each : chosen;
            }
        }
        return chosen;
    }

    void abandoned(Send send) {
        if (send.instance != null) {
            send.instance.abandoned(send);
        }
    }
}
