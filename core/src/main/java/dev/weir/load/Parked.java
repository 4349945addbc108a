package dev.weir.load;

/**
 * A call that waits for a slot.
 *
 * <p>Whoever takes it out of the line under the gate's lock is the one who tells it: so a cancel and a slot that comes at the same moment
 * cannot both have it.
 */
final class Parked implements Entry.Parked {

    private final GateCore core;
    private final GateCall call;
    /** Guarded by the gate's lock, as it may change with the gate's settings. */
    private Part part;

    private final Waiter waiter;
    private final long arrivedNanos;
    private final long expiryNanos;

    Parked(GateCore core, GateCall call, Part part, Waiter waiter, long arrivedNanos, long expiryNanos) {
        this.core = core;
        this.call = call;
        this.part = part;
        this.waiter = waiter;
        this.arrivedNanos = arrivedNanos;
        this.expiryNanos = expiryNanos;
    }

    @Override
    public boolean cancel() {
        return core.cancel(this);
    }

    GateCall call() {
        return call;
    }

    Part part() {
        return part;
    }

    void move(Part to) {
        part.waitsNoMore(call.tenant());
        part = to;
        part.waits(call.tenant());
    }

    Waiter waiter() {
        return waiter;
    }

    long arrivedNanos() {
        return arrivedNanos;
    }

    long expiryNanos() {
        return expiryNanos;
    }

    boolean claims() {
        return part.inUse < part.guaranteed;
    }

    long tenantHas() {
        return part.tenantHas(call.tenant());
    }

    long tenantInFlight() {
        return part.tenantInFlight(call.tenant());
    }

    long tenantTurn() {
        return part.tenantTurn(call.tenant());
    }
}
