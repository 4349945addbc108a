package dev.weir;

import dev.weir.load.Outcome;
import dev.weir.policy.Call;
import dev.weir.rate.Charged;
import java.util.List;

/** Is told what happens. Called on the deciding thread, so it must be quick; what it throws is counted and goes nowhere else. */
public interface WeirListener {

    /** A call was decided. */
    default void decided(Call call, Decision decision) {}

    /** A call was decided, which took that long, clocks and all; tells the other method unless it is overridden. */
    default void decided(Call call, Decision decision, long tookNanos) {
        decided(call, decision);
    }

    /** What shadow limits of the fleet said about a call that did not wait for them: told after its decision, and not part of it. */
    default void judgedLater(Call call, List<Decision.Judged> shadows) {}

    /** The store was asked about a call, or for units in advance, and that took so long. */
    default void storeAsked(long tookNanos) {}

    /** The store gave no answer, for that cause: fleet limits decide by their own choice from now on. */
    default void storeLost(Charged.Cause cause) {}

    /** The store decides again, and has been told what was granted without it. */
    default void storeBack() {}

    /** An admitted call's permit ended. */
    default void released(Call call, Outcome outcome, long heldNanos) {}
}
