package dev.weir.load;

import dev.weir.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A bound on how much work goes on at once, in front of that work.
 *
 * <pre>{@code
 * Gate gate = Gate.of(ConcurrencyLimit.gradient());
 * long stamp = gate.tryEnter();
 * if (stamp == Gate.REFUSED) {
 *     return refuse();
 * }
 * Outcome outcome = Outcome.DROPPED;
 * try {
 *     Reply reply = serve();
 *     outcome = Outcome.SUCCESS;
 *     return reply;
 * } finally {
 *     gate.exit(stamp, outcome);
 * }
 * }</pre>
 *
 * <p>Thread safe. Whoever entered exits exactly once: a second exit changes nothing and is counted. The gate starts no thread and reads the
 * clock it was given; whoever lets calls wait without blocking a thread calls {@link #expire} when {@link #nextExpiryNanos} has come.
 */
public final class Gate {

    /** The call did not enter. */
    public static final long REFUSED = Slots.NONE;

    private final GateSettings settings;
    private final GateCore core;

    private Gate(GateSettings settings, GateCore core) {
        this.settings = settings;
        this.core = core;
    }

    /** A gate that bounds what is in flight, on the machine's clock. */
    public static Gate of(ConcurrencyLimit concurrency) {
        return of(GateSettings.of("gate", concurrency), Ticker.system());
    }

    /** A gate on the given clock. */
    public static Gate of(GateSettings settings, Ticker ticker) {
        return new Gate(settings, new GateCore(settings, ticker));
    }

    /** A fresh gate like this one, in front of which {@code size} calls may wait, each for at most {@code maxWait}. */
    public Gate queue(int size, Duration maxWait) {
        return of(settings.withQueue(QueueSettings.of(size, maxWait)), core.ticker());
    }

    /** What it does. */
    public GateSettings settings() {
        return settings;
    }

    /** Enters as a critical call, or answers {@link #REFUSED}. Does not wait. */
    public long tryEnter() {
        return core.tryEnter(Criticality.CRITICAL);
    }

    /** Enters, or answers {@link #REFUSED}. Does not wait. */
    public long tryEnter(Criticality criticality) {
        return core.tryEnter(criticality);
    }

    /** Whether the call would be refused for want of a slot and a place to wait, or to keep slots for others. Takes no slot. */
    public Optional<GateRefusal> judge(GateCall call) {
        return core.judge(call);
    }

    /** Enters, is refused, or waits; only who waits is told through {@code waiter}, once. */
    public Entry enter(GateCall call, Waiter waiter) {
        return core.enter(call, waiter);
    }

    /** The head of the answer is ready: the call's latency ends here, while it keeps its slot until it exits. */
    public void responseStarted(long stamp) {
        core.responseStarted(stamp);
    }

    /** Lets the slot go. A second time changes nothing and is counted. */
    public void exit(long stamp, Outcome outcome) {
        core.exit(stamp, outcome);
    }

    /** How many calls may be in flight now. */
    public int limit() {
        return core.limit();
    }

    /** How many calls hold a slot. */
    public int inFlight() {
        return core.inFlight();
    }

    /** How many exits there were of calls that had exited already. */
    public long doubleExits() {
        return core.doubleExits();
    }

    /** When the next waiter's time is over, on the gate's ticker; {@link Long#MAX_VALUE} when nobody waits. */
    public long nextExpiryNanos() {
        return Long.MAX_VALUE;
    }

    /** Refuses the waiters whose time is over. */
    public void expire() {}

    /** The modes in force: what is to be done cheaper now, cheapest first. */
    public List<String> degrade() {
        return List.of();
    }

    /** The gate at this moment. */
    public GateFigures figures() {
        return core.figures();
    }
}
