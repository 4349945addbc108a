package dev.weir.rate;

import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * Token bucket as the generic cell rate algorithm (ITU-T I.371, virtual scheduling): the state is the theoretical arrival time, the
 * instant at which the bucket will be full again, in ticks on a ring of 2^64.
 *
 * <p>How it is designed, and why: the plain form keeps (tokens, last refill), two numbers, and rounds at each refill, so that frequent
 * askers never get anything or everybody drifts. One instant needs no refill step: idle time cannot bank more than the burst, a refusal
 * writes nothing, and with {@link Ticks} all of it is integer. The instant is compared by difference, so any start of the clock and its
 * wrap are fine as long as a state is looked at once in {@link #sweepNanos}.
 */
final class TokenBucket implements Meter {

    private final long burst;
    private final long perUnit;
    private final long perNano;
    private final long capacity;
    /** What the dearest call costs, and when the debt is the deepest there is, in ticks. */
    private final long dearest;

    private final long deepest;
    private final long deepestUnits;
    private final OptionalLong windowSeconds;

    TokenBucket(RateLimit limit) {
        Ticks ticks = Ticks.of(limit);
        this.burst = limit.capacity();
        this.perUnit = ticks.perUnit();
        this.perNano = ticks.perNano();
        this.capacity = perUnit * burst;
        this.dearest = limit.dearest();
        this.deepest = dearest > (2 * Ticks.MAX_CAPACITY - capacity) / perUnit
                ? 2 * Ticks.MAX_CAPACITY
                : capacity + dearest * perUnit;
        this.deepestUnits = deepest / perUnit;
        this.windowSeconds = Standing.windowSeconds(nanos(capacity));
    }

    @Override
    public long fresh(long now) {
        return now * perNano;
    }

    @Override
    public boolean isFresh(long state, long now) {
        return state - now * perNano <= 0;
    }

    @Override
    public long waitFor(long state, long now, long cost) {
        if (cost > dearest) {
            return NEVER;
        }
        long over = lead(state, now) - capacity + Math.min(cost, burst) * perUnit;
        return over <= 0 || cost == 0 ? NOW : nanos(over);
    }

    @Override
    public long charged(long state, long now, long cost) {
        long lead = lead(state, now);
        if (lead >= deepest) {
            return state; // the deepest debt there is, or a clock that stepped back
        }
        return now * perNano + Math.min(lead + ticksOf(cost), deepest);
    }

    /** When the bucket would be full without the charge. */
    @Override
    public long mark(long state, long now) {
        return now * perNano + lead(state, now);
    }

    /** Refill that arrived after the bucket would have been full anyway ran over because of the others, not because of the charge. */
    @Override
    public long givenBack(long state, long now, long units, long mark) {
        long lead = lead(state, now);
        long charge = ticksOf(units);
        long refilled = Math.max(0, now * perNano - mark);
        long returned = Math.min(Math.max(0, charge - refilled), lead);
        return returned == 0 ? state : now * perNano + lead - returned;
    }

    /** The refill since the mark is taken as that of the faster of the two. */
    @Override
    public long markFrom(Meter from, long mark, long now) {
        if (!(from instanceof TokenBucket that)) {
            return now * perNano - deepest;
        }
        BigInteger refilled = BigInteger.valueOf(Math.max(0, now * that.perNano - mark));
        BigInteger inTime = ceil(refilled, perNano, that.perNano);
        BigInteger inUnits = ceil(refilled, perUnit, that.perUnit);
        return now * perNano
                - inTime.max(inUnits).min(BigInteger.valueOf(deepest)).longValue();
    }

    private static BigInteger ceil(BigInteger ticks, long times, long over) {
        return ticks.multiply(BigInteger.valueOf(times))
                .add(BigInteger.valueOf(over - 1))
                .divide(BigInteger.valueOf(over));
    }

    @Override
    public long absorbed(long state, long now, long units, long ageNanos) {
        long lead = lead(state, now);
        long owed = Math.max(0, ticksOf(units) - ticks(ageNanos));
        return owed == 0 || lead >= deepest ? state : now * perNano + Math.min(lead + owed, deepest);
    }

    @Override
    public long stricter(long a, long b) {
        return a - b >= 0 ? a : b;
    }

    @Override
    public long milder(long a, long b) {
        return a - b >= 0 ? b : a;
    }

    @Override
    public long used(long state, long now) {
        return ceilDiv(lead(state, now), perUnit);
    }

    @Override
    public long withUsed(long now, long units) {
        return charged(fresh(now), now, units);
    }

    /** Exact to the tick, rounded up: a fraction of a unit stays that fraction under another rate. */
    @Override
    public long converted(long state, long now, Meter from) {
        if (!(from instanceof TokenBucket that)) {
            return withUsed(now, from.used(state, now));
        }
        BigInteger[] lead = BigInteger.valueOf(that.lead(state, now))
                .multiply(BigInteger.valueOf(perUnit))
                .divideAndRemainder(BigInteger.valueOf(that.perUnit));
        long ticks = lead[0].min(BigInteger.valueOf(deepest)).longValue() + (lead[1].signum() == 0 ? 0 : 1);
        return now * perNano + Math.min(ticks, deepest);
    }

    @Override
    public Standing standing(long state, long now) {
        long lead = lead(state, now);
        long left = available(state, now);
        long untilOneMore = lead == 0 ? 0 : nanos(Math.max(0, lead - (capacity - (left + 1) * perUnit)));
        return new Standing(burst, windowSeconds, left, OptionalLong.of(untilOneMore), false, false);
    }

    /** What so many units are in ticks, as far as there is debt. */
    private long ticksOf(long units) {
        return units > deepestUnits ? deepest : units * perUnit;
    }

    private long available(long state, long now) {
        return Math.max(0, capacity - lead(state, now)) / perUnit;
    }

    @Override
    public long sweepNanos() {
        return 2 * Ticks.MAX_CAPACITY / perNano;
    }

    @Override
    public boolean aligned() {
        return false;
    }

    /** Ticks until the bucket is full. */
    long lead(long state, long now) {
        return Math.max(0, state - now * perNano);
    }

    /** A whole number of nanoseconds in which at least that many ticks pass. */
    long nanos(long ticks) {
        return perNano == 1 ? ticks : ceilDiv(ticks, perNano);
    }

    long ticks(long nanos) {
        return nanos > 2 * Ticks.MAX_CAPACITY / perNano ? 2 * Ticks.MAX_CAPACITY : nanos * perNano;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return dividend == 0 ? 0 : (dividend - 1) / divisor + 1;
    }
}
