package dev.weir.redis;

import dev.weir.rate.FleetCharge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this instance holds in flight, by count. Every question and every heartbeat says the whole number, with a sequence that rises, so that
 * whatever got lost is mended by the next. Calls that are being decided count as held until they are. Thread safe behind one lock.
 */
final class Holds {

    private final Map<String, Hold> holds = new HashMap<>();
    private long sequence;

    private static final class Hold {
        final FleetCharge charge;
        long held;
        long asking;
        /** What the store was told last. */
        long told;

        boolean unsure;

        Hold(FleetCharge charge) {
            this.charge = charge;
        }

        long all() {
            return held + asking;
        }
    }

    /**
     * A whole number to be told.
     *
     * @param charge whose
     * @param name of the key
     * @param count how many
     * @param sequence its place among all that the store is told
     */
    record Told(FleetCharge charge, String name, long count, long sequence) {}

    /**
     * A question under way.
     *
     * @param before how many were held, those included that are being asked for
     * @param sequence its place among all that the store is told
     */
    record Asked(long before, long sequence) {}

    /** How many are held, those included that are being asked for. */
    synchronized long all(String name) {
        Hold hold = holds.get(name);
        return hold == null ? 0 : hold.all();
    }

    /** So many calls are going to ask. */
    synchronized Asked ask(String name, FleetCharge charge, long calls) {
        Hold hold = holds.computeIfAbsent(name, n -> new Hold(charge));
        long before = hold.all();
        hold.asking += calls;
        return new Asked(before, ++sequence);
    }

    /** The store answered; it now believes in {@code before + granted} unless nothing was granted. */
    synchronized void answered(String name, long before, long granted, long refused) {
        Hold hold = holds.get(name);
        if (hold != null) {
            hold.asking -= granted + refused;
            hold.held += granted;
            hold.told = granted > 0 ? before + granted : hold.told;
        }
    }

    /** The store did not answer. */
    synchronized void lost(String name, long calls) {
        Hold hold = holds.get(name);
        if (hold != null) {
            hold.asking -= calls;
            hold.unsure = true;
        }
    }

    /** A call ended; false when none was held. */
    synchronized boolean release(String name) {
        Hold hold = holds.get(name);
        if (hold == null || hold.held == 0) {
            return false;
        }
        hold.held--;
        return true;
    }

    /** All numbers, or only those that the store does not know yet. What is at nought is forgotten here. */
    synchronized List<Told> tell(boolean everything) {
        List<Told> news = new ArrayList<>();
        sequence++;
        holds.entrySet().removeIf(entry -> {
            Hold hold = entry.getValue();
            if (everything || hold.unsure || hold.told != hold.all()) {
                news.add(new Told(hold.charge, entry.getKey(), hold.all(), sequence));
                hold.told = hold.all();
                hold.unsure = false;
            }
            return hold.all() == 0;
        });
        return news;
    }

    /** What was told of that count did not arrive. */
    synchronized void unsure(String name, FleetCharge charge) {
        holds.computeIfAbsent(name, n -> new Hold(charge)).unsure = true;
    }

    /** Everything ends. */
    synchronized void releaseAll() {
        holds.values().forEach(hold -> hold.held = 0);
    }
}
