package dev.weir.load;

import java.util.ArrayList;
import java.util.List;

/** The pools of a gate and who may have which slots. Guarded by the gate's lock. */
final class Parts {

    private static final PoolSettings WHOLE = new PoolSettings("", 0, true);

    private List<Part> parts;

    Parts(List<PoolSettings> pools) {
        parts = pools.isEmpty()
                ? List.of(new Part(WHOLE))
                : pools.stream().map(Part::new).toList();
    }

    /** Goes on with other pools; those that keep their name keep their calls. */
    void change(List<PoolSettings> pools) {
        List<Part> next = new ArrayList<>();
        for (PoolSettings pool : pools.isEmpty() ? List.of(WHOLE) : pools) {
            Part part = parts.stream()
                    .filter(old -> old.settings.name().equals(pool.name()))
                    .findFirst()
                    .orElseGet(() -> new Part(pool));
            part.settings = pool;
            next.add(part);
        }
        parts = List.copyOf(next);
    }

    List<Part> all() {
        return parts;
    }

    List<String> names() {
        return parts.stream().map(part -> part.settings.name()).toList();
    }

    /** The part that a call under those settings, perhaps of before a change, belongs to: the last when its own is gone. */
    int indexOf(GateSettings settings, int pool) {
        if (pool == 0 && parts.size() == 1) {
            return 0;
        }
        String name =
                settings.pools().isEmpty() ? "" : settings.pools().get(pool).name();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).settings.name().equals(name)) {
                return i;
            }
        }
        return parts.size() - 1;
    }

    void share(int limit) {
        int[] slots = Guarantees.of(
                limit, parts.stream().map(part -> part.settings.guarantee()).toList());
        for (int i = 0; i < slots.length; i++) {
            parts.get(i).guaranteed = slots[i];
        }
    }

    /**
     * How many more the part can have: its own unused guarantee, and what is neither in use nor kept for others.
     *
     * @param room slots for short calls, free or not; a guarantee is worth no more than long calls have left of it
     */
    int canHave(Part part, int free, int room, long nowNanos) {
        int own = Math.max(0, Math.min(part.unusedGuarantee(), room - part.inUse - walledOff(part)));
        return part.settings.borrow() ? Math.max(own, free - keptForOthers(part, nowNanos)) : own;
    }

    /** Whether the part may take one of the free slots: its own if it was not lent, or one that nobody has a claim on. */
    boolean mayTake(Part part, int free, long nowNanos) {
        return (part.inUse < part.guaranteed && free > walledOff(part))
                || (part.settings.borrow() && free > keptForOthers(part, nowNanos));
    }

    private int keptForOthers(Part part, long nowNanos) {
        int kept = 0;
        for (Part other : parts) {
            kept += other == part ? 0 : other.kept(nowNanos);
        }
        return kept;
    }

    /** Slots of others that are never lent. */
    private int walledOff(Part part) {
        int walled = 0;
        for (Part other : parts) {
            walled += other == part || other.settings.borrow() ? 0 : other.unusedGuarantee();
        }
        return walled;
    }

    /** When the next claim ends that may keep a waiter out; {@link Long#MAX_VALUE} for never. */
    long nextClaimEndNanos(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (Part part : parts) {
            long end = part.claimEndsNanos(nowNanos);
            if (end != Long.MAX_VALUE && (next == Long.MAX_VALUE || end - next < 0)) {
                next = end;
            }
        }
        return next;
    }
}
