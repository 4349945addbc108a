package dev.weir.load;

import java.util.ArrayList;
import java.util.List;

/** What a waiter was told. */
final class Told implements Waiter {

    private final List<Long> stamps = new ArrayList<>();
    private final List<GateReason> reasons = new ArrayList<>();

    @Override
    public synchronized void admitted(long stamp) {
        stamps.add(stamp);
    }

    @Override
    public synchronized void refused(GateRefusal refusal) {
        reasons.add(refusal.reason());
    }

    synchronized List<Long> stamps() {
        return List.copyOf(stamps);
    }

    synchronized List<GateReason> reasons() {
        return List.copyOf(reasons);
    }

    synchronized boolean waits() {
        return stamps.isEmpty() && reasons.isEmpty();
    }
}
