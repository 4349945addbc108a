package dev.weir.rate;

import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * The previous window's count, weighed by how much of that window still lies within the last period, plus the current one's. The state is
 * (window number, previous, current) in 63 bits.
 *
 * <p>A call passes when previous x (W - e) / W + current + cost <= count, e nanoseconds into the window. The fraction is never formed:
 * with room = count - current - cost that is W - e <= floor(room x W / previous), which fits a long for every room below previous below
 * 2^21, and which also says exactly how long to wait.
 *
 * <p>A state ahead of {@code now} is read as one of the next window, before any of the previous one's weight has gone: how far into its
 * window it was is not known, and a clock that steps back must bring nothing.
 */
final class SlidingWindow implements Meter {

    private static final int BITS = 21;
    private static final int NUMBER_SHIFT = 2 * BITS;
    private static final long MASK = (1L << BITS) - 1;

    private final long count;
    private final long window;
    private final OptionalLong windowSeconds;

    SlidingWindow(long count, long windowNanos) {
        this.count = count;
        this.window = windowNanos;
        this.windowSeconds = Standing.windowSeconds(window);
    }

    @Override
    public long fresh(long now) {
        return state(Math.floorDiv(now, window), 0, 0);
    }

    @Override
    public boolean isFresh(long state, long now) {
        return ahead(state, Math.floorDiv(now, window)) < -1;
    }

    @Override
    public long waitFor(long state, long now, long cost) {
        if (cost > count) {
            return NEVER;
        }
        if (cost == 0) {
            return NOW;
        }
        long number = number(state, now);
        long here = present(state, number);
        long start = number * window;
        long previous = previous(here);
        long room = count - current(here) - cost;
        if (room >= 0) {
            long share = room >= previous ? window : windowShare(room, previous);
            return window - (now - start) <= share || room >= previous ? NOW : start + window - share - now;
        }
        // Full until the next window, of which the current count is the previous one.
        long later = count - cost;
        long share = later >= current(here) ? window : windowShare(later, current(here));
        return start + 2 * window - share - now;
    }

    /** floor(part x window / whole) for part < whole < 2^21. */
    private long windowShare(long part, long whole) {
        return part * (window / whole) + part * (window % whole) / whole;
    }

    @Override
    public long charged(long state, long now, long cost) {
        long number = number(state, now);
        long here = present(state, number);
        long debt = Math.min(2 * count, MASK);
        long used = current(here) + Math.min(cost, Math.max(0, debt - current(here)));
        return state(number, previous(here), used);
    }

    /** The window that is charged. */
    @Override
    public long mark(long state, long now) {
        return number(state, now);
    }

    @Override
    public long givenBack(long state, long now, long units, long mark) {
        long number = number(state, now);
        long here = present(state, number);
        if (number == mark) {
            return state(number, previous(here), Math.max(0, current(here) - units));
        }
        if (number == mark + 1) {
            return state(number, Math.max(0, previous(here) - units), current(here));
        }
        return state;
    }

    @Override
    public long absorbed(long state, long now, long units, long ageNanos) {
        long back = Math.floorDiv(now, window) - Math.floorDiv(now - ageNanos, window);
        if (back == 0) {
            return charged(state, now, units);
        }
        if (back > 1) {
            return state;
        }
        long number = number(state, now);
        long here = present(state, number);
        long debt = Math.min(2 * count, MASK);
        long used = previous(here) + Math.min(units, Math.max(0, debt - previous(here)));
        return state(number, used, current(here));
    }

    @Override
    public long markFrom(Meter from, long mark, long now) {
        return from instanceof SlidingWindow that && that.window == window ? mark : Long.MIN_VALUE;
    }

    @Override
    public long stricter(long a, long b) {
        return parts(a, b, true);
    }

    @Override
    public long milder(long a, long b) {
        return parts(a, b, false);
    }

    /** Each part's maximum or minimum, once both are read in the later one's window. */
    private long parts(long a, long b, boolean max) {
        long order = signed((a >>> NUMBER_SHIFT) - (b >>> NUMBER_SHIFT));
        long number = (order >= 0 ? a : b) >>> NUMBER_SHIFT;
        long left = present(a, number);
        long right = present(b, number);
        return max
                ? state(number, Math.max(previous(left), previous(right)), Math.max(current(left), current(right)))
                : state(number, Math.min(previous(left), previous(right)), Math.min(current(left), current(right)));
    }

    @Override
    public long used(long state, long now) {
        long number = number(state, now);
        long here = present(state, number);
        return current(here) + weighed(previous(here), now - number * window);
    }

    @Override
    public long withUsed(long now, long units) {
        return charged(fresh(now), now, units);
    }

    @Override
    public long converted(long state, long now, Meter from) {
        if (from instanceof SlidingWindow that && that.window == window) {
            long number = that.number(state, now);
            long here = that.present(state, number);
            long debt = Math.min(2 * count, MASK);
            return state(number, Math.min(previous(here), debt), Math.min(current(here), debt));
        }
        return withUsed(now, from.used(state, now));
    }

    @Override
    public Standing standing(long state, long now) {
        long left = Math.max(0, count - used(state, now));
        long untilOneMore = left == count ? 0 : waitFor(state, now, left + 1);
        return new Standing(
                count,
                windowSeconds,
                left,
                untilOneMore == NEVER ? OptionalLong.empty() : OptionalLong.of(untilOneMore),
                false,
                false);
    }

    /** ceil(previous x (W - e) / W), written as previous - floor(previous x e / W). */
    private long weighed(long previous, long elapsed) {
        if (elapsed <= 0) {
            return previous;
        }
        if (previous <= Long.MAX_VALUE / window) {
            return previous - previous * elapsed / window;
        }
        return previous
                - BigInteger.valueOf(previous)
                        .multiply(BigInteger.valueOf(elapsed))
                        .divide(BigInteger.valueOf(window))
                        .longValue();
    }

    /** An eighth of the ring. */
    @Override
    public long sweepNanos() {
        long numbers = 1L << (BITS - 3);
        return window > Long.MAX_VALUE / numbers ? Long.MAX_VALUE : window * numbers;
    }

    @Override
    public boolean aligned() {
        return true;
    }

    private long number(long state, long now) {
        long number = Math.floorDiv(now, window);
        return ahead(state, number) > 0 ? number + 1 : number;
    }

    /** The state as it reads in that window: as it is, one window on, or long over. */
    private long present(long state, long number) {
        long ahead = ahead(state, number);
        if (ahead >= 0) {
            return state(number, previous(state), current(state));
        }
        return ahead == -1 ? state(number, current(state), 0) : state(number, 0, 0);
    }

    private static long state(long number, long previous, long current) {
        return ((number & MASK) << NUMBER_SHIFT) | (previous << BITS) | current;
    }

    private static long previous(long state) {
        return (state >>> BITS) & MASK;
    }

    private static long current(long state) {
        return state & MASK;
    }

    private static long ahead(long state, long number) {
        return signed((state >>> NUMBER_SHIFT) - number);
    }

    private static long signed(long numbers) {
        return (numbers << (64 - BITS)) >> (64 - BITS);
    }
}
