package dev.weir.fleet;

/** How many units were used lately: the present stretch of time and what of the one before it still overlaps. Not thread safe. */
final class RecentUse {

    private static final long STRETCH = LeaseTerms.USE_NANOS;

    private long startNanos;
    private long present;
    private long before;

    RecentUse(long nowNanos) {
        startNanos = nowNanos;
    }

    void add(long nowNanos, long units) {
        move(nowNanos);
        present += units;
    }

    long units(long nowNanos) {
        move(nowNanos);
        long overlap = STRETCH - (nowNanos - startNanos);
        return present + before / STRETCH * overlap + before % STRETCH * overlap / STRETCH;
    }

    private void move(long nowNanos) {
        long past = nowNanos - startNanos;
        if (past < STRETCH) {
            return;
        }
        before = past < 2 * STRETCH ? present : 0;
        present = 0;
        startNanos = past < 2 * STRETCH ? startNanos + STRETCH : nowNanos;
    }
}
