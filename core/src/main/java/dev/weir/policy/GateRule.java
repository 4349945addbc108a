package dev.weir.policy;

import dev.weir.load.GateSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * One gate of a policy: which calls it holds, and how. Immutable.
 *
 * @param settings what the gate does; its name is the rule's
 * @param match which calls it holds
 * @param pools which of them are in which of the settings' pools, in their order; a call that none of these takes is in the last
 * @param tenant who a tenant is; empty when callers are not told apart
 * @param degradable which calls each of the settings' degrade steps is for, in their order
 * @param fallbacks what is done for calls whose dependency is out, instead of refusing them
 * @param mode whether it acts, is only recorded, or neither
 */
public record GateRule(
        GateSettings settings,
        Match match,
        List<Pool> pools,
        Optional<Key> tenant,
        List<Match> degradable,
        List<Fallback> fallbacks,
        Mode mode) {

    /** The mode in which an answer of a moment ago is enough. */
    public static final String STALE = "stale";

    /**
     * Which calls a pool has.
     *
     * @param match its calls; empty for all that no other pool takes
     * @param needs names of dependencies without which its calls are of no use
     */
    public record Pool(Optional<Match> match, List<String> needs) {
        public Pool {
            needs = List.copyOf(needs);
        }
    }

    /**
     * A cheaper way of serving calls whose dependency is out.
     *
     * @param dependency its name
     * @param mode what the handler is told
     * @param match which calls
     */
    public record Fallback(String dependency, String mode, Match match) {}

    /** Throws {@link IllegalArgumentException} when pools or steps do not go with those of the settings, or when the mode is for a share of keys. */
    public GateRule {
        pools = List.copyOf(pools);
        degradable = List.copyOf(degradable);
        fallbacks = List.copyOf(fallbacks);
        if (pools.size() != settings.pools().size()
                || degradable.size() != settings.degrade().size()) {
            throw new IllegalArgumentException("gate '" + settings.name() + "' has "
                    + settings.pools().size()
                    + " pools and " + settings.degrade().size() + " steps, and conditions for " + pools.size() + " and "
                    + degradable.size());
        }
        if (mode.kind() == Mode.Kind.PARTIAL) {
            throw new IllegalArgumentException("gate '" + settings.name() + "' has no keys to act for a share of");
        }
    }

    /** Holds every call, without pools, and is enforced. */
    public static GateRule of(GateSettings settings) {
        return new GateRule(
                settings,
                Match.ANY,
                settings.pools().stream()
                        .map(pool -> new Pool(Optional.empty(), List.of()))
                        .toList(),
                Optional.empty(),
                settings.degrade().stream().map(step -> Match.ANY).toList(),
                List.of(),
                Mode.ENFORCE);
    }

    /** What it is called. */
    public String name() {
        return settings.name();
    }

    /**
     * In which cheaper ways a call is served, in the policy's order: those of the steps in force that are for it. {@code stale} is for GET and
     * HEAD alone, whatever the step says.
     *
     * @param inForce whether the step of that index is in force
     */
    public List<String> degrade(Call call, IntPredicate inForce) {
        List<String> modes = new ArrayList<>(0);
        for (int step = 0; step < degradable.size(); step++) {
            String mode = settings.degrade().get(step).mode();
            if (inForce.test(step)
                    && !modes.contains(mode)
                    && isFor(call, mode)
                    && degradable.get(step).matches(call)) {
                modes.add(mode);
            }
        }
        return List.copyOf(modes);
    }

    /** In which cheaper way a call is served while that dependency is out; empty when it has to be refused. */
    public Optional<String> without(String dependency, Call call) {
        return fallbacks.stream()
                .filter(fallback -> fallback.dependency().equals(dependency)
                        && isFor(call, fallback.mode())
                        && fallback.match().matches(call))
                .map(Fallback::mode)
                .findFirst();
    }

    private static boolean isFor(Call call, String mode) {
        return !mode.equals(STALE)
                || call.method().equals("GET")
                || call.method().equals("HEAD");
    }

    /** The index of the pool that has a call: of the first that matches, else of the one that takes the rest. 0 without pools. */
    int poolOf(Call call) {
        int rest = Math.max(0, pools.size() - 1);
        for (int pool = 0; pool < pools.size(); pool++) {
            Optional<Match> match = pools.get(pool).match();
            if (match.isEmpty()) {
                rest = pool;
            } else if (match.get().matches(call)) {
                return pool;
            }
        }
        return rest;
    }
}
