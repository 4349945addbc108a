package dev.weir.redis;

import dev.weir.Ticker;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread for all that happens by the clock: bills whose time is over, and what is repeated. Nothing that runs here may block.
 *
 * <p>All bills have the same budget, so they end in the order in which they came, and a queue is enough. While bills are under way the thread
 * looks at least once a millisecond; otherwise it sleeps until something is to be repeated.
 */
final class Pulse implements AutoCloseable {

    private static final long TICK_NANOS = 1_000_000L;

    private final Ticker ticker;
    private final long budgetNanos;
    private final ConcurrentLinkedQueue<Due> dues = new ConcurrentLinkedQueue<>();
    private final List<Repeated> repeated = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean asleep;
    private volatile boolean allAtOnce;
    private volatile boolean closed;

    /** Something whose time ends. */
    interface Due {
        /** When, by the pulse's ticker. */
        long dueNanos();

        /** Whether nothing is left to do. */
        boolean isDone();

        /** It is over. */
        void expire();
    }

    private static final class Repeated {
        final long everyNanos;
        final Runnable task;
        long nextNanos;

        Repeated(long everyNanos, Runnable task, long nextNanos) {
            this.everyNanos = everyNanos;
            this.task = task;
            this.nextNanos = nextNanos;
        }
    }

    Pulse(Ticker ticker, long budgetNanos, String name) {
        this.ticker = ticker;
        this.budgetNanos = budgetNanos;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    long now() {
        return ticker.nanos();
    }

    /** How long a bill may take. */
    long budgetNanos() {
        return budgetNanos;
    }

    /** Has it ended in time. Dues must come in the order of their time. */
    void add(Due due) {
        dues.add(due);
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /** Runs the task now and again. Before the start only. */
    void every(long nanos, Runnable task) {
        repeated.add(new Repeated(nanos, task, ticker.nanos()));
    }

    /** Runs all that is repeated once more, as soon as possible. */
    void soon() {
        allAtOnce = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            long now = ticker.nanos();
            long next = Math.min(expire(now), repeat(now));
            asleep = dues.isEmpty();
            if (asleep == dues.isEmpty() && !closed && !allAtOnce) {
                LockSupport.parkNanos(this, Math.min(next, asleep ? next : TICK_NANOS));
            }
            asleep = false;
        }
        dues.forEach(Due::expire);
    }

    /** Ends what is over, and answers in how many nanoseconds the next is. */
    private long expire(long now) {
        for (Due due = dues.peek(); due != null; due = dues.peek()) {
            long left = due.dueNanos() - now;
            if (!due.isDone()) {
                if (left > 0) {
                    return left;
                }
                due.expire();
            }
            dues.poll();
        }
        return Long.MAX_VALUE;
    }

    private long repeat(long now) {
        long next = Long.MAX_VALUE;
        boolean all = allAtOnce;
        allAtOnce = false;
        for (Repeated each : repeated) {
            if (all || each.nextNanos - now <= 0) {
                each.task.run();
                each.nextNanos = now + each.everyNanos;
            }
            next = Math.min(next, each.nextNanos - now);
        }
        return next;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
