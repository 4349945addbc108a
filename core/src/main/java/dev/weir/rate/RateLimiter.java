package dev.weir.rate;

import dev.weir.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One budget for one key: asks are answered with a <em>wait</em>, how long until this very call would pass.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(RateLimit.parse("100/s").burst(200));
 * long waitNanos = limiter.charge(1);
 * return waitNanos == RateLimiter.NOW ? serve() : refuse(waitNanos);
 * }</pre>
 *
 * <p>Thread safe, for platform and virtual threads. {@link #charge}, {@link #peek} and {@link #tryAcquire()} allocate nothing and take no
 * lock while nobody waits (a sliding log takes one). Those who wait are served in the order in which they came; while somebody waits, a
 * call that does not wait passes nobody. Waiting is interruptible and parks the thread on the ticker, never on a monitor. Actions before a
 * charge happen-before actions after a later charge.
 *
 * <p>A cost of 0 always passes and changes nothing; a negative one is an {@link IllegalArgumentException}.
 *
 * <p>How it is designed, and why: the state is one long that {@link Meter} decides about and a compare-and-set replaces. A line of waiters
 * cannot live in that long, so when somebody has to wait the state moves into a {@link Line} under a lock, and {@link #LINED} takes its
 * place: a compare-and-set in the making fails and takes the lock too. When the line is empty the state moves back.
 */
public final class RateLimiter {

    /** The call passed and was charged. */
    public static final long NOW = Meter.NOW;
    /** No waiting helps: the cost is above what the limit can ever hold. */
    public static final long NEVER = Meter.NEVER;

    private static final VarHandle STATE;
    /** The state is in the line. */
    private static final long LINED = Long.MIN_VALUE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RateLimiter.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RateLimit limit;
    private final Ticker ticker;
    private final Meter meter;
    /** Decides for those who start at once or not at all: differs for a leaky queue, whose grants may start later. */
    private final Meter immediate;

    /** The meter, when it is the usual one. */
    private final @Nullable TokenBucket tokenBucket;

    private final long sweepNanos;
    private volatile long state;
    /** When the state was last seen to be recent; guards against the ring coming round. */
    private volatile long sweptAt;

    private final ReentrantLock lock = new ReentrantLock();
    private Line line;

    private RateLimiter(RateLimit limit, Ticker ticker) {
        this.limit = limit;
        this.ticker = ticker;
        long now = ticker.nanos();
        boolean log = limit.algorithm() == Algorithm.SLIDING_LOG;
        meter = log ? new Allowance(0) : Meter.of(limit);
        immediate = meter instanceof LeakyQueue queue ? queue.withoutWaiting() : meter;
        tokenBucket = meter instanceof TokenBucket bucket ? bucket : null;
        sweepNanos = meter.sweepNanos();
        sweptAt = now;
        state = log ? LINED : meter.fresh(now);
        line = new Line(
                log ? new Ledger.Logged(new SlidingLog(limit), new LogRing()) : new Ledger.Metered(meter, state));
    }

    /** A limiter on the machine's clock. Windows and quotas are aligned to the wall clock. */
    public static RateLimiter of(RateLimit limit) {
        return of(limit, RateTable.aligned(limit.algorithm()) ? Ticker.wall() : Ticker.system());
    }

    /** A limiter on another clock, such as a test's. Windows are multiples of the period from the clock's zero; calendars take it for the epoch. */
    public static RateLimiter of(RateLimit limit, Ticker ticker) {
        return new RateLimiter(limit, ticker);
    }

    /** What it limits to. */
    public RateLimit limit() {
        return limit;
    }

    /** Whether one unit passes now; it is charged then. */
    public boolean tryAcquire() {
        return charge(1) == NOW;
    }

    /** Whether {@code cost} units pass now; they are charged then. */
    public boolean tryAcquire(long cost) {
        return charge(cost) == NOW;
    }

    /**
     * Charges and answers {@link #NOW}, or changes nothing and answers the wait in nanoseconds, {@link #NEVER} if no waiting helps. A
     * leaky queue passes who may start at once; see {@link #reserve} for its later turns.
     */
    public long charge(long cost) {
        requireCost(cost);
        long now = ticker.nanos();
        for (; ; ) {
            long seen = state;
            if (seen == LINED || now - sweptAt >= sweepNanos) {
                return chargeLocked(now, cost, true);
            }
            // A class that is known is compiled in, whatever other algorithms the process uses.
            TokenBucket bucket = tokenBucket;
            long wait = bucket != null ? bucket.waitFor(seen, now, cost) : immediate.waitFor(seen, now, cost);
            if (wait != NOW || cost == 0) {
                return wait;
            }
            long next = bucket != null ? bucket.charged(seen, now, cost) : meter.charged(seen, now, cost);
            if (next == LINED) {
                return chargeLocked(now, cost, true);
            }
            if (STATE.compareAndSet(this, seen, next)) {
                return NOW;
            }
        }
    }

    /** What {@link #charge} would answer, without charging. */
    public long peek(long cost) {
        requireCost(cost);
        long now = ticker.nanos();
        long seen = state;
        return seen == LINED || now - sweptAt >= sweepNanos
                ? chargeLocked(now, cost, false)
                : immediate.waitFor(seen, now, cost);
    }

    private long chargeLocked(long now, long cost, boolean charge) {
        lock.lock();
        try {
            enline(now);
            long wait = line.waitToStart(now, cost);
            if (wait == NOW && charge && cost > 0) {
                line.ledger().charge(now, cost);
            }
            return wait;
        } finally {
            unline();
            lock.unlock();
        }
    }

    /** Waits for one unit. See {@link #acquire(long)}. */
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Waits until {@code cost} units pass, behind those who came before.
     *
     * @throws InterruptedException when the thread is interrupted before its start; what it held in the line goes back
     * @throws IllegalArgumentException when the cost is above what the limit can ever hold: it would wait for ever
     */
    public void acquire(long cost) throws InterruptedException {
        if (!await(cost, Long.MAX_VALUE)) {
            throw new IllegalArgumentException("cost " + cost + " is above what the limit can ever hold, "
                    + limit.capacity() + ": it would wait for ever");
        }
    }

    /**
     * Waits until {@code cost} units pass, behind those who came before, for at most {@code maxWait}. False at once, without waiting, when
     * they will not pass in that time.
     *
     * @throws InterruptedException when the thread is interrupted before its start; what it held in the line goes back
     */
    public boolean tryAcquire(long cost, Duration maxWait) throws InterruptedException {
        return await(cost, maxWait.isNegative() ? 0 : saturatedNanos(maxWait));
    }

    private static long saturatedNanos(Duration duration) {
        return duration.compareTo(RateLimit.MAX_PERIOD) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private boolean await(long cost, long maxWaitNanos) throws InterruptedException {
        requireCost(cost);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long wait = charge(cost);
        if (wait == NOW) {
            return true;
        }
        if (wait == NEVER) {
            return false;
        }
        Line.Place place;
        long now = ticker.nanos();
        lock.lock();
        try {
            enline(now);
            wait = line.waitFor(now, cost);
            if (wait == NEVER || wait > maxWaitNanos) {
                return false;
            }
            place = line.enter(now, cost, wait, Thread.currentThread());
            if (wait + place.turnNanos > maxWaitNanos) {
                line.leave(now, place);
                return false;
            }
            line.advance(now);
        } finally {
            unline();
            lock.unlock();
        }
        awaitTurn(place);
        return true;
    }

    private void awaitTurn(Line.Place place) throws InterruptedException {
        for (; ; ) {
            long left;
            lock.lock();
            try {
                long now = ticker.nanos();
                enline(now);
                if (Thread.interrupted()) {
                    line.leave(now, place);
                    throw new InterruptedException();
                }
                left = place.start + (place.started ? place.turnNanos : 0) - now;
                if (place.started && left <= 0) {
                    return;
                }
            } finally {
                unline();
                lock.unlock();
            }
            ticker.park(left);
        }
    }

    /**
     * Promises the earliest start behind everybody in the line, if it is at most {@code maxWait} ahead, and charges for it. The caller
     * waits by itself. In a leaky queue the start is the call's turn, and the queue's own depth and max-wait hold too.
     */
    public Reservation reserve(long cost, Duration maxWait) {
        requireCost(cost);
        long maxWaitNanos = maxWait.isNegative() ? 0 : saturatedNanos(maxWait);
        lock.lock();
        try {
            long now = ticker.nanos();
            enline(now);
            long wait = line.waitFor(now, cost);
            boolean queueFull = limit.algorithm() == Algorithm.LEAKY_QUEUE && wait != NOW;
            if (wait == NEVER || wait > maxWaitNanos || queueFull) {
                return Reservation.refused(wait);
            }
            Line.Place place = line.enter(now, cost, wait, null);
            long start = wait + place.turnNanos;
            if (start > maxWaitNanos) {
                line.leave(now, place);
                return Reservation.refused(start - maxWaitNanos);
            }
            line.advance(now);
            return Reservation.granted(start, cost, actual -> settle(place, cost, actual));
        } finally {
            unline();
            lock.unlock();
        }
    }

    /** As {@link #reserve(long, Duration)}, however far ahead the start is. */
    public Reservation reserve(long cost) {
        return reserve(cost, RateLimit.MAX_PERIOD.plusDays(1));
    }

    private void settle(Line.Place place, long cost, long actual) {
        lock.lock();
        try {
            long now = ticker.nanos();
            enline(now);
            if (actual == 0) {
                line.leave(now, place);
                return;
            }
            if (!place.started) {
                place.cost = actual;
            } else if (actual < cost) {
                line.ledger().giveBack(now, cost - actual, place.mark);
            } else {
                line.ledger().charge(now, actual - cost);
            }
            line.planAgain(now);
        } finally {
            unline();
            lock.unlock();
        }
    }

    /** What is left and when more comes. Allocates. */
    public Standing standing() {
        lock.lock();
        try {
            long now = ticker.nanos();
            enline(now);
            return line.ledger().standing(now);
        } finally {
            unline();
            lock.unlock();
        }
    }

    // ---- between the long and the line; the lock is held

    /** Moves the state into the line, and starts whose time has come. */
    private void enline(long now) {
        if (state != LINED) {
            sweep(now);
            long moved = (long) STATE.getAndSet(this, LINED);
            line = new Line(new Ledger.Metered(meter, moved));
        }
        line.advance(now);
    }

    /** Moves the state back when nobody is left. A log stays, and so does the one state that would look like {@link #LINED}. */
    private void unline() {
        if (state == LINED && line.isEmpty() && line.ledger() instanceof Ledger.Metered metered) {
            state = metered.state();
        }
    }

    /** Before the ring comes round: a state that is whole again is written anew; one that was not looked at for long is whole. */
    private void sweep(long now) {
        long idle = now - sweptAt;
        if (idle < sweepNanos) {
            return;
        }
        long seen = state;
        if ((sweepNanos <= Long.MAX_VALUE / 2 && idle >= 2 * sweepNanos) || meter.isFresh(seen, now)) {
            STATE.compareAndSet(this, seen, meter.fresh(now));
        }
        sweptAt = now;
    }

    static void requireCost(long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException(
                    "cost " + cost + " is below 0: give back by Reservation.cancel or settle");
        }
    }
}
