package dev.weir.redis;

import dev.weir.Ticker;
import dev.weir.policy.StoreSettings;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.FleetSettings;
import dev.weir.rate.RateStore;
import dev.weir.rate.Receipt;
import dev.weir.rate.StoreFigures;
import dev.weir.rate.StoreKey;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A fleet's budgets on Redis 6.2 or newer: one server, a primary that sentinels name, or a cluster.
 *
 * <pre>{@code
 * RateStore store = RedisStore.start(RedisSettings.of("redis://127.0.0.1:6379"));
 * store.charge(bill).thenAccept(charged -> ..);
 * }</pre>
 *
 * <p>Starting does not wait for the server: until it answers, bills are unavailable. Everything is asynchronous, on a few threads of the store's
 * own, and nothing there may block. Each bill is one script a slot, decided by the server's clock and alone on the server; it is answered within
 * {@link RedisSettings#timeout}. A server that fails five times in a row is left alone until it answers a probe. Thread safe.
 *
 * <p>{@link #close} waits until the store knows, for at most a second; do not call it on a thread of the store.
 *
 * <p>In the store every count has a life: it leaves by itself when it is whole again.
 */
public final class RedisStore implements RateStore {

    private static final long TEND_NANOS = 25_000_000L;
    private static final long CORRECT_NANOS = 10_000_000L;
    private static final long BEAT_NANOS = 2_000_000_000L;
    private static final long LOOK_NANOS = 500_000_000L;
    private static final long POLICY_NANOS = 60_000_000_000L;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final int MAX_KEYS = 1_000_000;
    private static final int MOST_LISTED = 10_000;

    private final RedisSettings settings;
    private final ClientResources resources;
    private final RedisClient client;
    private final Pulse pulse;
    private final Tally tally = new Tally();
    private final Names names;
    private final StoreClock clock;
    private final ChargeScript script;
    private final Holds holds = new Holds();
    private final Route route;
    private final Flights flights;
    private final Corrections corrections;
    private final SharedSettings shared;
    private final Notices notices;
    private final Membership membership;
    private final Map<String, LiveKeys> live = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final long startedNanos;

    private RedisStore(RedisSettings settings, Ticker wall, Optional<LongSupplier> givenMicros) {
        this.settings = settings;
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
        client = RedisClient.create(resources);
        client.setOptions(options(settings));
        pulse = new Pulse(Ticker.system(), settings.timeout().toNanos(), "weir-redis");
        startedNanos = pulse.now();
        names = new Names(settings.namespace());
        clock = new StoreClock(wall, givenMicros);
        Codes codes = new Codes();
        script = new ChargeScript(names, codes, clock, settings.instance());
        route = route();
        flights = new Flights(route, script, holds, names, pulse);
        corrections = new Corrections(route, names, codes, clock, tally);
        shared = new SharedSettings(route, names, clock);
        notices = new Notices(client, shared.channel(), shared::look);
        membership = new Membership(route, names, clock, holds, settings.instance());
        pulse.every(TEND_NANOS, this::tend);
        if (givenMicros.isEmpty()) {
            pulse.every(CORRECT_NANOS, this::correct);
            pulse.every(BEAT_NANOS, this::beat);
        }
        pulse.every(LOOK_NANOS, this::look);
        pulse.every(POLICY_NANOS, membership::readMemory);
        pulse.start();
    }

    /** A store on the server that the settings name. */
    public static RedisStore start(RedisSettings settings) {
        return new RedisStore(settings, Ticker.wall(), Optional.empty());
    }

    /**
     * A store whose scripts take the time from here instead of the server's clock; counts then live an hour longer than they must. Since it
     * cannot know when that time passes, whoever gives it says {@link #correct} and {@link #beat}.
     */
    static RedisStore start(RedisSettings settings, LongSupplier givenMicros) {
        return new RedisStore(settings, Ticker.wall(), Optional.of(givenMicros));
    }

    /** A store on an instance whose clock shows something else than the server's. */
    static RedisStore startBy(RedisSettings settings, Ticker wall) {
        return new RedisStore(settings, wall, Optional.empty());
    }

    private static ClientOptions options(RedisSettings settings) {
        ClientOptions.Builder options = ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT)
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build());
        settings.tls().ifPresent(tls -> options.sslOptions(sslOptions(tls)));
        return options.build();
    }

    private static SslOptions sslOptions(StoreSettings.Tls tls) {
        SslOptions.Builder options = SslOptions.builder();
        tls.ca().ifPresent(file -> options.trustManager(file.toFile()));
        if (tls.certificate().isPresent() && tls.key().isPresent()) {
            options.keyManager(tls.certificate().get().toFile(), tls.key().get().toFile(), new char[0]);
        }
        return options.build();
    }

    private Route route() {
        settings.addresses().forEach(address -> address.setTimeout(CONNECT));
        if (settings.isCluster()) {
            return new ClusterRoute(settings.addresses(), this::node, pulse);
        }
        return new SingleRoute(node(settings.addresses().get(0)));
    }

    private Node node(RedisURI address) {
        return new Node(client, address, pulse, tally.commands, this::nodeConnected);
    }

    /** A node came, or came back: what should be known there is said at once. */
    private void nodeConnected() {
        pulse.soon();
    }

    /** Complete once all that count have been connected for the first time. Waiting for it is never necessary. */
    public CompletionStage<Void> connected() {
        return connected.copy();
    }

    private void tend() {
        route.tend();
        List<Node> nodes = route.nodes();
        if (!connected.isDone() && !nodes.isEmpty() && nodes.stream().allMatch(Node::isConnected)) {
            connected.complete(null);
        }
    }

    /** Sees that notices come, and looks whether one was missed. */
    private void look() {
        route.node(route.slot(names.settings()))
                .filter(Node::isConnected)
                .ifPresent(node -> notices.tend(node.address()));
        shared.look();
    }

    /** Says that this instance lives, and what it holds. */
    synchronized void beat() {
        membership.beat();
    }

    /** Tells what changed of what is held, and sends the corrections that were gathered. */
    synchronized void correct() {
        membership.tellHolds(false);
        corrections.send();
    }

    @Override
    public CompletionStage<Charged> charge(List<FleetCharge> bill) {
        RateStore.requireBill(bill);
        tally.calls.increment();
        List<FleetCharge> placed = placed(bill);
        Map<Integer, List<Integer>> slots = slots(placed);
        CompletionStage<Charged> answer = slots.size() == 1
                ? flights.charge(placed, slots.keySet().iterator().next())
                : new SeveralSlots(flights, corrections, holds, names).charge(placed, slots);
        return answer.whenComplete((charged, error) -> tally.add(charged));
    }

    /** The lines of a bill by slot, by their place on it. */
    private Map<Integer, List<Integer>> slots(List<FleetCharge> bill) {
        Map<Integer, List<Integer>> slots = new LinkedHashMap<>();
        for (int i = 0; i < bill.size(); i++) {
            slots.computeIfAbsent(route.slot(bill.get(i).key()), slot -> new ArrayList<>())
                    .add(i);
        }
        return slots;
    }

    /** The bill with keys that there is room for. */
    private List<FleetCharge> placed(List<FleetCharge> bill) {
        long second = (pulse.now() - startedNanos) / 1_000_000_000L;
        List<FleetCharge> placed = new ArrayList<>(bill.size());
        boolean overflowed = false;
        for (FleetCharge charge : bill) {
            StoreKey key = live.computeIfAbsent(charge.limit(), limit -> new LiveKeys(MAX_KEYS))
                    .place(charge.key(), second, script.lifeSeconds(charge));
            boolean same = key.equals(charge.key());
            overflowed |= !same;
            placed.add(
                    same
                            ? charge
                            : new FleetCharge(charge.limit(), key, charge.use(), charge.cost(), charge.enforced()));
        }
        if (overflowed) {
            tally.overflowed.increment();
        }
        return List.copyOf(placed);
    }

    @Override
    public CompletionStage<Optional<List<Charged.Line>>> peek(List<FleetCharge> bill) {
        RateStore.requireBill(bill);
        Map<Integer, List<Integer>> slots = slots(bill);
        List<CompletableFuture<Optional<List<Charged.Line>>>> parts = new ArrayList<>();
        slots.forEach(
                (slot, lines) -> parts.add(peek(lines.stream().map(bill::get).toList(), slot, false)));
        return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> {
                    Charged.@Nullable Line[] lines = new Charged.Line[bill.size()];
                    int part = 0;
                    for (List<Integer> places : slots.values()) {
                        Optional<List<Charged.Line>> told = parts.get(part++).join();
                        if (told.isEmpty()) {
                            return Optional.empty();
                        }
                        for (int i = 0; i < places.size(); i++) {
                            lines[places.get(i)] = told.get().get(i);
                        }
                    }
                    return Optional.of(List.of(lines));
                });
    }

    private CompletableFuture<Optional<List<Charged.Line>>> peek(List<FleetCharge> bill, int slot, boolean again) {
        CompletableFuture<Optional<List<Charged.Line>>> told = new CompletableFuture<>();
        List<Holds.Asked> held = bill.stream()
                .map(charge -> new Holds.Asked(holds.all(names.count(charge)), 0))
                .toList();
        ChargeScript.Question question = script.new Question(List.of(new ChargeScript.Said(bill, 0, held)));
        route.run(slot, question.script(), question.keys(), question.args(), (value, error) -> {
            ChargeScript.Answer answer =
                    value == null || error != null ? null : question.read(value).get(0);
            if (answer instanceof ChargeScript.Answer.Misfit && !again) {
                var unused = peek(bill, slot, true).thenAccept(told::complete);
            } else {
                told.complete(
                        answer instanceof ChargeScript.Answer.Decided decided
                                ? Optional.of(ChargeScript.told(bill, decided.lines()))
                                : Optional.empty());
            }
        });
        return told.completeOnTimeout(Optional.empty(), pulse.budgetNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletionStage<Boolean> settle(Receipt receipt, long[] actualUnits) {
        RedisReceipt mine = (RedisReceipt) receipt;
        if (actualUnits.length != mine.lines()) {
            throw new IllegalArgumentException(
                    actualUnits.length + " costs for a bill of " + mine.lines() + " lines: one each");
        }
        if (!mine.settle()) {
            return CompletableFuture.completedFuture(false);
        }
        List<Corrections.Entry> entries = new ArrayList<>();
        for (int i = 0; i < actualUnits.length; i++) {
            Corrections.settling(mine.marks().get(i), actualUnits[i]).ifPresent(entries::add);
        }
        return corrections.add(entries, mine.sharedId());
    }

    @Override
    public boolean release(Receipt receipt) {
        RedisReceipt mine = (RedisReceipt) receipt;
        boolean let = false;
        if (mine.release()) {
            for (RedisReceipt.Mark mark : mine.marks()) {
                if (mark.charged() && mark.charge().use() instanceof FleetCharge.InFlight) {
                    let |= holds.release(names.count(mark.charge()));
                }
            }
        }
        return let;
    }

    @Override
    public Receipt receipt(String text) {
        return RedisReceipt.parse(text);
    }

    @Override
    public CompletionStage<Boolean> absorb(List<Owed> owed) {
        List<Corrections.Entry> entries = new ArrayList<>();
        for (Owed each : owed) {
            if (each.charge().use() instanceof FleetCharge.Rate && each.charge().cost() > 0) {
                long ageMicros = (each.ageNanos() + 999) / 1_000;
                entries.add(new Corrections.Entry(
                        each.charge(), Corrections.What.LATE, each.charge().cost(), ageMicros, 0));
            }
        }
        return corrections.add(entries, null);
    }

    @Override
    public CompletionStage<Boolean> forget(FleetCharge charge) {
        Optional<Node> node = route.node(route.slot(charge.key()));
        if (node.isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        return node.get()
                .ask(commands -> commands.del(Words.bytes(names.count(charge))))
                .handle((deleted, error) -> error == null && deleted > 0);
    }

    @Override
    public CompletionStage<Optional<List<StoreKey>>> keys(String limit, int max) {
        return new KeyScan(names, limit, Math.min(max, MOST_LISTED)).run(route.nodes());
    }

    @Override
    public void maxKeys(String limit, int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("max-keys " + maxKeys + " is below 1");
        }
        live.computeIfAbsent(limit, name -> new LiveKeys(maxKeys)).maxKeys(maxKeys);
    }

    @Override
    public CompletionStage<Boolean> probe() {
        CompletionStage<Boolean> all =
                CompletableFuture.completedFuture(!route.nodes().isEmpty());
        for (Node node : route.nodes()) {
            all = all.thenCombine(node.probe(), Boolean::logicalAnd);
        }
        return all;
    }

    @Override
    public OptionalInt instances() {
        return membership.alive();
    }

    @Override
    public FleetSettings settings() {
        return shared;
    }

    @Override
    public StoreFigures figures() {
        StoreFigures.State state = StoreFigures.State.CLOSED;
        for (Node node : route.nodes()) {
            StoreFigures.State its = node.breaker().state();
            state = its == StoreFigures.State.CLOSED || state == StoreFigures.State.OPEN ? state : its;
        }
        return new StoreFigures(
                state,
                tally.calls.sum(),
                tally.commands.sum(),
                tally.unavailable(),
                tally.lostGiveBacks.sum(),
                tally.overflowed.sum(),
                live.values().stream().mapToLong(LiveKeys::size).sum(),
                membership.maxmemoryPolicy(),
                membership.evicted(),
                route.trouble());
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        flights.close();
        corrections.send();
        holds.releaseAll();
        membership
                .leave()
                .completeOnTimeout(true, CONNECT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        pulse.close();
        notices.close();
        route.close();
        var unused = client.shutdownAsync(0, 1, TimeUnit.SECONDS).thenRun(this::shutDownThreads);
    }

    private void shutDownThreads() {
        var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
