package dev.weir.redis;

import dev.weir.rate.RateLimit;
import java.math.BigInteger;

/**
 * The unit in which a store's bucket counts time: with the interval between two units reduced to p / q microseconds a tick is 1/q of a
 * microsecond, one unit of cost is p ticks. Twice a full bucket must fit a double's 53 bits; where it does not, the interval is rounded up, in the
 * limit's disfavour.
 *
 * @param perUnit p
 * @param perMicro q
 * @param exact whether p / q is the declared interval
 */
record MicroTicks(long perUnit, long perMicro, boolean exact) {

    /** The longest that a bucket may take to refill, in ticks. */
    static final long MAX_CAPACITY = 1L << 51;

    static MicroTicks of(RateLimit limit) {
        BigInteger nanos = BigInteger.valueOf(limit.periodNanos());
        BigInteger perNano = BigInteger.valueOf(limit.count()).multiply(BigInteger.valueOf(1_000));
        BigInteger divisor = nanos.gcd(perNano);
        BigInteger p = nanos.divide(divisor);
        BigInteger q = perNano.divide(divisor);
        BigInteger max = BigInteger.valueOf(MAX_CAPACITY);
        BigInteger burst = BigInteger.valueOf(Math.max(1, limit.capacity()));
        if (p.multiply(burst).compareTo(max) <= 0 && q.compareTo(max) <= 0) {
            return new MicroTicks(p.longValueExact(), q.longValueExact(), true);
        }
        // The finest tick under which a full bucket fits.
        BigInteger finest = max.divide(burst).multiply(q).divide(p).min(max).max(BigInteger.ONE);
        BigInteger[] perUnit = p.multiply(finest).divideAndRemainder(q);
        long rounded = perUnit[0].longValueExact() + (perUnit[1].signum() == 0 ? 0 : 1);
        return new MicroTicks(rounded, finest.longValueExact(), false);
    }
}
