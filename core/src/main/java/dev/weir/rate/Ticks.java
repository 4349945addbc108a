package dev.weir.rate;

import java.math.BigInteger;

/**
 * The unit in which a bucket counts time, chosen so that its rate is an integer. With period / count reduced to p / q nanoseconds a
 * unit, a <em>tick</em> is 1/q of a nanosecond: one unit of cost is p ticks, one nanosecond is q ticks, and 3/s or 7/min are exact.
 *
 * <p>Above q = 1,024, or when a full bucket would not fit the ring of 2^64 ticks four times over, the interval is rounded up, in the
 * limit's disfavour.
 *
 * @param perUnit p: ticks that one unit of cost takes to come back; 0 when nothing ever comes back
 * @param perNano q: ticks in a nanosecond
 * @param exact whether p / q is the declared interval
 */
record Ticks(long perUnit, long perNano, boolean exact) {

    static final long MAX_PER_NANO = 1_024;
    /** The longest that a bucket may take to refill, in ticks: with as much again in debt it stays within an eighth of the ring. */
    static final long MAX_CAPACITY = 1L << 60;

    static Ticks of(RateLimit limit) {
        if (limit.count() == 0) {
            return new Ticks(0, 1, true);
        }
        BigInteger period = BigInteger.valueOf(limit.periodNanos());
        BigInteger count = BigInteger.valueOf(limit.count());
        BigInteger burst = BigInteger.valueOf(limit.capacity());
        BigInteger divisor = period.gcd(count);
        BigInteger max = BigInteger.valueOf(MAX_CAPACITY);
        BigInteger p = period.divide(divisor);
        BigInteger q = count.divide(divisor);
        if (q.compareTo(BigInteger.valueOf(MAX_PER_NANO)) <= 0
                && p.multiply(burst).compareTo(max) <= 0) {
            return new Ticks(p.longValueExact(), q.longValueExact(), true);
        }
        // Rounded: the finest tick under which a full bucket still fits. It never divides evenly: then it would be a
        // multiple of p / q.
        for (long perNano = MAX_PER_NANO; perNano >= 1; perNano--) {
            BigInteger perUnit =
                    period.multiply(BigInteger.valueOf(perNano)).divide(count).add(BigInteger.ONE);
            if (perUnit.multiply(burst).compareTo(max) <= 0) {
                return new Ticks(perUnit.longValueExact(), perNano, false);
            }
        }
        boolean queue = limit.algorithm() == Algorithm.LEAKY_QUEUE;
        String held = queue ? "depth" : "burst";
        throw new IllegalArgumentException(
                "a " + held + " of " + (limit.capacity() - (queue ? 1 : 0)) + " at " + limit.count() + "/"
                        + RateLimit.period(limit.periodNanos()) + " takes more than " + RateLimit.MAX_PERIOD.toDays()
                        + " days to refill: lower the " + held + " or raise the rate");
    }
}
