package dev.weir.policyfile;

import dev.weir.rate.Algorithm;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the budgets of a limit, of its plans and of its overrides have in common.
 *
 * @param measure what is counted; empty when the limit does not say it, or says it twice
 * @param algorithm how a rate refills; empty when that is wrong
 * @param depth of a leaky queue, where it is given
 * @param maxWait of a leaky queue, where it is given
 * @param zone of a quota
 */
record Terms(
        Optional<Measure> measure,
        Optional<Algorithm> algorithm,
        Optional<Depth> depth,
        Optional<Duration> maxWait,
        ZoneId zone) {

    /** What a budget counts. */
    enum Measure {
        RATE("rate"),
        QUOTA("quota"),
        IN_FLIGHT("in-flight");

        private final String word;

        Measure(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** How many turns ahead, and the value that says it. */
    record Depth(long turns, Value value) {}

    /** Reads the terms of a limit, and reports fields that do not go together. */
    static Terms read(Fields fields, Value.Named limit) {
        Optional<Measure> measure = measure(fields, limit);
        Optional<Algorithm> algorithm = algorithm(fields, measure);
        boolean queue = algorithm.equals(Optional.of(Algorithm.LEAKY_QUEUE)) && fields.has("rate");
        boolean queueKnown = algorithm.isPresent() && fields.understood();
        for (String field : List.of("depth", "max-wait")) {
            if (fields.has(field) && queueKnown && !queue) {
                fields.misplaced(
                        field,
                        field
                                + " needs algorithm: leaky-queue, which alone hands out turns: say that, or leave it out");
            }
        }
        if (fields.has("zone")) {
            fields.lacks(
                    "zone", "quota", "zone needs a quota, which alone follows a calendar: say quota, or leave it out");
        }
        return new Terms(
                measure,
                algorithm,
                fields.read("depth", Terms::depth),
                fields.read("max-wait", v -> v.parsed(Definitions.DURATION, Durations::parse)),
                fields.read("zone", Terms::zone).orElse(ZoneOffset.UTC));
    }

    private static Optional<Measure> measure(Fields fields, Value.Named limit) {
        List<Measure> given = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            if (fields.has(measure.word())) {
                given.add(measure);
            }
        }
        given.sort((a, b) -> fields.place(a.word()).compareTo(fields.place(b.word())));
        if (given.isEmpty() && fields.understood()) {
            limit.misnamed("this limit has no budget: say rate, quota or in-flight");
        }
        for (Measure second : given.subList(Math.min(1, given.size()), given.size())) {
            fields.misplaced(
                    second.word(),
                    second.word() + " beside " + given.get(0).word() + ": a limit has one budget; make it two limits");
        }
        return given.size() == 1 ? Optional.of(given.get(0)) : Optional.empty();
    }

    private static Optional<Algorithm> algorithm(Fields fields, Optional<Measure> measure) {
        if (!fields.has("algorithm")) {
            return fields.understood() ? Optional.of(Algorithm.TOKEN_BUCKET) : Optional.empty();
        }
        fields.lacks(
                "algorithm",
                "rate",
                measure.equals(Optional.of(Measure.QUOTA))
                        ? "a quota is a fixed window on the calendar: leave algorithm out"
                        : "algorithm says how a rate refills: say rate, or leave it out");
        return fields.read("algorithm", v -> v.word(Definitions.ALGORITHMS));
    }

    private static Optional<Depth> depth(Value value) {
        OptionalLong turns = value.whole(Definitions.DEPTH);
        return turns.isPresent() ? Optional.of(new Depth(turns.getAsLong(), value)) : Optional.empty();
    }

    private static Optional<ZoneId> zone(Value value) {
        return value.text(Definitions.ZONE).flatMap(text -> {
            try {
                return Optional.of(ZoneId.of(text));
            } catch (DateTimeException e) {
                return value.wrong("'" + Value.shown(text) + "' is not " + Definitions.ZONE.grammar()
                        + Nearest.hint(text, ZoneId.getAvailableZoneIds()));
            }
        });
    }
}
