package dev.weir.sim;

import java.util.List;

/** Plays scenarios. Without state; the same scenario comes out the same each time, save for a rival that draws its own random numbers. */
public final class Simulation {

    private Simulation() {}

    /** Plays a scenario once for each of its contenders. */
    public static Report play(Scenario scenario) {
        List<Played> runs =
                scenario.contenders().stream().map(one -> play(scenario, one)).toList();
        return new Report(scenario, runs);
    }

    static Played play(Scenario scenario, Contender contender) {
        VirtualTime time = new VirtualTime();
        int seconds = scenario.seconds();
        Meters meters = new Meters(time, seconds, scenario.clients().size());
        Fleet fleet = new Fleet(scenario, contender, time, meters);
        fleet.begin();
        for (int i = 0; i < scenario.clients().size(); i++) {
            new Crowd(scenario.clients().get(i), i, scenario.seed(), time, fleet, meters).begin();
        }
        double[] allowed = new double[seconds];
        for (int second = 0; second < seconds; second++) {
            time.playUntil((second + 1) * Meters.SECOND);
            allowed[second] = fleet.instances().stream()
                    .mapToInt(each -> each.door().allowed().orElse(0))
                    .average()
                    .orElse(0);
        }
        return new Played(scenario, contender, meters, allowed, fleet.instances());
    }
}
