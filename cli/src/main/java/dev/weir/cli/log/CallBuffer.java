package dev.weir.cli.log;

import java.util.Arrays;

/** Packed calls in memory, as many as the bounds allow, and their order by time. Calls of one instant stay in the order they were added. */
final class CallBuffer {

    private final int maxBytes;
    private final int maxCalls;
    private final PackedBytes packed = new PackedBytes(1 << 16);
    private long[] times = new long[1024];
    private int[] ends = new int[1024];
    private int count;

    CallBuffer(int maxBytes, int maxCalls) {
        this.maxBytes = maxBytes;
        this.maxCalls = maxCalls;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether no further call should be added before it is emptied. */
    boolean isFull() {
        return count >= maxCalls || packed.position() >= maxBytes;
    }

    void add(LoggedCall call) {
        if (count == times.length) {
            int capacity = Math.min(maxCalls, count + count / 2);
            times = Arrays.copyOf(times, capacity);
            ends = Arrays.copyOf(ends, capacity);
        }
        call.pack(packed);
        times[count] = call.epochNanos();
        ends[count] = packed.position();
        count++;
    }

    void clear() {
        packed.position(0);
        count = 0;
    }

    /** The calls in order of time. Nothing may be added while the cursor is used. */
    PackedCursor sorted() {
        int[] order = order();
        return new PackedCursor() {
            private int at = -1;

            @Override
            public boolean advance() {
                at++;
                return at < order.length;
            }

            @Override
            public byte[] bytes() {
                return packed.array();
            }

            @Override
            public int start() {
                int index = order[at];
                return index == 0 ? 0 : ends[index - 1];
            }

            @Override
            public int end() {
                return ends[order[at]];
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    /** A merge sort over indices, from below; a log is nearly in order, and what is in order already is not merged. */
    private int[] order() {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        int[] other = new int[count];
        for (int width = 1; width < count; width = width > count / 2 ? count : 2 * width) {
            for (int low = 0; low < count; low += Math.min(2 * width, count - low)) {
                int middle = Math.min(count, low + width);
                int high = middle + Math.min(width, count - middle);
                merge(order, other, low, middle, high);
            }
            int[] merged = other;
            other = order;
            order = merged;
        }
        return order;
    }

    private void merge(int[] order, int[] merged, int low, int middle, int high) {
        if (middle == high || times[order[middle - 1]] <= times[order[middle]]) {
            System.arraycopy(order, low, merged, low, high - low);
            return;
        }
        int left = low;
        int right = middle;
        for (int i = low; i < high; i++) {
            boolean takeLeft = right == high || (left < middle && times[order[left]] <= times[order[right]]);
            merged[i] = takeLeft ? order[left++] : order[right++];
        }
    }
}
