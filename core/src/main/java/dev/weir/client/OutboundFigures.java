package dev.weir.client;

import dev.weir.load.Criticality;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How one dependency is being asked. Counts are since the start.
 *
 * @param name what the dependency is called
 * @param attempts sends, retries and hedges included
 * @param retries sends of a call that had been sent before
 * @param hedges sends that joined another that had not been answered yet
 * @param answers how sends were taken
 * @param refusals calls, retries and hedges that were not sent, by why
 * @param waits how many asked and were told, waiting or not
 * @param waitedNanos how long they waited altogether
 * @param retriesLeft how many retries could be made now; empty without a budget
 * @param throttle with which probability the next send of a criticality is refused; empty without a throttle
 * @param inFlight sends without an answer
 * @param inFlightLimit how many there may be; empty for any number
 * @param pausedNanos how long the dependency still wants nothing; 0 when it may be asked
 * @param peer what the dependency says is left
 */
public record OutboundFigures(
        String name,
        long attempts,
        long retries,
        long hedges,
        Map<PeerAnswer.Kind, Long> answers,
        Map<OutboundReason, Long> refusals,
        long waits,
        long waitedNanos,
        OptionalLong retriesLeft,
        Map<Criticality, Double> throttle,
        int inFlight,
        OptionalInt inFlightLimit,
        long pausedNanos,
        List<PeerAdvice.Limit> peer) {

    public OutboundFigures {
        answers = Map.copyOf(answers);
        refusals = Map.copyOf(refusals);
        throttle = Map.copyOf(throttle);
        peer = List.copyOf(peer);
    }
}
