package dev.weir.redis;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** This instance among the fleet: that it lives, what it holds in flight, how many others live, and whether the store keeps what it is told. */
final class Membership {

    private static final Logger LOG = System.getLogger("dev.weir.redis");
    private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([a-z-]+)");
    private static final Pattern EVICTED = Pattern.compile("(?m)^evicted_keys:([0-9]{1,18})");
    private static final int MOST_KEYS = 8;

    private final Route route;
    private final Names names;
    private final StoreClock clock;
    private final Holds holds;
    private final String instance;
    private final Map<Node, Long> evictedBefore = new ConcurrentHashMap<>();
    private final LongAdder evicted = new LongAdder();
    private volatile int alive;
    private volatile Optional<String> policy = Optional.empty();

    Membership(Route route, Names names, StoreClock clock, Holds holds, String instance) {
        this.route = route;
        this.names = names;
        this.clock = clock;
        this.holds = holds;
        this.instance = instance;
    }

    /** How many live, as last heard. */
    OptionalInt alive() {
        int heard = alive;
        return heard == 0 ? OptionalInt.empty() : OptionalInt.of(heard);
    }

    Optional<String> maxmemoryPolicy() {
        return policy;
    }

    /** Keys that servers threw out since this instance first looked. */
    long evicted() {
        return evicted.sum();
    }

    /** Says that this instance lives, and what it holds. */
    void beat() {
        var unused = say("here").thenAccept(heard -> alive = heard > 0 ? heard : alive);
        tellHolds(true);
    }

    /** Says that this instance is gone, and that it holds nothing. */
    CompletableFuture<Boolean> leave() {
        tellHolds(true);
        return say("gone").thenApply(heard -> true);
    }

    private CompletableFuture<Integer> say(String what) {
        CompletableFuture<Integer> heard = new CompletableFuture<>();
        byte[][] keys = {Words.bytes(names.instances())};
        byte[][] args = new Words(3).add(clock.word()).add(what).add(instance).toArray();
        route.run(
                route.slot(names.instances()),
                Script.INSTANCES,
                keys,
                args,
                (value, error) -> heard.complete(value instanceof Long count ? count.intValue() : 0));
        return heard;
    }

    /** Tells what is held: everything, or what the store does not know yet. */
    void tellHolds(boolean everything) {
        Map<Integer, List<Holds.Told>> bySlot = new LinkedHashMap<>();
        for (Holds.Told told : holds.tell(everything)) {
            bySlot.computeIfAbsent(route.slot(told.charge().key()), slot -> new ArrayList<>())
                    .add(told);
        }
        bySlot.forEach((slot, all) -> {
            for (int from = 0; from < all.size(); from += MOST_KEYS) {
                tell(slot, all.subList(from, Math.min(all.size(), from + MOST_KEYS)));
            }
        });
    }

    private void tell(int slot, List<Holds.Told> some) {
        Words keys = new Words(some.size());
        Words args = new Words(some.size() + 3)
                .add(clock.word())
                .add(instance)
                .add(some.get(0).sequence());
        some.forEach(told -> {
            keys.add(told.name());
            args.add(told.count());
        });
        route.run(slot, Script.HOLD, keys.toArray(), args.toArray(), (value, error) -> {
            if (error != null) {
                some.forEach(told -> holds.unsure(told.name(), told.charge()));
            }
        });
    }

    /** Looks what the servers do when their memory is full, and whether they did. */
    void readMemory() {
        for (Node node : route.nodes()) {
            node.ask(commands -> commands.info()).whenComplete((info, error) -> {
                if (error == null && info != null) {
                    heard(node, info);
                }
            });
        }
    }

    private void heard(Node node, String info) {
        Matcher threwOut = EVICTED.matcher(info);
        if (threwOut.find()) {
            evicted(node, Long.parseLong(threwOut.group(1)));
        }
        Matcher found = POLICY.matcher(info);
        if (!found.find()) {
            return;
        }
        String now = found.group(1);
        boolean evicts = !now.equals("noeviction");
        if (evicts && !policy.equals(Optional.of(now))) {
            LOG.log(
                    Logger.Level.WARNING,
                    "store-evicts: the store''s maxmemory-policy is {0}, so that counts may vanish and callers get more than their limits; set noeviction",
                    now);
        }
        // Of several nodes the one that evicts speaks.
        if (evicts || policy.isEmpty() || route.nodes().size() == 1) {
            policy = Optional.of(now);
        }
    }

    /** A server says how many keys it threw out since its start; one that was started again counts from nought. */
    private void evicted(Node node, long sinceItsStart) {
        Long before = evictedBefore.put(node, sinceItsStart);
        long more = before == null ? 0 : sinceItsStart < before ? sinceItsStart : sinceItsStart - before;
        if (more > 0) {
            evicted.add(more);
            LOG.log(
                    Logger.Level.WARNING,
                    "store-evicts: the store threw out {0} keys for want of memory, and with them what callers had used",
                    more);
        }
    }
}
