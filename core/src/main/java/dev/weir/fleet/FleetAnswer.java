package dev.weir.fleet;

import dev.weir.rate.Standing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What became of a call's fleet limits.
 *
 * @param verdict whether the call passes
 * @param lines what each line said, in the order of the bill
 * @param degraded whether this was decided without the store, by each limit's choice
 * @param grant what the call was charged; empty when it does not pass
 * @param shadowsLater what the shadow lines say, when the call did not wait for them: every line of the bill, those of shadows filled in;
 *     empty when they are in {@code lines}, or there are none
 */
public record FleetAnswer(
        Verdict verdict,
        List<Line> lines,
        boolean degraded,
        Optional<FleetGrant> grant,
        Optional<CompletionStage<List<Line>>> shadowsLater) {

    /** Whether a call passes. */
    public enum Verdict {
        /** Every enforced line lets it pass and was charged. */
        GRANTED,
        /** A line refuses it; nothing is charged. */
        REFUSED,
        /** The store does not answer, and a line is then closed; nothing is charged here. */
        UNAVAILABLE
    }

    /**
     * What one line said.
     *
     * @param waitNanos {@link dev.weir.rate.RateTable#NOW} when it lets the call pass, else how long until it would, or {@link
     *     dev.weir.rate.RateTable#NEVER}
     * @param standing what the key has left, as last heard; empty when nothing was
     * @param turnNanos how long until the call's turn in a leaky queue
     */
    public record Line(long waitNanos, Optional<Standing> standing, long turnNanos) {

        /** A line about which nothing is known, and that does not refuse. */
        static final Line SILENT = new Line(0, Optional.empty(), 0);
    }

    static FleetAnswer granted(List<Line> lines, boolean degraded, FleetGrant grant) {
        return new FleetAnswer(Verdict.GRANTED, lines, degraded, Optional.of(grant), Optional.empty());
    }

    static FleetAnswer refused(Verdict verdict, List<Line> lines, boolean degraded) {
        return new FleetAnswer(verdict, lines, degraded, Optional.empty(), Optional.empty());
    }
}
