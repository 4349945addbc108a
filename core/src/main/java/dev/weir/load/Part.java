package dev.weir.load;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One pool of a gate, or the whole of a gate without pools. Guarded by the gate's lock. */
final class Part {

    private static final long CLAIM_NANOS = 1_000_000_000L;

    PoolSettings settings;
    int guaranteed;
    /** Calls that hold a slot and count for the limit. */
    int inUse;
    /** Calls that hold a slot and count for the gate alone. */
    int longCalls;

    int waiting;
    final Precedence precedence = new Precedence();
    private boolean refused;
    private long refusedNanos;
    private long turns;
    /** The tenants that have a slot or wait for one. */
    private final Map<String, Use> tenants = new HashMap<>();

    private record Use(long inFlight, long waiting, long turn) {}

    private static final Use NO_USE = new Use(0, 0, 0);

    Part(PoolSettings settings) {
        this.settings = settings;
    }

    int unusedGuarantee() {
        return Math.max(0, guaranteed - inUse);
    }

    /** It was refused for want of a slot. */
    void refused(long nowNanos) {
        if (inUse < guaranteed) {
            refused = true;
            refusedNanos = nowNanos;
        }
    }

    /** Whether freed slots go to it first: it wants slots that are its own. */
    boolean claims(long nowNanos) {
        refused = refused && nowNanos - refusedNanos < CLAIM_NANOS;
        return inUse < guaranteed && (waiting > 0 || refused);
    }

    /** When its claim ends, unless somebody waits; {@link Long#MAX_VALUE} when it has none. */
    long claimEndsNanos(long nowNanos) {
        return claims(nowNanos) && waiting == 0 ? refusedNanos + CLAIM_NANOS : Long.MAX_VALUE;
    }

    /** Slots that nobody else gets. */
    int kept(long nowNanos) {
        return !settings.borrow() || claims(nowNanos) ? unusedGuarantee() : 0;
    }

    long tenantInFlight(@Nullable String tenant) {
        return use(tenant).inFlight;
    }

    /** In flight and waiting. */
    long tenantHas(@Nullable String tenant) {
        Use use = use(tenant);
        return use.inFlight + use.waiting;
    }

    /** When the tenant had a slot last, in turns; 0 if that is forgotten. */
    long tenantTurn(@Nullable String tenant) {
        return use(tenant).turn;
    }

    private Use use(@Nullable String tenant) {
        return tenant == null ? NO_USE : tenants.getOrDefault(tenant, NO_USE);
    }

    void enters(@Nullable String tenant) {
        inUse++;
        turns++;
        Use use = use(tenant);
        put(tenant, new Use(use.inFlight + 1, use.waiting, turns));
    }

    void exits(@Nullable String tenant, boolean wasLong) {
        if (wasLong) {
            longCalls--;
        } else {
            inUse--;
        }
        Use use = use(tenant);
        put(tenant, new Use(use.inFlight - 1, use.waiting, use.turn));
    }

    void waits(@Nullable String tenant) {
        waiting++;
        Use use = use(tenant);
        put(tenant, new Use(use.inFlight, use.waiting + 1, use.turn));
    }

    void waitsNoMore(@Nullable String tenant) {
        waiting--;
        Use use = use(tenant);
        put(tenant, new Use(use.inFlight, use.waiting - 1, use.turn));
    }

    private void put(@Nullable String tenant, Use use) {
        if (tenant == null) {
            return;
        }
        if (use.inFlight <= 0 && use.waiting <= 0) {
            tenants.remove(tenant);
        } else {
            tenants.put(tenant, use);
        }
    }

    /** One of its calls turned out to be long. */
    void becameLong() {
        inUse--;
        longCalls++;
    }

    /** Forgets who has which slots: from now on the gate does not know. */
    void forget() {
        inUse = 0;
        longCalls = 0;
        tenants.clear();
    }
}
