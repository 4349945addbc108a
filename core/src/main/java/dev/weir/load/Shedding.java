package dev.weir.load;

import java.util.EnumMap;
import java.util.Map;

/** Which calls are refused while there still are slots, so that others find some. Immutable. */
public sealed interface Shedding {

    /** Nobody is refused early. */
    Shedding NONE = new Thresholds(Map.of());

    /** Whether a call of that criticality is refused, when {@code used} slots are in use and {@code left} can be had. */
    boolean sheds(Criticality criticality, int used, int left);

    /** Whether a call of that criticality is refused early when the gate is full. */
    boolean shedsWhenFull(Criticality criticality);

    /** By the share of the slots that are in use: at or above its share a criticality is refused. 1 or none is never. */
    record Thresholds(Map<Criticality, Double> shares) implements Shedding {
        public Thresholds {
            shares.forEach((criticality, share) -> {
                if (!(share > 0 && share <= 1)) {
                    throw new IllegalArgumentException("shed " + criticality.policyName() + " at " + share
                            + ": it must be above 0, and at most 1");
                }
                if (criticality == Criticality.CRITICAL_PLUS && share < 1) {
                    throw new IllegalArgumentException("critical-plus is never shed");
                }
            });
            shares = Map.copyOf(shares);
        }

        @Override
        public boolean sheds(Criticality criticality, int used, int left) {
            double share = shares.getOrDefault(criticality, 1.0);
            return share < 1 && used + 1e-9 >= share * (used + left);
        }

        @Override
        public boolean shedsWhenFull(Criticality criticality) {
            return shares.getOrDefault(criticality, 1.0) < 1;
        }
    }

    /** By slots that are kept for a criticality and all above it: who is below them is refused when no more than those are left. */
    record Reserve(Map<Criticality, Integer> slots) implements Shedding {
        public Reserve {
            slots.forEach((criticality, count) -> {
                if (count < 0) {
                    throw new IllegalArgumentException(
                            "reserve of " + count + " for " + criticality.policyName() + ": it cannot be below 0");
                }
            });
            slots = Map.copyOf(slots);
        }

        @Override
        public boolean sheds(Criticality criticality, int used, int left) {
            int kept = keptFrom(criticality);
            return kept > 0 && left <= kept;
        }

        @Override
        public boolean shedsWhenFull(Criticality criticality) {
            return keptFrom(criticality) > 0;
        }

        private int keptFrom(Criticality criticality) {
            int kept = 0;
            for (Map.Entry<Criticality, Integer> reserve : slots.entrySet()) {
                if (reserve.getKey().compareTo(criticality) < 0) {
                    kept += reserve.getValue();
                }
            }
            return kept;
        }
    }

    /** Thresholds of the two sheddable criticalities. */
    static Shedding thresholds(double sheddable, double sheddablePlus) {
        Map<Criticality, Double> shares = new EnumMap<>(Criticality.class);
        shares.put(Criticality.SHEDDABLE, sheddable);
        shares.put(Criticality.SHEDDABLE_PLUS, sheddablePlus);
        return new Thresholds(shares);
    }
}
