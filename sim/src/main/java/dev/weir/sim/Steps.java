package dev.weir.sim;

import java.util.List;

/**
 * A value that changes at given times.
 *
 * @param atNanos the times, the first 0, rising
 * @param values what holds from each time on
 */
record Steps<T>(List<Long> atNanos, List<T> values) {

    static <T> Steps<T> always(T value) {
        return new Steps<>(List.of(0L), List.of(value));
    }

    T at(long nanos) {
        return values.get(index(nanos));
    }

    private int index(long nanos) {
        int last = values.size() - 1;
        while (last > 0 && atNanos.get(last) > nanos) {
            last--;
        }
        return last;
    }

    /** How far the time has come from its step's beginning, 0 to 1; 0 in the last step, which has no end. */
    double progress(long nanos) {
        int index = index(nanos);
        if (index == values.size() - 1) {
            return 0;
        }
        long begin = atNanos.get(index);
        return (double) (nanos - begin) / (atNanos.get(index + 1) - begin);
    }
}
