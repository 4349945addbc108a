package dev.weir.sim;

import dev.weir.Ticker;
import java.util.Arrays;

/**
 * What is to happen when: a binary heap of events, and the clock that stands at the one being played. Events of the same time happen in the
 * order in which they were planned, so that a run is the same each time. Used by one thread.
 */
final class VirtualTime implements Ticker {

    private long nowNanos;
    private long planned;
    private int size;
    private long[] atNanos = new long[1024];
    private long[] order = new long[1024];
    private Runnable[] events = new Runnable[1024];

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public void park(long waitNanos) {
        throw new UnsupportedOperationException("nobody waits in virtual time: plan an event");
    }

    /** Plans an event, not before now. */
    void at(long nanos, Runnable event) {
        if (size == events.length) {
            atNanos = Arrays.copyOf(atNanos, size * 2);
            order = Arrays.copyOf(order, size * 2);
            events = Arrays.copyOf(events, size * 2);
        }
        rise(size++, Math.max(nanos, nowNanos), planned++, event);
    }

    /** Plans an event after a while. */
    void after(long nanos, Runnable event) {
        at(nowNanos + nanos, event);
    }

    /** Plays all events up to a time and stops there. */
    void playUntil(long endNanos) {
        while (size > 0 && atNanos[0] <= endNanos) {
            nowNanos = atNanos[0];
            Runnable event = events[0];
            removeFirst();
            event.run();
        }
        nowNanos = endNanos;
    }

    private void removeFirst() {
        size--;
        long at = atNanos[size];
        long turn = order[size];
        Runnable event = events[size];
        sink(at, turn, event);
    }

    private void rise(int from, long at, long turn, Runnable event) {
        int hole = from;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!before(at, turn, parent)) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, at, turn, event);
    }

    private void sink(long at, long turn, Runnable event) {
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(atNanos[child + 1], order[child + 1], child)) {
                child++;
            }
            if (before(at, turn, child)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, at, turn, event);
    }

    private boolean before(long at, long turn, int place) {
        return at < atNanos[place] || (at == atNanos[place] && turn < order[place]);
    }

    private void move(int from, int to) {
        put(to, atNanos[from], order[from], events[from]);
    }

    private void put(int place, long at, long turn, Runnable event) {
        atNanos[place] = at;
        order[place] = turn;
        events[place] = event;
    }
}
