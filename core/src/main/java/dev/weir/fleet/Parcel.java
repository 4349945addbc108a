package dev.weir.fleet;

import dev.weir.rate.Receipt;
import java.util.Optional;

/**
 * Units of one key that were charged in the store and are not spent yet. Guarded by its {@link KnownKey}.
 *
 * <p>Until {@link #expiresNanos} they may be spent; from then on they are nobody's, and give-backs to it are lost with it.
 */
final class Parcel {

    final long expiresNanos;
    /** By which the store takes back what was not spent; empty when other charges share its receipt. */
    final Optional<Receipt> receipt;

    private final long taken;
    private long left;
    private boolean handedBack;

    Parcel(long units, long expiresNanos, Optional<Receipt> receipt) {
        this.taken = units;
        this.left = units;
        this.expiresNanos = expiresNanos;
        this.receipt = receipt;
    }

    boolean alive(long nowNanos) {
        return expiresNanos - nowNanos > 0;
    }

    long left() {
        return left;
    }

    /** Units that were taken from it. */
    long spent() {
        return taken - left;
    }

    void spend(long units) {
        left -= units;
    }

    /** Puts units back; false, and nothing happens, when there is no more use for them. */
    boolean putBack(long units, long nowNanos) {
        if (handedBack || !alive(nowNanos)) {
            return false;
        }
        left = Math.min(taken, left + units);
        return true;
    }

    /** What was not spent is the store's again. */
    void handBack() {
        handedBack = true;
    }
}
