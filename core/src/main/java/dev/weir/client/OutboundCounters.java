package dev.weir.client;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What is counted of one dependency. Thread safe. */
final class OutboundCounters {

    final LongAdder attempts = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder hedges = new LongAdder();
    final LongAdder waits = new LongAdder();
    final LongAdder waitedNanos = new LongAdder();
    final AtomicInteger inFlight = new AtomicInteger();
    private final Map<PeerAnswer.Kind, LongAdder> answers = adders(PeerAnswer.Kind.class);
    private final Map<OutboundReason, LongAdder> refusals = adders(OutboundReason.class);

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        Map<E, LongAdder> adders = new EnumMap<>(type);
        for (E each : type.getEnumConstants()) {
            adders.put(each, new LongAdder());
        }
        return adders;
    }

    void answered(PeerAnswer.Kind kind) {
        increment(answers, kind);
    }

    void refused(OutboundReason reason) {
        increment(refusals, reason);
    }

    private static <E> void increment(Map<E, LongAdder> adders, E key) {
        LongAdder adder = adders.get(key);
        if (adder != null) {
            adder.increment();
        }
    }

    Map<PeerAnswer.Kind, Long> answers() {
        return sums(answers, PeerAnswer.Kind.class);
    }

    Map<OutboundReason, Long> refusals() {
        return sums(refusals, OutboundReason.class);
    }

    private static <E extends Enum<E>> Map<E, Long> sums(Map<E, LongAdder> adders, Class<E> type) {
        Map<E, Long> sums = new EnumMap<>(type);
        adders.forEach((key, adder) -> sums.put(key, adder.sum()));
        return sums;
    }
}
