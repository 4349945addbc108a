package dev.weir.gateway;

import dev.weir.Weir;
import dev.weir.fleet.FleetFigures;
import dev.weir.rate.StoreFigures;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the store is doing, and who shares it. */
final class FleetAnswers {

    private static final String EVICTS =
            "store-evicts: when its memory is full the store forgets counts: set its maxmemory-policy to noeviction";

    private final Weir weir;

    FleetAnswers(Weir weir) {
        this.weir = weir;
    }

    private static Answer noStore() {
        return Answer.problem(404, "Not Found", "there is no store; every instance counts for itself");
    }

    Answer store(Asked asked) {
        return weir.fleet().map(fleet -> Answer.json(200, store(fleet))).orElseGet(FleetAnswers::noStore);
    }

    private static Map<String, Object> store(FleetFigures fleet) {
        StoreFigures store = fleet.store();
        Map<String, Long> unavailable = new TreeMap<>();
        store.unavailable().forEach((cause, bills) -> unavailable.put(cause.word(), bills));
        return Answer.object(
                "state",
                store.state().word(),
                "away",
                fleet.away(),
                "calls",
                store.calls(),
                "commands",
                store.commands(),
                "unavailable",
                unavailable,
                "lost_give_backs",
                store.lostGiveBacks(),
                "lost_units",
                fleet.lostUnits(),
                "refused_from_memory",
                fleet.remembered(),
                "keys",
                store.keys(),
                "overflowed",
                store.overflowed(),
                "maxmemory_policy",
                store.maxmemoryPolicy().orElse(null),
                "evicted",
                store.evicted(),
                "trouble",
                store.trouble().orElse(null),
                "warnings",
                store.evicts() ? List.of(EVICTS) : List.of(),
                "leases",
                leases(fleet));
    }

    private static List<Map<String, Object>> leases(FleetFigures fleet) {
        return new TreeMap<>(fleet.leases())
                .entrySet().stream()
                        .map(lease -> Answer.object(
                                "limit",
                                lease.getKey(),
                                "units",
                                lease.getValue().units(),
                                "trips_saved",
                                lease.getValue().tripsSaved(),
                                "dropped",
                                lease.getValue().dropped()))
                        .toList();
    }

    Answer instances(Asked asked) {
        return weir.fleet()
                .map(fleet -> Answer.json(
                        200,
                        Answer.object(
                                "live",
                                fleet.instances().isPresent()
                                        ? fleet.instances().getAsInt()
                                        : null)))
                .orElseGet(FleetAnswers::noStore);
    }
}
