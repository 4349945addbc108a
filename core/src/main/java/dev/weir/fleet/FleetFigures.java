package dev.weir.fleet;

import dev.weir.rate.StoreFigures;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How one instance's part in its fleet has been doing. Counts are since the start.
 *
 * @param store how its store has been doing
 * @param instances how many instances live, as last heard; empty when nothing was heard yet
 * @param away whether limits are decided without the store at present
 * @param leases units taken in advance, by limit
 * @param remembered calls that were refused from memory, without asking
 * @param lostUnits units granted without the store of which it could not be told
 */
public record FleetFigures(
        StoreFigures store,
        OptionalInt instances,
        boolean away,
        Map<String, Lease> leases,
        long remembered,
        long lostUnits) {

    /**
     * Units of one limit that were taken in advance.
     *
     * @param units how many were taken
     * @param tripsSaved calls that were decided by them, without asking
     * @param dropped units that expired unspent
     */
    public record Lease(long units, long tripsSaved, long dropped) {}
}
