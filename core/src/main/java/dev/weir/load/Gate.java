package dev.weir.load;

import dev.weir.Ticker;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    /** What most calls need is here, one step away; the core has it too. */
    private final Slots slots;

    private final GateCore core;

    private Gate(GateSettings settings, Slots slots, GateCore core) {
        this.settings = settings;
        this.slots = slots;
        this.core = core;
    }

    /** A gate that bounds what is in flight, on the machine's clock. */
    public static Gate of(ConcurrencyLimit concurrency) {
        return of(GateSettings.of("gate", concurrency), Ticker.system());
    }

    /** A gate on the given clock, which listens to no signals but its own. */
    public static Gate of(GateSettings settings, Ticker ticker) {
        return of(settings, ticker, List.of());
    }

    /**
     * A gate on the given clock; its settings may name its own signals, {@code queue-time p99 errors timeouts}, and the given ones. A name
     * that is none of these is a signal whose value is not known: it shows in the figures and never acts.
     */
    public static Gate of(GateSettings settings, Ticker ticker, List<LoadSignal> signals) {
        Slots slots = new Slots(settings.concurrency().max());
        return new Gate(settings, slots, new GateCore(settings, slots, ticker, signals));
    }

    /**
     * The gate under other settings: calls in flight keep their slots, waiters that still have a place wait on, and what was learnt about
     * the limit stays if the algorithm is the same. This gate is the same from now on, and only reads a call's pool by its own settings. A
     * limit below what is in flight admits nobody until it is met.
     */
    public Gate carriedOver(GateSettings next) {
        core.change(next);
        return new Gate(next, slots, core);
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
        return tryEnter(Criticality.CRITICAL);
    }

    /** Enters, or answers {@link #REFUSED}. Does not wait. */
    public long tryEnter(Criticality criticality) {
        long stamp = slots.takeOpen();
        if (stamp == Slots.NONE) {
            return core.enterOrRefuse(settings, criticality);
        }
        core.noteEntry(stamp);
        return stamp;
    }

    /**
     * Enters, waiting for at most {@code maxWaitNanos} and as long as the queue allows, or answers {@link #REFUSED}. Without a queue nobody
     * waits. Parks the thread, never on a monitor; an interrupted thread leaves nothing behind.
     */
    public long enter(Criticality criticality, long maxWaitNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        BlockingWaiter waiter = new BlockingWaiter();
        Entry entry = core.enter(settings, GateCall.of(criticality), waiter, maxWaitNanos);
        return entry instanceof Parked parked
                ? waiter.await(parked, core)
                : entry.stamp().orElse(REFUSED);
    }

    /**
     * Enters, works and exits.
     *
     * @throws RejectedExecutionException when it did not enter
     */
    public <T> T call(Callable<T> work) throws Exception {
        long stamp = entered();
        Outcome outcome = Outcome.IGNORED;
        try {
            T result = work.call();
            outcome = Outcome.SUCCESS;
            return result;
        } catch (TimeoutException | RejectedExecutionException e) {
            outcome = Outcome.DROPPED;
            throw e;
        } finally {
            exit(stamp, outcome);
        }
    }

    /**
     * Enters, and exits when the work's stage ends.
     *
     * @throws RejectedExecutionException when it did not enter
     */
    public <T> CompletionStage<T> callAsync(Supplier<? extends CompletionStage<T>> work) {
        long stamp = entered();
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(work.get(), "the work's stage");
        } catch (RuntimeException | Error e) {
            exit(stamp, Outcome.IGNORED);
            throw e;
        }
        return stage.whenComplete((result, failure) -> exit(stamp, outcomeOf(failure)));
    }

    private long entered() {
        long stamp = tryEnter();
        if (stamp == REFUSED) {
            throw new RejectedExecutionException("gate " + settings.name() + " is full: " + inFlight() + " in flight");
        }
        return stamp;
    }

    private static Outcome outcomeOf(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            return Outcome.SUCCESS;
        }
        return cause instanceof TimeoutException || cause instanceof RejectedExecutionException
                ? Outcome.DROPPED
                : Outcome.IGNORED;
    }

    /** Whether the call would be refused for want of a slot and a place to wait, or to keep slots for others. Takes no slot. */
    public Optional<GateRefusal> judge(GateCall call) {
        return core.judge(settings, call);
    }

    /** Enters, is refused, or waits; only who waits is told through {@code waiter}, once. */
    public Entry enter(GateCall call, Waiter waiter) {
        return core.enter(settings, call, waiter, Long.MAX_VALUE / 2);
    }

    /** Enters or is refused; does not wait. */
    public Entry tryEnter(GateCall call) {
        return core.enter(settings, call, null, 0);
    }

    /** The head of the answer is ready: the call's latency ends here, while it keeps its slot until it exits. */
    public void responseStarted(long stamp) {
        core.responseStarted(stamp);
    }

    /** Lets the slot go. A second time changes nothing and is counted. */
    public void exit(long stamp, Outcome outcome) {
        if (!slots.leave(stamp)) {
            core.exit(stamp, outcome);
        }
    }

    /**
     * Lets the slot go because the caller left. Before the gate's usual latency that says nothing; after it, it is a timeout in disguise
     * and counts as dropped.
     */
    public void abandon(long stamp) {
        core.abandon(stamp);
    }

    /** The call will last: an upgrade, a stream of events. It keeps its slot below the ceiling, and the limit no longer counts it. */
    public void markLong(long stamp) {
        core.markLong(stamp);
    }

    /** An answer was an error: for the signal {@code errors}. */
    public void error() {
        core.error();
    }

    /** How many calls may be in flight now, beside those that are long. */
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

    /** When {@link #expire} is to be called next, on the gate's ticker; {@link Long#MAX_VALUE} when nobody waits. */
    public long nextExpiryNanos() {
        return core.nextExpiryNanos();
    }

    /** Refuses the waiters whose time is over. */
    public void expire() {
        core.expire();
    }

    /** The modes in force: what is to be done cheaper now, cheapest first. */
    public List<String> degrade() {
        return core.degrade();
    }

    /** Which of the settings' degrade steps are in force, by their index. */
    public BitSet degradeSteps() {
        return core.degradeSteps();
    }

    /** The gate at this moment. */
    public GateFigures figures() {
        return core.figures();
    }
}
