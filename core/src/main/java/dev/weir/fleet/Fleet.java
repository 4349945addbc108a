package dev.weir.fleet;

import dev.weir.Ticker;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a fleet: decides calls by budgets that all instances share, in a store.
 *
 * <p>How a call is decided: a cost that could never pass is refused at once. A key that the store refused is refused from memory until the
 * announced instant. Units that were taken in advance are spent without asking. All the rest is asked at once, in bills of at most {@link
 * RateStore#MAX_CHARGES} lines; when one bill is refused the others are given back. Shadow lines go along, and a call never waits for them
 * alone.
 *
 * <p>Without an answer each limit decides by its own choice, see {@link dev.weir.policy.StoreFailure}. What is granted meanwhile without the
 * store having counted it is owed: as long as anything is, the store is asked whether it is back, by the calls that come and at most once in
 * {@link #PROBE_EVERY_NANOS}, and hears what is owed before it decides again.
 *
 * <p>Thread safe. Starts no thread: answers come on the threads of the store. Closing hands back what was taken in advance; the store is
 * closed by whoever opened it.
 */
public final class Fleet implements AutoCloseable {

    /** How often a store that is away is asked whether it is back. */
    public static final long PROBE_EVERY_NANOS = 100_000_000L;

    private static final int ABSORBED_AT_ONCE = 64;

    private final RateStore store;
    private final Ticker ticker;
    private final Ticker wallTicker;
    private volatile boolean leases = true;
    private volatile int assumedInstances = 1;
    private final FleetListener listener;
    private final KnownKeys known = new KnownKeys();
    private final Map<String, LeaseCounts> leaseCounts = new ConcurrentHashMap<>();
    private final LongAdder remembered = new LongAdder();
    private final LongAdder lostUnits = new LongAdder();
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile long probedNanos;
    private volatile @Nullable Outage outage;

    /**
     * An instance that counts in that store.
     *
     * @param ticker the monotonic clock
     * @param wallTicker the time since the epoch, for the edges of windows while the store is away
     */
    public Fleet(RateStore store, Ticker ticker, Ticker wallTicker, FleetListener listener) {
        this.store = store;
        this.ticker = ticker;
        this.wallTicker = wallTicker;
        this.listener = listener;
    }

    /**
     * From now on.
     *
     * @param leases whether units of busy keys are taken in advance; true at the start
     * @param assumedInstances how many instances share the budgets while nothing was heard, 1 or more; 1 at the start
     */
    public void configure(boolean leases, int assumedInstances) {
        if (assumedInstances < 1) {
            throw new IllegalArgumentException("instances " + assumedInstances + " is below 1");
        }
        this.leases = leases;
        this.assumedInstances = assumedInstances;
    }

    /** Has this instance write at most so many keys of the limit at a time. */
    public void maxKeys(String limit, int maxKeys) {
        store.maxKeys(limit, maxKeys);
    }

    /**
     * Decides a call by its fleet limits. The stage is complete at once where nothing had to be asked; else it completes on a thread of the
     * store, within its time budget, and never exceptionally.
     *
     * @param lines a line for each limit, no two of one limit and key; not none
     */
    public CompletionStage<FleetAnswer> charge(List<FleetLine> lines) {
        Outage away = outage;
        if (away != null && away.owes()) {
            probe(away);
            Optional<FleetAnswer> answer = away.decide(lines, false);
            if (answer.isPresent()) {
                return CompletableFuture.completedFuture(answer.get());
            }
        }
        return new Asking(this, lines).answer();
    }

    // What is known without asking

    /** What is known of the line's key; nothing of calls in flight, which end at any time. */
    KnownKey known(FleetLine line) {
        return known.of(Place.of(line.charge()), ticker.nanos());
    }

    boolean leases() {
        return leases;
    }

    /** How many instances share the budgets. */
    public int instances() {
        return Math.max(1, store.instances().orElse(assumedInstances));
    }

    RateStore store() {
        return store;
    }

    long nanos() {
        return ticker.nanos();
    }

    void refusedFromMemory() {
        remembered.increment();
    }

    LeaseCounts counts(String limit) {
        return leaseCounts.computeIfAbsent(limit, name -> new LeaseCounts());
    }

    /** Takes units of a busy key in advance, if it is time to. */
    void takeInAdvance(FleetLine line, RateLimit limit, KnownKey key) {
        long asked = ticker.nanos();
        LeaseCounts counts = counts(line.charge().limit());
        counts.dropped.add(key.dropped());
        long units = leases ? key.wanted(limit, instances(), asked) : 0;
        if (units == 0) {
            return;
        }
        FleetCharge charge = line.charge();
        FleetCharge advance = new FleetCharge(charge.limit(), charge.key(), charge.use(), units, true);
        CompletionStage<Charged> unused = ask(List.of(advance)).whenComplete((answer, failure) -> {
            long now = ticker.nanos();
            if (answer instanceof Charged.Granted granted) {
                counts.units.add(units);
                key.taken(limit, units, granted.lines().get(0), granted.receipt(), asked, now);
            } else if (answer instanceof Charged.Refused refused) {
                key.notTaken(Optional.of(refused.lines().get(0).standing()), now);
            } else {
                key.notTaken(Optional.empty(), now);
            }
        });
    }

    /** Gives units in advance back to the store, since it just refused a call that they may be enough for. */
    void handBack(KnownKey key) {
        for (Parcel parcel : key.empty(ticker.nanos())) {
            parcel.receipt.ifPresent(receipt -> store.settle(receipt, new long[] {parcel.spent()}));
        }
    }

    /** Asks the store; an answer always comes. */
    CompletionStage<Charged> ask(List<FleetCharge> bill) {
        try {
            long askedNanos = ticker.nanos();
            return store.charge(bill)
                    .whenComplete((answer, failure) -> listener.asked(ticker.nanos() - askedNanos))
                    .exceptionally(failure -> new Charged.Unavailable(Charged.Cause.ERROR, true));
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(new Charged.Unavailable(Charged.Cause.ERROR, false));
        }
    }

    // Without the store

    /** Decides without the store, since it gave no answer. */
    FleetAnswer decideWithout(List<FleetLine> lines, Charged.Unavailable trouble) {
        while (true) {
            Optional<FleetAnswer> answer = begin(trouble).decide(lines, trouble.mayHaveCharged());
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    private Outage begin(Charged.Unavailable trouble) {
        Outage begun;
        synchronized (this) {
            Outage present = outage;
            if (present != null && !present.isOver()) {
                return present;
            }
            begun = new Outage(instances(), ticker, wallTicker);
            outage = begun;
            probedNanos = ticker.nanos();
        }
        listener.storeLost(trouble.cause());
        return begun;
    }

    /** The store answered: an outage during which nothing was granted without it is over. */
    void answered() {
        Outage present = outage;
        if (present != null && !present.owes() && present.drainOrEnd().isEmpty()) {
            end(present);
        }
    }

    private void end(Outage over) {
        synchronized (this) {
            if (outage != over) {
                return;
            }
            lostUnits.add(over.lostUnits());
            outage = null;
        }
        listener.storeBack();
    }

    private void probe(Outage away) {
        if (ticker.nanos() - probedNanos < PROBE_EVERY_NANOS || !probing.compareAndSet(false, true)) {
            return;
        }
        probedNanos = ticker.nanos();
        CompletionStage<Boolean> unused = store.probe().whenComplete((back, failure) -> {
            if (failure == null && back) {
                settleArrears(away);
            } else {
                probing.set(false);
            }
        });
    }

    /** Tells the store what it is owed, until nothing is. What it does not take is lost: it may have taken it. */
    private void settleArrears(Outage away) {
        Optional<List<RateStore.Owed>> owed = away.drainOrEnd();
        if (owed.isEmpty()) {
            probing.set(false);
            end(away);
            return;
        }
        List<CompletableFuture<Boolean>> sent = batches(owed.get()).stream()
                .map(batch -> store.absorb(batch).toCompletableFuture().whenComplete((taken, failure) -> {
                    if (failure != null || !taken) {
                        lostUnits.add(batch.stream()
                                .mapToLong(each -> each.charge().cost())
                                .sum());
                    }
                }))
                .toList();
        CompletableFuture<Void> unused = CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                .whenComplete((done, failure) -> {
                    if (failure == null && sent.stream().allMatch(CompletableFuture::join)) {
                        settleArrears(away);
                    } else {
                        probing.set(false); // it is away again
                    }
                });
    }

    private static <T> List<List<T>> batches(List<T> all) {
        List<List<T>> batches = new ArrayList<>();
        for (int from = 0; from < all.size(); from += ABSORBED_AT_ONCE) {
            batches.add(all.subList(from, Math.min(all.size(), from + ABSORBED_AT_ONCE)));
        }
        return batches;
    }

    // For operators

    /** Forgets the count of a key here and in the store, as if it had never used anything; false when there was none, or no answer. */
    public CompletionStage<Boolean> forget(FleetCharge charge) {
        known.forget(Place.of(charge));
        return store.forget(charge);
    }

    /** Whether the store answers. */
    public CompletionStage<Boolean> answers() {
        return store.probe();
    }

    /** How this instance has been doing. */
    public FleetFigures figures() {
        Outage away = outage;
        Map<String, FleetFigures.Lease> figures = new HashMap<>();
        leaseCounts.forEach((limit, counts) -> figures.put(limit, counts.figures()));
        return new FleetFigures(
                store.figures(),
                store.instances(),
                away != null,
                figures,
                remembered.sum(),
                lostUnits.sum() + (away == null ? 0 : away.lostUnits()));
    }

    /** Hands back what was taken in advance and not spent. */
    @Override
    public void close() {
        known.each(this::handBack);
    }
}
