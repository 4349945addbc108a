package dev.weir.rate;

import java.util.OptionalLong;

/**
 * The exact times of the grants in the last window: at most {@code count} in any window, half-open, so that a grant of exactly that age has
 * expired. The same functions as a {@link Meter}, over a {@link LogRing} that a shell guards. Refused calls leave no entry.
 */
record SlidingLog(long count, long windowNanos) {

    SlidingLog(RateLimit limit) {
        this(limit.count(), limit.periodNanos());
    }

    long waitFor(LogRing log, long now, long cost) {
        if (cost > count) {
            return Meter.NEVER;
        }
        int expired = expired(log, now);
        long over = (long) log.size() - expired + cost - count;
        if (cost == 0 || over <= 0) {
            return Meter.NOW;
        }
        return log.get(expired + (int) over - 1) + windowNanos - now;
    }

    /** Enters a stamp for each unit, not before those already there; into debt of at most one count. */
    void charge(LogRing log, long now, long cost) {
        log.dropOldest(expired(log, now));
        long stamp = mark(log, now);
        for (long i = Math.min(cost, 2 * count - log.size()); i > 0; i--) {
            log.add(stamp);
        }
    }

    /** Enters a stamp for each unit where it belongs in time, unless it is over; whether any was entered. */
    boolean absorb(LogRing log, long now, long units, long ageNanos) {
        if (ageNanos >= windowNanos) {
            return false;
        }
        log.dropOldest(expired(log, now));
        long entered = Math.min(units, Math.max(0, 2 * count - log.size()));
        log.insert(now - ageNanos, entered);
        return entered > 0;
    }

    /** The stamp that a charge enters. */
    long mark(LogRing log, long now) {
        return log.size() > 0 && log.newest() - now > 0 ? log.newest() : now;
    }

    /** Whether forgetting the log changes nothing from {@code now} on. */
    boolean isFresh(LogRing log, long now) {
        return log.size() == 0 || now - log.newest() >= windowNanos;
    }

    long used(LogRing log, long now) {
        return (long) log.size() - expired(log, now);
    }

    Standing standing(LogRing log, long now) {
        long left = Math.max(0, count - used(log, now));
        long untilOneMore = left == count ? 0 : waitFor(log, now, left + 1);
        return new Standing(
                count, Standing.windowSeconds(windowNanos), left, OptionalLong.of(untilOneMore), false, false);
    }

    private int expired(LogRing log, long now) {
        int expired = 0;
        while (expired < log.size() && now - log.get(expired) >= windowNanos) {
            expired++;
        }
        return expired;
    }
}
