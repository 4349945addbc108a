package dev.weir;

import dev.weir.client.Outbound;
import dev.weir.client.OutboundListener;
import dev.weir.fleet.Fleet;
import dev.weir.fleet.FleetAnswer;
import dev.weir.fleet.FleetFigures;
import dev.weir.fleet.FleetListener;
import dev.weir.load.Criticality;
import dev.weir.load.Entry;
import dev.weir.load.Gate;
import dev.weir.load.GateRefusal;
import dev.weir.load.LoadSignal;
import dev.weir.load.LoadSignals;
import dev.weir.load.Outcome;
import dev.weir.load.Waiter;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.Call;
import dev.weir.policy.Changes;
import dev.weir.policy.GateRule;
import dev.weir.policy.Limit;
import dev.weir.policy.OutboundRule;
import dev.weir.policy.Policy;
import dev.weir.policy.StoreSettings;
import dev.weir.rate.Charged;
import dev.weir.rate.RateStore;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
 * <p>The order of a decision: what touches nothing first, then every limit of this instance is asked and charged, then those of the fleet,
 * then the call's turn and its gate; a refusal undoes what came before it. An error inside (a call that throws, a listener that throws) never
 * fails the call: it is counted in {@link #errors}. A limit for which the call throws is left out while all others decide; a call that could
 * not be judged at all is admitted; and where the fleet could not be asked, each of its limits does what its policy says of a store that is
 * away.
 */
public final class Weir implements AutoCloseable {

    /** What is announced to a caller whose limit is closed while the store is away, which nobody knows how long. */
    private static final long STORE_WAIT_NANOS = 1_000_000_000L;

    private static final Standing NOTHING_LEFT =
            new Standing(0, OptionalLong.empty(), 0, OptionalLong.empty(), false, false);

    private final Ticker ticker;
    private final Ticker wallTicker;
    private final AdmissionPoint point;
    private final Delay delay;
    private final Dependencies dependencies;
    private final List<LoadSignal> signals;
    private final List<WeirListener> listeners;
    private final long secret0;
    private final long secret1;
    private final @Nullable Fleet fleet;
    private final @Nullable SharedPauses pauses;
    private final LongAdder errors = new LongAdder();
    private final LongAdder doubleReleases = new LongAdder();
    private volatile OptionalInt instances;
    private volatile Rules rules;
    private volatile boolean draining;

    private Weir(Builder builder) {
        ticker = builder.ticker;
        wallTicker = builder.wallTicker;
        point = builder.point;
        delay = builder.delay;
        dependencies = new Dependencies(ticker);
        signals = List.copyOf(builder.signals);
        listeners = List.copyOf(builder.listeners);
        SecureRandom random = new SecureRandom();
        secret0 = random.nextLong();
        secret1 = random.nextLong();
        fleet = builder.store.map(this::fleetIn).orElse(null);
        pauses = builder.store.map(store -> new SharedPauses(store.settings())).orElse(null);
        requireCountable(builder.policy);
        Map<String, LimitState> states = new HashMap<>();
        for (Limit limit : builder.policy.limits()) {
            if (!limit.isFleet()) {
                states.put(limit.name(), LimitState.fresh(limit, now()));
            }
        }
        Map<String, Gate> gates = new HashMap<>();
        for (GateRule gate : builder.policy.gates()) {
            gates.put(gate.name(), Gate.of(gate.settings(), ticker, signals));
        }
        instances = builder.instances;
        rules = new Rules(builder.policy, states, gates, outbounds(builder.policy, Map.of()));
        builder.store.ifPresent(store -> store.settings().onChange(news -> keepPauses()));
        settleIn(builder.policy);
    }

    /** What the fleet knows of its dependencies' pauses holds here too. */
    private void keepPauses() {
        if (pauses != null) {
            pauses.keep(rules.outbounds());
        }
    }

    private Fleet fleetIn(RateStore store) {
        return new Fleet(store, ticker, wallTicker, new FleetListener() {
            @Override
            public void asked(long tookNanos) {
                tellAll(listener -> listener.storeAsked(tookNanos));
            }

            @Override
            public void storeLost(Charged.Cause cause) {
                tellAll(listener -> listener.storeLost(cause));
            }

            @Override
            public void storeBack() {
                tellAll(WeirListener::storeBack);
            }
        });
    }

    /** A policy's settings of the store are in force, and what the store tells of its dependencies. */
    private void settleIn(Policy policy) {
        keepPauses();
        if (fleet != null) {
            fleet.configure(
                    policy.store().map(StoreSettings::leases).orElse(true),
                    policy.store().map(StoreSettings::instances).orElse(1));
            policy.limits().stream()
                    .filter(Limit::isFleet)
                    .forEach(limit -> fleet.maxKeys(limit.name(), limit.maxKeys()));
        }
    }

    /** Refuses limits of the fleet where no store is, and budgets that no store can count. */
    private void requireCountable(Policy policy) {
        for (Limit limit : policy.limits()) {
            if (limit.isFleet() && fleet == null) {
                throw new IllegalArgumentException(
                        "limit '" + limit.name()
                                + "' is the fleet's, and there is no store to count it in: give one to Weir.builder(policy).store(...), or say scope: instance");
            }
            if (limit.isFleet()) {
                limit.budgets().stream()
                        .filter(budget -> budget instanceof Budget.Rate || budget instanceof Budget.InFlight)
                        .forEach(SharedCharges::use);
            }
        }
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
        private Delay delay = Delay.system();
        private OptionalInt instances = OptionalInt.empty();
        private final List<LoadSignal> signals =
                new ArrayList<>(List.of(LoadSignals.cpu(), LoadSignals.heap(), LoadSignals.collectorTime()));
        private final List<WeirListener> listeners = new ArrayList<>();
        private Optional<RateStore> store = Optional.empty();

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

        /** Adds a signal that gates may look at, such as {@code pool:orders-db}; one of the same name is replaced. */
        public Builder signal(LoadSignal signal) {
            signals.removeIf(known -> known.name().equals(signal.name()));
            signals.add(signal);
            return this;
        }

        /** What calls wait by, for their turn and at their gate, when they are decided without blocking. */
        public Builder delay(Delay delay) {
            this.delay = delay;
            return this;
        }

        /** Adds one that is told of every decision. */
        public Builder listener(WeirListener listener) {
            listeners.add(listener);
            return this;
        }

        /**
         * How many instances share the rates of dependencies that are the fleet's, until {@link Weir#instances} says otherwise. Unless told, as
         * many as the store counts, or as the policy assumes; 1 without a store.
         *
         * @throws IllegalArgumentException when there are none
         */
        public Builder instances(int count) {
            requireInstances(count);
            this.instances = OptionalInt.of(count);
            return this;
        }

        private static void requireInstances(int count) {
            if (count < 1) {
                throw new IllegalArgumentException(count + " instances: this one is there");
            }
        }

        /** Where the limits of the fleet are counted; whoever opened it closes it. */
        public Builder store(RateStore store) {
            this.store = Optional.of(store);
            return this;
        }

        /** The Weir. Throws {@link IllegalArgumentException} when a limit is the fleet's and there is no store, or no store can count it. */
        public Weir build() {
            return new Weir(this);
        }
    }

    /**
     * Decides, and waits: for the store's answer where limits are the fleet's, for the call's turn where a leaky queue gives it one, then at
     * its gate where that has a queue. Blocks at most the store's time budget and those queues' max-waits; not for event loops.
     *
     * @throws InterruptedException when interrupted while waiting; nothing is held then
     */
    public Decision decide(Call call) throws InterruptedException {
        Way way = arrive(call);
        Optional<Decision> early = early(way);
        if (early.isEmpty() && way.charges.shared() != null) {
            early = awaitShared(way);
        }
        if (early.isPresent()) {
            return told(way, early.get());
        }
        awaitTurn(way);
        Pending pending = new Pending(this, way);
        pending.enter();
        try {
            return pending.future().get();
        } catch (InterruptedException e) {
            if (!pending.future().cancel(false) && pending.future().join() instanceof Decision.Admitted admitted) {
                admitted.permit().undo(); // it was let in just then, and nobody takes the permit
            }
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // a decision never fails
        }
    }

    /** The fleet's refusal, waited for. Whoever is interrupted gets nothing, and what was charged is undone when the answer comes. */
    private Optional<Decision> awaitShared(Way way) throws InterruptedException {
        CompletableFuture<Optional<Decision>> answer = shared(way).toCompletableFuture();
        try {
            return answer.get();
        } catch (InterruptedException e) {
            CompletableFuture<Void> unused = answer.thenAccept(refusal -> {
                if (refusal.isEmpty()) {
                    undo(way);
                }
            });
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // a decision never fails
        }
    }

    private void awaitTurn(Way way) throws InterruptedException {
        long from = ticker.nanos();
        for (long left = way.turnNanos; left > 0; left = way.turnNanos - (ticker.nanos() - from)) {
            if (Thread.interrupted()) {
                undo(way);
                throw new InterruptedException();
            }
            ticker.park(left);
        }
    }

    /**
     * Decides without blocking. The future completes when the call's turn has come and its gate has let it in; when somebody else completes
     * or cancels it first, the decision undoes itself at that moment. It is completed by whichever thread makes room.
     */
    public CompletableFuture<Decision> decideAsync(Call call) {
        return decideAsync(call, null);
    }

    /**
     * The same for a call whose work cannot begin before something else has come, such as its body: it is refused and charged at once, and
     * asks for a slot only then, so that slow callers hold none.
     *
     * @param ready is complete when the work can begin; if it fails, the decision is undone
     */
    public CompletableFuture<Decision> decideAsync(Call call, @Nullable CompletableFuture<?> ready) {
        Way way = arrive(call);
        Optional<Decision> early = early(way);
        if (early.isPresent()) {
            return CompletableFuture.completedFuture(told(way, early.get()));
        }
        Pending pending = new Pending(this, way);
        if (way.charges.shared() == null) {
            atItsTurn(way, ready, pending);
        } else {
            CompletionStage<Void> unused = shared(way).thenAccept(refusal -> {
                if (pending.answered(refusal)) {
                    atItsTurn(way, ready, pending);
                }
            });
        }
        return pending.future();
    }

    private void atItsTurn(Way way, @Nullable CompletableFuture<?> ready, Pending pending) {
        if (way.turnNanos > 0) {
            delay.after(way.turnNanos, () -> enterWhen(ready, pending));
        } else {
            enterWhen(ready, pending);
        }
    }

    private static void enterWhen(@Nullable CompletableFuture<?> ready, Pending pending) {
        if (ready == null) {
            pending.enter();
            return;
        }
        CompletableFuture<?> unused = ready.whenComplete((done, failure) -> {
            if (failure == null) {
                pending.enter();
            } else {
                pending.future().completeExceptionally(failure);
            }
        });
    }

    /**
     * Decides at once, and leaves it to the caller to hold an admitted call for its {@link Decision.Admitted#turnNanos}. Nobody waits at the
     * gate: who finds no slot is refused. Where limits are the fleet's, blocks at most the store's time budget.
     */
    public Decision judge(Call call) {
        Way way = arrive(call);
        Optional<Decision> early = early(way);
        if (early.isEmpty() && way.charges.shared() != null) {
            early = shared(way).toCompletableFuture().join();
        }
        return told(way, early.isPresent() ? early.get() : enterOrNot(way));
    }

    private Decision enterOrNot(Way way) {
        if (!way.entersGate()) {
            return admitted(way, Gate.REFUSED, way.turnNanos, 0);
        }
        Entry entry = way.gate().tryEnter(way.gateCall());
        return entry.stamp().isPresent()
                ? admitted(way, entry.stamp().getAsLong(), way.turnNanos, 0)
                : refusedAtGate(way, entry.refusal().orElseThrow(), 0);
    }

    /** Passes a decision on to those who listen. */
    Decision told(Way way, Decision decision) {
        if (!listeners.isEmpty()) {
            tell(way.call, decision, ticker.nanos() - way.arrived.nanos() - decision.waitedNanos());
        }
        return decision;
    }

    private void tell(Call call, Decision decision, long tookNanos) {
        tellAll(listener -> listener.decided(call, decision, tookNanos));
    }

    private void tellAll(Consumer<WeirListener> news) {
        for (WeirListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable e) {
                errors.increment();
            }
        }
    }

    /** What the policy says about a call that came. A call that cannot be read is as one that nothing is said about. */
    private Way arrive(Call call) {
        Rules current = rules;
        Now now = now();
        try {
            Bill bill = current.policy().bill(call, point, Instant.ofEpochSecond(0, now.wallNanos()));
            errors.add(bill.failures());
            return new Way(call, current, bill, new Charges(bill, current.states(), secret0, secret1), now);
        } catch (Throwable e) {
            errors.increment();
            Bill nothing = new Bill(
                    Optional.empty(), Criticality.CRITICAL, List.of(), Optional.empty(), OptionalLong.empty(), 0);
            return new Way(call, current, nothing, new Charges(nothing, Map.of(), 0, 0), now);
        }
    }

    /** The decision as far as it is made without waiting; empty when the call is charged and its turn and its gate are still to come. */
    private Optional<Decision> early(Way way) {
        try {
            return upToTheGate(way, way.arrived);
        } catch (Throwable e) {
            errors.increment();
            return Optional.of(draining ? refusedByDraining() : unheld(way));
        }
    }

    /** The control flow of a decision; what comes after it is the call's turn (5) and its gate (6), where it may wait. */
    private Optional<Decision> upToTheGate(Way way, Now now) {
        Charges charges = way.charges;
        // 1 exempt: holds nothing
        if (way.bill.exempt().isPresent()) {
            return Optional.of(unheld(way));
        }
        // 2 free refusals: touch nothing
        if (draining) {
            return Optional.of(refusedByDraining());
        }
        Optional<Charges.Line> blocked = charges.blocked();
        if (blocked.isPresent()) {
            charges.peekAll(now);
            Reason reason =
                    Reason.valueOf(blocked.get().billed.block().orElseThrow().name());
            return Optional.of(rejected(reason, OptionalLong.empty(), blocked.get(), way, now));
        }
        Optional<Decision> full = way.gate == null ? Optional.empty() : atTheGate(way);
        if (full.isPresent()) {
            return full;
        }
        // 3 charge here: all are asked, then all are charged or none
        boolean pass = charges.peekAll(now);
        try {
            if (!pass || !charges.chargeAll(now)) {
                return Optional.of(overLimit(way, now));
            }
            charges.chargeShadows(now);
            way.turnNanos = charges.turnNanos(now);
            return Optional.empty();
        } catch (Throwable e) {
            charges.undo(now); // nobody will get the permit
            throw e;
        }
    }

    /** 4 charge the fleet: the refusal, or empty when the call goes on. Never fails. */
    private CompletionStage<Optional<Decision>> shared(Way way) {
        SharedCharges shared = way.charges.shared();
        if (shared == null || fleet == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        try {
            return fleet.charge(shared.asked(way.rules.storeKeys()))
                    .thenApply(answer -> afterTheFleet(way, shared, answer))
                    .exceptionally(failure -> withoutAnswer(way, shared));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(withoutAnswer(way, shared));
        }
    }

    /** The fleet could not be asked because of an error here: as if the store were away. */
    private Optional<Decision> withoutAnswer(Way way, SharedCharges shared) {
        errors.increment();
        way.withoutStore = true;
        return shared.closed().map(line -> storeAway(way, line));
    }

    private Optional<Decision> afterTheFleet(Way way, SharedCharges shared, FleetAnswer answer) {
        shared.told(answer);
        way.withoutStore = answer.degraded();
        if (answer.verdict() == FleetAnswer.Verdict.GRANTED) {
            way.turnNanos = Math.max(way.turnNanos, SharedCharges.turnNanos(answer));
            answer.shadowsLater().ifPresent(later -> tellLater(way, shared, later));
            return Optional.empty();
        }
        if (answer.verdict() == FleetAnswer.Verdict.REFUSED) {
            Now now = now();
            way.charges.undo(now);
            return Optional.of(overLimit(way, now));
        }
        return shared.closed().map(line -> storeAway(way, line));
    }

    private Decision storeAway(Way way, Charges.Line closed) {
        Now now = now();
        way.charges.undo(now);
        return rejected(Reason.STORE_AWAY, OptionalLong.of(STORE_WAIT_NANOS), closed, way, now);
    }

    private void tellLater(Way way, SharedCharges shared, CompletionStage<List<FleetAnswer.Line>> later) {
        if (!listeners.isEmpty()) {
            CompletionStage<Void> unused = later.thenAccept(said -> {
                List<Decision.Judged> shadows = judged(shared.toldLater(said), way.rules, now());
                tellAll(listener -> listener.judgedLater(way.call, shadows));
            });
        }
    }

    /** Whether the call's pool lacks something that it needs, or its gate is too full for it: refused before anybody is charged. */
    private Optional<Decision> atTheGate(Way way) {
        for (String name : way.needs()) {
            OptionalLong outNanos = dependencies.outForNanos(name);
            if (outNanos.isPresent()) {
                Optional<String> without = way.rule().without(name, way.call);
                if (without.isEmpty() && way.gateActs()) {
                    return Optional.of(refusedFirst(Reason.DEPENDENCY_OUT, outNanos, way.letIn()));
                }
                without.filter(mode -> way.gateActs()).ifPresent(way::fallsBackTo);
            }
        }
        Optional<GateRefusal> refusal = way.gate().judge(way.gateCall());
        if (refusal.isPresent() && way.gateActs()) {
            GateRefusal no = refusal.get();
            return Optional.of(refusedFirst(
                    Reason.of(no.reason()), OptionalLong.of(no.retryAfterNanos()), way.refused(no.reason())));
        }
        refusal.ifPresent(would -> way.shadowRefused(would.reason()));
        return Optional.empty();
    }

    /** Refused before any limit was asked, so that there is nothing to say of them. */
    private static Decision refusedFirst(Reason reason, OptionalLong retryAfterNanos, Optional<Decision.Gated> gated) {
        return new Decision.Rejected(reason, retryAfterNanos, Optional.empty(), List.of(), List.of(), gated, false, 0);
    }

    /** 6 enter: a slot, or a place in the gate's queue. */
    Entry enter(Way way, Waiter waiter) {
        return way.gateActs()
                ? way.gate().enter(way.gateCall(), waiter)
                : way.gate().tryEnter(way.gateCall());
    }

    /** The decision of a call that its gate let in, after so long in the gate's queue. */
    Decision entered(Way way, long stamp, long waitedNanos) {
        return admitted(way, stamp, 0, way.turnNanos + waitedNanos);
    }

    /** The decision of a call that no gate holds. */
    Decision unheld(Way way) {
        return admitted(way, Gate.REFUSED, 0, way.turnNanos);
    }

    /** The decision of a call that its gate refused: what it was charged is undone. A shadow lets it go on without a slot. */
    Decision refusedAtGate(Way way, GateRefusal refusal, long waitedNanos) {
        if (!way.gateActs()) {
            way.shadowRefused(refusal.reason());
            return unheld(way);
        }
        Now now = now();
        way.charges.undo(now);
        return new Decision.Rejected(
                Reason.of(refusal.reason()),
                OptionalLong.of(refusal.retryAfterNanos()),
                Optional.empty(),
                judged(way.charges.enforced(), way.rules, now),
                judged(way.charges.shadows(), way.rules, now),
                way.refused(refusal.reason()),
                way.withoutStore,
                way.turnNanos + waitedNanos);
    }

    /** As if the call had not come. */
    void undo(Way way) {
        way.charges.undo(now());
    }

    /** Sees to it that a call that waits at its gate waits no longer than it may. */
    void expireLater(Way way) {
        Gate gate = way.gate();
        long longest = way.rule().settings().queue().maxWaitNanos();
        long left = way.bill.timeLeftNanos().isPresent()
                ? way.arrived.nanos() + way.bill.timeLeftNanos().getAsLong() - ticker.nanos()
                : longest;
        delay.after(Math.max(0, Math.min(longest, left)), gate::expire);
    }

    private static Decision.Rejected refusedByDraining() {
        return new Decision.Rejected(
                Reason.DRAINING,
                OptionalLong.of(RateTable.IN_FLIGHT_WAIT_NANOS),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                false,
                0);
    }

    /** The longest wait speaks. */
    private static Decision overLimit(Way way, Now now) {
        Charges.Line speaker = way.charges.enforced().get(0);
        for (Charges.Line line : way.charges.enforced()) {
            speaker = line.wait > speaker.wait ? line : speaker;
        }
        if (speaker.wait == RateTable.NEVER) {
            return rejected(Reason.COST_ABOVE_LIMIT, OptionalLong.empty(), speaker, way, now);
        }
        Reason reason = speaker.billed.budget() instanceof Budget.InFlight ? Reason.IN_FLIGHT_LIMIT : Reason.OVER_LIMIT;
        return rejected(reason, OptionalLong.of(speaker.wait), speaker, way, now);
    }

    private Decision.Admitted admitted(Way way, long stamp, long turnNanos, long waitedNanos) {
        Now now = waitedNanos == 0 ? way.arrived : now();
        return new Decision.Admitted(
                new Held(this, way.call, way.charges, now.nanos(), stamp == Gate.REFUSED ? null : way.gate, stamp),
                turnNanos,
                way.degrade(),
                way.bill.criticality(),
                judged(way.charges.enforced(), way.rules, now),
                judged(way.charges.shadows(), way.rules, now),
                way.letIn(),
                way.withoutStore,
                waitedNanos);
    }

    private static Decision.Rejected rejected(
            Reason reason, OptionalLong retryAfterNanos, Charges.Line speaker, Way way, Now now) {
        return new Decision.Rejected(
                reason,
                retryAfterNanos,
                Optional.of(speaker.billed.limit().name()),
                judged(way.charges.enforced(), way.rules, now),
                judged(way.charges.shadows(), way.rules, now),
                Optional.empty(),
                way.withoutStore,
                0);
    }

    /** Lines of limits that count; what is unlimited has no standing, and of what is blocked only a shadow must be told, by nothing left. */
    private static List<Decision.Judged> judged(List<Charges.Line> lines, Rules current, Now now) {
        if (lines.isEmpty()) {
            return List.of();
        }
        List<Decision.Judged> judged = new ArrayList<>(lines.size());
        for (Charges.Line line : lines) {
            Bill.Line billed = line.billed;
            boolean silentlyBlocked = !billed.enforced() && billed.block().isPresent();
            if (line.state != null || line.heard != null || silentlyBlocked) {
                judged.add(new Decision.Judged(
                        billed.limit().name(),
                        billed.key(),
                        billed.cost(),
                        standing(line, now),
                        line.wait != RateTable.NOW,
                        line.wait,
                        billed.limit().bare(),
                        current.partitionKeyOf(billed.key())));
            }
        }
        return judged;
    }

    private static Standing standing(Charges.Line line, Now now) {
        if (line.state != null) {
            return line.state.standing(line, now);
        }
        return line.heard != null ? line.heard : NOTHING_LEFT;
    }

    /**
     * Puts another policy in the old one's place, at once for all calls. What was used and what is in flight stays for every limit whose
     * name, scope, key and algorithm (and window or calendar) are unchanged; the rest starts fresh. Says which is which. Throws {@link
     * IllegalArgumentException}, and changes nothing, where {@link Builder#build} does.
     */
    public synchronized Changes reload(Policy policy) {
        requireCountable(policy);
        Rules old = rules;
        Changes changes = Changes.between(old.policy(), policy);
        Map<String, LimitState> states = new HashMap<>();
        for (Limit limit : policy.limits()) {
            if (limit.isFleet()) {
                continue;
            }
            LimitState state =
                    changes.kept().contains(limit.name()) ? old.states().get(limit.name()) : null;
            states.put(limit.name(), state == null ? LimitState.fresh(limit, now()) : state.carriedOver(limit, now()));
        }
        Map<String, Gate> gates = new HashMap<>();
        for (GateRule gate : policy.gates()) {
            Gate former = old.gates().get(gate.name());
            gates.put(
                    gate.name(),
                    former == null ? Gate.of(gate.settings(), ticker, signals) : former.carriedOver(gate.settings()));
        }
        rules = new Rules(policy, states, gates, outbounds(policy, old.outbounds()));
        settleIn(policy);
        return changes;
    }

    /** The dependencies of a policy; one that was there keeps what is under way, what was sent and what was learnt. */
    private Map<String, Outbound> outbounds(Policy policy, Map<String, Outbound> former) {
        Map<String, Outbound> outbounds = new LinkedHashMap<>();
        for (OutboundRule rule : policy.outbounds()) {
            Outbound known = former.get(rule.name());
            if (known == null) {
                known = Outbound.of(
                        rule.settings(),
                        ticker,
                        delay,
                        () -> ThreadLocalRandom.current().nextLong(),
                        whoIsOut());
            } else {
                known.change(rule.settings());
            }
            known.instances(() -> liveInstances(policy));
            outbounds.put(rule.name(), known);
        }
        return outbounds;
    }

    /** As many as somebody said, else as the store counts, else as the policy assumes. */
    private int liveInstances(Policy policy) {
        OptionalInt told = instances;
        if (told.isPresent()) {
            return told.getAsInt();
        }
        return fleet != null
                ? fleet.instances()
                : policy.store().map(StoreSettings::instances).orElse(1);
    }

    /** What calls out find out is what calls in may need to know. */
    private OutboundListener whoIsOut() {
        return new OutboundListener() {
            @Override
            public void out(String dependency, long forNanos) {
                dependencies.out(dependency, Duration.ofNanos(forNanos));
            }

            @Override
            public void back(String dependency) {
                dependencies.back(dependency);
            }

            @Override
            public void paused(String dependency, long forNanos) {
                if (pauses != null && outbound(dependency).settings().sharedPause()) {
                    pauses.learnt(dependency, forNanos);
                }
            }
        };
    }

    /**
     * The way to a dependency that the policy names; one and the same over reloads as long as the name is there.
     *
     * @throws IllegalArgumentException when the policy names none of that name
     */
    public Outbound outbound(String name) {
        Outbound outbound = rules.outbounds().get(name);
        if (outbound == null) {
            throw new IllegalArgumentException("the policy has no dependency '" + name + "': it has "
                    + String.join(", ", rules.outbounds().keySet()) + "; name it under outbound");
        }
        return outbound;
    }

    /** The way to the first dependency of the policy that has the host of this address; empty when none does. */
    public Optional<Outbound> outboundTo(URI address) {
        Rules current = rules;
        String host = address.getHost();
        return host == null
                ? Optional.empty()
                : current.policy().outbounds().stream()
                        .filter(rule -> rule.has(host))
                        .findFirst()
                        .map(rule -> current.outbounds().get(rule.name()));
    }

    /** The ways to all dependencies of the policy, in file order. */
    public List<Outbound> outbounds() {
        return List.copyOf(rules.outbounds().values());
    }

    /**
     * Says how many instances share the rates of dependencies that are the fleet's, from now on. Unless told, the store counts them.
     *
     * @throws IllegalArgumentException when there are none
     */
    public void instances(int count) {
        Builder.requireInstances(count);
        instances = OptionalInt.of(count);
    }

    /** The policy in force. */
    public Policy policy() {
        return rules.policy();
    }

    /** The limits of the policy in force, in file order, and what their counters hold. */
    public List<LimitFigures> limits() {
        Rules current = rules;
        List<LimitFigures> figures = new ArrayList<>();
        for (Limit limit : current.policy().limits()) {
            LimitState state = current.states().get(limit.name());
            figures.add(
                    state == null
                            ? new LimitFigures(limit, 0, 0, 0)
                            : new LimitFigures(limit, state.keys(), state.evictions(), state.stricter()));
        }
        return figures;
    }

    /** The gates of the policy in force, in file order, and how they stand. */
    public List<GateState> gates() {
        Rules current = rules;
        List<GateState> states = new ArrayList<>();
        for (GateRule rule : current.policy().gates()) {
            Gate gate = current.gates().get(rule.name());
            if (gate != null) {
                states.add(new GateState(rule, gate.figures()));
            }
        }
        return states;
    }

    /**
     * What each limit that could count a call under this text has left for it; see {@link Policy#linesOf}. Counts nothing, and holds no key
     * that was not held.
     */
    public List<KeyStanding> standings(String keyText) {
        Rules current = rules;
        Now now = now();
        return current.policy().linesOf(keyText, Instant.ofEpochSecond(0, now.wallNanos())).stream()
                .map(line -> new KeyStanding(line, held(line, current, now)))
                .toList();
    }

    /**
     * Forgets what a caller under this text has used of the fleet's budgets, as if it had never called. Other instances may refuse it from
     * memory until the wait that they announced is over. False when there is no store, or it gives no answer.
     */
    public CompletionStage<Boolean> forget(String keyText) {
        if (fleet == null) {
            return CompletableFuture.completedFuture(false);
        }
        Rules current = rules;
        List<Bill.Line> lines = current.policy().linesOf(keyText, Instant.ofEpochSecond(0, now().wallNanos()));
        CompletableFuture<?>[] forgotten = lines.stream()
                .filter(line -> line.limit().isFleet() && line.block().isEmpty())
                .filter(line -> !(line.budget() instanceof Budget.Unlimited))
                .map(line -> fleet.forget(SharedCharges.charge(line, current.storeKeys()))
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        Fleet asked = fleet;
        return CompletableFuture.allOf(forgotten).thenCompose(done -> asked.answers());
    }

    private Optional<Standing> held(Bill.Line line, Rules current, Now now) {
        boolean counts = line.block().isEmpty() && !(line.budget() instanceof Budget.Unlimited);
        return Optional.ofNullable(current.states().get(line.limit().name()))
                .filter(state -> counts)
                .map(state -> state.held(Charges.Line.counted(line, state, null, secret0, secret1), now));
    }

    /** How many errors inside admission were swallowed so far: what calls threw when they were read, calls that could not be judged, listeners that threw. */
    public long errors() {
        return errors.sum();
    }

    /** How many permits were released a second time so far. */
    public long doubleReleases() {
        return doubleReleases.sum();
    }

    /**
     * From now on every call that is not exempt is refused as {@link Reason#DRAINING}; permits that are out end as usual. What was taken of
     * the fleet's budgets in advance is handed back.
     */
    @Override
    public void close() {
        draining = true;
        if (fleet != null) {
            fleet.close();
        }
    }

    /** How this instance's part in its fleet has been doing; empty when no store was given. */
    public Optional<FleetFigures> fleet() {
        return Optional.ofNullable(fleet).map(Fleet::figures);
    }

    /** Which of the services that calls need are out; whoever finds out tells it here. */
    public Dependencies dependencies() {
        return dependencies;
    }

    long nanos() {
        return ticker.nanos();
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
        tellAll(listener -> listener.released(call, outcome, held));
    }
}
