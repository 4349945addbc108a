package dev.weir.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whose the slots of a gate are: which part's, and which tenant's. Guarded by the gate's lock. */
final class Holders {

    private @Nullable Holder[] bySlot = new Holder[0];

    private record Holder(Part part, @Nullable String tenant) {}

    /** The slot of that stamp, one of {@code capacity}, is the part's from now on. */
    void took(long stamp, int capacity, Part part, @Nullable String tenant) {
        int slot = Slots.slotOf(stamp);
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, capacity);
        }
        bySlot[slot] = new Holder(part, tenant);
        part.enters(tenant);
    }

    /** It is nobody's. */
    void letGo(long stamp, boolean longCall) {
        Holder holder = of(stamp);
        if (holder != null) {
            holder.part.exits(holder.tenant, longCall);
            bySlot[Slots.slotOf(stamp)] = null;
        }
    }

    /** Its call counts for the gate, and no longer for its part. */
    void becameLong(long stamp) {
        Holder holder = of(stamp);
        if (holder != null) {
            holder.part.inUse--;
        }
    }

    /** Nobody knows any more. */
    void forget() {
        bySlot = new Holder[0];
    }

    private @Nullable Holder of(long stamp) {
        int slot = Slots.slotOf(stamp);
        return slot < bySlot.length ? bySlot[slot] : null;
    }
}
