package dev.weir.fleet;

import dev.weir.policy.StoreFailure;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import java.util.Optional;

/**
 * One fleet limit's line on a call's bill.
 *
 * @param charge what the store is asked
 * @param onFailure how it is decided while the store does not answer
 * @param maxKeys of how many keys of the limit grants are remembered meanwhile, 1 or more
 */
public record FleetLine(FleetCharge charge, StoreFailure onFailure, int maxKeys) {

    /** Its units over time; empty for calls in flight. */
    Optional<RateLimit> rate() {
        return charge.use() instanceof FleetCharge.Rate rate ? Optional.of(rate.limit()) : Optional.empty();
    }

    /** Whether the cost is above what the key could ever use: said at once, whatever the store does. */
    boolean neverPasses() {
        return charge.use() instanceof FleetCharge.Rate rate
                && charge.cost() > rate.limit().dearest();
    }
}
