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
    private final LongAdder all;

    private final long[] refusedPerSecond = new long[SECONDS];
    private final long[] admittedPerSecond = new long[SECONDS];
    private long refusedBefore;
    private int enteredBefore;
    private long secondBeganNanos;
    private int second;
    private volatile long retryAfterNanos = SECOND_NANOS;

    Refusals(List<String> pools, long nowNanos, int entered) {
        this(pools, new LongAdder(), nowNanos, entered);
    }

    private Refusals(List<String> pools, LongAdder all, long nowNanos, int entered) {
        this.pools = pools;
        this.all = all;
        for (int i = 0; i < pools.size(); i++) {
            counts.add(zeros());
        }
        secondBeganNanos = nowNanos;
        enteredBefore = entered;
    }

    /** The same for other pools: those that keep their name keep their counts. */
    Refusals under(List<String> otherPools) {
        if (otherPools.equals(pools)) {
            return this;
        }
        Refusals next = new Refusals(otherPools, all, secondBeganNanos, enteredBefore);
        for (int i = 0; i < otherPools.size(); i++) {
            int before = pools.indexOf(otherPools.get(i));
            if (before >= 0) {
                next.counts.set(i, counts.get(before));
            }
        }
        System.arraycopy(refusedPerSecond, 0, next.refusedPerSecond, 0, SECONDS);
        System.arraycopy(admittedPerSecond, 0, next.admittedPerSecond, 0, SECONDS);
        next.second = second;
        next.refusedBefore = refusedBefore;
        next.retryAfterNanos = retryAfterNanos;
        return next;
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

    /** Takes up what happened since the last time, as of that second. */
    void tick(long nowNanos, int entered) {
        long refused = all.sum();
        refusedPerSecond[second] += refused - refusedBefore;
        admittedPerSecond[second] += Slots.enteredBetween(enteredBefore, entered);
        refusedBefore = refused;
        enteredBefore = entered;
        turn(nowNanos);
        retryAfterNanos = retryAfterNanos(sum(refusedPerSecond), sum(admittedPerSecond));
    }

    private void turn(long nowNanos) {
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
