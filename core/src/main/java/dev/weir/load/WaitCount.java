package dev.weir.load;

/** How long calls waited that were let in. Guarded by its gate's lock. */
final class WaitCount {

    private long count;
    private long totalNanos;
    private long longestNanos;

    void waited(long forNanos) {
        count++;
        totalNanos += forNanos;
        longestNanos = Math.max(longestNanos, forNanos);
    }

    GateFigures.Waits figures() {
        return new GateFigures.Waits(count, totalNanos, longestNanos);
    }
}
