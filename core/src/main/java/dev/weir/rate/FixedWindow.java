package dev.weir.rate;

import java.util.OptionalLong;

/**
 * One counter for each window: fixed windows and calendar quotas. The state is (window number, used) in 63 bits; the number lives on a
 * ring as wide as the count leaves room for.
 *
 * <p>A state one window ahead of {@code now} is kept and counts as the present one: another thread has read the clock on the other side
 * of the edge, and moving the state back would let it count that window twice. A state further ahead means that the clock stepped back;
 * it is read as the present window with its count, so that nobody waits longer than one window and nothing is granted twice.
 */
final class FixedWindow implements Meter {

    private final long count;
    private final Windows windows;
    private final int usedBits;
    private final long usedMask;
    private final int numberBits;
    private final long numberMask;
    private final OptionalLong windowSeconds;

    FixedWindow(long count, Windows windows) {
        this.count = count;
        this.windows = windows;
        this.usedBits = Math.max(8, 64 - Long.numberOfLeadingZeros(2 * count));
        this.usedMask = (1L << usedBits) - 1;
        this.numberBits = 63 - usedBits;
        this.numberMask = (1L << numberBits) - 1;
        this.windowSeconds = windows instanceof Windows.Even even
                ? Standing.windowSeconds(even.periodNanos())
                : OptionalLong.empty();
    }

    @Override
    public long fresh(long now) {
        return state(windows.number(now), 0);
    }

    /** When its window is over. One that was given back whole is not: a slot must not change hands within a window (see {@link KeyTable}). */
    @Override
    public boolean isFresh(long state, long now) {
        return ahead(state, windows.number(now)) < 0;
    }

    @Override
    public long waitFor(long state, long now, long cost) {
        if (cost > count) {
            return NEVER;
        }
        long number = number(state, now);
        return cost == 0 || cost <= count - usedIn(state, number) ? NOW : windows.end(number) - now;
    }

    @Override
    public long charged(long state, long now, long cost) {
        long number = number(state, now);
        long used = usedIn(state, number);
        return state(number, used + Math.min(cost, Math.max(0, 2 * count - used)));
    }

    /** The window that is charged. */
    @Override
    public long mark(long state, long now) {
        return number(state, now);
    }

    @Override
    public long givenBack(long state, long now, long units, long mark) {
        long number = number(state, now);
        return number == mark ? state(number, Math.max(0, usedIn(state, number) - units)) : state;
    }

    @Override
    public long absorbed(long state, long now, long units, long ageNanos) {
        return windows.number(now - ageNanos) == windows.number(now) ? charged(state, now, units) : state;
    }

    @Override
    public long markFrom(Meter from, long mark, long now) {
        return from instanceof FixedWindow that && that.windows.equals(windows) ? mark : Long.MIN_VALUE;
    }

    @Override
    public long stricter(long a, long b) {
        long order = ringOrder(a, b);
        return order > 0 || (order == 0 && a >= b) ? a : b;
    }

    @Override
    public long milder(long a, long b) {
        long order = ringOrder(a, b);
        return order > 0 || (order == 0 && a >= b) ? b : a;
    }

    @Override
    public long used(long state, long now) {
        return usedIn(state, number(state, now));
    }

    @Override
    public long withUsed(long now, long units) {
        return charged(fresh(now), now, units);
    }

    @Override
    public long converted(long state, long now, Meter from) {
        if (from instanceof FixedWindow that && that.windows.equals(windows)) {
            long number = that.number(state, now);
            return state(number, Math.min(that.usedIn(state, number), 2 * count));
        }
        return withUsed(now, from.used(state, now));
    }

    @Override
    public Standing standing(long state, long now) {
        long number = number(state, now);
        return new Standing(
                count,
                windowSeconds,
                Math.max(0, count - usedIn(state, number)),
                OptionalLong.of(windows.end(number) - now),
                true,
                false);
    }

    /** An eighth of the ring. */
    @Override
    public long sweepNanos() {
        long numbers = 1L << (numberBits - 3);
        long nanos = windows.nanosPerNumber();
        return nanos > Long.MAX_VALUE / numbers ? Long.MAX_VALUE : nanos * numbers;
    }

    @Override
    public boolean aligned() {
        return true;
    }

    /** The window that the state counts for at {@code now}. */
    private long number(long state, long now) {
        long number = windows.number(now);
        long ahead = ahead(state, number);
        return ahead > 0 && number + ahead <= windows.next(number) ? number + ahead : number;
    }

    /** What the state has used of the window that it counts for. */
    private long usedIn(long state, long number) {
        return ahead(state, number) < 0 ? 0 : state & usedMask;
    }

    private long state(long number, long used) {
        return ((number & numberMask) << usedBits) | used;
    }

    /** How far the state's window lies ahead of {@code number}, on the ring. */
    private long ahead(long state, long number) {
        return signed((state >>> usedBits) - number);
    }

    private long ringOrder(long a, long b) {
        return signed((a >>> usedBits) - (b >>> usedBits));
    }

    private long signed(long numbers) {
        return (numbers << (64 - numberBits)) >> (64 - numberBits);
    }
}
