package dev.weir;

import dev.weir.load.InFlightTable;
import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
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

    /** By which number its counters know a budget. */
    int tier(Budget budget);

    /** How long until this line alone would pass, or NOW or NEVER; charges nothing. */
    long peek(Charges.Line line, Now now);

    /** Charges the line and answers NOW, or changes nothing and answers how long until it would pass. */
    long charge(Charges.Line line, Now now, long[] mark);

    /** Takes {@code units} of the line's charge back. */
    void giveBack(Charges.Line line, Now now, long units);

    /** Charges more than was estimated. */
    void force(Charges.Line line, Now now, long units);

    /** Lets go what is held until the permit ends. */
    void release(Charges.Line line);

    /** How long a charged call waits for its turn. */
    long turnNanos(Charges.Line line, Now now);

    Standing standing(Charges.Line line, Now now);

    /** What the key has left under the budget by which it is counted at present; leaves it under that budget. */
    Standing held(Charges.Line line, Now now);

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

        @Override
        public int tier(Budget budget) {
            return tiers.getOrDefault(budget, 0);
        }

        @Override
        public long peek(Charges.Line line, Now now) {
            return table.peek(line.key, line.tier, now.of(aligned), line.billed.cost());
        }

        @Override
        public long charge(Charges.Line line, Now now, long[] mark) {
            return table.charge(line.key, line.tier, now.of(aligned), line.billed.cost(), mark);
        }

        @Override
        public void giveBack(Charges.Line line, Now now, long units) {
            table.giveBack(line.key, line.tier, now.of(aligned), units, line.mark);
        }

        @Override
        public void force(Charges.Line line, Now now, long units) {
            table.force(line.key, line.tier, now.of(aligned), units);
        }

        @Override
        public void release(Charges.Line line) {}

        @Override
        public long turnNanos(Charges.Line line, Now now) {
            return line.billed.cost() == 0 ? 0 : table.turnNanos(line.tier, now.of(aligned), line.mark);
        }

        @Override
        public Standing standing(Charges.Line line, Now now) {
            return table.standing(line.key, line.tier, now.of(aligned));
        }

        @Override
        public Standing held(Charges.Line line, Now now) {
            return table.standing(line.key, table.heldTier(line.key).orElse(line.tier), now.of(aligned));
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

        private static int calls(Charges.Line line) {
            return line.billed.budget() instanceof Budget.InFlight budget ? budget.calls() : 0;
        }

        @Override
        public LimitState carriedOver(Limit limit, Now now) {
            return this;
        }

        @Override
        public int tier(Budget budget) {
            return 0;
        }

        @Override
        public long peek(Charges.Line line, Now now) {
            return table.inFlight(line.key) < calls(line) ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS;
        }

        @Override
        public long charge(Charges.Line line, Now now, long[] mark) {
            return table.tryEnter(line.key, calls(line)) ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS;
        }

        /** What is held is not spent: it goes back when the permit ends. */
        @Override
        public void giveBack(Charges.Line line, Now now, long units) {}

        @Override
        public void force(Charges.Line line, Now now, long units) {}

        @Override
        public void release(Charges.Line line) {
            table.exit(line.key);
        }

        @Override
        public long turnNanos(Charges.Line line, Now now) {
            return 0;
        }

        @Override
        public Standing standing(Charges.Line line, Now now) {
            return Standing.inFlight(calls(line), table.inFlight(line.key));
        }

        @Override
        public Standing held(Charges.Line line, Now now) {
            return standing(line, now);
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
