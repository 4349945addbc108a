package dev.weir.load;

import java.time.Duration;

/**
 * How much work a gate lets be in flight: a number, or a way of finding one. Immutable. The numbers found stay between {@link #min()} and
 * {@link #max()} and start at {@link #initial()}; what is in flight is bounded by {@link #max()} whatever the limit is.
 */
public sealed interface ConcurrencyLimit {

    /** Where a limit starts unless told otherwise. */
    int DEFAULT_INITIAL = 20;
    /** The floor unless told otherwise. */
    int DEFAULT_MIN = 4;
    /** The ceiling unless told otherwise. */
    int DEFAULT_MAX = 500;
    /** The highest ceiling there can be. */
    int HIGHEST = 100_000;

    /** The limit of a fresh gate. */
    int initial();

    /** The floor. */
    int min();

    /** The ceiling. */
    int max();

    /** Always {@code limit}. */
    static ConcurrencyLimit fixed(int limit) {
        return new Fixed(limit);
    }

    /** One more for each window of answers that used at least half, a tenth less when calls are dropped. */
    static ConcurrencyLimit aimd(int initial, int min, int max) {
        return new Aimd(initial, min, max);
    }

    /** Follows latency, and finds out by experiment whether the latency is of its own making. */
    static ConcurrencyLimit gradient(int initial, int min, int max) {
        return new Gradient(initial, min, max);
    }

    /** {@link #gradient(int, int, int)} with the default numbers. */
    static ConcurrencyLimit gradient() {
        return new Gradient(DEFAULT_INITIAL, DEFAULT_MIN, DEFAULT_MAX);
    }

    /** A tenth less while the mean latency is above one and a half times {@code target}, a twentieth more while it is below four fifths. */
    static ConcurrencyLimit targetLatency(Duration target, int initial, int min, int max) {
        return new TargetLatency(target.toNanos(), initial, min, max);
    }

    /** See {@link ConcurrencyLimit#fixed}. */
    record Fixed(int limit) implements ConcurrencyLimit {
        public Fixed {
            requireOrder(limit, limit, limit);
        }

        @Override
        public int initial() {
            return limit;
        }

        @Override
        public int min() {
            return limit;
        }

        @Override
        public int max() {
            return limit;
        }
    }

    /** See {@link ConcurrencyLimit#aimd}. */
    record Aimd(int initial, int min, int max) implements ConcurrencyLimit {
        public Aimd {
            requireOrder(initial, min, max);
        }
    }

    /** See {@link ConcurrencyLimit#gradient(int, int, int)}. */
    record Gradient(int initial, int min, int max) implements ConcurrencyLimit {
        public Gradient {
            requireOrder(initial, min, max);
        }
    }

    /** See {@link ConcurrencyLimit#targetLatency}. */
    record TargetLatency(long targetNanos, int initial, int min, int max) implements ConcurrencyLimit {
        public TargetLatency {
            requireOrder(initial, min, max);
            if (targetNanos <= 0) {
                throw new IllegalArgumentException("target is " + targetNanos + " ns, it must be above 0");
            }
        }
    }

    private static void requireOrder(int initial, int min, int max) {
        if (min < 1 || min > initial || initial > max || max > HIGHEST) {
            throw new IllegalArgumentException("initial " + initial + ", min " + min + ", max " + max
                    + ": it must be 1 <= min <= initial <= max <= " + HIGHEST);
        }
    }
}
