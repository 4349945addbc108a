package dev.weir.rate;

import dev.weir.Ticker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store inside the process: several instances of one program can share budgets as a fleet does, without a server. For tests and
 * simulations, and the definition of what other stores must answer: it decides with the same meters as {@link RateLimiter}, in whole
 * microseconds.
 *
 * <pre>{@code
 * MemoryStore store = new MemoryStore(Ticker.wall());
 * RateStore one = store.instance("one");
 * RateStore other = store.instance("other");
 * }</pre>
 *
 * <p>Answers at once, on the asking thread. An instance can be {@linkplain #cutOff cut off} to see what it does without a store. Thread safe
 * behind one lock. Keeps a count until it is whole again.
 */
public final class MemoryStore {

    private static final long MICRO = 1_000;
    private static final long LIFE_NANOS = 10_000_000_000L;
    private static final int MAX_TEXTS = 10_000;
    private static final int SWEEP_FROM = 1_024;

    private final Ticker wall;
    private final Map<Place, Count> counts = new HashMap<>();
    private final Map<Place, Map<String, Integer>> held = new HashMap<>();
    private final Map<String, Instance> instances = new LinkedHashMap<>();
    private final Map<String, FleetSettings.Setting> settings = new HashMap<>();
    private final Map<String, Bill> texts = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bill> eldest) {
            return size() > MAX_TEXTS;
        }
    };
    private long textsGiven;
    private long settingsVersion;
    private int sweepAt = SWEEP_FROM;

    /** An empty store on a clock that tells the time since the epoch, such as {@link Ticker#wall}. */
    public MemoryStore(Ticker wall) {
        this.wall = wall;
    }

    /** The store as one more instance sees it, which then counts as alive until it is closed. A name in use is refused. */
    public synchronized RateStore instance(String name) {
        if (instances.containsKey(name)) {
            throw new IllegalArgumentException("an instance named '" + name + "' lives already");
        }
        Instance instance = new Instance(name);
        instances.put(name, instance);
        instance.hear();
        return instance;
    }

    /** Lets the instance of that name get no answer, for that cause, until {@link #reconnect}. After ten seconds it counts as dead. */
    public synchronized void cutOff(String name, Charged.Cause cause) {
        Instance instance = named(name);
        instance.cut = cause;
        instance.cutAt = now();
    }

    /** Lets the instance of that name get answers again. */
    public synchronized void reconnect(String name) {
        Instance instance = named(name);
        instance.cut = null;
        instance.hear();
    }

    private Instance named(String name) {
        Instance instance = instances.get(name);
        if (instance == null) {
            throw new IllegalArgumentException("no instance named '" + name + "' lives");
        }
        return instance;
    }

    private long now() {
        return Math.floorDiv(wall.nanos(), MICRO) * MICRO;
    }

    private static long wholeMicros(long nanos) {
        return nanos >= Long.MAX_VALUE - MICRO ? nanos : (nanos + MICRO - 1) / MICRO * MICRO;
    }

    private boolean alive(String name, long now) {
        Instance instance = instances.get(name);
        return instance != null && (instance.cut == null || now - instance.cutAt < LIFE_NANOS);
    }

    private int inFlight(Place place, long now) {
        int sum = 0;
        for (Map.Entry<String, Integer> entry :
                held.getOrDefault(place, Map.of()).entrySet()) {
            sum += alive(entry.getKey(), now) ? entry.getValue() : 0;
        }
        return sum;
    }

    private Count count(Place place) {
        Count count = counts.get(place);
        if (count == null) {
            sweep();
            count = new Count();
            counts.put(place, count);
        }
        return count;
    }

    /** Drops what is whole again, whenever the number of counts has doubled. */
    private void sweep() {
        if (counts.size() >= sweepAt) {
            long now = now();
            counts.values().removeIf(count -> count.isFresh(now));
            sweepAt = Math.max(SWEEP_FROM, 2 * counts.size());
        }
    }

    /** Whether something lies so far back that a meter would take it for something to come. */
    private static boolean isLongOver(Ledger ledger, long ageNanos) {
        return ledger instanceof Ledger.Metered metered && ageNanos >= metered.sweepNanos();
    }

    /** What identifies a count. */
    private record Place(String limit, StoreKey key, String window) {
        static Place of(FleetCharge charge) {
            return new Place(charge.limit(), charge.key(), charge.window());
        }
    }

    /** One key's count under the limit that charged it last. */
    private static final class Count {
        private @Nullable RateLimit limit;
        private @Nullable Ledger ledger;
        /** When it was charged last, by the store's clock, and what that instant is on the count's own, which never steps back. */
        private long seen;

        private long ownSeen;

        /** The count's own time. Windows and logs know themselves what to do with a clock that stepped back. */
        long at(long now) {
            boolean own = limit != null && !RateTable.aligned(limit.algorithm()) && !(ledger instanceof Ledger.Logged);
            return own ? ownSeen + Math.max(0, now - seen) : now;
        }

        /** The ledger as that limit reads it: a copy until it is {@linkplain #keep kept}. */
        Ledger read(RateLimit wanted, long now) {
            if (limit == null || ledger == null || isLongOver(now)) {
                return wanted.algorithm() == Algorithm.SLIDING_LOG
                        ? new Ledger.Logged(new SlidingLog(wanted), new LogRing())
                        : new Ledger.Metered(Meter.of(wanted), Meter.of(wanted).fresh(now));
            }
            if (limit.equals(wanted)) {
                return ledger.copy();
            }
            if (ledger instanceof Ledger.Metered metered) {
                Meter meter = Meter.of(wanted);
                return new Ledger.Metered(meter, meter.converted(metered.state(), at(now), Meter.of(limit)));
            }
            return new Ledger.Logged(new SlidingLog(wanted), ((Ledger.Logged) ledger.copy()).ring());
        }

        private boolean isLongOver(long now) {
            return ledger != null && MemoryStore.isLongOver(ledger, now - seen);
        }

        void keep(RateLimit limit, Ledger ledger, long now) {
            long own = this.limit == null ? now : at(now);
            this.limit = limit;
            this.ledger = ledger;
            this.seen = now;
            this.ownSeen = own;
        }

        boolean isFresh(long now) {
            if (limit == null || ledger == null) {
                return true;
            }
            return ledger instanceof Ledger.Metered metered
                    ? Meter.of(limit).isFresh(metered.state(), at(now))
                    : new SlidingLog(limit).isFresh(((Ledger.Logged) ledger).ring(), now);
        }
    }

    /** One charge while its bill is judged. */
    private final class Judged {
        final FleetCharge charge;
        final Place place;
        final String instance;
        final long now;
        long wait;
        boolean charged;
        long chargedAt;
        long mark;
        long turn;

        Judged(FleetCharge charge, String instance, long now) {
            this.charge = charge;
            this.place = Place.of(charge);
            this.instance = instance;
            this.now = now;
            this.wait = peek();
        }

        private long peek() {
            if (charge.use() instanceof FleetCharge.Rate rate) {
                Count count = counts.getOrDefault(place, new Count());
                return wholeMicros(count.read(rate.limit(), now).waitFor(count.at(now), charge.cost()));
            }
            int calls = ((FleetCharge.InFlight) charge.use()).calls();
            return inFlight(place, now) < calls ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS;
        }

        void charge() {
            charged = true;
            if (charge.use() instanceof FleetCharge.Rate rate && charge.cost() > 0) {
                Count count = count(place);
                Ledger ledger = count.read(rate.limit(), now);
                long at = count.at(now);
                chargedAt = at;
                mark = ledger.mark(at);
                turn = wholeMicros(ledger.turnNanos(at));
                ledger.charge(at, charge.cost());
                count.keep(rate.limit(), ledger, now);
            } else if (charge.use() instanceof FleetCharge.InFlight) {
                held.computeIfAbsent(place, p -> new HashMap<>()).merge(instance, 1, Integer::sum);
            }
        }

        Charged.Line line() {
            return new Charged.Line(wait, standing(), charged, turn);
        }

        private Standing standing() {
            if (charge.use() instanceof FleetCharge.Rate rate) {
                Count count = counts.getOrDefault(place, new Count());
                Standing exact = count.read(rate.limit(), now).standing(count.at(now));
                OptionalLong reset = exact.resetNanos().isEmpty()
                        ? exact.resetNanos()
                        : OptionalLong.of(wholeMicros(exact.resetNanos().getAsLong()));
                return new Standing(
                        exact.quota(), exact.windowSeconds(), exact.remaining(), reset, exact.sharedReset(), false);
            }
            int calls = ((FleetCharge.InFlight) charge.use()).calls();
            return Standing.inFlight(calls, inFlight(place, now));
        }
    }

    /** The receipt of a bill. Guarded by the store's lock. */
    private final class Bill implements Receipt {
        private final String instance;
        private final List<Judged> lines;
        private @Nullable String text;
        private boolean settled;
        private boolean released;

        Bill(String instance, List<Judged> lines) {
            this.instance = instance;
            this.lines = lines;
        }

        @Override
        public int lines() {
            return lines.size();
        }

        @Override
        public String text() {
            synchronized (MemoryStore.this) {
                if (text == null) {
                    text = "memory-" + ++textsGiven;
                    texts.put(text, this);
                }
                return text;
            }
        }
    }

    /** The store as one instance sees it. */
    private final class Instance implements RateStore, FleetSettings {
        private final String name;
        private Charged.@Nullable Cause cut;
        private long cutAt;
        private int heard = 1;
        private Snapshot known = new Snapshot(0, Map.of());
        private final List<Consumer<Snapshot>> listeners = new ArrayList<>();
        private long calls;
        private long lostGiveBacks;
        private final Map<Charged.Cause, Long> unavailable = new EnumMap<>(Charged.Cause.class);

        Instance(String name) {
            this.name = name;
        }

        @Override
        public CompletionStage<Charged> charge(List<FleetCharge> bill) {
            RateStore.requireBill(bill);
            synchronized (MemoryStore.this) {
                calls++;
                if (cut != null) {
                    unavailable.merge(cut, 1L, Long::sum);
                    return done(new Charged.Unavailable(cut, false));
                }
                heard = alive();
                List<Judged> judged = judge(bill);
                boolean passes =
                        judged.stream().allMatch(line -> !line.charge.enforced() || line.wait == RateTable.NOW);
                if (passes) {
                    judged.stream().filter(line -> line.wait == RateTable.NOW).forEach(Judged::charge);
                }
                List<Charged.Line> lines = judged.stream().map(Judged::line).toList();
                return done(passes ? new Charged.Granted(lines, new Bill(name, judged)) : new Charged.Refused(lines));
            }
        }

        private List<Judged> judge(List<FleetCharge> bill) {
            long now = MemoryStore.this.now();
            return bill.stream().map(charge -> new Judged(charge, name, now)).toList();
        }

        @Override
        public CompletionStage<Optional<List<Charged.Line>>> peek(List<FleetCharge> bill) {
            RateStore.requireBill(bill);
            synchronized (MemoryStore.this) {
                if (cut != null) {
                    return done(Optional.empty());
                }
                return done(Optional.of(judge(bill).stream().map(Judged::line).toList()));
            }
        }

        @Override
        public CompletionStage<Boolean> settle(Receipt receipt, long[] actualUnits) {
            Bill bill = (Bill) receipt;
            if (actualUnits.length != bill.lines()) {
                throw new IllegalArgumentException(
                        actualUnits.length + " costs for a bill of " + bill.lines() + " lines: one each");
            }
            synchronized (MemoryStore.this) {
                if (bill.settled) {
                    return done(false);
                }
                bill.settled = true;
                if (cut != null) {
                    lostGiveBacks++;
                    return done(false);
                }
                long now = MemoryStore.this.now();
                for (int i = 0; i < actualUnits.length; i++) {
                    settle(bill.lines.get(i), actualUnits[i], now);
                }
                return done(true);
            }
        }

        private void settle(Judged line, long actual, long now) {
            long estimate = line.charge.cost();
            if (!line.charged || actual == estimate || !(line.charge.use() instanceof FleetCharge.Rate rate)) {
                return;
            }
            Count count = count(line.place);
            Ledger ledger = count.read(rate.limit(), now);
            long at = count.at(now);
            boolean changed = true;
            if (actual < estimate) {
                changed = !isLongOver(ledger, at - line.chargedAt) && ledger.giveBack(at, estimate - actual, line.mark);
            } else {
                ledger.charge(at, actual - estimate);
            }
            if (changed) {
                count.keep(rate.limit(), ledger, now);
            }
        }

        @Override
        public boolean release(Receipt receipt) {
            Bill bill = (Bill) receipt;
            synchronized (MemoryStore.this) {
                if (bill.released || !bill.instance.equals(name)) {
                    return false;
                }
                bill.released = true;
                boolean let = false;
                for (Judged line : bill.lines) {
                    if (line.charged && line.charge.use() instanceof FleetCharge.InFlight) {
                        let = true;
                        held.getOrDefault(line.place, new HashMap<>())
                                .computeIfPresent(name, (n, calls) -> calls == 1 ? null : Integer.valueOf(calls - 1));
                    }
                }
                return let;
            }
        }

        @Override
        public Receipt receipt(String text) {
            synchronized (MemoryStore.this) {
                Bill bill = texts.get(text);
                if (bill == null) {
                    throw new IllegalArgumentException("'" + text + "' is no receipt of this store");
                }
                return bill;
            }
        }

        @Override
        public CompletionStage<Boolean> absorb(List<Owed> owed) {
            synchronized (MemoryStore.this) {
                if (cut != null) {
                    return done(false);
                }
                long now = MemoryStore.this.now();
                owed.forEach(each -> absorb(each, now));
                return done(true);
            }
        }

        private void absorb(Owed owed, long now) {
            if (owed.charge().use() instanceof FleetCharge.Rate rate
                    && owed.charge().cost() > 0) {
                Count count = count(Place.of(owed.charge()));
                Ledger ledger = count.read(rate.limit(), now);
                if (ledger.absorb(count.at(now), owed.charge().cost(), wholeMicros(owed.ageNanos()))) {
                    count.keep(rate.limit(), ledger, now);
                }
            }
        }

        @Override
        public CompletionStage<Boolean> forget(FleetCharge charge) {
            synchronized (MemoryStore.this) {
                if (cut != null) {
                    return done(false);
                }
                Place place = Place.of(charge);
                boolean counted = counts.remove(place) != null;
                return done(held.remove(place) != null || counted);
            }
        }

        @Override
        public CompletionStage<Optional<List<StoreKey>>> keys(String limit, int max) {
            synchronized (MemoryStore.this) {
                if (cut != null) {
                    return done(Optional.empty());
                }
                Set<StoreKey> keys = new HashSet<>();
                counts.keySet().stream()
                        .filter(place -> place.limit.equals(limit))
                        .forEach(place -> keys.add(place.key));
                held.keySet().stream()
                        .filter(place -> place.limit.equals(limit))
                        .forEach(place -> keys.add(place.key));
                return done(Optional.of(keys.stream().limit(max).toList()));
            }
        }

        /** Counts leave when they are whole again, and a program's memory is its own. */
        @Override
        public void maxKeys(String limit, int maxKeys) {}

        @Override
        public CompletionStage<Boolean> probe() {
            synchronized (MemoryStore.this) {
                return done(cut == null);
            }
        }

        private int alive() {
            long now = MemoryStore.this.now();
            return (int) instances.keySet().stream()
                    .filter(other -> MemoryStore.this.alive(other, now))
                    .count();
        }

        @Override
        public OptionalInt instances() {
            synchronized (MemoryStore.this) {
                heard = cut == null ? alive() : heard;
                return OptionalInt.of(heard);
            }
        }

        @Override
        public FleetSettings settings() {
            return this;
        }

        @Override
        public StoreFigures figures() {
            synchronized (MemoryStore.this) {
                return new StoreFigures(
                        cut == null ? StoreFigures.State.CLOSED : StoreFigures.State.OPEN,
                        calls,
                        calls,
                        Map.copyOf(unavailable),
                        lostGiveBacks,
                        0,
                        counts.size(),
                        Optional.of("noeviction"),
                        0,
                        Optional.empty());
            }
        }

        @Override
        public void close() {
            synchronized (MemoryStore.this) {
                cut = Charged.Cause.CLOSED;
                instances.remove(name);
                held.values().forEach(holders -> holders.remove(name));
            }
        }

        @Override
        public CompletionStage<Optional<Long>> put(String name, String value, Optional<Instant> until) {
            FleetSettings.requireSetting(name, value);
            synchronized (MemoryStore.this) {
                if (cut != null || (settings.size() >= MAX_SETTINGS && !settings.containsKey(name))) {
                    return done(Optional.empty());
                }
                settings.put(name, new Setting(value, until));
                return done(Optional.of(changed()));
            }
        }

        @Override
        public Instant now() {
            return Instant.ofEpochSecond(0, MemoryStore.this.now());
        }

        @Override
        public CompletionStage<Optional<Long>> remove(String name) {
            synchronized (MemoryStore.this) {
                if (cut != null) {
                    return done(Optional.empty());
                }
                settings.remove(name);
                return done(Optional.of(changed()));
            }
        }

        private long changed() {
            settingsVersion++;
            for (Instance instance : instances.values()) {
                if (instance.cut == null) {
                    instance.hear();
                }
            }
            return settingsVersion;
        }

        /** Takes over what the store knows. */
        private void hear() {
            if (known.version() != settingsVersion) {
                known = new Snapshot(settingsVersion, Map.copyOf(settings));
                Snapshot news = snapshot();
                listeners.forEach(listener -> listener.accept(news));
            }
        }

        @Override
        public Snapshot snapshot() {
            synchronized (MemoryStore.this) {
                Instant now = now();
                Map<String, Setting> held = new HashMap<>(known.settings());
                held.values()
                        .removeIf(setting -> setting.until().isPresent()
                                && !setting.until().get().isAfter(now));
                return new Snapshot(known.version(), Map.copyOf(held));
            }
        }

        @Override
        public void onChange(Consumer<Snapshot> listener) {
            synchronized (MemoryStore.this) {
                listeners.add(listener);
            }
        }
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
