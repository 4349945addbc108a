package dev.weir.rate;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/**
 * The place outside the process where a fleet's budgets are counted, seen from one instance.
 *
 * <p>What every store keeps to:
 *
 * <ul>
 *   <li>All enforced charges of a bill are made or none. A refused call leaves every count as it was, shadows included. On a store of several
 *       nodes that holds for the charges of one {@link StoreKey}; over several keys nothing is ever granted above a budget either, but a
 *       call that one key refuses may for one round trip make another key's budget look smaller.
 *   <li>At most once. A question whose answer was lost counts as charged; it is not repeated and not given back.
 *   <li>Time is the store's own, in whole microseconds; the clocks of the instances play no part. When it steps back nothing is granted
 *       twice.
 *   <li>Answers come within the store's time budget, as values: no stage that a method here returns ever completes exceptionally. A stage
 *       may complete on a thread of the store, on which one must not block.
 * </ul>
 *
 * <p>Thread safe. A bill has 1 to {@link #MAX_CHARGES} charges, no two for the same limit; another one is an
 * {@link IllegalArgumentException}.
 */
public interface RateStore extends AutoCloseable {

    /** The most charges of one bill. */
    int MAX_CHARGES = 8;

    /**
     * Charges a call. A shadow charge lives in the world where it, and no other shadow, is enforced: it is made if and only if the call is
     * admitted and it would pass; it never refuses.
     */
    CompletionStage<Charged> charge(List<FleetCharge> bill);

    /** What {@link #charge} would say of each line, without charging; empty when the store gives no answer. */
    CompletionStage<Optional<List<Charged.Line>>> peek(List<FleetCharge> bill);

    /**
     * Corrects the charges of a receipt now that their costs are known, once: less gives back what is still missing because of the charge,
     * never more; more is charged on top, into debt of at most one capacity. Lines that were not charged, and calls in flight, are left as
     * they are. A correction that is lost leaves what was charged.
     *
     * @param actualUnits what each line of the bill really cost, in its order
     * @return whether the store took it: false when the receipt was settled before, or the store gave no answer
     */
    CompletionStage<Boolean> settle(Receipt receipt, long[] actualUnits);

    /** Lets go what this instance holds in flight by the receipt, once; false when it held nothing, or no longer. */
    boolean release(Receipt receipt);

    /** As if the call had not come: settles every line for 0 and lets go what is in flight. */
    default CompletionStage<Boolean> giveBack(Receipt receipt) {
        release(receipt);
        return settle(receipt, new long[receipt.lines()]);
    }

    /**
     * The receipt of that text, by which any instance can settle. One text, read twice, still settles once. What is in flight is held by the
     * instance that was granted it, and let go there alone.
     *
     * @throws IllegalArgumentException when no store of this kind wrote the text
     */
    Receipt receipt(String text);

    /**
     * Charges, whatever is left, what was admitted while the store was away, into debt of at most one capacity. Of what is long over nothing
     * is charged. Calls in flight are not absorbed.
     *
     * @return whether the store took it; when it did not answer it may have, and must not be asked again
     */
    CompletionStage<Boolean> absorb(List<Owed> owed);

    /**
     * Units that were admitted without the store.
     *
     * @param charge whose they are; its cost is how many, and whether it is enforced does not matter
     * @param ageNanos how long ago they were admitted, as far as that matters: windows and logs place them there, a bucket refills since
     */
    record Owed(FleetCharge charge, long ageNanos) {
        public Owed {
            if (ageNanos < 0) {
                throw new IllegalArgumentException("an age of " + ageNanos + " ns is in the future");
            }
        }
    }

    /** Forgets the count of that charge, as if the key had never used anything; false when there was none, or no answer. */
    CompletionStage<Boolean> forget(FleetCharge charge);

    /** Keys that have a count under that limit, at most so many, in no order; empty when the store gives no answer. */
    CompletionStage<Optional<List<StoreKey>>> keys(String limit, int max);

    /**
     * Has this instance write at most so many keys of the limit at a time; a million until said. Newcomers above that share counts with others,
     * so that nobody can fill the store with keys. Stores that cannot be filled ignore it.
     */
    void maxKeys(String limit, int maxKeys);

    /** Asks the store whether it answers, however often it failed before; its {@link StoreFigures#state} follows. */
    CompletionStage<Boolean> probe();

    /** How many instances live, this one included, as last heard from the store; empty when nothing was heard yet. */
    OptionalInt instances();

    /** What the whole fleet was told at run time. */
    FleetSettings settings();

    /** How the store has been doing. */
    StoreFigures figures();

    /** Throws unless the bill has 1 to {@link #MAX_CHARGES} charges, no two of them for the same limit. For those who implement stores. */
    static void requireBill(List<FleetCharge> bill) {
        if (bill.isEmpty() || bill.size() > MAX_CHARGES) {
            throw new IllegalArgumentException(
                    "a bill of " + bill.size() + " charges: a store takes 1 to " + MAX_CHARGES);
        }
        for (int i = 1; i < bill.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (bill.get(i).limit().equals(bill.get(j).limit())) {
                    throw new IllegalArgumentException(
                            "limit " + bill.get(i).limit() + " stands twice on the bill: a limit charges a call once");
                }
            }
        }
    }

    /** Leaves the fleet at once, lets go what this instance holds in flight, and closes the connections. Later questions are refused as closed. */
    @Override
    void close();
}
