package dev.weir.fleet;

import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreKey;

/** What one count of the store belongs to. */
record Place(String limit, StoreKey key, String window) {

    static Place of(FleetCharge charge) {
        return new Place(charge.limit(), charge.key(), charge.window());
    }
}
