package dev.weir.fleet;

import dev.weir.fleet.FleetAnswer.Line;
import dev.weir.fleet.FleetAnswer.Verdict;
import dev.weir.rate.Charged;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.RateTable;
import dev.weir.rate.Receipt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call's way through memory, leases and the store. Used by the thread that asks, then by the one that brings the last answer.
 *
 * <p>Lines are told apart by their index on the bill. What a line was granted is its {@link FleetGrant.Part}: units out of a parcel, or a
 * place on a store's receipt that it may share with others.
 */
final class Asking {

    private final Fleet fleet;
    private final List<FleetLine> lines;
    private final @Nullable KnownKey[] keys;
    private final Line[] said;
    private final List<Optional<FleetGrant.Part>> parts;
    private final long askedNanos;

    Asking(Fleet fleet, List<FleetLine> lines) {
        this.fleet = fleet;
        this.lines = lines;
        keys = new KnownKey[lines.size()];
        said = new Line[lines.size()];
        Arrays.fill(said, Line.SILENT);
        parts = new ArrayList<>(Collections.nCopies(lines.size(), Optional.empty()));
        askedNanos = fleet.nanos();
    }

    CompletionStage<FleetAnswer> answer() {
        if (refusedUnasked()) {
            fleet.refusedFromMemory();
            return done(FleetAnswer.refused(Verdict.REFUSED, List.of(said), false));
        }
        List<Integer> ask = new ArrayList<>(lines.size());
        List<Integer> shadows = new ArrayList<>(0);
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).charge().enforced()) {
                shadows.add(i);
            } else if (!spend(i)) {
                ask.add(i);
            }
        }
        if (ask.isEmpty()) {
            return done(withoutWaiting(shadows));
        }
        ask.addAll(shadows);
        List<StoreBill> bills = bills(ask);
        return all(bills).thenApply(answers -> told(bills, answers));
    }

    // Without asking

    /** Whether an enforced line is refused by what is known, and then what all lines say. */
    private boolean refusedUnasked() {
        boolean refused = false;
        for (int i = 0; i < lines.size(); i++) {
            FleetLine line = lines.get(i);
            Optional<RateLimit> limit = line.rate();
            if (line.neverPasses()) {
                said[i] = new Line(RateTable.NEVER, Optional.empty(), 0);
            } else if (limit.isPresent()) {
                KnownKey key = fleet.known(line);
                keys[i] = key;
                long wait = key.refusedNanos(line.charge(), limit.get(), askedNanos);
                said[i] = new Line(wait, key.standing(askedNanos), 0);
            }
            refused |= line.charge().enforced() && said[i].waitNanos() != RateTable.NOW;
        }
        return refused;
    }

    /** Whether the line was paid in advance. */
    private boolean spend(int i) {
        KnownKey key = keys[i];
        FleetLine line = lines.get(i);
        if (key == null || !fleet.leases()) {
            return false;
        }
        Optional<Parcel> parcel = key.spend(line.charge().cost(), askedNanos);
        if (parcel.isEmpty()) {
            return false;
        }
        parts.set(i, Optional.of(new Spent(i, key, parcel.get())));
        said[i] = new Line(RateTable.NOW, key.standing(askedNanos), 0);
        fleet.counts(line.charge().limit()).tripsSaved.increment();
        fleet.takeInAdvance(line, line.rate().orElseThrow(), key);
        return true;
    }

    /** Granted by what is here; shadows are asked about while the call goes on. */
    private FleetAnswer withoutWaiting(List<Integer> shadows) {
        if (shadows.isEmpty()) {
            return FleetAnswer.granted(List.of(said), false, new FleetGrant(parts));
        }
        List<StoreBill> bills = bills(shadows);
        bills.forEach(bill -> bill.indices.forEach(i -> parts.set(i, Optional.of(bill))));
        CompletionStage<List<Line>> later = all(bills).thenApply(answers -> {
            for (int i = 0; i < bills.size(); i++) {
                hear(bills.get(i), answers.get(i));
            }
            return List.of(said);
        });
        List<Line> now = List.of(said);
        return new FleetAnswer(Verdict.GRANTED, now, false, Optional.of(new FleetGrant(parts)), Optional.of(later));
    }

    // The store

    private List<StoreBill> bills(List<Integer> indices) {
        List<StoreBill> bills = new ArrayList<>(1);
        for (int from = 0; from < indices.size(); from += RateStore.MAX_CHARGES) {
            bills.add(new StoreBill(
                    List.copyOf(indices.subList(from, Math.min(indices.size(), from + RateStore.MAX_CHARGES)))));
        }
        return bills;
    }

    /** Sends all bills at once. */
    private static CompletionStage<List<Charged>> all(List<StoreBill> bills) {
        bills.forEach(StoreBill::send);
        if (bills.size() == 1) {
            return bills.get(0).sent.thenApply(List::of);
        }
        CompletableFuture<?>[] sent = bills.stream().map(bill -> bill.sent).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(sent)
                .thenApply(done -> bills.stream().map(bill -> bill.sent.join()).toList());
    }

    /** What the answers together mean. */
    private FleetAnswer told(List<StoreBill> bills, List<Charged> answers) {
        Charged.@Nullable Unavailable trouble = null;
        boolean refused = false;
        boolean answered = false;
        for (int i = 0; i < bills.size(); i++) {
            Charged answer = answers.get(i);
            hear(bills.get(i), answer);
            refused |= answer instanceof Charged.Refused;
            answered |= !(answer instanceof Charged.Unavailable);
            trouble = answer instanceof Charged.Unavailable none ? none : trouble;
        }
        if (answered && trouble == null) {
            fleet.answered();
        }
        if (!refused && trouble == null) {
            bills.forEach(bill -> bill.indices.forEach(i -> parts.set(i, Optional.of(bill))));
            takeInAdvance(bills);
            return FleetAnswer.granted(List.of(said), false, new FleetGrant(parts));
        }
        for (int i = 0; i < bills.size(); i++) {
            if (answers.get(i) instanceof Charged.Granted) {
                bills.get(i).giveBack();
            }
        }
        parts.forEach(part -> part.ifPresent(FleetGrant.Part::giveBack));
        if (refused || trouble == null) {
            return FleetAnswer.refused(Verdict.REFUSED, List.of(said), false);
        }
        return fleet.decideWithout(lines, trouble);
    }

    private void takeInAdvance(List<StoreBill> bills) {
        for (StoreBill bill : bills) {
            for (int i : bill.indices) {
                KnownKey key = keys[i];
                if (key != null && lines.get(i).charge().enforced()) {
                    fleet.takeInAdvance(lines.get(i), lines.get(i).rate().orElseThrow(), key);
                }
            }
        }
    }

    /** Remembers what the store said of a bill's lines. */
    private void hear(StoreBill bill, Charged answer) {
        List<Charged.Line> told = answer instanceof Charged.Granted granted
                ? granted.lines()
                : answer instanceof Charged.Refused refused ? refused.lines() : List.of();
        long now = fleet.nanos();
        for (int n = 0; n < told.size(); n++) {
            int i = bill.indices.get(n);
            Charged.Line line = told.get(n);
            said[i] = new Line(line.waitNanos(), Optional.of(line.standing()), line.turnNanos());
            KnownKey key = keys[i];
            FleetLine asked = lines.get(i);
            if (key != null && asked.charge().enforced()) {
                key.heard(asked.charge(), asked.rate().orElseThrow(), line, bill.sentNanos, now);
                if (line.waitNanos() != RateTable.NOW && key.units(now) > 0) {
                    fleet.handBack(key);
                }
            }
        }
    }

    private static CompletionStage<FleetAnswer> done(FleetAnswer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /** Units out of a parcel. */
    private final class Spent implements FleetGrant.Part {
        private final int line;
        private final KnownKey key;
        private final Parcel parcel;

        Spent(int line, KnownKey key, Parcel parcel) {
            this.line = line;
            this.key = key;
            this.parcel = parcel;
        }

        /** Less goes back into the parcel while that is alive; more is charged on top. */
        @Override
        public void correct(int index, long actualUnits) {
            FleetCharge charge = lines.get(line).charge();
            long more = actualUnits - charge.cost();
            if (more < 0) {
                key.putBack(parcel, -more, fleet.nanos());
            } else if (more > 0) {
                FleetCharge rest = new FleetCharge(charge.limit(), charge.key(), charge.use(), more, true);
                fleet.store().absorb(List.of(new RateStore.Owed(rest, 0)));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void giveBack() {
            key.putBack(parcel, lines.get(line).charge().cost(), fleet.nanos());
        }

        @Override
        public void end() {}
    }

    /** A bill that was sent to the store, and its receipt once that is there. Guarded by the grant that it belongs to. */
    private final class StoreBill implements FleetGrant.Part {
        private final List<Integer> indices;
        private final long[] actualUnits;
        private CompletableFuture<Charged> sent = new CompletableFuture<>();
        private long sentNanos;
        private boolean changed;
        private boolean settled;

        StoreBill(List<Integer> indices) {
            this.indices = indices;
            actualUnits = indices.stream()
                    .mapToLong(i -> lines.get(i).charge().cost())
                    .toArray();
        }

        void send() {
            sentNanos = fleet.nanos();
            sent = fleet.ask(indices.stream().map(i -> lines.get(i).charge()).toList())
                    .toCompletableFuture();
        }

        /** Does something with the receipt, now or when it comes; nothing when there is none. */
        private void withReceipt(Consumer<Receipt> action) {
            CompletableFuture<Void> unused = sent.thenAccept(answer -> {
                if (answer instanceof Charged.Granted granted) {
                    action.accept(granted.receipt());
                }
            });
        }

        @Override
        public void correct(int line, long actual) {
            int place = indices.indexOf(line);
            changed |= actual != actualUnits[place];
            actualUnits[place] = actual;
        }

        @Override
        public void flush() {
            if (changed && !settled) {
                settled = true;
                withReceipt(this::settle);
            }
        }

        /** Units for which there is use here stay charged and are kept in advance; all others go back. */
        @Override
        public void giveBack() {
            if (settled) {
                end();
                return;
            }
            settled = true;
            withReceipt(receipt -> {
                boolean anything = false;
                for (int n = 0; n < actualUnits.length; n++) {
                    boolean kept = kept(indices.get(n), actualUnits[n]);
                    actualUnits[n] = kept ? actualUnits[n] : 0;
                    anything |= !kept;
                }
                fleet.store().release(receipt);
                if (anything) {
                    settle(receipt);
                }
            });
        }

        private void settle(Receipt receipt) {
            fleet.store().settle(receipt, actualUnits);
            for (int n = 0; n < actualUnits.length; n++) {
                KnownKey key = keys[indices.get(n)];
                FleetCharge charge = lines.get(indices.get(n)).charge();
                if (key != null && charge.enforced()) {
                    key.corrected(charge.cost() - actualUnits[n]);
                }
            }
        }

        private boolean kept(int i, long units) {
            KnownKey key = keys[i];
            FleetLine line = lines.get(i);
            return key != null
                    && fleet.leases()
                    && line.charge().enforced()
                    && units == line.charge().cost()
                    && key.keep(line.rate().orElseThrow(), fleet.instances(), units, sentNanos, fleet.nanos());
        }

        @Override
        public void end() {
            boolean holds = indices.stream().anyMatch(i -> lines.get(i).rate().isEmpty());
            if (holds) {
                withReceipt(receipt -> fleet.store().release(receipt));
            }
        }
    }
}
