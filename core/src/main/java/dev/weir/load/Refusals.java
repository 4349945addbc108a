package dev.weir.load;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Who was refused why, and when the others are to come back. {@link #add} is thread safe; the rest is guarded by the gate's lock. */
final class Refusals {

    private static final int SECONDS = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long LONGEST_RETRY_NANOS = 30 * SECOND_NANOS;

    private final List<String> pools;
    private final List<Map<Criticality, Map<GateReason, LongAdder>>> counts = new ArrayList<>();
    private final LongAdder all = new LongAdder();

    private final long[] refusedPerSecond = new long[SECONDS];
    private final long[] admittedPerSecond = new long[SECONDS];
    private long refusedBefore;
    private int enteredBefore;
    private long secondBeganNanos;
    private int second;
    private volatile long retryAfterNanos = SECOND_NANOS;

    Refusals(List<String> pools, long nowNanos, int entered) {
        this.pools = pools;
        for (int i = 0; i < pools.size(); i++) {
            counts.add(zeros());
        }
        secondBeganNanos = nowNanos;
        enteredBefore = entered;
    }

    private static Map<Criticality, Map<GateReason, LongAdder>> zeros() {
        Map<Criticality, Map<GateReason, LongAdder>> zeros = new EnumMap<>(Criticality.class);
        for (Criticality criticality : Criticality.values()) {
            Map<GateReason, LongAdder> byReason = new EnumMap<>(GateReason.class);
            for (GateReason reason : GateReason.values()) {
                byReason.put(reason, new LongAdder());
            }
            zeros.put(criticality, byReason);
        }
        return zeros;
    }

    GateRefusal add(int pool, Criticality criticality, GateReason reason) {
        requireNonNull(requireNonNull(counts.get(pool).get(criticality)).get(reason))
                .increment();
        all.increment();
        return new GateRefusal(reason, retryAfterNanos);
    }

    /** Takes up what happened since. */
    void tick(long nowNanos, int entered) {
        long passed = nowNanos - secondBeganNanos;
        for (int i = 0; passed >= SECOND_NANOS && i < SECONDS; i++) {
            passed -= SECOND_NANOS;
            secondBeganNanos += SECOND_NANOS;
            second = (second + 1) % SECONDS;
            refusedPerSecond[second] = 0;
            admittedPerSecond[second] = 0;
        }
        if (passed >= SECOND_NANOS) {
            secondBeganNanos = nowNanos;
        }
        long refused = all.sum();
        refusedPerSecond[second] += refused - refusedBefore;
        admittedPerSecond[second] += Slots.enteredBetween(enteredBefore, entered);
        refusedBefore = refused;
        enteredBefore = entered;
        retryAfterNanos = retryAfterNanos(sum(refusedPerSecond), sum(admittedPerSecond));
    }

    /** 1 s x (1 + refused/admitted), within 1 to 30 s. */
    static long retryAfterNanos(long refused, long admitted) {
        double factor = refused == 0 ? 1 : 1 + (double) refused / admitted;
        return (long) Math.min(LONGEST_RETRY_NANOS, factor * SECOND_NANOS);
    }

    long retryAfterNanos() {
        return retryAfterNanos;
    }

    private static long sum(long[] perSecond) {
        long sum = 0;
        for (long count : perSecond) {
            sum += count;
        }
        return sum;
    }

    List<GateFigures.Refused> figures() {
        List<GateFigures.Refused> figures = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            String pool = pools.get(i);
            counts.get(i)
                    .forEach((criticality, byReason) -> byReason.forEach((reason, count) -> {
                        if (count.sum() > 0) {
                            figures.add(new GateFigures.Refused(pool, criticality, reason, count.sum()));
                        }
                    }));
        }
        return figures;
    }
}
