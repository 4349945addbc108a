package dev.weir;

import dev.weir.load.Criticality;
import dev.weir.load.GateReason;
import dev.weir.rate.Standing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** What Weir says about one call. Immutable, but for the permit of an admitted one. */
public sealed interface Decision permits Decision.Admitted, Decision.Rejected {

    /** How each enforced limit judged the call, in file order. */
    List<Judged> judged();

    /** How each shadow limit judged the call, in file order. Never told to the caller. */
    List<Judged> shadows();

    /** What the gate said; empty when no gate holds the call, or when the call was refused before its gate was asked. */
    Optional<Gated> gate();

    /** Whether a fleet limit was decided without its store, by its {@code on-store-failure}. */
    boolean withoutStore();

    /** How long the call was held before this decision, in nanoseconds. */
    long waitedNanos();

    /** Both arms, by name: a third kind of decision would not compile. */
    default <T> T fold(
            Function<? super Admitted, ? extends T> admitted, Function<? super Rejected, ? extends T> rejected) {
        return this instanceof Admitted in ? admitted.apply(in) : rejected.apply((Rejected) this);
    }

    /**
     * The call may go on.
     *
     * @param permit to be released exactly once, when the work ends
     * @param turnNanos how long the caller still has to wait before it starts, so that turns of a leaky queue keep their distance; 0 when it
     *     may start now, always so from {@link Weir#decide}
     * @param degrade in which cheaper ways it is to be served, in the order of the policy; empty: in full
     */
    record Admitted(
            Permit permit,
            long turnNanos,
            List<String> degrade,
            Criticality criticality,
            List<Judged> judged,
            List<Judged> shadows,
            Optional<Gated> gate,
            boolean withoutStore,
            long waitedNanos)
            implements Decision {

        /** The same once its turn has come. */
        Admitted atItsTurn() {
            return new Admitted(
                    permit, 0, degrade, criticality, judged, shadows, gate, withoutStore, waitedNanos + turnNanos);
        }
    }

    /**
     * The call must not go on.
     *
     * @param reason why
     * @param retryAfterNanos how long to wait until the same call would pass if nobody else asks; empty where waiting cannot help
     * @param speaker the name of the limit that speaks: of those that refused, the one with the longest wait; empty when no limit refused
     */
    record Rejected(
            Reason reason,
            OptionalLong retryAfterNanos,
            Optional<String> speaker,
            List<Judged> judged,
            List<Judged> shadows,
            Optional<Gated> gate,
            boolean withoutStore,
            long waitedNanos)
            implements Decision {}

    /**
     * What a gate said.
     *
     * @param gate its name
     * @param pool the pool of the call there; empty when the gate has none
     * @param enforced whether it acts, or is shadow
     * @param refused why it refused the call, or as a shadow would have; empty when it let it in
     */
    record Gated(String gate, Optional<String> pool, boolean enforced, Optional<GateReason> refused) {}

    /**
     * One limit's line on the call's bill.
     *
     * @param limit the limit's name
     * @param key the text of who was counted; for records, never for callers
     * @param cost units the call costs
     * @param standing what is left after the decision
     * @param refused whether this limit refused the call
     * @param waitNanos how long until this limit alone would let the call pass: 0 when it did, {@link Long#MAX_VALUE} for never
     * @param bare whether callers are told nothing about this limit
     * @param partitionKey the keyed hash of who was counted, for pk; empty without a secret
     */
    record Judged(
            String limit,
            String key,
            long cost,
            Standing standing,
            boolean refused,
            long waitNanos,
            boolean bare,
            Optional<String> partitionKey) {}
}
