package dev.weir.redis;

import dev.weir.rate.FleetCharge;
import dev.weir.rate.StoreKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of charges: given back, corrected, or absorbed. Gathered for a few milliseconds and sent together, a script a slot, at most eight
 * counts each. What is lost is not repeated. Thread safe.
 */
final class Corrections {

    private static final int MOST_KEYS = 8;
    private static final int MOST_ENTRIES = 128;

    private final Route route;
    private final Names names;
    private final Codes codes;
    private final StoreClock clock;
    private final Tally tally;
    private final ConcurrentLinkedQueue<Item> waiting = new ConcurrentLinkedQueue<>();

    Corrections(Route route, Names names, Codes codes, StoreClock clock, Tally tally) {
        this.route = route;
        this.names = names;
        this.codes = codes;
        this.clock = clock;
        this.tally = tally;
    }

    /** What is done. */
    enum What {
        /** Units of a charge are given back; the two numbers are its marks. */
        BACK("back"),
        /** Units are charged that were not estimated. */
        MORE("more"),
        /** Units are charged that were admitted without the store; the first number is how many microseconds ago. */
        LATE("late");

        private final String word;

        What(String word) {
            this.word = word;
        }
    }

    /**
     * One correction.
     *
     * @param charge whose count
     * @param what is done
     * @param units how many
     * @param first a number, as {@code what} says
     * @param second another
     */
    record Entry(FleetCharge charge, What what, long units, long first, long second) {}

    /** Corrections of one slot that are done together, or not at all when somebody has used the mark. */
    private static final class Item {
        final List<Entry> entries;
        final @Nullable String onceMark;
        final CompletableFuture<Boolean> done = new CompletableFuture<>();
        final int slot;

        Item(List<Entry> entries, @Nullable String onceMark, int slot) {
            this.entries = entries;
            this.onceMark = onceMark;
            this.slot = slot;
        }
    }

    /** Has the corrections of one receipt made with the next {@link #send}; true once the store took them all. */
    CompletionStage<Boolean> add(List<Entry> entries, @Nullable String receiptId) {
        Map<StoreKey, List<Entry>> byKey = new LinkedHashMap<>();
        entries.forEach(entry -> byKey.computeIfAbsent(entry.charge().key(), k -> new ArrayList<>())
                .add(entry));
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (Map.Entry<StoreKey, List<Entry>> each : byKey.entrySet()) {
            String mark = receiptId == null ? null : names.used(each.getKey(), receiptId);
            Item item = new Item(each.getValue(), mark, route.slot(each.getKey()));
            waiting.add(item);
            all = all.thenCombine(item.done, Boolean::logicalAnd);
        }
        return all;
    }

    /** Sends what was gathered. */
    void send() {
        Map<Integer, Load> open = new HashMap<>();
        for (Item item = waiting.poll(); item != null; item = waiting.poll()) {
            if (item.onceMark != null) {
                new Load(List.of(item)).send();
                continue;
            }
            Load script = open.computeIfAbsent(item.slot, slot -> new Load(new ArrayList<>()));
            if (!script.takes(item)) {
                script.send();
                script = new Load(new ArrayList<>());
                open.put(item.slot, script);
            }
            script.add(item);
        }
        open.values().forEach(Load::send);
    }

    /** What settling a line of a receipt comes to; empty when nothing is to be done. */
    static Optional<Entry> settling(RedisReceipt.Mark mark, long actualUnits) {
        FleetCharge charge = mark.charge();
        if (actualUnits < 0) {
            throw new IllegalArgumentException(
                    "limit " + charge.limit() + " cannot cost " + actualUnits + ": 0 gives all back");
        }
        long estimate = charge.cost();
        if (!mark.charged() || actualUnits == estimate || charge.use() instanceof FleetCharge.InFlight) {
            return Optional.empty();
        }
        return Optional.of(
                actualUnits < estimate
                        ? new Entry(charge, What.BACK, estimate - actualUnits, mark.first(), mark.second())
                        : new Entry(charge, What.MORE, actualUnits - estimate, 0, 0));
    }

    /** Items that go together. */
    private final class Load {
        private final List<Item> items;
        private final Set<String> counts = new LinkedHashSet<>();
        private int entries;
        private int kinds;
        private boolean misfit;

        Load(List<Item> items) {
            this.items = items;
            items.forEach(this::book);
        }

        boolean takes(Item item) {
            long more = item.entries.stream()
                    .map(entry -> names.count(entry.charge()))
                    .filter(name -> !counts.contains(name))
                    .distinct()
                    .count();
            return counts.size() + more <= MOST_KEYS && entries + item.entries.size() <= MOST_ENTRIES;
        }

        void add(Item item) {
            items.add(item);
            book(item);
        }

        private void book(Item item) {
            item.entries.forEach(entry -> counts.add(names.count(entry.charge())));
            entries += item.entries.size();
        }

        void send() {
            List<String> keys = new ArrayList<>(counts);
            Words args = new Words(12 * entries + 3).add(clock.word());
            Words keyWords = new Words(keys.size() + 1);
            keys.forEach(keyWords::add);
            String mark = items.get(0).onceMark;
            if (mark != null) {
                keyWords.add(mark);
                args.add("once").add(keys.size() + 1L);
            }
            items.forEach(item -> item.entries.forEach(entry -> say(args, entry, keys)));
            route.run(items.get(0).slot, Script.settle(kinds), keyWords.toArray(), args.toArray(), this::back);
        }

        private void say(Words args, Entry entry, List<String> keys) {
            FleetCharge.Rate rate = (FleetCharge.Rate) entry.charge().use();
            args.add(entry.what().word).add(keys.indexOf(names.count(entry.charge())) + 1L);
            LineCode code = codes.of(rate.limit());
            code.say(args, clock.micros());
            kinds |= code.kind().bit();
            args.add(entry.units()).add(entry.first()).add(entry.second());
        }

        private void back(@Nullable Object value, @Nullable Throwable error) {
            long answer = value instanceof Long number ? number : 0;
            if (error == null && answer < 0 && !misfit) {
                clock.heard(-answer);
                misfit = true;
                send();
                return;
            }
            if (error != null || answer < 0) {
                tally.lostGiveBacks.add(items.size());
            }
            items.forEach(item -> item.done.complete(error == null && answer > 0));
        }
    }
}
