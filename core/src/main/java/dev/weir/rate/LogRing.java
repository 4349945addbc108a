package dev.weir.rate;

import java.util.Arrays;

/** The times of one key's grants, oldest first, in nanoseconds of one clock. Grows as it is used. Not thread safe. */
final class LogRing {

    private long[] stamps = new long[4];
    private int head;
    private int size;

    int size() {
        return size;
    }

    long get(int i) {
        return stamps[(head + i) % stamps.length];
    }

    long newest() {
        return get(size - 1);
    }

    void add(long stamp) {
        if (size == stamps.length) {
            long[] more = new long[2 * size];
            for (int i = 0; i < size; i++) {
                more[i] = get(i);
            }
            stamps = more;
            head = 0;
        }
        stamps[(head + size) % stamps.length] = stamp;
        size++;
    }

    /** Adds so many entries with that stamp, in the order of time. */
    void insert(long stamp, long count) {
        for (long n = 0; n < count; n++) {
            add(stamp);
            for (int i = size - 1; i > 0 && get(i - 1) - stamp > 0; i--) {
                set(i, get(i - 1));
                set(i - 1, stamp);
            }
        }
    }

    private void set(int i, long stamp) {
        stamps[(head + i) % stamps.length] = stamp;
    }

    void dropOldest(int count) {
        head = (head + count) % stamps.length;
        size -= count;
    }

    /** Removes up to {@code count} entries with that stamp. */
    void remove(long stamp, long count) {
        int kept = 0;
        long left = count;
        for (int i = 0; i < size; i++) {
            long value = get(i);
            if (value == stamp && left > 0) {
                left--;
            } else {
                stamps[(head + kept) % stamps.length] = value;
                kept++;
            }
        }
        size = kept;
    }

    LogRing copy() {
        LogRing copy = new LogRing();
        copy.stamps = Arrays.copyOf(stamps, stamps.length);
        copy.head = head;
        copy.size = size;
        return copy;
    }
}
