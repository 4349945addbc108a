package dev.weir.policyfile;

import dev.weir.policy.Limit;
import java.time.Instant;
import java.util.List;

/**
 * A limit and the values that warnings may be about.
 *
 * @param name where its name stands
 * @param keys the parts of its key and of those that take its place
 * @param budgets its own, those of its plans, those of its overrides
 * @param costs the numbers of its cost
 * @param ends of its overrides
 * @param fields all it was read from
 */
record ReadLimit(
        Limit limit,
        Place name,
        List<ReadKey.Part> keys,
        List<ReadBudget> budgets,
        List<ReadCost.Units> costs,
        List<End> ends,
        Fields fields) {

    /** The end of an override. */
    record End(Instant until, Value value) {}
}
