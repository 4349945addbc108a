package dev.weir.client;

import dev.weir.Delay;
import dev.weir.Ticker;
import dev.weir.load.Criticality;
import dev.weir.load.Gate;
import dev.weir.load.GateSettings;
import dev.weir.load.Outcome;
import dev.weir.load.QueueSettings;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateLimiter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks one dependency, within what it can bear.
 *
 * <pre>{@code
 * Outbound payments = Outbound.of(OutboundSettings.of("payments")
 *         .rate(RateLimit.parse("200/s"))
 *         .inFlight(ConcurrencyLimit.fixed(8))
 *         .retry(OutboundSettings.Retry.DEFAULT));
 * Reply reply = payments.call(() -> ask());
 * }</pre>
 *
 * <p>A call first needs leave to be sent, in this order: the dependency wants to be asked at all, the adaptive throttle lets it through, a
 * slot is in sight, its turn comes, a slot is free. What cannot come within {@code max-wait}, or before the call's deadline, is refused at
 * once, with a reason and a time to come back; nobody waits in vain. After the answer the slot is free, and what the answer advises holds
 * for all who call this dependency.
 *
 * <p>A call that was refused there, or failed, is sent again when it is safe to repeat, nobody above tries again, there are tries, time
 * and budget left; otherwise its answer stands.
 *
 * <p>Thread safe, for platform and virtual threads. It starts no thread. Waiting is interruptible; an interrupt, or a future that is
 * cancelled, gives back all that is held. Time, delays and chance come from where they were given.
 */
public final class Outbound {

    /** What is said of when to come back to a dependency that turns nearly everything away, and for how long it is out then. */
    static final long THROTTLE_RETRY_NANOS = 1_000_000_000L;

    private static final double NEARLY_EVERYTHING = 0.9;
    private static final int MOST_WAITERS = 10_000;
    private static final long LEAST_SPREAD_NANOS = 1_000_000_000L;
    private static final long MOST_SPREAD_NANOS = 60_000_000_000L;
    private static final int SPREAD_PART = 10;
    /** Longer than any pause that is kept. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** What follows from the settings in force. */
    record Parts(
            OutboundSettings settings,
            int instances,
            long maxWaitNanos,
            Optional<RateLimiter> limiter,
            Optional<Gate> gate,
            Optional<RetryBudget> budget,
            Optional<AdaptiveThrottle> throttle) {}

    private final Ticker ticker;
    private final Delay delay;
    private final RandomGenerator random;
    private final OutboundListener listener;
    private final Learnt learnt;
    private final OutboundCounters counters = new OutboundCounters();
    private final AtomicLong waiterNumbers = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Asking> waiters = new ConcurrentSkipListMap<>();
    private volatile Parts parts;
    private volatile IntSupplier live = () -> 1;
    private volatile boolean out;

    private Outbound(
            OutboundSettings settings, Ticker ticker, Delay delay, RandomGenerator random, OutboundListener listener) {
        this.ticker = ticker;
        this.delay = delay;
        this.random = random;
        this.listener = listener;
        this.learnt = new Learnt(settings.maxPauseNanos());
        this.parts = parts(settings, 1, Optional.empty());
    }

    /** One on the machine's clock, for one instance. */
    public static Outbound of(OutboundSettings settings) {
        return of(
                settings,
                Ticker.system(),
                Delay.system(),
                () -> ThreadLocalRandom.current().nextLong(),
                OutboundListener.NONE);
    }

    /**
     * One on other time and chance.
     *
     * @param delay what waits are made of; it keeps to the ticker
     * @param random thread safe
     * @param listener is told when the dependency is out and when it is back
     */
    public static Outbound of(
            OutboundSettings settings, Ticker ticker, Delay delay, RandomGenerator random, OutboundListener listener) {
        return new Outbound(settings, ticker, delay, random, listener);
    }

    // Settings

    /** The settings in force. */
    public OutboundSettings settings() {
        return parts.settings();
    }

    /**
     * Puts other settings in force, at once for all who ask from now on. What is in flight keeps its slot, what was sent stays counted, and
     * what was learnt stays; turns that were promised under the old rate are kept beside the new one. The longest pause stays as it was.
     */
    public synchronized void change(OutboundSettings settings) {
        parts = parts(settings, parts.instances(), Optional.of(parts));
    }

