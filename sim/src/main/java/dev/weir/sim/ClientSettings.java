package dev.weir.sim;

import dev.weir.load.Criticality;
import java.util.List;
import java.util.Optional;

/**
 * Clients of one kind.
 *
 * @param arrivals when they call
 * @param deadlineNanos how long after a send its answer still counts
 * @param aborts whether the client closes the connection at the deadline, which the server then tells its gate
 * @param tellsDeadline whether the gate knows the deadline
 * @param mix how critical the calls are
 * @param retry what follows a refusal or a deadline that passed
 */
record ClientSettings(
        String name,
        Arrivals arrivals,
        long deadlineNanos,
        boolean aborts,
        boolean tellsDeadline,
        List<Part> mix,
        Optional<String> tenant,
        Optional<String> pool,
        Optional<RetrySettings> retry) {

    /** A share of the calls that is as critical as that. */
    record Part(double share, Criticality criticality) {}

    /** When calls come. */
    sealed interface Arrivals {

        /** From outside, whether earlier ones were answered or not. */
        record Open(Steps<Rate> perSecond, boolean even) implements Arrivals {}

        /** From users, each of whom thinks for a while after an answer and calls again. */
        record Closed(int users, long thinkNanos) implements Arrivals {}
    }

    /** Whether something happens at a deadline. */
    boolean watchesDeadline() {
        return aborts || retry.isPresent() || arrivals instanceof Arrivals.Closed;
    }

    /** How critical a call is whose draw is this, from 0 to 1. */
    Criticality criticality(double draw) {
        double sum = 0;
        for (Part part : mix) {
            sum += part.share;
            if (draw < sum) {
                return part.criticality;
            }
        }
        return mix.get(mix.size() - 1).criticality;
    }
}
