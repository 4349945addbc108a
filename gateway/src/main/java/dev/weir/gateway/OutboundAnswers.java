package dev.weir.gateway;

import dev.weir.Weir;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAdvice;
import java.util.Map;
import java.util.TreeMap;

/** How dependencies are asked, and what they have said. */
final class OutboundAnswers {

    private final Weir weir;

    OutboundAnswers(Weir weir) {
        this.weir = weir;
    }

    Answer outbounds(Asked asked) {
        return Answer.json(
                200,
                Answer.page(
                        "dependencies",
                        weir.outbounds().stream().map(OutboundAnswers::outbound).toList(),
                        asked));
    }

    private static Map<String, Object> outbound(Outbound outbound) {
        OutboundFigures now = outbound.figures();
        OutboundSettings settings = outbound.settings();
        Map<String, Long> answers = new TreeMap<>();
        now.answers().forEach((kind, count) -> answers.put(kind.word(), count));
        Map<String, Long> refusals = new TreeMap<>();
        now.refusals().forEach((reason, count) -> refusals.put(reason.word(), count));
        Map<String, Double> throttle = new TreeMap<>();
        now.throttle().forEach((criticality, probability) -> throttle.put(criticality.policyName(), probability));
        return Answer.object(
                "name",
                now.name(),
                "rate",
                settings.pace().map(pace -> pace.rate().toString()).orElse(null),
                "in_flight",
                now.inFlight(),
                "in_flight_limit",
                now.inFlightLimit().isPresent() ? now.inFlightLimit().getAsInt() : null,
                "attempts",
                now.attempts(),
                "retries",
                now.retries(),
                "hedges",
                now.hedges(),
                "answers",
                answers,
                "refusals",
                refusals,
                "retries_left",
                now.retriesLeft().isPresent() ? now.retriesLeft().getAsLong() : null,
                "throttle",
                throttle,
                "waits",
                now.waits(),
                "waited_ms",
                now.waitedNanos() / 1_000_000,
                "paused_ms",
                now.pausedNanos() / 1_000_000,
                "peer",
                now.peer().stream().map(OutboundAnswers::peer).toList());
    }

    private static Map<String, Object> peer(PeerAdvice.Limit limit) {
        return Answer.object(
                "name",
                limit.name().orElse(null),
                "remaining",
                limit.remaining(),
                "reset_ms",
                limit.resetNanos().isPresent() ? limit.resetNanos().getAsLong() / 1_000_000 : null);
    }
}
