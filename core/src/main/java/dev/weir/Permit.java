package dev.weir;

import dev.weir.load.Outcome;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * What an admitted call holds while its work runs. Thread safe. Ends exactly once, by whichever of {@link #release}, {@link #close}, {@link
 * #run} and {@link #until} comes first; what comes later does nothing.
 *
 * <pre>{@code
 * try (Permit permit = admitted.permit()) {
 *     String answer = serve();
 *     permit.success();
 *     return answer;
 * }
 * }</pre>
 */
public interface Permit extends AutoCloseable {

    /** Ends. False when it had ended: nothing happens then. */
    boolean release(Outcome outcome);

    /** Marks the work as done well; {@link #close} then releases as {@link Outcome#SUCCESS}. */
    void success();

    /**
     * Tells that the head of the answer is ready: what follows is as fast as the caller reads it, so the gate takes the call's latency here.
     * Never told, it is taken when the permit ends.
     */
    void responseStarted();

    /** The call will last, as an upgrade or a stream of events does: it keeps its slot, and says nothing about latency. */
    void lasts();

    /**
     * Ends because the caller left. False when it had ended. Early that says nothing; once the call took longer than is usual at its gate,
     * it is a timeout in disguise, and counts as {@link Outcome#DROPPED} there.
     */
    boolean abandon();

    /**
     * Tells how the call was answered: charges that depend on the answer are kept, given back or corrected. Once; later calls do nothing.
     * Never told, the charges stand as they were made.
     */
    void answered(Answer answer);

    /** Corrects every charge whose cost was an estimate to {@code actualCost} units. Once for each; later calls do nothing. */
    void settle(long actualCost);

    /** Corrects the charge of one limit, if its cost was an estimate. Once; later calls do nothing. */
    void settle(String limit, long actualCost);

    /** Gives everything back, as if the call had not come, and ends. For hosts that find that they cannot serve it after all. */
    void undo();

    /** Releases as {@link Outcome#SUCCESS} after {@link #success}, otherwise as {@link Outcome#IGNORED}. */
    @Override
    void close();

    /** Runs the work and ends with it: as success, or as {@link Outcome#IGNORED} when it throws. */
    default <T> T run(Callable<T> work) throws Exception {
        try (this) {
            T result = work.call();
            success();
            return result;
        }
    }

    /** Ends with the stage: a value is success, a timeout dropped, a cancel ignored, any other failure what {@code outcomeOf} says, or ignored when
     * that throws. */
    default <T> CompletionStage<T> until(CompletionStage<T> work, Function<? super Throwable, Outcome> outcomeOf) {
        return work.whenComplete((value, failure) -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause == null) {
                release(Outcome.SUCCESS);
            } else if (cause instanceof TimeoutException) {
                release(Outcome.DROPPED);
            } else if (cause instanceof CancellationException) {
                release(Outcome.IGNORED);
            } else {
                Outcome outcome = Outcome.IGNORED;
                try {
                    outcome = outcomeOf.apply(cause);
                } finally {
                    release(outcome);
                }
            }
        });
    }
}
