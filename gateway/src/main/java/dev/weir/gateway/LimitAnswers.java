package dev.weir.gateway;

import dev.weir.LimitFigures;
import dev.weir.Weir;
import dev.weir.policy.Budget;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the limits are, and what they hold. */
final class LimitAnswers {

    private final Weir weir;

    LimitAnswers(Weir weir) {
        this.weir = weir;
    }

    Answer limits(Asked asked) {
        return Answer.json(
                200,
                Answer.page(
                        "limits",
                        weir.limits().stream().map(LimitAnswers::limit).toList(),
                        asked));
    }

    private static Map<String, Object> limit(LimitFigures figures) {
        Limit limit = figures.limit();
        Map<String, String> plans = new TreeMap<>();
        limit.plans().forEach((plan, budget) -> plans.put(plan, budget.toString()));
        return Answer.object(
                "name",
                limit.name(),
                "mode",
                mode(limit.mode()),
                "scope",
                limit.scope().policyName(),
                "key",
                limit.key().toString(),
                "algorithm",
                algorithm(limit.budget()),
                "budget",
                limit.budget().toString(),
                "plans",
                plans,
                "overrides",
                limit.overrides().size(),
                "keys",
                figures.keys(),
                "max_keys",
                limit.budget() instanceof Budget.InFlight ? null : limit.maxKeys(),
                "evictions",
                figures.evictions(),
                "stricter",
                figures.stricter());
    }

    /** The word of the policy file. */
    static String mode(Mode mode) {
        return mode.kind() == Mode.Kind.PARTIAL
                ? mode.shareBasisPoints() / 100.0 + "%"
                : mode.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String algorithm(Budget budget) {
        return budget instanceof Budget.Rate rate
                ? rate.limit().algorithm().policyName()
                : budget instanceof Budget.InFlight ? "in-flight" : budget.toString();
    }

    static List<String> names(Weir weir) {
        return weir.policy().limits().stream().map(Limit::name).toList();
    }
}
