package dev.weir.gateway;

import dev.weir.rate.KeyHash;
import java.util.HashSet;
import java.util.Set;

/** What one limit would have refused while it was in shadow. Thread safe. */
final class ShadowCount {

    /** Up to how many keys are told apart. */
    static final int MAX_KEYS = 10_000;

    /** Of a limit that judged nothing yet. */
    static final Told NOTHING = new Told(0, 0, 0, 0, 0);

    private final Set<Long> keys = new HashSet<>();
    private long judged;
    private long refused;
    private long firstEpochMillis;
    private long lastEpochMillis;

    /**
     * What was counted.
     *
     * @param judged how many calls
     * @param refused how many of them would have been refused
     * @param keys of how many keys those were; {@value ShadowCount#MAX_KEYS} stands for that many or more
     * @param firstEpochMillis when the first would have been refused, if any
     * @param lastEpochMillis when the last would have been refused, if any
     */
    record Told(long judged, long refused, int keys, long firstEpochMillis, long lastEpochMillis) {}

    synchronized void passed() {
        judged++;
    }

    synchronized void refused(String key, long epochMillis) {
        judged++;
        firstEpochMillis = refused == 0 ? epochMillis : firstEpochMillis;
        lastEpochMillis = epochMillis;
        refused++;
        if (keys.size() < MAX_KEYS) {
            keys.add(KeyHash.text().hash(key, 0, 0));
        }
    }

    synchronized Told told() {
        return new Told(judged, refused, keys.size(), firstEpochMillis, lastEpochMillis);
    }
}
