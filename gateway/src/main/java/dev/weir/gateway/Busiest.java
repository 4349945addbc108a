package dev.weir.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one limit with most decisions in the last {@value #PERIOD_MINUTES} to twice as many minutes. The space-saving sketch of Metwally,
 * Agrawal and El Abbadi: a newcomer takes the place of the key with the lowest count and starts from that count, so that no busy key is
 * missed, and a count is too high by at most {@link Entry#atMostTooHigh}. Thread safe; threads count in stripes.
 */
final class Busiest {

    /** How many keys are told at most. */
    static final int TOP = 100;

    static final int PERIOD_MINUTES = 10;

    /** Longer keys are not kept. */
    static final int MAX_KEY_CHARS = 512;

    private static final int KEPT = 128;
    private static final int STRIPES = 4;

    private final Sketch[] stripes = new Sketch[STRIPES];

    /**
     * One key.
     *
     * @param decisions how many, at most {@code atMostTooHigh} of them another's
     * @param refusals how many of them this limit refused, be it in shadow
     */
    record Entry(String key, long decisions, long refusals, long atMostTooHigh) {

        private Entry plus(Entry other) {
            return new Entry(
                    key, decisions + other.decisions, refusals + other.refusals, atMostTooHigh + other.atMostTooHigh);
        }
    }

    private static final class Slot {
        private final String key;
        private final long inherited;
        private long decisions;
        private long refusals;

        Slot(String key, long inherited) {
            this.key = key;
            this.inherited = inherited;
            decisions = inherited;
        }

        Entry entry() {
            return new Entry(key, decisions, refusals, inherited);
        }
    }

    /** What some of the threads counted. */
    private static final class Sketch {
        private Map<String, Slot> slots = new HashMap<>(2 * KEPT);
        private List<Entry> before = List.of();

        synchronized void add(String key, boolean refused) {
            Slot slot = slots.get(key);
            if (slot == null) {
                slot = new Slot(key, slots.size() < KEPT ? 0 : evicted());
                slots.put(key, slot);
            }
            slot.decisions++;
            slot.refusals += refused ? 1 : 0;
        }

        private long evicted() {
            @Nullable Slot least = null;
            for (Slot slot : slots.values()) {
                least = least == null || slot.decisions < least.decisions ? slot : least;
            }
            if (least == null) {
                return 0;
            }
            slots.remove(least.key);
            return least.decisions;
        }

        synchronized void turn() {
            before = slots.values().stream().map(Slot::entry).toList();
            slots = new HashMap<>(2 * KEPT);
        }

        synchronized List<Entry> entries() {
            List<Entry> entries = new ArrayList<>(before);
            slots.values().forEach(slot -> entries.add(slot.entry()));
            return entries;
        }
    }

    Busiest() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Sketch();
        }
    }

    /** The limit decided about a key. */
    void add(String key, boolean refused) {
        if (key.length() <= MAX_KEY_CHARS) {
            stripes[(int) (Thread.currentThread().getId() % STRIPES)].add(key, refused);
        }
    }

    /** A period is over: what was counted in the one before is forgotten. */
    void turn() {
        for (Sketch stripe : stripes) {
            stripe.turn();
        }
    }

    /** The busiest, most decisions first. */
    List<Entry> top(int count) {
        Map<String, Entry> merged = new HashMap<>();
        for (Sketch stripe : stripes) {
            stripe.entries().forEach(entry -> merged.merge(entry.key(), entry, Entry::plus));
        }
        return merged.values().stream()
                .sorted(Comparator.comparingLong(Entry::decisions).reversed().thenComparing(Entry::key))
                .limit(Math.min(count, TOP))
                .toList();
    }
}
