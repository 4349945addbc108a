package dev.weir.cli.replay;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What one limit would have done. Grows with keys and with the minutes in which it refused, not with calls. */
public final class LimitReport {

    /** How many keys {@link #top} names. */
    public static final int TOP = 10;

    private final String name;
    private final Set<String> keys = new HashSet<>();
    private final Map<String, Long> refusedByKey = new HashMap<>();
    private final TreeMap<Long, Long> refusedByMinute = new TreeMap<>();
    private long granted;
    private long refused;
    private long longestWaitNanos;

    LimitReport(String name) {
        this.name = name;
    }

    void granted(String key) {
        granted++;
        keys.add(key);
    }

    void refused(String key, long epochNanos, long waitNanos) {
        refused++;
        keys.add(key);
        refusedByKey.merge(key, 1L, Long::sum);
        refusedByMinute.merge(Math.floorDiv(epochNanos, 60_000_000_000L), 1L, Long::sum);
        if (waitNanos != Long.MAX_VALUE) {
            longestWaitNanos = Math.max(longestWaitNanos, waitNanos);
        }
    }

    /** The limit's name. */
    public String name() {
        return name;
    }

    /** Calls that it would have let pass. */
    public long granted() {
        return granted;
    }

    /** Calls that it would have refused. */
    public long refused() {
        return refused;
    }

    /** Distinct keys that it counted. */
    public int keys() {
        return keys.size();
    }

    /** Keys of which it would have refused at least one call. */
    public int keysRefused() {
        return refusedByKey.size();
    }

    /** The longest wait it would have told anybody, in nanoseconds. */
    public long longestWaitNanos() {
        return longestWaitNanos;
    }

    /** One key and how many of its calls would have been refused. */
    public record Refused(String key, long refused) {}

    /** The keys that would have been refused most, most first, ties by key. */
    public List<Refused> top() {
        return refusedByKey.entrySet().stream()
                .map(entry -> new Refused(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(Refused::refused).reversed().thenComparing(Refused::key))
                .limit(TOP)
                .toList();
    }

    /** Refusals in each of {@code buckets} equal parts of the time from {@code from} to {@code to}. */
    public long[] over(Instant from, Instant to, int buckets) {
        long first = Math.floorDiv(from.getEpochSecond(), 60L);
        long minutes = Math.floorDiv(to.getEpochSecond(), 60L) - first + 1;
        long[] counts = new long[(int) Math.min(buckets, minutes)];
        refusedByMinute.forEach((minute, count) -> counts[(int) ((minute - first) * counts.length / minutes)] += count);
        return counts;
    }

    /** The minute in which it would have refused most, the earliest of several; empty when it refused nothing. */
    public Optional<Instant> worstMinute() {
        return refusedByMinute.entrySet().stream()
                .max(Map.Entry.<Long, Long>comparingByValue()
                        .thenComparing(Map.Entry.<Long, Long>comparingByKey().reversed()))
                .map(entry -> Instant.ofEpochSecond(entry.getKey() * 60));
    }

    /** How many it would have refused in its worst minute. */
    public long worstMinuteRefused() {
        return refusedByMinute.values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }
}
