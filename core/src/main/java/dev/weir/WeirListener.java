package dev.weir;

import dev.weir.load.Outcome;
import dev.weir.policy.Call;

/** Is told what happens. Called on the deciding thread, so it must be quick; what it throws is counted and goes nowhere else. */
public interface WeirListener {

    /** A call was decided. */
    default void decided(Call call, Decision decision) {}

    /** A call was decided, which took that long, clocks and all; tells the other method unless it is overridden. */
    default void decided(Call call, Decision decision, long tookNanos) {
        decided(call, decision);
    }

    /** An admitted call's permit ended. */
    default void released(Call call, Outcome outcome, long heldNanos) {}
}
