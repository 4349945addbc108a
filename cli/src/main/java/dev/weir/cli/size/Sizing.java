package dev.weir.cli.size;

/**
 * The limits that follow from a useful concurrency. Immutable.
 *
 * @param useful calls in flight at the knee: more of them only wait
 * @param limit where to start: three tenths more than useful, rounded up, since a queue must never be empty to keep workers busy
 * @param floor an eighth of the limit, rounded down, at least 1
 * @param ceiling twice what is useful, rounded up to ten
 */
public record Sizing(long useful, long limit, long floor, long ceiling) {

    private static final long TEN = 10;
    private static final long TENTHS_OF_USEFUL = 13;
    private static final long FLOOR_IS_ONE_IN = 8;

    /** The limits for this many calls in flight, which are rounded to whole ones, at least 1, first. */
    public static Sizing of(double inFlight) {
        long useful = Math.max(1, Math.round(inFlight));
        long limit = ceilDiv(TENTHS_OF_USEFUL * useful, TEN);
        return new Sizing(useful, limit, Math.max(1, limit / FLOOR_IS_ONE_IN), TEN * ceilDiv(2 * useful, TEN));
    }

    private static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
