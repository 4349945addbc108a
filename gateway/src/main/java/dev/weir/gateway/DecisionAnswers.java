package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.Reason;
import dev.weir.Weir;
import dev.weir.http.HttpAnswer;
import dev.weir.load.GateReason;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import dev.weir.rate.RateTable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which calls were decided lately and why so, and what limits in shadow would have refused. */
final class DecisionAnswers {

    static final List<String> OUTCOMES = List.of("admitted", "waited", "degraded", "refused");
    static final List<String> REASONS =
            Arrays.stream(Reason.values()).map(Reason::wireName).toList();

    private static final int EXAMPLES = 10;
    /** Of the normal distribution, for 19 times of 20. */
    private static final double Z = 1.959964;

    private static final long NANOS_IN_A_MILLI = 1_000_000;

    private final Weir weir;
    private final Remembered remembered;

    DecisionAnswers(Weir weir, Remembered remembered) {
        this.weir = weir;
        this.remembered = remembered;
    }

    /** The latest decisions, newest first. */
    Answer decisions(Asked asked) {
        Optional<String> limit = asked.parameter("limit");
        Optional<String> id = asked.parameter("id");
        Optional<String> reason = asked.word("reason", REASONS);
        Optional<String> outcome = asked.word("outcome", OUTCOMES);
        int top = asked.number("top", 20, 1, RecentDecisions.SIZE);
        List<Map<String, Object>> decisions = remembered.recent().newestFirst().stream()
                .filter(entry -> limit.isEmpty() || entry.concerns(limit.get()))
                .filter(entry -> id.isEmpty() || entry.requestId().equals(id.get()))
                .filter(entry -> reason.isEmpty() || reason.equals(Optional.ofNullable(reason(entry))))
                .filter(entry -> outcome.isEmpty() || outcome(entry).equals(outcome.get()))
                .limit(top)
                .map(DecisionAnswers::decision)
                .toList();
        return Answer.json(200, Answer.object("decisions", decisions));
    }

    private static String outcome(RecentDecisions.Entry entry) {
        if (entry.reason() != null) {
            return "refused";
        }
        if (!entry.degrade().isEmpty()) {
            return "degraded";
        }
        return entry.waitNanos().orElse(0) > 0 ? "waited" : "admitted";
    }

    private static @Nullable String reason(RecentDecisions.Entry entry) {
        Reason reason = entry.reason();
        return reason == null ? null : reason.wireName();
    }

    private static Map<String, Object> decision(RecentDecisions.Entry entry) {
        Reason reason = entry.reason();
        return Answer.object(
                "time",
                Instant.ofEpochMilli(entry.epochMillis()).toString(),
                "id",
                entry.requestId(),
                "route",
                entry.route(),
                "method",
                entry.method(),
                "path",
                entry.path(),
                "outcome",
                outcome(entry),
                "reason",
                reason(entry),
                "status",
                reason == null ? null : HttpAnswer.status(reason),
                "limit",
                entry.speaker().orElse(null),
                "wait_ms",
                entry.waitNanos().isPresent() ? millis(entry.waitNanos().getAsLong()) : null,
                "degrade",
                entry.degrade(),
                "gate",
                entry.gate().map(DecisionAnswers::gate).orElse(null),
                "limits",
                lines(entry));
    }

    private static Map<String, Object> gate(Decision.Gated gate) {
        return Answer.object(
                "name",
                gate.gate(),
                "pool",
                gate.pool().orElse(null),
                "mode",
                gate.enforced() ? "enforce" : "shadow",
                "refused",
                gate.refused().map(GateReason::word).orElse(null));
    }

    private static List<Map<String, Object>> lines(RecentDecisions.Entry entry) {
        return Stream.concat(
                        entry.judged().stream().map(line -> line(line, "enforce")),
                        entry.shadows().stream().map(line -> line(line, "shadow")))
                .toList();
    }

    private static Map<String, Object> line(Decision.Judged line, String mode) {
        return Answer.object(
                "limit",
                line.limit(),
                "mode",
                mode,
                "key",
                KeyAnswers.hashed(line.key()),
                "cost",
                line.cost(),
                "refused",
                line.refused(),
                "wait_ms",
                line.waitNanos() == RateTable.NEVER ? null : millis(line.waitNanos()),
                "standing",
                KeyAnswers.standing(line.standing()));
    }

    /** Rounded up, so that who waits that long waits long enough. */
    static long millis(long nanos) {
        return nanos / NANOS_IN_A_MILLI + (nanos % NANOS_IN_A_MILLI > 0 ? 1 : 0);
    }

    /** What limits in shadow would have refused. */
    Answer shadow(Asked asked) {
        Map<String, ShadowCount.Told> told = remembered.shadows();
        for (Limit limit : weir.policy().limits()) {
            if (limit.mode().kind() == Mode.Kind.SHADOW || limit.mode().kind() == Mode.Kind.PARTIAL) {
                told.putIfAbsent(limit.name(), ShadowCount.NOTHING);
            }
        }
        List<Map<String, Object>> limits = told.entrySet().stream()
                .map(entry -> shadow(entry.getKey(), entry.getValue()))
                .toList();
        return Answer.json(200, Answer.page("limits", limits, asked));
    }

    private Map<String, Object> shadow(String limit, ShadowCount.Told told) {
        List<Map<String, Object>> examples = remembered.recent().newestFirst().stream()
                .filter(entry ->
                        entry.shadows().stream().anyMatch(line -> line.limit().equals(limit) && line.refused()))
                .limit(EXAMPLES)
                .map(DecisionAnswers::decision)
                .toList();
        boolean any = told.refused() > 0;
        return Answer.object(
                "limit",
                limit,
                "judged",
                told.judged(),
                "would_have_refused",
                told.refused(),
                "confidence",
                told.judged() == 0 ? null : confidence(told),
                "keys",
                told.keys(),
                "keys_or_more",
                told.keys() == ShadowCount.MAX_KEYS,
                "first",
                any ? Instant.ofEpochMilli(told.firstEpochMillis()).toString() : null,
                "last",
                any ? Instant.ofEpochMilli(told.lastEpochMillis()).toString() : null,
                "examples",
                examples);
    }

    /**
     * Between what shares of the calls to come it would refuse if they are like those it judged, 19 times of 20: the score interval of
     * E. B. Wilson (Probable inference, the law of succession, and statistical inference, 1927).
     */
    private static Map<String, Object> confidence(ShadowCount.Told told) {
        double judged = told.judged();
        double share = told.refused() / judged;
        double spread = Z * Z / judged;
        double middle = (share + spread / 2) / (1 + spread);
        double half = Z / (1 + spread) * Math.sqrt(share * (1 - share) / judged + spread / judged / 4);
        return Answer.object("share", rounded(share), "low", rounded(middle - half), "high", rounded(middle + half));
    }

    private static double rounded(double share) {
        return Math.round(Math.max(0, Math.min(1, share)) * 1e6) / 1e6;
    }
}