    /**
     * Says how many instances share the rate, where that is the fleet's.
     *
     * @throws IllegalArgumentException when there are none
     */
    public void instances(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " instances: there is at least one");
        }
        instances(() -> count);
    }

    /** Says who knows how many instances share the rate: it is asked for each call, and is quick. Fewer than one are taken for one. */
    public void instances(IntSupplier live) {
        this.live = live;
        Parts unused = partsNow();
    }

    /** What follows from the settings in force, for as many instances as there are now. */
    Parts partsNow() {
        int count = Math.max(1, live.getAsInt());
        if (count != parts.instances()) {
            synchronized (this) {
                if (count != parts.instances()) {
                    parts = parts(parts.settings(), count, Optional.of(parts));
                }
            }
        }
        return parts;
    }

    private Parts parts(OutboundSettings settings, int instances, Optional<Parts> former) {
        Optional<RateLimit> limit = settings.pace().map(pace -> pace.of(instances));
        return new Parts(
                settings,
                instances,
                settings.maxWaitNanos(instances),
                limit.map(next -> limiter(next, former.flatMap(Parts::limiter))),
                settings.inFlight().map(most -> gate(settings, instances, former.flatMap(Parts::gate))),
                settings.retry().flatMap(retry -> budget(retry, former)),
                settings.throttleK().isPresent()
                        ? Optional.of(throttle(settings.throttleK().getAsDouble(), former))
                        : Optional.empty());
    }

    private RateLimiter limiter(RateLimit limit, Optional<RateLimiter> former) {
        if (former.isPresent() && former.get().limit().equals(limit)) {
            return former.get();
        }
        RateLimiter fresh = RateLimiter.of(limit, ticker);
        former.ifPresent(old -> {
            long used = old.limit().capacity() - old.standing().remaining();
            long charged = fresh.charge(Math.max(0, Math.min(used, limit.capacity())));
            assert charged == RateLimiter.NOW : "a fresh bucket holds its burst";
        });
        return fresh;
    }

    private Gate gate(OutboundSettings settings, int instances, Optional<Gate> former) {
        GateSettings next = GateSettings.of(settings.name(), settings.inFlight().orElseThrow())
                .withQueue(QueueSettings.of(settings.queue(), Duration.ofNanos(settings.maxWaitNanos(instances))));
        return former.map(gate -> gate.carriedOver(next)).orElseGet(() -> Gate.of(next, ticker));
    }

    private Optional<RetryBudget> budget(OutboundSettings.Retry retry, Optional<Parts> former) {
        if (retry.budgetBasisPoints().isEmpty()) {
            return Optional.empty();
        }
        Optional<RetryBudget> kept = former.filter(old -> old.settings()
                        .retry()
                        .map(OutboundSettings.Retry::budgetBasisPoints)
                        .equals(Optional.of(retry.budgetBasisPoints())))
                .flatMap(Parts::budget);
        return kept.or(
                () -> Optional.of(RetryBudget.of(retry.budgetBasisPoints().getAsInt(), ticker)));
    }

    private AdaptiveThrottle throttle(double k, Optional<Parts> former) {
        return former.filter(old -> old.settings().throttleK().orElse(0) == k)
                .flatMap(Parts::throttle)
                .orElseGet(() -> AdaptiveThrottle.of(k, ticker));
    }

    // Asking for leave

    /**
     * Asks for leave to send one attempt, for clients that send by themselves. Waits at most {@code max-wait}; not for event loops. Whoever
     * gets a {@link Sending} ends it.
     *
     * @throws InterruptedException when interrupted while waiting; nothing is held then
     */
    public Leave ask(OutboundCall call) throws InterruptedException {
        return await(askAsync(call));
    }

    /** As {@link #ask}, without blocking. A future that is completed or cancelled first gives back all that is held. */
    public CompletableFuture<Leave> askAsync(OutboundCall call) {
        return first(call, deadlineNanos(call));
    }

    private CompletableFuture<Leave> first(OutboundCall call, OptionalLong deadlineNanos) {
        return new Asking(this, call, 1, false, nanos(), partsNow().maxWaitNanos(), deadlineNanos).begin();
    }

    private OptionalLong deadlineNanos(OutboundCall call) {
        OptionalLong timeout = parts.settings().timeoutNanos();
        if (call.timeLeftNanos().isEmpty() && timeout.isEmpty()) {
            return OptionalLong.empty();
        }
        long left = Math.min(call.timeLeftNanos().orElse(Long.MAX_VALUE / 2), timeout.orElse(Long.MAX_VALUE / 2));
        return OptionalLong.of(nanos() + Math.min(left, Long.MAX_VALUE / 2));
    }

    private static Leave await(CompletableFuture<Leave> leave) throws InterruptedException {
        try {
            return leave.get();
        } catch (InterruptedException e) {
            leave.cancel(false);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // leave never fails
        }
    }

    // Calling

    /**
     * Does work that asks the dependency, once; how it was taken is read from what the work throws, as {@link AnswerReader#byFailure} says.
     *
     * @throws OutboundRefusedException when it was not sent
     * @throws InterruptedException when interrupted while waiting; nothing is held then
     * @throws Exception what the work throws
     */
    public <T> T call(Callable<T> work) throws Exception {
        return call(OutboundCall.ONCE, work);
    }

    /** As {@link #call(Callable)}, for a call that is known better; one that may be repeated is. */
    public <T> T call(OutboundCall call, Callable<T> work) throws Exception {
        return call(call, new OutboundWork<>() {
            @Override
            public T send(Sending attempt) throws Exception {
                return work.call();
            }

            @Override
            public PeerAnswer read(@Nullable T result, @Nullable Throwable failure) {
                return AnswerReader.ofFailure(failure);
            }
        });
    }

    /**
     * Does work that asks the dependency, on this thread, as often as it is repeated. The last answer that came is the call's: when a retry
     * is refused here, the answer before it.
     *
     * @throws OutboundRefusedException when it was not sent at all
     * @throws InterruptedException when interrupted while waiting; nothing is held then
     * @throws Exception what the work throws
     */
    public <T> T call(OutboundCall call, OutboundWork<T> work) throws Exception {
        OptionalLong deadlineNanos = deadlineNanos(call);
        Leave leave = await(first(call, deadlineNanos));
        if (leave instanceof OutboundRefusal refusal) {
            throw new OutboundRefusedException(refusal);
        }
        Sending sending = (Sending) leave;
        while (true) {
            Attempted<T> attempted = Attempted.of(sending, work);
            Optional<Asking> retry = retry(sending, attempted.answer());
            if (retry.isEmpty() || !(await(retry.get().begin()) instanceof Sending next)) {
                return attempted.get();
            }
            attempted.result().ifPresent(work::discard);
            sending = next;
        }
    }

    /** What became of one attempt. */
    private record Attempted<T>(
            Optional<T> result, @Nullable Exception failure, PeerAnswer answer) {

        static <T> Attempted<T> of(Sending sending, OutboundWork<T> work) {
            Optional<T> result = Optional.empty();
            Exception failure = null;
            PeerAnswer answer = PeerAnswer.IGNORED;
            try {
                T value = work.send(sending);
                result = Optional.ofNullable(value);
                answer = work.read(value, null);
            } catch (Exception e) {
                failure = e;
                answer = work.read(null, e);
            } finally {
                sending.answered(answer);
            }
            return new Attempted<>(result, failure, answer);
        }

        @SuppressWarnings("NullAway") // work may answer null, and is answered it
        T get() throws Exception {
            if (failure != null) {
                throw failure;
            }
            return result.orElse(null);
        }
    }

    /** As {@link #callAsync(OutboundCall, AsyncOutboundWork)}, once, read by failure. */
    public <T> CompletableFuture<T> callAsync(Supplier<? extends CompletionStage<T>> work) {
        return callAsync(OutboundCall.ONCE, work);
    }

    /** As {@link #callAsync(OutboundCall, AsyncOutboundWork)}, read by failure. */
    public <T> CompletableFuture<T> callAsync(OutboundCall call, Supplier<? extends CompletionStage<T>> work) {
        return callAsync(call, new AsyncOutboundWork<>() {
            @Override
            public CompletionStage<T> send(Sending attempt) {
                return work.get();
            }

            @Override
            public PeerAnswer read(@Nullable T result, @Nullable Throwable failure) {
                return AnswerReader.ofFailure(failure);
            }
        });
    }

    /**
     * Does work that asks the dependency without a thread that waits, and repeats it as {@link #call(OutboundCall, OutboundWork)} does; where
     * the settings say so, a second send joins one that has not been answered. The future fails with {@link OutboundRefusedException}
     * when nothing was sent. Cancelling it cancels what is under way and gives back all that is held.
     */
    public <T> CompletableFuture<T> callAsync(OutboundCall call, AsyncOutboundWork<T> work) {
        return new AsyncCall<>(this, call, work).begin(first(call, deadlineNanos(call)));
    }

    // What follows an answer

    /** The asking for another attempt, when there is to be one; a retry is taken from the budget then. */
    Optional<Asking> retry(Sending sending, PeerAnswer answer) {
        Asking asked = sending.asking();
        Optional<OutboundSettings.Retry> settings = parts.settings().retry();
        boolean mayTry = settings.isPresent()
                && asked.attempt() < settings.get().tries()
                && asked.call().inheritedAttempt().isEmpty()
                && asked.call().repeat().after(answer.kind());
        if (!mayTry) {
            return Optional.empty();
        }
        Backoff backoff = settings.get().backoff();
        long now = nanos();
        long wait = Math.max(
                backoff.drawNanos(asked.attempt() - 1, random),
                learnt.peerWait(now).nanos());
        long longest =
                asked.deadlineNanos().isPresent() ? asked.deadlineNanos().getAsLong() - now - 1 : backoff.capNanos();
        if (wait > longest || !takesRetry()) {
            return Optional.empty();
        }
        long patience = Math.max(backoff.capNanos(), parts.maxWaitNanos());
        return Optional.of(new Asking(
                this, asked.call(), asked.attempt() + 1, false, now + wait, patience, asked.deadlineNanos()));
    }

    /** The asking for a send that joins one without an answer, when there is to be one. It does not wait. */
    Optional<Asking> hedge(Sending sending) {
        Asking asked = sending.asking();
        boolean mayHedge = asked.call().repeat() == Repeat.SAFE
                && asked.call().inheritedAttempt().isEmpty()
                && takesRetry();
        if (!mayHedge) {
            return Optional.empty();
        }
        return Optional.of(new Asking(this, asked.call(), asked.attempt(), true, nanos(), 0, asked.deadlineNanos()));
    }

    private boolean takesRetry() {
        return parts.budget().map(RetryBudget::tryRetry).orElse(true);
    }

    boolean triesAgain() {
        return parts.settings().retry().filter(retry -> retry.tries() > 1).isPresent();
    }

    /** A send was answered. */
    void answered(Sending sending, PeerAnswer answer) {
        Asking asking = sending.asking();
        counters.inFlight.decrementAndGet();
        counters.answered(answer.kind());
        asking.parts().gate().ifPresent(gate -> sending.exit(gate, outcome(answer)));
        if (answer.accepted() || answer.kind() == PeerAnswer.Kind.IGNORED) {
            asking.parts()
                    .throttle()
                    .ifPresent(throttle -> throttle.accepted(asking.call().criticality()));
        }
        long now = nanos();
        OptionalLong pause = answer.advice().pauseNanos();
        boolean told =
                learnt.learn(sending.number(), answer, spreadNanos(pause.orElse(0), asking.deadlineNanos(), now), now);
        if (pause.orElse(0) > 0) {
            long forNanos = Math.min(pause.getAsLong(), parts.settings().maxPauseNanos());
            tell(() -> listener.paused(parts.settings().name(), forNanos));
        }
        tellWhetherOut(sending, answer, now);
        if (told || (!waiters.isEmpty() && learnt.peerWait(now).nanos() == 0)) {
            waiters.values().forEach(Asking::goOn);
        }
    }

    private static Outcome outcome(PeerAnswer answer) {
        return switch (answer.kind()) {
            case ACCEPTED -> Outcome.SUCCESS;
            case REFUSED, FAILED, UNSENT -> Outcome.DROPPED;
            case IGNORED -> Outcome.IGNORED;
        };
    }

    /**
     * By how much longer than asked a pause is kept, so that the clients of one dependency do not come back together: up to a tenth of it,
     * or up to as long again where it is short, but never so long that the call which was answered comes too late.
     */
    private long spreadNanos(long pauseNanos, OptionalLong deadlineNanos, long now) {
        long pause = Math.min(pauseNanos, parts.settings().maxPauseNanos());
        long most = Math.max(pause / SPREAD_PART, Math.min(pause, LEAST_SPREAD_NANOS));
        long bound = Math.min(most, MOST_SPREAD_NANOS);
        if (deadlineNanos.isPresent()) {
            long left = deadlineNanos.getAsLong() - now - pause;
            bound = left > 0 ? Math.min(bound, left / 2) : bound;
        }
        return bound <= 0 ? 0 : random.nextLong(bound + 1);
    }

    private void tellWhetherOut(Sending sending, PeerAnswer answer, long now) {
        boolean turnsAway = !answer.accepted() && probability(Criticality.CRITICAL) >= NEARLY_EVERYTHING;
        boolean isOut = tellIfOut(turnsAway ? THROTTLE_RETRY_NANOS : 0, now);
        if (!isOut && out && answer.accepted() && learnt.isSincePause(sending.number())) {
            out = false;
            tell(() -> listener.back(parts.settings().name()));
        }
    }

    /** Whether the dependency is out: it wants nothing for longer than a call may wait, or if that is above zero for {@code otherwiseNanos}. */
    private boolean tellIfOut(long otherwiseNanos, long now) {
        long pauseNanos = learnt.peerWait(now).knownNanos();
        long forNanos = pauseNanos > parts.maxWaitNanos() ? pauseNanos : otherwiseNanos;
        if (forNanos > 0) {
            out = true;
            tell(() -> listener.out(parts.settings().name(), forNanos));
        }
        return forNanos > 0;
    }

    /**
     * Nothing is sent for so long from now: another instance was asked for a pause, or somebody knows of one. It is kept as if an answer had
     * asked for it, so for a little longer, and no longer than the longest pause; one that is over already changes nothing.
     */
    public void pause(Duration pause) {
        long now = nanos();
        long forNanos = pause.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : pause.toNanos();
        if (forNanos > 0) {
            learnt.pause(forNanos, spreadNanos(forNanos, OptionalLong.empty(), now), now);
            tellIfOut(0, now);
        }
    }

    private static void tell(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException e) {
            // A listener's error is no error of the call, and this class has nobody to tell.
        }
    }

    /** A send was not made after all. */
    void unsent(Sending sending) {
        counters.inFlight.decrementAndGet();
        counters.attempts.decrement();
        sending.asking().parts().gate().ifPresent(gate -> sending.exit(gate, Outcome.IGNORED));
        sending.asking().giveBack();
        if (learnt.giveBack(sending.number())) {
            waiters.values().forEach(Asking::goOn);
        }
    }

    // For Asking and AsyncCall

    /** An asking is over. */
    void over(Asking asking, Leave leave, long waitedNanos) {
        waitsNoMore(asking);
        counters.waits.increment();
        counters.waitedNanos.add(Math.max(0, waitedNanos));
        if (leave instanceof OutboundRefusal refusal) {
            counters.refused(refusal.reason());
            return;
        }
        counters.attempts.increment();
        counters.inFlight.incrementAndGet();
        parts.throttle().ifPresent(throttle -> throttle.sent(asking.call().criticality()));
        if (asking.joins()) {
            counters.hedges.increment();
        } else if (asking.attempt() > 1) {
            counters.retries.increment();
        } else {
            parts.budget().ifPresent(RetryBudget::first);
        }
    }

    /** Remembers one that waits for the dependency to be asked again; false when there are too many. */
    boolean waitsForPeer(Asking asking) {
        if (asking.waiterNumber != 0) {
            return true;
        }
        if (waiters.size() >= MOST_WAITERS) {
            return false;
        }
        asking.waiterNumber = waiterNumbers.incrementAndGet();
        waiters.put(asking.waiterNumber, asking);
        return true;
    }

    void waitsNoMore(Asking asking) {
        waiters.remove(asking.waiterNumber);
    }

    boolean passesThrottle(Criticality criticality) {
        return parts.throttle()
                .filter(throttle -> throttle.refuses(criticality, random.nextDouble()))
                .isEmpty();
    }

    private double probability(Criticality criticality) {
        return parts.throttle()
                .map(throttle -> throttle.probability(criticality))
                .orElse(0.0);
    }

    Parts parts() {
        return parts;
    }

    Learnt learnt() {
        return learnt;
    }

    long nanos() {
        return ticker.nanos();
    }

    void after(long nanos, Runnable task) {
        delay.after(Math.max(0, nanos), task);
    }

    // Figures

    /** How it is being asked, at this moment. */
    public OutboundFigures figures() {
        Parts now = parts;
        Map<Criticality, Double> throttle = new EnumMap<>(Criticality.class);
        now.throttle().ifPresent(own -> {
            for (Criticality criticality : Criticality.values()) {
                throttle.put(criticality, own.probability(criticality));
            }
        });
        return new OutboundFigures(
                now.settings().name(),
                counters.attempts.sum(),
                counters.retries.sum(),
                counters.hedges.sum(),
                counters.answers(),
                counters.refusals(),
                counters.waits.sum(),
                counters.waitedNanos.sum(),
                now.budget().map(budget -> OptionalLong.of(budget.left())).orElseGet(OptionalLong::empty),
                throttle,
                counters.inFlight.get(),
                now.gate().map(gate -> OptionalInt.of(gate.limit())).orElseGet(OptionalInt::empty),
                learnt.pausedNanos(nanos()),
                learnt.limits(nanos()));
    }
}
