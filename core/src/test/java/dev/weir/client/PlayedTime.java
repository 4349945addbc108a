package dev.weir.client;

import dev.weir.Delay;
import dev.weir.Ticker;
import java.util.PriorityQueue;

/** Time that a test plays: what is to happen later happens when the test has come there, on its thread. */
final class PlayedTime implements Ticker, Delay {

    private record Planned(long atNanos, long order, Runnable task) {}

    private final PriorityQueue<Planned> planned = new PriorityQueue<>(
            (a, b) -> a.atNanos != b.atNanos ? Long.compare(a.atNanos, b.atNanos) : Long.compare(a.order, b.order));
    private long nowNanos;
    private long orders;

    @Override
    public synchronized long nanos() {
        return nowNanos;
    }

    @Override
    public synchronized void after(long nanos, Runnable task) {
        planned.add(new Planned(nowNanos + nanos, orders++, task));
    }

    /** Plays on for so long. */
    void play(long nanos) {
        long end = nanos() + nanos;
        for (Planned next = nextUntil(end); next != null; next = nextUntil(end)) {
            next.task.run();
        }
    }

    private synchronized Planned nextUntil(long endNanos) {
        Planned next = planned.peek();
        if (next == null || next.atNanos > endNanos) {
            nowNanos = endNanos;
            return null;
        }
        nowNanos = Math.max(nowNanos, next.atNanos);
        return planned.remove();
    }
}
