package dev.weir.rate;

/**
 * A start that was promised, and the receipt of its charge. Thread safe. Ends once, by {@link #cancel} or {@link #settle}; later calls do
 * nothing and answer false. Never ending it keeps the charge.
 */
public final class Reservation {

    /** What gives a charge back or corrects it; runs at most once. */
    interface Ending {
        void end(long actualCost);
    }

    private final long waitNanos;
    private final long cost;
    private final Ending ending;
    private final boolean granted;
    private boolean ended;

    private Reservation(boolean granted, long waitNanos, long cost, Ending ending) {
        this.granted = granted;
        this.waitNanos = waitNanos;
        this.cost = cost;
        this.ending = ending;
        this.ended = !granted;
    }

    static Reservation granted(long waitNanos, long cost, Ending ending) {
        return new Reservation(true, waitNanos, cost, ending);
    }

    /** A reservation that was refused: nothing is held, and {@code waitNanos} is how long until the same one would be granted. */
    static Reservation refused(long waitNanos) {
        return new Reservation(false, waitNanos, 0, actual -> {});
    }

    /** Whether a start was promised. */
    public boolean granted() {
        return granted;
    }

    /**
     * From the moment of asking, in nanoseconds: when granted, how long to wait before starting; when refused, how long until the same
     * call would be granted, {@link RateLimiter#NEVER} if no waiting helps.
     */
    public long waitNanos() {
        return waitNanos;
    }

    /** Gives the charge back, as much of it as is still missing because of it. Those who wait behind move up. False when it had ended. */
    public boolean cancel() {
        return settle(0);
    }

    /** Corrects the cost now that it is known: less gives back, more is charged into debt of at most one capacity. False when it had ended. */
    public boolean settle(long actualCost) {
        RateLimiter.requireCost(actualCost);
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
        }
        if (actualCost != cost) {
            ending.end(actualCost);
        }
        return true;
    }
}
