package dev.weir.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads what a scenario demands. */
final class MustReader {

    private MustReader() {}

    static Must read(Optional<Part> part) {
        if (part.isEmpty()) {
            return nothing();
        }
        Part.Fields fields = part.get()
                .fields(
                        "goodput",
                        "p99-times-idle",
                        "limit-to-knee",
                        "settled-within",
                        "false-shed",
                        "goodput-of-none",
                        "limit-growth",
                        "limit-at",
                        "none-fails",
                        "served",
                        "busiest-second",
                        "sends-per-call",
                        "gate-refuses",
                        "goodput-in");
        return new Must(
                percent(fields, "goodput"),
                fields.read("p99-times-idle", Grammar::number)
                        .map(OptionalDouble::of)
                        .orElse(OptionalDouble.empty()),
                fields.read("limit-to-knee", Grammar::range),
                fields.read("settled-within", Grammar::seconds)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                percent(fields, "false-shed"),
                percent(fields, "goodput-of-none"),
                fields.read("limit-growth", Grammar::growth),
                fields.get("limit-at").map(MustReader::ranges).orElse(Map.of()),
                fields.read("none-fails", Grammar::yesOrNo, false),
                fields.get("served").map(MustReader::shares).orElse(Map.of()),
                fields.read("busiest-second", Grammar.whole(1, 1_000_000))
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                fields.read("sends-per-call", Grammar::range),
                fields.read("gate-refuses", Grammar::yesOrNo, true),
                fields.get("goodput-in").map(MustReader::shares).orElse(Map.of()));
    }

    private static Must nothing() {
        return new Must(
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty(),
                Map.of(),
                false,
                Map.of(),
                OptionalInt.empty(),
                Optional.empty(),
                true,
                Map.of());
    }

    private static OptionalDouble percent(Part.Fields fields, String name) {
        return fields.read(name, Grammar::percent).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static Map<Integer, Must.Range> ranges(Part part) {
        Map<Integer, Must.Range> ranges = new LinkedHashMap<>();
        part.byTime(Grammar::range).forEach((atNanos, range) -> ranges.put((int) (atNanos / Meters.SECOND), range));
        return ranges;
    }

    private static Map<String, Double> shares(Part part) {
        Map<String, Double> shares = new LinkedHashMap<>();
        part.named().forEach((name, share) -> share.read(Grammar::percent).ifPresent(least -> shares.put(name, least)));
        return shares;
    }
}
