package dev.weir.gateway;

import dev.weir.KeyStanding;
import dev.weir.Weir;
import dev.weir.policy.Bill;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.rate.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who is counted, and what is left for whom. Keys are told as hashes; only a key that the caller named stands in the answer itself. */
final class KeyAnswers {

    static final String HASHED = "sha256:";

    private final Weir weir;
    private final Remembered remembered;

    KeyAnswers(Weir weir, Remembered remembered) {
        this.weir = weir;
        this.remembered = remembered;
    }

    static String hashed(String key) {
        return HASHED + KeyDigest.sha256(key);
    }

    /** The busiest keys of a limit. */
    Answer busiest(Asked asked) {
        String limit = asked.variable("name");
        int top = asked.number("top", 10, 1, Busiest.TOP);
        if (!LimitAnswers.names(weir).contains(limit)) {
            return Answer.problem(404, "Not Found", "the policy in force has no limit '" + limit + "'");
        }
        List<Map<String, Object>> keys = remembered.busiest(limit, top).stream()
                .map(entry -> Answer.object(
                        "key", hashed(entry.key()),
                        "decisions", entry.decisions(),
                        "refusals", entry.refusals(),
                        "at_most_too_high", entry.atMostTooHigh()))
                .toList();
        return Answer.json(200, Answer.object("limit", limit, "period_minutes", Busiest.PERIOD_MINUTES, "keys", keys));
    }

    /** The standings of one key. */
    Answer standings(Asked asked) {
        String named = asked.variable("key");
        boolean hashed = named.toLowerCase(Locale.ROOT).matches(HASHED + "[0-9a-f]{64}");
        Optional<String> key = hashed
                ? remembered.keyOf(named.substring(HASHED.length()).toLowerCase(Locale.ROOT))
                : Optional.of(named);
        if (key.isEmpty()) {
            return Answer.problem(
                    404,
                    "Not Found",
                    "no key of that hash is among the busiest ones and the latest decisions; counters cannot be found by a"
                            + " hash alone, so ask with the key itself");
        }
        List<Map<String, Object>> standings =
                weir.standings(key.get()).stream().map(this::standing).toList();
        Map<String, Object> body = Answer.object("key", hashed ? named : hashed(named));
        if (!hashed) {
            body.put("named", named);
        }
        body.put("limits", standings);
        return Answer.json(200, body);
    }

    /** Forgets what a key has used of the fleet's budgets. Blocks for the store's answer. */
    Answer forget(Asked asked) {
        Map<Boolean, List<String>> shared = weir.standings(asked.variable("key")).stream()
                .map(standing -> standing.line().limit())
                .distinct()
                .collect(Collectors.partitioningBy(
                        Limit::isFleet, Collectors.mapping(Limit::name, Collectors.toList())));
        boolean done = weir.forget(asked.variable("key")).toCompletableFuture().join();
        return done
                ? Answer.json(
                        200,
                        Answer.object(
                                "forgotten",
                                shared.getOrDefault(true, List.of()),
                                "kept",
                                shared.getOrDefault(false, List.of())))
                : Answer.problem(503, "Service Unavailable", "the store gave no answer; try again");
    }

    private Map<String, Object> standing(KeyStanding standing) {
        Bill.Line line = standing.line();
        return Answer.object(
                "limit", line.limit().name(),
                "counted_by", line.countedBy().toString(),
                "key", hashed(line.key()),
                "mode", line.enforced() ? "enforce" : "shadow",
                "plan", line.plan().orElse(null),
                "override", line.overridden() ? override(line) : null,
                "budget", line.budget().toString(),
                "standing", standing.standing().map(KeyAnswers::standing).orElse(null));
    }

    private static Map<String, Object> override(Bill.Line line) {
        Optional<KeyOverride> override =
                Optional.ofNullable(line.limit().overrides().get(KeyDigest.sha256(line.key())));
        return Answer.object(
                "until",
                override.flatMap(KeyOverride::until).map(Instant::toString).orElse(null),
                "why",
                override.flatMap(KeyOverride::why).orElse(null));
    }

    /** What is left and when more comes. */
    static Map<String, Object> standing(Standing standing) {
        return Answer.object(
                "remaining",
                standing.remaining(),
                "of",
                standing.quota(),
                "unit",
                standing.concurrent() ? "calls in flight" : "units",
                "more_in_ms",
                standing.resetNanos().isPresent()
                        ? DecisionAnswers.millis(standing.resetNanos().getAsLong())
                        : null);
    }
}
