package dev.weir;

import dev.weir.load.InFlightTable;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
import dev.weir.rate.KeyHash;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of one limit, and what its present budgets are called in them. A reload makes a new one over the same counters when the
 * limit's {@link Limit#stateIdentity} is unchanged.
 */
sealed interface LimitState {

    /** Under which hash a line's key is counted. The expression takes part, so that a fallback's keys are not the limit's own. */
    static long hash(Bill.Line line, long secret0, long secret1) {
        CharSequence[] parts = {line.countedBy().toString(), line.key()};
        return KeyHash.parts().hash(parts, secret0, secret1);
    }

    /** New counters. */
    static LimitState fresh(Limit limit, Now now) {
        if (limit.budget() instanceof Budget.Rate rate) {
            RateTable table = RateTable.of(rate.limit().algorithm(), limit.maxKeys());
            return new Rated(table, RateTable.aligned(rate.limit().algorithm()), tiers(table, limit, now));
        }
        return new Held(new InFlightTable());
    }

    /** The same counters for a limit of the same identity. */
    LimitState carriedOver(Limit limit, Now now);

    /** How long until this line alone would pass, or NOW or NEVER; charges nothing. */
    long peek(Bill.Line line, long key, Now now);

    /** Charges the line and answers NOW, or changes nothing and answers how long until it would pass. */
    long charge(Bill.Line line, long key, Now now, long[] mark);

    /** Takes {@code units} of the line's charge back. */
    void giveBack(Bill.Line line, long key, Now now, long units, long mark);

    /** Charges more than was estimated. */
    void force(Bill.Line line, long key, Now now, long units);

    /** Lets go what is held until the permit ends. */
    void release(long key);

    /** How long a charged call waits for its turn. */
    long turnNanos(Bill.Line line, Now now, long mark);

    Standing standing(Bill.Line line, long key, Now now);

    /** What the key has left under the budget by which it is counted at present; leaves it under that budget. */
    Standing held(Bill.Line line, long key, Now now);

    /** How many keys are held. */
    int keys();

    /** How many keys had to leave with something used, so far. */
    long evictions();

    /** How many newcomers were judged more strictly than in an unbounded table, so far. */
    long stricter();

    /** The tier of every budget that the limit can grant. */
    private static Map<Budget, Integer> tiers(RateTable table, Limit limit, Now now) {
        Map<Budget, Integer> tiers = new HashMap<>();
        for (Budget budget : limit.budgets()) {
            if (budget instanceof Budget.Rate rate) {
                tiers.put(
                        budget,
                        table.tier(
                                rate.limit(),
                                now.of(RateTable.aligned(rate.limit().algorithm()))));
            }
        }
        return tiers;
    }

    /** Units over time. */
    record Rated(RateTable table, boolean aligned, Map<Budget, Integer> tiers) implements LimitState {

        @Override
        public LimitState carriedOver(Limit limit, Now now) {
            List<RateLimit> budgets = limit.budgets().stream()
                    .filter(Budget.Rate.class::isInstance)
                    .map(budget -> ((Budget.Rate) budget).limit())
                    .toList();
            RateTable roomy = table.withRoomFor(budgets, now.of(aligned));
            roomy.maxKeys(limit.maxKeys(), now.of(aligned));
            return new Rated(roomy, aligned, LimitState.tiers(roomy, limit, now));
        }

        private int tier(Bill.Line line) {
            return tiers.getOrDefault(line.budget(), 0);
        }

        @Override
        public long peek(Bill.Line line, long key, Now now) {
            return table.peek(key, tier(line), now.of(aligned), line.cost());
        }

        @Override
        public long charge(Bill.Line line, long key, Now now, long[] mark) {
            return table.charge(key, tier(line), now.of(aligned), line.cost(), mark);
        }

        @Override
        public void giveBack(Bill.Line line, long key, Now now, long units, long mark) {
            table.giveBack(key, tier(line), now.of(aligned), units, mark);
        }

        @Override
        public void force(Bill.Line line, long key, Now now, long units) {
            table.force(key, tier(line), now.of(aligned), units);
        }

        @Override
        public void release(long key) {}

        @Override
        public long turnNanos(Bill.Line line, Now now, long mark) {
            return line.cost() == 0 ? 0 : table.turnNanos(tier(line), now.of(aligned), mark);
        }

        @Override
        public Standing standing(Bill.Line line, long key, Now now) {
            return table.standing(key, tier(line), now.of(aligned));
        }

        @Override
        public Standing held(Bill.Line line, long key, Now now) {
            return table.standing(key, table.heldTier(key).orElse(tier(line)), now.of(aligned));
        }

        @Override
        public int keys() {
            return table.keys();
        }

        @Override
        public long evictions() {
            return table.evictions();
        }

        @Override
        public long stricter() {
            return table.stricter();
        }
    }

    /** Calls in flight. */
    record Held(InFlightTable table) implements LimitState {

        private static int calls(Bill.Line line) {
            return line.budget() instanceof Budget.InFlight budget ? budget.calls() : 0;
        }

        @Override
        public LimitState carriedOver(Limit limit, Now now) {
            return this;
        }

        @Override
        public long peek(Bill.Line line, long key, Now now) {
            return table.inFlight(key) < calls(line) ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS;
        }

        @Override
        public long charge(Bill.Line line, long key, Now now, long[] mark) {
            return table.tryEnter(key, calls(line)) ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS;
        }

        /** What is held is not spent: it goes back when the permit ends. */
        @Override
        public void giveBack(Bill.Line line, long key, Now now, long units, long mark) {}

        @Override
        public void force(Bill.Line line, long key, Now now, long units) {}

        @Override
        public void release(long key) {
            table.exit(key);
        }

        @Override
        public long turnNanos(Bill.Line line, Now now, long mark) {
            return 0;
        }

        @Override
        public Standing standing(Bill.Line line, long key, Now now) {
            return Standing.inFlight(calls(line), table.inFlight(key));
        }

        @Override
        public Standing held(Bill.Line line, long key, Now now) {
            return standing(line, key, now);
        }

        @Override
        public int keys() {
            return table.keys();
        }

        /** No key has to leave. */
        @Override
        public long evictions() {
            return 0;
        }

        @Override
        public long stricter() {
            return 0;
        }
    }
}
