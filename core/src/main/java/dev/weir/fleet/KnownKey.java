package dev.weir.fleet;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import dev.weir.rate.Receipt;
import dev.weir.rate.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one instance knows of one key under one limit, so that it need not ask: how much it has in advance, until when the key is refused,
 * and what the store said last. Thread safe. To forget it costs trips and units taken in advance, and grants nothing.
 */
final class KnownKey {

    private final RecentUse use;
    private final List<Parcel> parcels = new ArrayList<>(2);
    private boolean taking;
    private long droppedUnits;

    private @Nullable RateLimit refusedBy;
    private long refusedCost;
    private long refusedUntilNanos;

    private @Nullable Standing heard;
    private long heardNanos;

    KnownKey(long nowNanos) {
        use = new RecentUse(nowNanos);
    }

    // Refusals

    /** How long until the cost is worth asking for; {@link RateTable#NOW} when nothing is known against it. */
    synchronized long refusedNanos(FleetCharge charge, RateLimit limit, long nowNanos) {
        boolean same = refusedUnder(limit) && charge.cost() >= refusedCost;
        return same ? Math.max(RateTable.NOW, refusedUntilNanos - nowNanos) : RateTable.NOW;
    }

    private boolean refusedUnder(RateLimit limit) {
        return refusedBy != null && refusedBy.equals(limit);
    }

    /** The store refused a call that was asked for at that time: the same or a dearer one need not ask before the wait is over. */
    private void refused(FleetCharge charge, RateLimit limit, long waitNanos, long askedNanos) {
        long until = askedNanos + waitNanos;
        boolean tighter = !refusedUnder(limit) || until - refusedUntilNanos >= 0 || charge.cost() < refusedCost;
        if (waitNanos != RateTable.NEVER && tighter) {
            refusedBy = limit;
            refusedCost = charge.cost();
            refusedUntilNanos = until;
        }
    }

    // What the store said

    /** The store's word on a charge that was asked for at that time. */
    synchronized void heard(FleetCharge charge, RateLimit limit, Charged.Line line, long askedNanos, long nowNanos) {
        heard = line.standing();
        heardNanos = nowNanos;
        if (line.waitNanos() > RateTable.NOW) {
            refused(charge, limit, line.waitNanos(), askedNanos);
        } else if (line.charged()) {
            use.add(nowNanos, charge.cost());
        }
    }

    /** The store was told that a charge was so much less than it counted, or more. */
    synchronized void corrected(long lessUnits) {
        Standing last = heard;
        if (last != null) {
            long left = Math.max(0, Math.min(last.quota(), last.remaining() + lessUnits));
            heard = new Standing(
                    last.quota(), last.windowSeconds(), left, last.resetNanos(), last.sharedReset(), last.concurrent());
        }
    }

    /** What the key has left as far as this instance can tell; empty when it never heard. */
    synchronized Optional<Standing> standing(long nowNanos) {
        Standing last = heard;
        if (last == null) {
            return Optional.empty();
        }
        long left = Math.min(last.quota(), last.remaining() + units(nowNanos));
        OptionalLong reset = last.resetNanos().isEmpty()
                ? last.resetNanos()
                : OptionalLong.of(Math.max(0, last.resetNanos().getAsLong() - (nowNanos - heardNanos)));
        return Optional.of(
                new Standing(last.quota(), last.windowSeconds(), left, reset, last.sharedReset(), last.concurrent()));
    }

    // Units taken in advance

    /** Takes the cost out of what is there in advance; empty when it is not enough. */
    synchronized Optional<Parcel> spend(long cost, long nowNanos) {
        dropExpired(nowNanos);
        for (Parcel parcel : parcels) {
            if (parcel.left() >= cost) {
                parcel.spend(cost);
                use.add(nowNanos, cost);
                return Optional.of(parcel);
            }
        }
        return Optional.empty();
    }

    /** Puts units back into the parcel they came from; lost when it has expired. */
    synchronized void putBack(Parcel parcel, long units, long nowNanos) {
        if (parcel.putBack(units, nowNanos) && !parcels.contains(parcel)) {
            parcels.add(parcel);
        }
    }

    /** How many units to take now, while nobody else does; 0: none. Whoever takes some says {@link #taken} or {@link #notTaken}. */
    synchronized long wanted(RateLimit limit, int instances, long nowNanos) {
        Standing last = heard;
        if (taking || last == null) {
            return 0;
        }
        long target = LeaseTerms.units(limit, instances, use.units(nowNanos), last.remaining());
        long missing = target - units(nowNanos);
        taking = missing > 0 && missing >= target / 2;
        return taking ? missing : 0;
    }

    /** The store charged the units that were asked for at that time. */
    synchronized void taken(
            RateLimit limit, long units, Charged.Line line, Receipt receipt, long askedNanos, long nowNanos) {
        taking = false;
        heard = line.standing();
        heardNanos = nowNanos;
        long expires = askedNanos + LeaseTerms.lifeNanos(limit, units, line.standing());
        parcels.add(new Parcel(units, expires, Optional.of(receipt)));
    }

    /** The store did not give them; what it said, if it spoke. */
    synchronized void notTaken(Optional<Standing> said, long nowNanos) {
        taking = false;
        said.ifPresent(standing -> {
            heard = standing;
            heardNanos = nowNanos;
        });
    }

    /** Keeps units of a charge made at that time, instead of giving them back; false when there is no use for them here. */
    synchronized boolean keep(RateLimit limit, int instances, long units, long chargedNanos, long nowNanos) {
        Standing last = heard;
        if (last == null || !LeaseTerms.leasable(limit)) {
            return false;
        }
        long expires = chargedNanos + LeaseTerms.lifeNanos(limit, units, last);
        boolean useful =
                units + units(nowNanos) <= Math.min(use.units(nowNanos), LeaseTerms.mostUnits(limit, instances))
                        && expires - nowNanos > 0;
        if (useful) {
            parcels.add(new Parcel(units, expires, Optional.empty()));
        }
        return useful;
    }

    /** Empties it: what can be handed back to the store. */
    synchronized List<Parcel> empty(long nowNanos) {
        dropExpired(nowNanos);
        List<Parcel> unspent = parcels.stream()
                .filter(parcel -> parcel.left() > 0 && parcel.receipt.isPresent())
                .toList();
        parcels.forEach(Parcel::handBack);
        parcels.clear();
        return unspent;
    }

    /** Units in advance. */
    synchronized long units(long nowNanos) {
        long sum = 0;
        for (Parcel parcel : parcels) {
            sum += parcel.alive(nowNanos) ? parcel.left() : 0;
        }
        return sum;
    }

    /** Units that expired unspent since the last time this was asked. */
    synchronized long dropped() {
        long dropped = droppedUnits;
        droppedUnits = 0;
        return dropped;
    }

    private void dropExpired(long nowNanos) {
        for (int i = parcels.size() - 1; i >= 0; i--) {
            Parcel parcel = parcels.get(i);
            if (!parcel.alive(nowNanos)) {
                droppedUnits += parcel.left();
                parcels.remove(i);
            } else if (parcel.left() == 0 && parcels.size() > 1) {
                parcels.remove(i);
            }
        }
    }
}
