package dev.weir.redis;

import dev.weir.rate.Charged;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What happened so far. Thread safe. */
final class Tally {

    final LongAdder calls = new LongAdder();
    final LongAdder commands = new LongAdder();
    final LongAdder lostGiveBacks = new LongAdder();
    final LongAdder overflowed = new LongAdder();
    private final Map<Charged.Cause, LongAdder> unavailable = new EnumMap<>(Charged.Cause.class);

    Tally() {
        for (Charged.Cause cause : Charged.Cause.values()) {
            unavailable.put(cause, new LongAdder());
        }
    }

    void add(Charged charged) {
        LongAdder adder = charged instanceof Charged.Unavailable none ? unavailable.get(none.cause()) : null;
        if (adder != null) {
            adder.increment();
        }
    }

    Map<Charged.Cause, Long> unavailable() {
        Map<Charged.Cause, Long> all = new EnumMap<>(Charged.Cause.class);
        unavailable.forEach((cause, adder) -> {
            if (adder.sum() > 0) {
                all.put(cause, adder.sum());
            }
        });
        return Map.copyOf(all);
    }
}
