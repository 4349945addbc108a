package dev.weir.rate;

import java.util.OptionalLong;

/** A number of units that never come back: the rate of zero. The state is how many are used. */
record Allowance(long capacity) implements Meter {

    @Override
    public long fresh(long now) {
        return 0;
    }

    /** Never: what is used stays used. */
    @Override
    public boolean isFresh(long state, long now) {
        return false;
    }

    @Override
    public long waitFor(long state, long now, long cost) {
        return cost == 0 || cost <= capacity - state ? NOW : NEVER;
    }

    @Override
    public long charged(long state, long now, long cost) {
        return state + Math.min(cost, Math.max(0, 2 * capacity - state));
    }

    @Override
    public long mark(long state, long now) {
        return 0;
    }

    @Override
    public long givenBack(long state, long now, long units, long mark) {
        return Math.max(0, state - units);
    }

    @Override
    public long absorbed(long state, long now, long units, long ageNanos) {
        return charged(state, now, units);
    }

    @Override
    public long stricter(long a, long b) {
        return Math.max(a, b);
    }

    @Override
    public long milder(long a, long b) {
        return Math.min(a, b);
    }

    @Override
    public long used(long state, long now) {
        return state;
    }

    @Override
    public long withUsed(long now, long units) {
        return charged(0, now, units);
    }

    @Override
    public Standing standing(long state, long now) {
        return new Standing(
                capacity, OptionalLong.empty(), Math.max(0, capacity - state), OptionalLong.empty(), false, false);
    }

    @Override
    public long sweepNanos() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean aligned() {
        return false;
    }
}
