package dev.weir.cli;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.GateSettings;
import dev.weir.load.PoolSettings;
import dev.weir.load.QueueSettings;
import dev.weir.load.Shedding;
import dev.weir.load.SignalThreshold;
import dev.weir.policy.Bill;
import dev.weir.policy.GateRule;
import dev.weir.policy.Mode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What holds a call, in the words of the policy file. */
final class GateWords {

    private GateWords() {}

    /** How a call comes to its gate, and what the gate does. */
    static Map<String, Object> entrance(Bill.Entrance in) {
        GateRule rule = in.gate();
        GateSettings settings = rule.settings();
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("gate", rule.name() + (rule.mode().equals(Mode.SHADOW) ? ", shadow" : ""));
        words.put("match", PolicyWords.match(rule.match()));
        words.put("concurrency", concurrency(settings.concurrency()));
        if (!settings.pools().isEmpty()) {
            words.put("pool", settings.pools().get(in.pool()).name());
            words.put("pools", pools(rule));
        }
        in.tenant().ifPresent(tenant -> words.put("tenant", tenant.isEmpty() ? "(missing)" : tenant));
        rule.tenant().ifPresent(key -> words.put("tenants", tenants(key.toString(), settings)));
        if (settings.queue().size() > 0) {
            words.put("queue", queue(settings.queue()));
        }
        if (!settings.shed().equals(Shedding.NONE)) {
            words.put("refused early", shed(settings.shed()));
        }
        if (!settings.signals().isEmpty()) {
            words.put(
                    "signals",
                    settings.signals().stream().map(GateWords::signal).collect(Collectors.joining(", ")));
        }
        String degrade = degrade(rule);
        if (!degrade.isEmpty()) {
            words.put("degrade", degrade);
        }
        words.put("long-call", millis(settings.longCallNanos()));
        return words;
    }

    /** How many at once, or how that is found. */
    static String concurrency(ConcurrencyLimit limit) {
        if (limit instanceof ConcurrencyLimit.Fixed fixed) {
            return String.valueOf(fixed.limit());
        }
        String range = " from " + limit.min() + " to " + limit.max() + ", starting at " + limit.initial();
        if (limit instanceof ConcurrencyLimit.TargetLatency target) {
            return "target-latency " + millis(target.targetNanos()) + range;
        }
        return (limit instanceof ConcurrencyLimit.Aimd ? "aimd" : "gradient") + range;
    }

    private static String pools(GateRule rule) {
        List<String> pools = new ArrayList<>();
        for (int i = 0; i < rule.pools().size(); i++) {
            PoolSettings settings = rule.settings().pools().get(i);
            GateRule.Pool pool = rule.pools().get(i);
            pools.add(settings.name() + " " + percent(settings.guarantee())
                    + (settings.borrow() ? "" : ", borrows nothing")
                    + (pool.needs().isEmpty() ? "" : ", needs " + String.join(" and ", pool.needs()))
                    + pool.match()
                            .map(match -> " (" + PolicyWords.match(match) + ")")
                            .orElse(" (the rest)"));
        }
        return String.join("; ", pools);
    }

    private static String tenants(String key, GateSettings settings) {
        return "by " + key + ", each at most " + percent(settings.tenantAtMost().orElse(1)) + " while slots are scarce";
    }

    private static String queue(QueueSettings queue) {
        return queue.size() + " for " + millis(queue.maxWaitNanos()) + (queue.fairByTenant() ? ", fair by tenant" : "");
    }

    private static String shed(Shedding shed) {
        if (shed instanceof Shedding.Thresholds thresholds) {
            return byCriticality(thresholds.shares(), share -> "at " + percent(share));
        }
        return byCriticality(((Shedding.Reserve) shed).slots(), slots -> "has " + slots + " slots of its own");
    }

    private static <T> String byCriticality(Map<Criticality, T> each, Function<T, String> words) {
        List<String> parts = new ArrayList<>();
        for (Criticality criticality : Criticality.values()) {
            T value = each.get(criticality);
            if (value != null) {
                parts.add(criticality.policyName() + " " + words.apply(value));
            }
        }
        return String.join(", ", parts);
    }

    private static String signal(SignalThreshold signal) {
        boolean time = signal.threshold() > 1;
        return signal.signal() + " above " + (time ? millis((long) signal.threshold()) : percent(signal.threshold()));
    }

    private static String degrade(GateRule rule) {
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < rule.degradable().size(); i++) {
            steps.add(rule.settings().degrade().get(i).mode() + " above "
                    + percent(rule.settings().degrade().get(i).above()) + " ("
                    + PolicyWords.match(rule.degradable().get(i)) + ")");
        }
        for (GateRule.Fallback fallback : rule.fallbacks()) {
            steps.add(fallback.mode() + " without " + fallback.dependency() + " (" + PolicyWords.match(fallback.match())
                    + ")");
        }
        return String.join("; ", steps);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.4f", share * 100)
                        .replaceAll("0+$", "")
                        .replaceAll("\\.$", "") + "%";
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e6)
                        .replaceAll("0+$", "")
                        .replaceAll("\\.$", "") + "ms";
    }
}
