package dev.weir.gateway;

import dev.weir.policy.Policy;
import dev.weir.rate.FleetSettings;
import dev.weir.rate.RateStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What was changed at run time: the fleet's where there is a store, this instance's otherwise, and then gone with its process. Outlasts
 * reloads of the policy file, and ends at its {@code until}. Thread safe.
 */
final class RuntimeChanges {

    private static final String PREFIX = "override/";
    private static final int REMEMBERED = 1_000;

    private final Optional<RateStore> store;
    private final Map<String, FleetSettings.Setting> own = new ConcurrentHashMap<>();
    private final Deque<Audited> audit = new ArrayDeque<>();

    /** What was done here. */
    record Audited(
            Instant at,
            String done,
            String limit,
            String field,
            @Nullable String value,
            Optional<Instant> until,
            String why) {}

    /** One change in force. */
    record Current(RuntimeChange change, Optional<Instant> until, String why) {}

    RuntimeChanges(Optional<RateStore> store) {
        this.store = store;
    }

    /** Those in force at that time, in the order of their names. */
    List<Current> current(Instant now) {
        Map<String, FleetSettings.Setting> settings = new TreeMap<>(
                store.isPresent() ? store.get().settings().snapshot().settings() : own);
        List<Current> current = new ArrayList<>();
        settings.forEach((name, setting) -> {
            boolean holds =
                    setting.until().isEmpty() || now.isBefore(setting.until().get());
            String[] place = name.split("/", 3);
            String[] text = setting.value().split("\n", 2);
            if (holds && name.startsWith(PREFIX) && place.length == 3) {
                current.add(new Current(
                        new RuntimeChange(place[1], place[2], text[0]),
                        setting.until(),
                        text.length > 1 ? text[1] : ""));
            }
        });
        return current;
    }

    /** The policy with all of them; one that does not fit it any more is left out. */
    Policy on(Policy policy, Instant now) {
        Policy changed = policy;
        for (Current each : current(now)) {
            try {
                changed = each.change().on(changed);
            } catch (IllegalArgumentException e) {
                // Listed as not in force: the file has changed since.
            }
        }
        return changed;
    }

    /** Whether it took; false when the store gave no answer. Blocks for the store's answer. */
    boolean set(RuntimeChange change, Optional<Instant> until, String why, Instant now) {
        FleetSettings.Setting setting = new FleetSettings.Setting(change.value() + "\n" + why, until);
        boolean done = store.map(s -> s.settings()
                        .put(name(change.limit(), change.field()), setting.value(), until)
                        .toCompletableFuture()
                        .join()
                        .isPresent())
                .orElseGet(() -> {
                    own.put(name(change.limit(), change.field()), setting);
                    return true;
                });
        if (done) {
            audited(new Audited(now, "set", change.limit(), change.field(), change.value(), until, why));
        }
        return done;
    }

    /** Whether it took; false when the store gave no answer. Blocks for the store's answer. */
    boolean remove(String limit, String field, Instant now) {
        boolean done = store.map(s -> s.settings()
                        .remove(name(limit, field))
                        .toCompletableFuture()
                        .join()
                        .isPresent())
                .orElseGet(() -> {
                    own.remove(name(limit, field));
                    return true;
                });
        if (done) {
            audited(new Audited(now, "removed", limit, field, null, Optional.empty(), ""));
        }
        return done;
    }

    private static String name(String limit, String field) {
        return PREFIX + limit + "/" + field;
    }

    private synchronized void audited(Audited entry) {
        audit.addFirst(entry);
        if (audit.size() > REMEMBERED) {
            audit.removeLast();
        }
    }

    /** What was done here, the latest first. */
    synchronized List<Audited> audit() {
        return List.copyOf(audit);
    }
}
