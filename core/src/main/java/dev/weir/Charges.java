package dev.weir;

import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.rate.KeyHash;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bill while it is decided: what each line's limit says, and what was charged. All lines of the enforced limits are charged or none; each
 * shadow line is judged as if it were enforced too. Used by one thread until the decision is out, then guarded by the permit.
 */
final class Charges {

    private final List<Line> enforced = new ArrayList<>(4);
    private List<Line> shadows = List.of();
    private @Nullable SharedCharges shared;

    /** One line, where it is counted, and what became of it. */
    static final class Line {
        final Bill.Line billed;
        final @Nullable LimitState state;
        /** Under which hash the key is counted; 0 where that is not here. */
        final long key;
        /** By which number the counters know the budget. */
        final int tier;

        long wait;
        boolean charged;
        long mark;
        /** What of the first charge still stands. */
        long units;

        boolean settled;
        /** What the fleet's store said; only of a fleet limit that counts. */
        @Nullable
        Standing heard;

        private Line(Bill.Line billed, @Nullable LimitState state, long key) {
            this.billed = billed;
            this.state = state;
            this.key = key;
            this.tier = state == null ? 0 : state.tier(billed.budget());
        }

        /**
         * A line that is counted here. A key of the limit's own expression is counted by its text alone, so that one line's hash serves the
         * next; a fallback's keys are not the limit's own, so its expression takes part.
         *
         * @param former the line before, if there is one
         */
        static Line counted(Bill.Line billed, LimitState state, @Nullable Line former, long secret0, long secret1) {
            boolean own = isOwn(billed);
            if (own
                    && former != null
                    && former.state != null
                    && isOwn(former.billed)
                    && billed.key().equals(former.billed.key())) {
                return new Line(billed, state, former.key);
            }
            CharSequence[] parts = own
                    ? new CharSequence[] {billed.key()}
                    : new CharSequence[] {billed.countedBy().toString(), billed.key()};
            return new Line(billed, state, KeyHash.parts().hash(parts, secret0, secret1));
        }

        private static boolean isOwn(Bill.Line billed) {
            return billed.countedBy().equals(billed.limit().key());
        }

        /** A line that is not counted here. */
        static Line uncounted(Bill.Line billed) {
            return new Line(billed, null, 0);
        }
    }

    Charges(Bill bill, Map<String, LimitState> states, long secret0, long secret1) {
        Line former = null;
        for (Bill.Line billed : bill.lines()) {
            boolean counts = billed.block().isEmpty() && !(billed.budget() instanceof Budget.Unlimited);
            boolean here = counts && !billed.limit().isFleet();
            LimitState state = here ? states.get(billed.limit().name()) : null;
            Line line = state == null ? Line.uncounted(billed) : Line.counted(billed, state, former, secret0, secret1);
            former = line;
            add(line);
            if (counts && !here) {
                shared = shared == null ? new SharedCharges() : shared;
                shared.add(line);
            }
        }
    }

    private void add(Line line) {
        if (line.billed.enforced()) {
            enforced.add(line);
            return;
        }
        if (shadows.isEmpty()) {
            shadows = new ArrayList<>(2);
        }
        shadows.add(line);
    }

    List<Line> enforced() {
        return enforced;
    }

    List<Line> shadows() {
        return shadows;
    }

    /** What the fleet counts of the bill; null when that is nothing. */
    @Nullable
    SharedCharges shared() {
        return shared;
    }

    /** The first enforced line that refuses whatever has been used. */
    Optional<Line> blocked() {
        for (Line line : enforced) {
            if (line.billed.block().isPresent()) {
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }

    /** Asks every limit and charges none; true when all enforced ones would let the call pass. */
    boolean peekAll(Now now) {
        boolean pass = true;
        for (Line line : enforced) {
            line.wait = peek(line, now);
            pass &= line.wait == RateTable.NOW;
        }
        for (Line line : shadows) {
            line.wait = peek(line, now);
        }
        return pass;
    }

    private static long peek(Line line, Now now) {
        if (line.billed.block().isPresent()) {
            return RateTable.NEVER;
        }
        return line.state == null ? RateTable.NOW : line.state.peek(line, now);
    }

    /** Charges every enforced line, in order. False when another call was faster somewhere: then what was charged is undone in reverse. */
    boolean chargeAll(Now now) {
        long[] mark = new long[1];
        for (Line line : enforced) {
            if (!charge(line, now, mark)) {
                undo(now);
                return false;
            }
        }
        return true;
    }

    /** Charges the shadow lines that would let the call pass. */
    void chargeShadows(Now now) {
        long[] mark = new long[1];
        for (Line line : shadows) {
            if (line.wait == RateTable.NOW) {
                charge(line, now, mark);
            }
        }
    }

    private static boolean charge(Line line, Now now, long[] mark) {
        if (line.state == null) {
            return true;
        }
        line.wait = line.state.charge(line, now, mark);
        line.charged = line.wait == RateTable.NOW;
        line.mark = mark[0];
        line.units = line.charged ? line.billed.cost() : 0;
        return line.charged;
    }

    /** The longest time until the call's turn in a leaky queue. */
    long turnNanos(Now now) {
        long longest = 0;
        for (Line line : enforced) {
            if (line.charged && line.state != null) {
                longest = Math.max(longest, line.state.turnNanos(line, now));
            }
        }
        return longest;
    }

    /** As if the call had not come. */
    void undo(Now now) {
        if (shared != null) {
            shared.giveBack();
        }
        for (int i = shadows.size() - 1; i >= 0; i--) {
            undo(shadows.get(i), now);
        }
        for (int i = enforced.size() - 1; i >= 0; i--) {
            undo(enforced.get(i), now);
        }
    }

    private static void undo(Line line, Now now) {
        if (line.charged && line.state != null) {
            line.state.release(line);
            line.state.giveBack(line, now, line.units);
            line.charged = false;
        }
    }

    /** Lets go what is held until the work ends. */
    void release() {
        if (shared != null) {
            shared.end();
        }
        for (Line line : enforced) {
            release(line);
        }
        for (Line line : shadows) {
            release(line);
        }
    }

    private static void release(Line line) {
        if (line.charged && line.state != null) {
            line.state.release(line);
        }
    }

    /** Gives back what still stands of a charge. What was charged on top once the cost was known was work done, and stays. */
    void forgive(Line line, Now now) {
        if (line.charged && line.state != null) {
            line.settled = true;
            line.state.giveBack(line, now, line.units);
            line.units = 0;
        } else if (line.charged && shared != null) {
            line.settled = true;
            shared.correct(line, 0);
        }
    }

    /** Corrects a charge, once. */
    void settle(Line line, Now now, long actualCost) {
        if (!line.charged || line.settled) {
            return;
        }
        line.settled = true;
        if (line.state == null) {
            if (shared != null) {
                shared.correct(line, actualCost);
            }
            return;
        }
        long estimate = line.units;
        if (actualCost < estimate) {
            line.state.giveBack(line, now, estimate - actualCost);
            line.units = actualCost;
        } else if (actualCost > estimate) {
            line.state.force(line, now, actualCost - estimate);
        }
    }

    /** No more corrections come for now: the fleet's store is told of those that were made. */
    void corrected() {
        if (shared != null) {
            shared.flush();
        }
    }
}
