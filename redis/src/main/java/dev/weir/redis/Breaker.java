package dev.weir.redis;

import dev.weir.rate.StoreFigures;

/**
 * Whether a server is asked. After {@link #FAILURES} failures in a row it is not, until a probe is answered. The first probe follows at once:
 * a pause of this process looks like one of the server's. Then the distance doubles from 25 ms to a second. Thread safe; time is an argument.
 */
final class Breaker {

    static final int FAILURES = 5;
    private static final long FIRST_PAUSE_NANOS = 25_000_000L;
    private static final long LAST_PAUSE_NANOS = 1_000_000_000L;

    private int failures;
    private long pauseNanos;
    private long probeAtNanos;
    private volatile StoreFigures.State state = StoreFigures.State.CLOSED;

    StoreFigures.State state() {
        return state;
    }

    boolean closed() {
        return state == StoreFigures.State.CLOSED;
    }

    /** A bill was answered. */
    void answered() {
        if (failures != 0 && closed()) {
            synchronized (this) {
                failures = 0;
            }
        }
    }

    /** A bill was not; true when that opened the breaker. */
    synchronized boolean failed(long now) {
        if (state != StoreFigures.State.CLOSED || ++failures < FAILURES) {
            return false;
        }
        state = StoreFigures.State.OPEN;
        pauseNanos = FIRST_PAUSE_NANOS;
        probeAtNanos = now;
        return true;
    }

    /** Whether it is time to probe; who is told so does it and says how it went. */
    synchronized boolean mayProbe(long now) {
        if (state != StoreFigures.State.OPEN || now - probeAtNanos < 0) {
            return false;
        }
        state = StoreFigures.State.HALF_OPEN;
        return true;
    }

    /** A probe was answered, or was not. */
    synchronized void probed(boolean answered, long now) {
        if (answered) {
            state = StoreFigures.State.CLOSED;
            failures = 0;
        } else if (state == StoreFigures.State.HALF_OPEN) {
            state = StoreFigures.State.OPEN;
            probeAtNanos = now + pauseNanos;
            pauseNanos = Math.min(2 * pauseNanos, LAST_PAUSE_NANOS);
        }
    }
}
