package dev.weir.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What replacing one policy by another does to the counts of its limits. Names of limits: those still there in the order of the new
 * policy, those gone in the order of the old one.
 *
 * @param kept keep what was used: their {@link Limit#stateIdentity} is the same
 * @param reset start fresh although a limit of that name was there: key, algorithm, window or zone is another
 * @param added were not there; a limit that was renamed is one of these
 * @param removed are there no more; a limit's former name is one of these
 * @param relearning gates that find their limit anew, since their way of finding it is another; what is in flight stays
 */
public record Changes(
        List<String> kept, List<String> reset, List<String> added, List<String> removed, List<String> relearning) {

    public Changes {
        kept = List.copyOf(kept);
        reset = List.copyOf(reset);
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        relearning = List.copyOf(relearning);
    }

    /** What becomes of the limits when {@code after} takes the place of {@code before}. */
    public static Changes between(Policy before, Policy after) {
        Map<String, Limit> former = new LinkedHashMap<>();
        for (Limit limit : before.limits()) {
            former.put(limit.name(), limit);
        }
        List<String> kept = new ArrayList<>();
        List<String> reset = new ArrayList<>();
        List<String> added = new ArrayList<>();
        for (Limit limit : after.limits()) {
            Limit old = former.remove(limit.name());
            if (old == null) {
                added.add(limit.name());
            } else if (old.stateIdentity().equals(limit.stateIdentity())) {
                kept.add(limit.name());
            } else {
                reset.add(limit.name());
            }
        }
        return new Changes(kept, reset, added, List.copyOf(former.keySet()), relearning(before, after));
    }

    private static List<String> relearning(Policy before, Policy after) {
        Map<String, GateRule> former = new LinkedHashMap<>();
        before.gates().forEach(gate -> former.put(gate.name(), gate));
        return after.gates().stream()
                .filter(gate -> former.containsKey(gate.name()) && !sameWay(former.get(gate.name()), gate))
                .map(GateRule::name)
                .toList();
    }

    private static boolean sameWay(@Nullable GateRule before, GateRule after) {
        return before != null
                && before.settings()
                        .concurrency()
                        .getClass()
                        .equals(after.settings().concurrency().getClass());
    }
}
