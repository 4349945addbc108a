package dev.weir.sim;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.load.Criticality;
import dev.weir.load.GateSettings;
import dev.weir.load.PoolSettings;
import dev.weir.load.QueueSettings;
import dev.weir.load.Shedding;
import dev.weir.policyfile.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what the product's gates do, in the words of a policy's {@code load} section. */
final class GateReader {

    private static final List<String> ADAPTIVE = List.of("gradient", "aimd", "target-latency");
    private static final long DEFAULT_TARGET_NANOS = 100_000_000L;

    private GateReader() {}

    /** The settings, or those of a gate that is given none. */
    static GateSettings read(Optional<Part> gate) {
        if (gate.isEmpty()) {
            return GateSettings.of("weir", ConcurrencyLimit.gradient());
        }
        Part.Fields fields = gate.get().fields("concurrency", "pools", "tenants", "queue", "shed");
        GateSettings settings = GateSettings.of(
                "weir", fields.get("concurrency").map(GateReader::concurrency).orElseGet(ConcurrencyLimit::gradient));
        try {
            return withParts(fields, settings);
        } catch (IllegalArgumentException e) {
            gate.get().wrong(String.valueOf(e.getMessage()));
            return settings;
        }
    }

    private static GateSettings withParts(Part.Fields fields, GateSettings plain) {
        GateSettings settings = plain;
        Optional<Double> tenants = fields.read("tenants", Grammar::percent);
        if (tenants.isPresent()) {
            settings = settings.withTenantAtMost(tenants.get());
        }
        if (fields.get("pools").isPresent()) {
            settings = settings.withPools(pools(fields.get("pools").get()).toArray(PoolSettings[]::new));
        }
        if (fields.get("queue").isPresent()) {
            settings = settings.withQueue(queue(fields.get("queue").get()));
        }
        if (fields.get("shed").isPresent()) {
            settings = settings.withShedding(shed(fields.get("shed").get()));
        }
        return settings;
    }

    private static ConcurrencyLimit concurrency(Part part) {
        if (!part.isMapping()) {
            return part.read(GateReader::oneWord).orElseGet(ConcurrencyLimit::gradient);
        }
        Part.Fields kinds = part.fields(ADAPTIVE.toArray(String[]::new));
        if (kinds.understood() && kinds.named().size() != 1) {
            part.wrong("a limit is found in one way: keep one of " + String.join(", ", ADAPTIVE));
        }
        for (String kind : ADAPTIVE) {
            if (kinds.get(kind).isPresent()) {
                return adaptive(kind, kinds.get(kind).get());
            }
        }
        return ConcurrencyLimit.gradient();
    }

    /** A number, or a way to find it with its defaults. */
    private static ConcurrencyLimit oneWord(String text) {
        if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            return ConcurrencyLimit.fixed(Grammar.whole(1, 100_000).apply(text));
        }
        if (!ADAPTIVE.contains(text)) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number from 1 to 100000, or one of: "
                    + String.join(", ", ADAPTIVE) + Nearest.hint(text, ADAPTIVE));
        }
        return limit(
                text,
                DEFAULT_TARGET_NANOS,
                ConcurrencyLimit.DEFAULT_INITIAL,
                ConcurrencyLimit.DEFAULT_MIN,
                ConcurrencyLimit.DEFAULT_MAX);
    }

    private static ConcurrencyLimit limit(String kind, long targetNanos, int initial, int min, int max) {
        return switch (kind) {
            case "aimd" -> ConcurrencyLimit.aimd(initial, min, max);
            case "gradient" -> ConcurrencyLimit.gradient(initial, min, max);
            default -> ConcurrencyLimit.targetLatency(Duration.ofNanos(targetNanos), initial, min, max);
        };
    }

    private static ConcurrencyLimit adaptive(String kind, Part part) {
        Part.Fields fields = kind.equals("target-latency")
                ? part.fields("target", "initial", "min", "max")
                : part.fields("initial", "min", "max");
        int initial = fields.read("initial", Grammar.whole(1, 100_000), ConcurrencyLimit.DEFAULT_INITIAL);
        int min = fields.read("min", Grammar.whole(1, 100_000), ConcurrencyLimit.DEFAULT_MIN);
        int max = fields.read("max", Grammar.whole(1, 100_000), ConcurrencyLimit.DEFAULT_MAX);
        long targetNanos = kind.equals("target-latency")
                ? fields.read("target", Grammar::durationNanos, DEFAULT_TARGET_NANOS)
                : DEFAULT_TARGET_NANOS;
        try {
            return limit(kind, targetNanos, initial, min, max);
        } catch (IllegalArgumentException e) {
            part.wrong(String.valueOf(e.getMessage()));
            return ConcurrencyLimit.gradient();
        }
    }

    private static List<PoolSettings> pools(Part part) {
        List<PoolSettings> pools = new ArrayList<>();
        part.named().forEach((name, pool) -> {
            Part.Fields fields = pool.fields("guarantee", "borrow");
            pools.add(new PoolSettings(
                    name,
                    fields.read("guarantee", Grammar::percent, 0.0),
                    fields.read("borrow", Grammar::yesOrNo, true)));
        });
        return pools;
    }

    private static QueueSettings queue(Part part) {
        Part.Fields fields = part.fields("size", "max-wait", "fair-by");
        return new QueueSettings(
                fields.need("size", Grammar.whole(0, 100_000), 0),
                fields.need("max-wait", Grammar::durationNanos, 0L),
                fields.read("fair-by", Grammar.word(List.of("tenant"))).isPresent());
    }

    private static Shedding shed(Part part) {
        Map<Criticality, Double> shares = new EnumMap<>(Criticality.class);
        Part.Fields fields = part.fields(Grammar.criticalities().toArray(String[]::new));
        for (Criticality each : Criticality.values()) {
            fields.read(each.policyName(), Grammar::percent).ifPresent(share -> shares.put(each, share));
        }
        return new Shedding.Thresholds(shares);
    }
}
