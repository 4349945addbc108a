package dev.weir.rate;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait at one limiter, first come first served. Everybody in the line has a start that is known beforehand, because nobody may
 * pass: it is what the limiter's own arithmetic says once all before have been charged at their starts. Whoever will not be served in
 * time is told at once instead of parked in vain. Not thread safe: the limiter's lock guards it.
 */
final class Line {

    private final Ledger ledger;
    private final ArrayDeque<Place> places = new ArrayDeque<>();
    /** What the ledger will be when all in the line have started, and when the last of them does. */
    private Ledger tail;

    private long tailStart;

    Line(Ledger ledger) {
        this.ledger = ledger;
        this.tail = ledger;
    }

    /** A place in the line: a thread that waits, or a promise made to one that will come. */
    static final class Place {
        long cost;
        final @Nullable Thread thread;
        long start;
        /** How long after the start a leaky queue's turn is. */
        long turnNanos;

        boolean started;
        long mark;

        private Place(long cost, @Nullable Thread thread) {
            this.cost = cost;
            this.thread = thread;
        }
    }

    Ledger ledger() {
        return ledger;
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Starts everybody whose time has come: charged at the start that was promised, so that late wake-ups do not add up. */
    void advance(long now) {
        for (Place place = places.peek(); place != null && place.start - now <= 0; place = places.peek()) {
            places.remove();
            place.mark = ledger.mark(place.start);
            ledger.charge(place.start, place.cost);
            place.started = true;
            LockSupport.unpark(place.thread);
        }
    }

    /** How long a call that came now would wait behind all others: until it passes, and until its turn in a leaky queue. */
    long waitFor(long now, long cost) {
        if (cost == 0) {
            return Meter.NOW;
        }
        long from = from(now);
        long wait = tail().waitFor(from, cost);
        return wait == Meter.NEVER ? Meter.NEVER : from - now + wait;
    }

    /** As {@link #waitFor}, for a call that starts at once or not at all: in a leaky queue its turn must have come too. */
    long waitToStart(long now, long cost) {
        long wait = waitFor(now, cost);
        if (cost == 0 || wait == Meter.NEVER) {
            return wait;
        }
        long from = from(now);
        return Math.max(wait, from - now + tail().turnNanos(from));
    }

    /** Takes the place behind all others, whose wait {@link #waitFor} has told. */
    Place enter(long now, long cost, long waitNanos, @Nullable Thread thread) {
        Place place = new Place(cost, thread);
        if (places.isEmpty()) {
            tail = ledger.copy();
        }
        plan(place, now + waitNanos);
        places.add(place);
        return place;
    }

    /** Takes somebody out. Those behind move up. */
    void leave(long now, Place place) {
        if (place.started) {
            ledger.giveBack(now, place.cost, place.mark);
        } else {
            places.remove(place);
        }
        planAgain(now);
    }

    /** Works out everybody's start anew, after the ledger changed otherwise than by starts. A promise is kept as it was made. */
    void planAgain(long now) {
        tail = ledger.copy();
        tailStart = now;
        long previous = now;
        for (Iterator<Place> each = places.iterator(); each.hasNext(); ) {
            Place place = each.next();
            long start = place.start;
            if (place.thread != null) {
                long from = previous - now > 0 ? previous : now;
                start = from + tail.waitFor(from, place.cost);
            }
            boolean moved = start != place.start;
            plan(place, start);
            previous = start - previous > 0 ? start : previous;
            if (moved) {
                LockSupport.unpark(place.thread);
            }
        }
    }

    private void plan(Place place, long start) {
        place.start = start;
        place.turnNanos = place.cost == 0 ? 0 : tail.turnNanos(start);
        tail.charge(start, place.cost);
        tailStart = places.isEmpty() || start - tailStart > 0 ? start : tailStart;
    }

    private Ledger tail() {
        return places.isEmpty() ? ledger : tail;
    }

    private long from(long now) {
        return !places.isEmpty() && tailStart - now > 0 ? tailStart : now;
    }
}
