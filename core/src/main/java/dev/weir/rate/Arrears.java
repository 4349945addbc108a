package dev.weir.rate;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one key was granted under one limit while its store was away, and what of it the store must still hear of: of a bucket the
 * backlog, of windows the grants of the window that is still current (and of the one before where that counts), of a log the grants inside
 * its window. Bounded: windows keep the grants of a 32nd of their length as one, with the time of the last. Not thread safe.
 */
public final class Arrears {

    private static final int SLICES = 32;

    private final RateLimit limit;
    private final @Nullable Meter bucket;
    private final ArrayDeque<Grants> grants = new ArrayDeque<>();
    private long state;

    /** Units that were granted at one time, or shortly before it. */
    private record Grants(long slice, long nanos, long units) {}

    /**
     * Units that the store must still hear of.
     *
     * @param units how many
     * @param ageNanos how long ago they were granted; 0 for what a bucket still has to refill
     */
    public record Part(long units, long ageNanos) {}

    /** Nothing granted yet. */
    public Arrears(RateLimit limit, long nowNanos) {
        this.limit = limit;
        boolean refills = limit.algorithm() == Algorithm.TOKEN_BUCKET || limit.algorithm() == Algorithm.LEAKY_QUEUE;
        bucket = refills ? Meter.of(limit) : null;
        state = bucket == null ? 0 : bucket.fresh(nowNanos);
    }

    /**
     * Units were granted. Answers the mark by which they can be {@linkplain #remove taken out} again.
     *
     * @param nowNanos of a monotonic clock
     * @param wallNanos since the epoch, for the edges of windows
     */
    public long add(long nowNanos, long wallNanos, long units) {
        if (bucket != null) {
            long mark = bucket.mark(state, nowNanos);
            state = bucket.charged(state, nowNanos, units);
            return mark;
        }
        long slice = slice(wallNanos, nowNanos);
        Grants last = grants.peekLast();
        if (last != null && last.slice == slice) {
            grants.removeLast();
            grants.addLast(new Grants(slice, nowNanos, Math.min(2 * limit.capacity(), last.units + units)));
        } else {
            grants.addLast(new Grants(slice, nowNanos, units));
        }
        drop(nowNanos);
        return nowNanos;
    }

    /** Units with that mark were given back after all. */
    public void remove(long mark, long nowNanos, long units) {
        if (bucket != null) {
            state = bucket.givenBack(state, nowNanos, units, mark);
            return;
        }
        long left = units;
        List<Grants> kept = new ArrayList<>();
        while (left > 0 && !grants.isEmpty()) {
            Grants last = grants.removeLast();
            long taken = last.nanos - mark >= 0 ? Math.min(left, last.units) : 0;
            left -= taken;
            if (last.units > taken) {
                kept.add(0, new Grants(last.slice, last.nanos, last.units - taken));
            }
            if (last.nanos - mark < 0) {
                break;
            }
        }
        kept.forEach(grants::addLast);
    }

    /** What the store must hear of now. */
    public List<Part> parts(long nowNanos) {
        if (bucket != null) {
            long owed = bucket.used(state, nowNanos);
            return owed == 0 ? List.of() : List.of(new Part(owed, 0));
        }
        drop(nowNanos);
        return grants.stream()
                .map(each -> new Part(each.units, Math.max(0, nowNanos - each.nanos)))
                .toList();
    }

    /** What is so old that it matters in no window. */
    private void drop(long nowNanos) {
        long matters = limit.algorithm() == Algorithm.SLIDING_WINDOW ? 2 * windowNanos() : windowNanos();
        while (!grants.isEmpty()
                && (nowNanos - grants.getFirst().nanos >= matters || grants.size() > 2 * limit.capacity() + SLICES)) {
            grants.removeFirst();
        }
    }

    private long windowNanos() {
        return limit.algorithm() == Algorithm.QUOTA
                ? limit.calendarPeriod().orElseThrow().longestNanos()
                : limit.periodNanos();
    }

    /** Grants of one slice count as one: never across the edge of a window. A log keeps each, as many as a
     * store takes of them. */
    private long slice(long wallNanos, long nowNanos) {
        long length = Math.max(1, windowNanos() / SLICES);
        return switch (limit.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW -> {
                long number = Math.floorDiv(wallNanos, limit.periodNanos());
                yield number * (SLICES + 1) + (wallNanos - number * limit.periodNanos()) / length;
            }
            case QUOTA -> {
                Instant start =
                        limit.calendarPeriod().orElseThrow().start(Instant.ofEpochSecond(0, wallNanos), limit.zone());
                long startNanos = start.getEpochSecond() * 1_000_000_000L + start.getNano();
                yield startNanos + (wallNanos - startNanos) / length;
            }
            default -> nowNanos;
        };
    }
}
