package dev.weir.load;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls in flight for each key. Thread safe; holds the keys that have something in flight and no others, so that it is bounded by the calls
 * in flight themselves. Who enters must exit exactly once.
 */
public final class InFlightTable {

    private final ConcurrentHashMap<Long, Integer> inFlight = new ConcurrentHashMap<>();

    /** Counts one more for the key and answers true, or changes nothing and answers false when {@code limit} are in flight already. */
    public boolean tryEnter(long key, int limit) {
        boolean[] entered = new boolean[1];
        inFlight.compute(key, (k, held) -> {
            int now = held == null ? 0 : held;
            entered[0] = now < limit;
            return entered[0] ? Integer.valueOf(now + 1) : held;
        });
        return entered[0];
    }

    /** Counts one less for the key. */
    public void exit(long key) {
        inFlight.computeIfPresent(key, (k, held) -> held == 1 ? null : Integer.valueOf(held - 1));
    }

    /** How many the key has in flight. */
    public int inFlight(long key) {
        Integer held = inFlight.get(key);
        return held == null ? 0 : held;
    }

    /** How many keys have something in flight. */
    public int keys() {
        return inFlight.size();
    }
}
