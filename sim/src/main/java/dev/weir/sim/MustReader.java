package dev.weir.sim;

import dev.weir.policyfile.Nearest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Reads what a scenario demands. What the run could not show is refused, so that no demand goes unjudged. */
final class MustReader {

    /**
     * What can be demanded in a scenario. What is empty here is not known, for something is wrong with it, and nothing is refused for it.
     *
     * @param seconds how long it lasts
     * @param phases the names of its phases
     * @param served whose calls answers can be demanded for
     * @param contenders their names
     */
    record Beside(
            int seconds, Optional<Set<String>> phases, Optional<Set<String>> served, Optional<Set<String>> contenders) {

        private boolean lacks(String contender) {
            return contenders.isPresent() && !contenders.get().contains(contender);
        }
    }

    private final Part.Fields fields;
    private final Beside beside;

    private MustReader(Part.Fields fields, Beside beside) {
        this.fields = fields;
        this.beside = beside;
    }

    static Must read(Optional<Part> part, Beside beside) {
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
        if (!fields.named().isEmpty() && beside.lacks(Report.PRODUCT)) {
            part.get()
                    .wrong("demands are judged of contender " + Report.PRODUCT
                            + ", which is none of these: name it in contenders, or leave them out");
        }
        return new MustReader(fields, beside).read();
    }

    private Must read() {
        boolean noneFails = fields.read("none-fails", Grammar::yesOrNo, false);
        if (noneFails) {
            needNone("none-fails");
        }
        needNone("goodput-of-none");
        return new Must(
                percent("goodput"),
                fields.read("p99-times-idle", Grammar::number)
                        .map(OptionalDouble::of)
                        .orElse(OptionalDouble.empty()),
                fields.read("limit-to-knee", Grammar::range),
                fields.read("settled-within", Grammar::seconds)
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                percent("false-shed"),
                percent("goodput-of-none"),
                fields.read("limit-growth", text -> Grammar.growth(beside.seconds(), text)),
                fields.get("limit-at").map(this::ranges).orElse(Map.of()),
                noneFails,
                shares("served", beside.served(), "neither a kind of clients here nor a criticality of theirs"),
                fields.read("busiest-second", Grammar.whole(1, 1_000_000))
                        .map(OptionalInt::of)
                        .orElse(OptionalInt.empty()),
                fields.read("sends-per-call", Grammar::range),
                fields.read("gate-refuses", Grammar::yesOrNo, true),
                shares("goodput-in", beside.phases(), "not one of phases"));
    }

    private void needNone(String name) {
        fields.get(name)
                .filter(part -> beside.lacks(Report.WITHOUT))
                .ifPresent(part -> part.wrong(name + " compares with contender " + Report.WITHOUT
                        + ", which is none of these: name it in contenders, or leave " + name + " out"));
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

    private OptionalDouble percent(String name) {
        return fields.read(name, Grammar::percent).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private Map<Integer, Must.Range> ranges(Part part) {
        Map<Integer, Must.Range> ranges = new LinkedHashMap<>();
        part.named()
                .forEach((time, range) -> second(time, range).ifPresent(second -> {
                    if (ranges.containsKey(second)) {
                        range.wrong("second " + second + " stands twice: remove one");
                    }
                    range.read(Grammar::range).ifPresent(read -> ranges.put(second, read));
                }));
        return ranges;
    }

    private Optional<Integer> second(String time, Part at) {
        try {
            return Optional.of(Grammar.secondBefore(beside.seconds(), time));
        } catch (IllegalArgumentException e) {
            at.wrong(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Map<String, Double> shares(String field, Optional<Set<String>> known, String otherwise) {
        Map<String, Double> shares = new LinkedHashMap<>();
        fields.get(field).map(Part::named).orElse(Map.of()).forEach((name, share) -> {
            if (known.isPresent() && !known.get().contains(name)) {
                share.wrong("'" + name + "' is " + otherwise + Nearest.hint(name, known.get())
                        + (known.get().isEmpty() ? "" : "; known are " + String.join(", ", known.get())));
            }
            share.read(Grammar::percent).ifPresent(least -> shares.put(name, least));
        });
        return shares;
    }
}
