package dev.weir;

import java.time.Instant;

/** See {@link Ticker#wall()}. */
final class WallTicker implements Ticker {

    static final WallTicker INSTANCE = new WallTicker();

    private static final long RESET_NANOS = 60_000_000_000L;

    private volatile Offset offset = read();

    private WallTicker() {}

    /** What to add to the monotonic clock, and when that was found out. One value, so that nobody sees half of a change. */
    private record Offset(long nanos, long readAt) {}

    private static Offset read() {
        long now = System.nanoTime();
        Instant wall = Instant.now();
        return new Offset(wall.getEpochSecond() * 1_000_000_000L + wall.getNano() - now, now);
    }

    @Override
    public long nanos() {
        long now = System.nanoTime();
        Offset current = offset;
        if (now - current.readAt >= RESET_NANOS) {
            current = read();
            offset = current;
        }
        return now + current.nanos;
    }
}
