package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.policy.KeyDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the admin port remembers of decisions, in bounded memory: the latest, the busiest keys, and what shadows would have refused. Thread safe. */
final class Remembered {

    private final RecentDecisions recent = new RecentDecisions();
    private final Map<String, Busiest> busiest = new ConcurrentHashMap<>();
    private final Map<String, ShadowCount> shadows = new ConcurrentHashMap<>();

    RecentDecisions recent() {
        return recent;
    }

    /** A call was decided. */
    void decided(String requestId, GatewayCall call, Decision decision) {
        long now = System.currentTimeMillis();
        recent.add(now, requestId, call.route(), call.method(), call.path(), decision);
        for (Decision.Judged line : decision.judged()) {
            busiestOf(line.limit()).add(line.key(), line.refused());
        }
        for (Decision.Judged line : decision.shadows()) {
            busiestOf(line.limit()).add(line.key(), line.refused());
            if (line.refused()) {
                shadowOf(line.limit()).refused(line.key(), now);
            } else {
                shadowOf(line.limit()).passed();
            }
        }
    }

    private Busiest busiestOf(String limit) {
        Busiest known = busiest.get(limit);
        return known != null ? known : busiest.computeIfAbsent(limit, added -> new Busiest());
    }

    private ShadowCount shadowOf(String limit) {
        ShadowCount known = shadows.get(limit);
        return known != null ? known : shadows.computeIfAbsent(limit, added -> new ShadowCount());
    }

    /** The busiest keys of a limit. */
    List<Busiest.Entry> busiest(String limit, int count) {
        return busiestOf(limit).top(count);
    }

    /** What was counted of limits in shadow, by their names. */
    Map<String, ShadowCount.Told> shadows() {
        Map<String, ShadowCount.Told> told = new TreeMap<>();
        shadows.forEach((limit, count) -> told.put(limit, count.told()));
        return told;
    }

    /** Forgets the limits that are there no more. */
    void keepOnly(Set<String> limits) {
        busiest.keySet().retainAll(limits);
        shadows.keySet().retainAll(limits);
    }

    /** A period of the busiest keys is over. */
    void turn() {
        busiest.values().forEach(Busiest::turn);
    }

    /** The key of a SHA-256, when it is among the busiest or in the latest decisions. */
    Optional<String> keyOf(String sha256) {
        Stream<String> known = Stream.concat(
                busiest.values().stream()
                        .flatMap(keys -> keys.top(Busiest.TOP).stream().map(Busiest.Entry::key)),
                recent.newestFirst().stream()
                        .flatMap(entry -> Stream.concat(entry.judged().stream(), entry.shadows().stream()))
                        .map(Decision.Judged::key));
        return known.distinct()
                .filter(key -> KeyDigest.sha256(key).equals(sha256))
                .findFirst();
    }
}
