package dev.weir.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The calls that wait for a slot, in the order in which they came. Guarded by the gate's lock. Each look is a walk along the line; lines are
 * short, since a long one is only a longer way to a timeout.
 */
final class WaitLine {

    private final List<Parked> line = new ArrayList<>();
    private boolean fairByTenant;
    private int size;
    private long maxWaitNanos;

    WaitLine(QueueSettings settings) {
        change(settings);
    }

    /** Goes on with another size, wait or fairness; too many stay until {@link #surplus} is gone. */
    void change(QueueSettings settings) {
        fairByTenant = settings.fairByTenant();
        size = settings.size();
        maxWaitNanos = settings.maxWaitNanos();
    }

    /** Waiters of a part that is no more wait in the last one. */
    void moveTo(List<Part> parts) {
        for (Parked waiter : line) {
            if (!parts.contains(waiter.part())) {
                waiter.move(parts.get(parts.size() - 1));
            }
        }
    }

    int waiting() {
        return line.size();
    }

    long maxWaitNanos() {
        return maxWaitNanos;
    }

    /** Whether a call finds a place, if need be another's. */
    boolean hasPlace(GateCall call, Part part) {
        return line.size() < size || displacedBy(call, part).isPresent();
    }

    /**
     * Whose place a call takes when all are taken: that of the least critical newest, if it is less critical; or else, where tenants are told
     * apart, that of the newest of the tenant that has the most, if that still has more afterwards. So a flood of one keeps nobody else out.
     */
    private Optional<Parked> displacedBy(GateCall call, Part part) {
        Optional<Parked> last = leastCritical();
        if (last.filter(waiter -> isLess(waiter, call.criticality())).isPresent()) {
            return last;
        }
        if (!fairByTenant || call.tenant() == null) {
            return Optional.empty();
        }
        long has = part.tenantHas(call.tenant());
        return greediest(call.criticality()).filter(waiter -> waiter.tenantHas() > has + 1);
    }

    /** The newest waiter of that criticality whose tenant has the most. */
    private Optional<Parked> greediest(Criticality criticality) {
        Parked found = null;
        for (Parked waiter : line) {
            if (waiter.call().criticality().equals(criticality)
                    && waiter.call().tenant() != null
                    && (found == null || waiter.tenantHas() >= found.tenantHas())) {
                found = waiter;
            }
        }
        return Optional.ofNullable(found);
    }

    private static boolean isLess(Parked waiter, Criticality criticality) {
        return waiter.call().criticality().compareTo(criticality) > 0;
    }

    /** How many go before a newcomer, and itself. */
    int place(GateCall call, Part part) {
        long has = part.tenantInFlight(call.tenant());
        int place = 1;
        for (Parked waiter : line) {
            boolean after = isLess(waiter, call.criticality())
                    || (fairByTenant
                            && waiter.call().criticality().equals(call.criticality())
                            && waiter.tenantInFlight() > has);
            place += after ? 0 : 1;
        }
        return place;
    }

    /** Adds a waiter, which has a place; answers whom it displaced. */
    Optional<Parked> add(Parked waiter) {
        Optional<Parked> displaced = line.size() < size ? Optional.empty() : displacedBy(waiter.call(), waiter.part());
        displaced.ifPresent(this::remove);
        line.add(waiter);
        waiter.part().waits(waiter.call().tenant());
        return displaced;
    }

    /** The newest of the least critical, if there are more waiters than places. */
    Optional<Parked> surplus() {
        return line.size() > size ? leastCritical() : Optional.empty();
    }

    private Optional<Parked> leastCritical() {
        Parked found = null;
        for (Parked waiter : line) {
            if (found == null || !isLess(found, waiter.call().criticality())) {
                found = waiter;
            }
        }
        return Optional.ofNullable(found);
    }

    boolean remove(Parked waiter) {
        if (!line.remove(waiter)) {
            return false;
        }
        waiter.part().waitsNoMore(waiter.call().tenant());
        return true;
    }

    /** A waiter whose time is over. */
    Optional<Parked> expired(long nowNanos) {
        return line.stream()
                .filter(waiter -> nowNanos - waiter.expiryNanos() >= 0)
                .findFirst();
    }

    /** When the first waiter's time is over; {@link Long#MAX_VALUE} when nobody waits. */
    long nextExpiryNanos() {
        long next = Long.MAX_VALUE;
        for (Parked waiter : line) {
            if (next == Long.MAX_VALUE || waiter.expiryNanos() - next < 0) {
                next = waiter.expiryNanos();
            }
        }
        return next;
    }

    /** How long the oldest has waited. */
    long oldestWaitNanos(long nowNanos) {
        return line.isEmpty() ? 0 : nowNanos - line.get(0).arrivedNanos();
    }

    /**
     * Who comes next of those that may: claims first, then higher criticality, then the tenant with the fewest calls in flight, of
     * equal ones that whose turn is longest ago, then the oldest. Once the oldest has waited half of what it may, the newest instead: it can still be served in time.
     */
    Optional<Parked> next(long nowNanos, Predicate<Part> mayTake) {
        boolean newestFirst = oldestWaitNanos(nowNanos) >= maxWaitNanos / 2;
        Parked best = null;
        for (Parked waiter : line) {
            if (mayTake.test(waiter.part()) && (best == null || goesBefore(waiter, best, newestFirst))) {
                best = waiter;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Whether a waiter goes before one that is older. */
    private boolean goesBefore(Parked waiter, Parked older, boolean newestFirst) {
        int order = Boolean.compare(waiter.claims(), older.claims());
        if (order == 0) {
            order = older.call().criticality().compareTo(waiter.call().criticality());
        }
        if (order == 0 && fairByTenant) {
            order = Long.compare(older.tenantInFlight(), waiter.tenantInFlight());
            // Of equal ones the tenant whose turn is longest ago, or a flood of one would be all that is served at a
            // limit of 1.
            order = order == 0 ? Long.compare(older.tenantTurn(), waiter.tenantTurn()) : order;
        }
        return order > 0 || (order == 0 && newestFirst);
    }
}
