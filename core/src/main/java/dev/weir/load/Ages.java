package dev.weir.load;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * How long calls have held their slots. A call that is timed says so itself; of others it is known when they were first seen. Guarded by the
 * gate's lock.
 */
final class Ages {

    private final Slots slots;
    private long[] seen = new long[0];
    private long[] seenNanos = new long[0];

    Ages(Slots slots) {
        this.slots = slots;
    }

    /** Looks at every slot, and tells those that a call has held for at least {@code ageNanos}. */
    void look(long nowNanos, long ageNanos, LongConsumer old) {
        if (seen.length < slots.capacity()) {
            seen = Arrays.copyOf(seen, slots.capacity());
            seenNanos = Arrays.copyOf(seenNanos, slots.capacity());
        }
        for (int slot = 0; slot < seen.length; slot++) {
            long stamp = slots.stampAt(slot);
            if (stamp != Slots.NONE && ageNanos(slot, stamp, nowNanos) >= ageNanos) {
                old.accept(stamp);
            }
        }
    }

    private long ageNanos(int slot, long stamp, long nowNanos) {
        if (seen[slot] != stamp) {
            seen[slot] = stamp;
            seenNanos[slot] = nowNanos;
        }
        long entered = slots.weight(stamp) == 0 ? seenNanos[slot] : slots.enteredNanos(stamp);
        // If the slot has changed hands meanwhile, that was the time of another.
        return slots.stampAt(slot) == stamp ? nowNanos - entered : 0;
    }

    /** How long the oldest has; 0 when there is none. */
    long oldestNanos(long nowNanos) {
        long[] oldest = {0};
        look(nowNanos, 0, stamp -> oldest[0] = Math.max(oldest[0], ageNanos(Slots.slotOf(stamp), stamp, nowNanos)));
        return oldest[0];
    }
}
