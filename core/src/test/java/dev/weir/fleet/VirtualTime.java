package dev.weir.fleet;

import dev.weir.FakeTicker;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Events in the order of their time, on a clock that stands at each of them. */
final class VirtualTime {

    private record Event(long nanos, long order, Runnable action) {}

    /** The time since the epoch, which is the monotonic one as well. */
    final FakeTicker ticker = new FakeTicker(1_900_000_000_000_000_000L);

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private long order;

    void after(long nanos, Runnable action) {
        events.add(new Event(ticker.nanos() + nanos, order++, action));
    }

    void run(long forNanos) {
        long end = ticker.nanos() + forNanos;
        while (!events.isEmpty() && events.peek().nanos() <= end) {
            Event next = events.remove();
            ticker.set(next.nanos());
            next.action().run();
        }
        ticker.set(end);
    }
}
