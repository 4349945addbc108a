package dev.weir.fleet;

import java.util.concurrent.atomic.LongAdder;

/** What was taken in advance under one limit, so far. Thread safe. */
final class LeaseCounts {

    final LongAdder units = new LongAdder();
    final LongAdder tripsSaved = new LongAdder();
    final LongAdder dropped = new LongAdder();

    FleetFigures.Lease figures() {
        return new FleetFigures.Lease(units.sum(), tripsSaved.sum(), dropped.sum());
    }
}
