package dev.weir;

import dev.weir.load.Criticality;
import dev.weir.load.Outcome;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Changes;
import dev.weir.policy.Limit;
import dev.weir.policy.Policy;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides about calls by a policy. Thread safe.
 *
 * <pre>{@code
 * Decision decision = weir.decide(call);
 * if (decision instanceof Decision.Rejected no) {
 *     return answer(no);
 * }
 * try (Permit permit = ((Decision.Admitted) decision).permit()) {
 *     String answer = serve();
 *     permit.success();
 *     return answer;
 * }
 * }</pre>
 *
 * <p>The order of a decision is that of {@link #judge}: what touches nothing first, then every limit is asked, then every limit is charged,
 * and a refusal undoes what came before it. An error inside (a call that throws, a listener that throws) never fails the call: it is counted
 * in {@link #errors}. A limit for which the call throws is left out while all others decide, and a call that could not be judged at all is
 * admitted, since no limit of this version says otherwise.
 */
public final class Weir implements AutoCloseable {

    /** What is announced to a caller that must wait for a call of its own to end, whenever that is. */
    static final long IN_FLIGHT_WAIT_NANOS = 1_000_000_000L;

    private static final Standing NOTHING_LEFT =
            new Standing(0, OptionalLong.empty(), 0, OptionalLong.empty(), false, false);

    private final Ticker ticker;
    private final Ticker wallTicker;
    private final AdmissionPoint point;
    private final List<WeirListener> listeners;
    private final long secret0;
    private final long secret1;
    private final LongAdder errors = new LongAdder();
    private final LongAdder doubleReleases = new LongAdder();
    private volatile Rules rules;
    private volatile boolean draining;

    /** A policy and the counters of its limits: swapped as one. */
    private record Rules(Policy policy, Map<String, LimitState> states, Optional<PartitionKeys> partitionKeys) {
        Rules(Policy policy, Map<String, LimitState> states) {
            this(policy, states, policy.identity().secret().map(PartitionKeys::new));
        }
    }

    private Weir(Builder builder) {
        ticker = builder.ticker;
        wallTicker = builder.wallTicker;
        point = builder.point;
        listeners = List.copyOf(builder.listeners);
        SecureRandom random = new SecureRandom();
        secret0 = random.nextLong();
        secret1 = random.nextLong();
        Map<String, LimitState> states = new HashMap<>();
        for (Limit limit : builder.policy.limits()) {
            states.put(limit.name(), LimitState.fresh(limit, now()));
        }
        rules = new Rules(builder.policy, states);
    }

    /** Decides by the policy inside a service, on the machine's clocks. */
    public static Weir of(Policy policy) {
        return builder(policy).build();
    }

    /** To choose more than the policy. */
    public static Builder builder(Policy policy) {
        return new Builder(policy);
    }

    /** Puts a Weir together. Not thread safe. */
    public static final class Builder {
        private final Policy policy;
        private Ticker ticker = Ticker.system();
        private Ticker wallTicker = Ticker.wall();
        private AdmissionPoint point = AdmissionPoint.SERVICE;
        private final List<WeirListener> listeners = new ArrayList<>();

        private Builder(Policy policy) {
            this.policy = policy;
        }

        /** Which of the policy's limits are enforced here: those whose {@code at} lists this point. */
        public Builder point(AdmissionPoint point) {
            this.point = point;
            return this;
        }

        /** The monotonic clock, and the clock since the epoch that windows, quotas and {@code until} follow. */
        public Builder tickers(Ticker monotonic, Ticker wall) {
            this.ticker = monotonic;
            this.wallTicker = wall;
            return this;
        }

        /** Adds one that is told of every decision. */
        public Builder listener(WeirListener listener) {
            listeners.add(listener);
            return this;
        }

        /** The Weir. */
        public Weir build() {
            return new Weir(this);
        }
    }

    /**
     * Decides, and waits for the call's turn where a leaky queue gives it one. Blocks at most that queue's depth and max-wait; not for
     * event loops.
     *
     * @throws InterruptedException when interrupted while waiting for the turn; nothing is held then
     */
    public Decision decide(Call call) throws InterruptedException {
        Decision decision = judge(call);
        if (!(decision instanceof Decision.Admitted admitted) || admitted.turnNanos() == 0) {
            return decision;
        }
        long from = ticker.nanos();
        for (long left = admitted.turnNanos(); left > 0; left = admitted.turnNanos() - (ticker.nanos() - from)) {
            if (Thread.interrupted()) {
                admitted.permit().undo();
                throw new InterruptedException();
            }
            ticker.park(left);
        }
        return admitted.atItsTurn();
    }

    /**
     * Decides without blocking. The future completes at the call's turn; when somebody else completes or cancels it first, the decision
     * undoes itself at that moment.
     */
    public CompletableFuture<Decision> decideAsync(Call call) {
        CompletableFuture<Decision> future = new CompletableFuture<>();
        Decision decision = judge(call);
        if (!(decision instanceof Decision.Admitted admitted) || admitted.turnNanos() == 0) {
            future.complete(decision);
            return future;
        }
        Decision itsTurn = admitted.atItsTurn();
        CompletableFuture<Decision> unused = future.whenComplete((completed, failure) -> {
            if (completed != itsTurn) {
                admitted.permit().undo();
            }
        });
        CompletableFuture.delayedExecutor(admitted.turnNanos(), TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> future.complete(itsTurn));
        return future;
    }

    /** Decides at once, and leaves it to the caller to hold an admitted call for its {@link Decision.Admitted#turnNanos}. */
    public Decision judge(Call call) {
        Rules current = rules;
        Now now = now();
        Decision decision;
        try {
            Bill bill = current.policy.bill(call, point, Instant.ofEpochSecond(0, now.wallNanos()));
            errors.add(bill.failures());
            decision = decide(call, current, bill, now);
        } catch (Throwable e) {
            errors.increment();
            decision = draining
                    ? refusedByDraining()
                    : admitted(call, unjudged(), new Charges(unjudged(), Map.of(), 0, 0), current, now);
        }
        if (!listeners.isEmpty()) {
            tell(call, decision, ticker.nanos() - now.nanos());
        }
        return decision;
    }

    private void tell(Call call, Decision decision, long tookNanos) {
        for (WeirListener listener : listeners) {
            try {
                listener.decided(call, decision, tookNanos);
            } catch (Throwable e) {
                errors.increment();
            }
        }
    }

    private static Bill unjudged() {
        return new Bill(Optional.empty(), Criticality.CRITICAL, List.of(), 0);
    }

    /** All control flow of a decision. */
    private Decision decide(Call call, Rules current, Bill bill, Now now) {
        Charges charges = new Charges(bill, current.states, secret0, secret1);
        // 1 exempt: holds nothing
        if (bill.exempt().isPresent()) {
            return admitted(call, bill, charges, current, now);
        }
        // 2 free refusals: touch nothing
        if (draining) {
            return refusedByDraining();
        }
        boolean pass = charges.peekAll(now);
        Optional<Charges.Line> blocked = charges.blocked();
        if (blocked.isPresent()) {
            Reason reason =
                    Reason.valueOf(blocked.get().billed.block().orElseThrow().name());
            return rejected(reason, OptionalLong.empty(), blocked.get(), charges, current, now);
        }
        // 3 charge here: all were asked, now all are charged or none
        try {
            if (!pass || !charges.chargeAll(now)) {
                return overLimit(charges, current, now);
            }
            charges.chargeShadows(now);
            // 5 pace: the turn is in the decision; whoever asked waits for it
            return admitted(call, bill, charges, current, now);
        } catch (Throwable e) {
            charges.undo(now); // nobody will get the permit
            throw e;
        }
    }

    private static Decision.Rejected refusedByDraining() {
        return new Decision.Rejected(
                Reason.DRAINING, OptionalLong.of(IN_FLIGHT_WAIT_NANOS), Optional.empty(), List.of(), List.of(), 0);
    }

    /** The longest wait speaks. */
    private Decision overLimit(Charges charges, Rules current, Now now) {
        Charges.Line speaker = charges.enforced().get(0);
        for (Charges.Line line : charges.enforced()) {
            speaker = line.wait > speaker.wait ? line : speaker;
        }
        if (speaker.wait == RateTable.NEVER) {
            return rejected(Reason.COST_ABOVE_LIMIT, OptionalLong.empty(), speaker, charges, current, now);
        }
        Reason reason = speaker.billed.budget() instanceof Budget.InFlight ? Reason.IN_FLIGHT_LIMIT : Reason.OVER_LIMIT;
        return rejected(reason, OptionalLong.of(speaker.wait), speaker, charges, current, now);
    }

    private Decision.Admitted admitted(Call call, Bill bill, Charges charges, Rules current, Now now) {
        return new Decision.Admitted(
                new Held(this, call, charges, now.nanos()),
                charges.turnNanos(now),
                List.of(),
                bill.criticality(),
                judged(charges.enforced(), current, now),
                judged(charges.shadows(), current, now),
                0);
    }

    private Decision.Rejected rejected(
            Reason reason,
            OptionalLong retryAfterNanos,
            Charges.Line speaker,
            Charges charges,
            Rules current,
            Now now) {
        return new Decision.Rejected(
                reason,
                retryAfterNanos,
                Optional.of(speaker.billed.limit().name()),
                judged(charges.enforced(), current, now),
                judged(charges.shadows(), current, now),
                0);
    }

    /** Lines of limits that count; what is unlimited has no standing, and of what is blocked only a shadow must be told, by nothing left. */
    private static List<Decision.Judged> judged(List<Charges.Line> lines, Rules current, Now now) {
        List<Decision.Judged> judged = new ArrayList<>(lines.size());
        for (Charges.Line line : lines) {
            Bill.Line billed = line.billed;
            boolean silentlyBlocked = !billed.enforced() && billed.block().isPresent();
            if (line.state != null || silentlyBlocked) {
                judged.add(new Decision.Judged(
                        billed.limit().name(),
                        billed.key(),
                        billed.cost(),
                        line.state == null ? NOTHING_LEFT : line.state.standing(billed, line.key, now),
                        line.wait != RateTable.NOW,
                        line.wait,
                        billed.limit().bare(),
                        current.partitionKeys.map(keys -> keys.of(billed.key()))));
            }
        }
        return judged;
    }

    /**
     * Puts another policy in the old one's place, at once for all calls. What was used and what is in flight stays for every limit whose
     * name, key and algorithm (and window or calendar) are unchanged; the rest starts fresh. Says which is which.
     */
    public synchronized Changes reload(Policy policy) {
        Rules old = rules;
        Changes changes = Changes.between(old.policy, policy);
        Map<String, LimitState> states = new HashMap<>();
        for (Limit limit : policy.limits()) {
            LimitState state = changes.kept().contains(limit.name()) ? old.states.get(limit.name()) : null;
            states.put(limit.name(), state == null ? LimitState.fresh(limit, now()) : state.carriedOver(limit, now()));
        }
        rules = new Rules(policy, states);
        return changes;
    }

    /** The policy in force. */
    public Policy policy() {
        return rules.policy;
    }

    /** The limits of the policy in force, in file order, and what their counters hold. */
    public List<LimitFigures> limits() {
        Rules current = rules;
        List<LimitFigures> figures = new ArrayList<>();
        for (Limit limit : current.policy.limits()) {
            LimitState state = current.states.get(limit.name());
            if (state != null) {
                figures.add(new LimitFigures(limit, state.keys(), state.evictions(), state.stricter()));
            }
        }
        return figures;
    }

    /**
     * What each limit that could count a call under this text has left for it; see {@link Policy#linesOf}. Counts nothing, and holds no key
     * that was not held.
     */
    public List<KeyStanding> standings(String keyText) {
        Rules current = rules;
        Now now = now();
        return current.policy.linesOf(keyText, Instant.ofEpochSecond(0, now.wallNanos())).stream()
                .map(line -> new KeyStanding(line, held(line, current, now)))
                .toList();
    }

    private Optional<Standing> held(Bill.Line line, Rules current, Now now) {
        boolean counts = line.block().isEmpty() && !(line.budget() instanceof Budget.Unlimited);
        return Optional.ofNullable(current.states.get(line.limit().name()))
                .filter(state -> counts)
                .map(state -> state.held(line, LimitState.hash(line, secret0, secret1), now));
    }

    /** How many errors inside admission were swallowed so far: what calls threw when they were read, calls that could not be judged, listeners that threw. */
    public long errors() {
        return errors.sum();
    }

    /** How many permits were released a second time so far. */
    public long doubleReleases() {
        return doubleReleases.sum();
    }

    /** From now on every call that is not exempt is refused as {@link Reason#DRAINING}; permits that are out end as usual. */
    @Override
    public void close() {
        draining = true;
    }

    Now now() {
        return new Now(ticker.nanos(), wallTicker.nanos());
    }

    void failed() {
        errors.increment();
    }

    void releasedTwice() {
        doubleReleases.increment();
    }

    void released(Call call, Outcome outcome, long since) {
        long held = ticker.nanos() - since;
        for (WeirListener listener : listeners) {
            try {
                listener.released(call, outcome, held);
            } catch (Throwable e) {
                errors.increment();
            }
        }
    }
}
