package dev.weir.redis;

import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A bill whose keys lie in several slots of a cluster: a script a slot, all at once. Where one refuses or does not answer, what the others charged
 * is given back at once. Nothing is ever granted above a budget; for one round trip the others' budgets look smaller than they are.
 */
record SeveralSlots(Flights flights, Corrections corrections, Holds holds, Names names) {

    /** The lines of one slot, by their places on the bill, and what came of them. */
    private record Part(List<Integer> places, List<FleetCharge> bill, CompletableFuture<Charged> answer) {}

    CompletionStage<Charged> charge(List<FleetCharge> bill, Map<Integer, List<Integer>> slots) {
        List<Part> parts = new ArrayList<>(slots.size());
        slots.forEach((slot, places) -> {
            List<FleetCharge> lines = places.stream().map(bill::get).toList();
            parts.add(new Part(places, lines, flights.charge(lines, slot)));
        });
        CompletableFuture<?>[] answers = parts.stream().map(Part::answer).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(answers).thenApply(all -> together(bill, parts));
    }

    private Charged together(List<FleetCharge> bill, List<Part> parts) {
        boolean refused = parts.stream().anyMatch(part -> part.answer().join() instanceof Charged.Refused);
        Charged.@Nullable Unavailable silent = null;
        for (Part part : parts) {
            if (part.answer().join() instanceof Charged.Unavailable none && (silent == null || none.mayHaveCharged())) {
                silent = none;
            }
        }
        if (!refused && silent == null) {
            return granted(bill, parts);
        }
        parts.forEach(this::giveBack);
        corrections.send();
        return refused || silent == null ? new Charged.Refused(lines(bill, parts, false)) : silent;
    }

    private static Charged granted(List<FleetCharge> bill, List<Part> parts) {
        RedisReceipt.@Nullable Mark[] marks = new RedisReceipt.Mark[bill.size()];
        for (Part part : parts) {
            Iterator<RedisReceipt.Mark> its = receipt(part).marks().iterator();
            part.places().forEach(place -> marks[place] = its.next());
        }
        return new Charged.Granted(lines(bill, parts, true), RedisReceipt.of(List.of(marks)));
    }

    private static RedisReceipt receipt(Part part) {
        return (RedisReceipt) ((Charged.Granted) part.answer().join()).receipt();
    }

    private void giveBack(Part part) {
        if (!(part.answer().join() instanceof Charged.Granted)) {
            return;
        }
        List<Corrections.Entry> entries = new ArrayList<>();
        for (RedisReceipt.Mark mark : receipt(part).marks()) {
            Corrections.settling(mark, 0).ifPresent(entries::add);
            if (mark.charged() && mark.charge().use() instanceof FleetCharge.InFlight) {
                holds.release(names.count(mark.charge()));
            }
        }
        corrections.add(entries, null);
    }

    private static List<Charged.Line> lines(List<FleetCharge> bill, List<Part> parts, boolean admitted) {
        Charged.@Nullable Line[] lines = new Charged.Line[bill.size()];
        for (Part part : parts) {
            Iterator<Charged.Line> its = lines(part, admitted).iterator();
            part.places().forEach(place -> lines[place] = its.next());
        }
        return List.of(lines);
    }

    /** As they are, as they were before the charge, or, where nothing was heard, as a key has it that used nothing. */
    private static List<Charged.Line> lines(Part part, boolean admitted) {
        Charged answer = part.answer().join();
        if (answer instanceof Charged.Refused refused) {
            return refused.lines();
        }
        if (answer instanceof Charged.Granted granted && admitted) {
            return granted.lines();
        }
        List<Charged.Line> lines = new ArrayList<>();
        for (int i = 0; i < part.bill().size(); i++) {
            Reading before = answer instanceof Charged.Granted
                    ? receipt(part).marks().get(i).before()
                    : null;
            FleetCharge charge = part.bill().get(i);
            lines.add(
                    before == null
                            ? new Charged.Line(RateTable.NOW, unused(charge.use()), false, 0)
                            : ChargeScript.told(List.of(charge), List.of(before))
                                    .get(0));
        }
        return lines;
    }

    private static Standing unused(FleetCharge.Use use) {
        boolean held = use instanceof FleetCharge.InFlight;
        long all = held
                ? ((FleetCharge.InFlight) use).calls()
                : ((FleetCharge.Rate) use).limit().capacity();
        return new Standing(all, OptionalLong.empty(), all, OptionalLong.empty(), false, held);
    }
}
