package dev.weir.policyfile;

import dev.weir.policy.Budget;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A budget and the value that gives its number.
 *
 * @param of whose it is: {@code the limit}, {@code plan pro}
 */
record ReadBudget(Budget budget, Value value, String of) {

    private static final String OWN = "the limit";

    private static final String ZERO = " grants nothing: at least 1; to refuse callers, say deny in plans or overrides";

    private static final String BURST_ALONE = "burst says how much a rate may hold: say rate, or leave it out";

    /** The budget of a limit itself. */
    static Optional<ReadBudget> ofLimit(Fields fields, Terms terms) {
        check(fields, terms);
        if (fields.has("burst")) {
            fields.lacks("burst", "rate", BURST_ALONE);
        }
        return terms.measure().flatMap(measure -> read(fields, measure, terms, OWN));
    }

    /** Whether it is the limit's own, not that of a plan or an override. */
    boolean isOwn() {
        return of.equals(OWN);
    }

    /** The budget of a plan or override, which must count what the limit counts. */
    static Optional<ReadBudget> ofSome(Fields fields, Terms terms, String of, Value whole, boolean mayBeWord) {
        check(fields, terms);
        if (mayBeWord) {
            fields.read("is", value -> word(value, of));
        }
        List<String> given = new ArrayList<>();
        for (Terms.Measure measure : Terms.Measure.values()) {
            if (fields.has(measure.word())) {
                given.add(measure.word());
            }
        }
        if (mayBeWord && fields.has("is")) {
            given.add("is");
        }
        given.sort((a, b) -> fields.place(a).compareTo(fields.place(b)));
        if (given.isEmpty() && fields.has("burst")) {
            fields.lacks("burst", "rate", BURST_ALONE);
            return Optional.empty();
        }
        if (given.isEmpty()) {
            return fields.understood()
                    ? whole.wrong("this names no budget: say "
                            + terms.measure().map(Terms.Measure::word).orElse("rate, quota or in-flight")
                            + (mayBeWord
                                    ? ", or is: unlimited or is: deny"
                                    : ", or unlimited or deny in place of the braces"))
                    : Optional.empty();
        }
        for (String second : given.subList(1, given.size())) {
            fields.misplaced(second, second + " beside " + given.get(0) + ": one budget belongs here");
        }
        if (given.size() > 1) {
            return Optional.empty();
        }
        if (given.get(0).equals("is")) {
            if (fields.has("burst")) {
                fields.misplaced("burst", BURST_ALONE);
            }
            return fields.read("is", value -> word(value, of));
        }
        return ofOwnKind(fields, terms, of, given.get(0));
    }

    private static Optional<ReadBudget> ofOwnKind(Fields fields, Terms terms, String of, String given) {
        if (terms.measure().isPresent() && !terms.measure().get().word().equals(given)) {
            String own = terms.measure().get().word();
            fields.misplaced(
                    given,
                    "this limit counts by " + own + ", so " + of + " does: say " + own + ", or make it two limits");
            return Optional.empty();
        }
        if (fields.has("burst")) {
            fields.lacks("burst", "rate", BURST_ALONE);
        }
        for (Terms.Measure measure : Terms.Measure.values()) {
            if (measure.word().equals(given)) {
                return read(fields, measure, terms, of);
            }
        }
        return Optional.empty();
    }

    /** Reports what is wrong with each number by itself, whichever of them belongs there. */
    private static void check(Fields fields, Terms terms) {
        fields.read(Terms.Measure.RATE.word(), ReadBudget::declared);
        fields.read(Terms.Measure.QUOTA.word(), value -> quota(value, terms));
        fields.get(Terms.Measure.IN_FLIGHT.word()).ifPresent(value -> notZero(value, Definitions.IN_FLIGHT));
        fields.get("burst").ifPresent(value -> notZero(value, Definitions.COUNT));
    }

    /** A budget without a number. */
    static Optional<ReadBudget> word(Value value, String of) {
        return value.word(Definitions.WITHOUT_NUMBER).map(budget -> new ReadBudget(budget, value, of));
    }

    private static Optional<ReadBudget> read(Fields fields, Terms.Measure measure, Terms terms, String of) {
        return fields.read(measure.word(), value -> switch (measure) {
            case RATE -> rate(value, fields, terms).map(limit -> new ReadBudget(new Budget.Rate(limit), value, of));
            case QUOTA -> quota(value, terms).map(limit -> new ReadBudget(new Budget.Rate(limit), value, of));
            case IN_FLIGHT -> {
                OptionalLong calls = notZero(value, Definitions.IN_FLIGHT);
                yield calls.isPresent()
                        ? Optional.of(new ReadBudget(new Budget.InFlight((int) calls.getAsLong()), value, of))
                        : Optional.empty();
            }
        });
    }

    private static Optional<RateLimit> declared(Value value) {
        return value.parsed(Definitions.RATE, text -> notZero(text, RateLimit.parse(text)));
    }

    private static Optional<RateLimit> quota(Value value, Terms terms) {
        return value.parsed(Definitions.QUOTA, text -> notZero(text, RateLimit.parseQuota(text, terms.zone())));
    }

    private static Optional<RateLimit> rate(Value value, Fields fields, Terms terms) {
        Optional<RateLimit> declared = declared(value);
        OptionalLong burst =
                fields.get("burst").map(v -> notZero(v, Definitions.COUNT)).orElse(OptionalLong.empty());
        if (terms.algorithm().isEmpty()) {
            return Optional.empty();
        }
        Algorithm algorithm = terms.algorithm().get();
        if (fields.has("burst") && algorithm != Algorithm.TOKEN_BUCKET) {
            fields.misplaced(
                    "burst",
                    algorithm == Algorithm.LEAKY_QUEUE
                            ? "burst on a leaky-queue: depth says how much it holds; leave burst out"
                            : "burst on a " + algorithm.policyName() + ": it holds its count; leave burst out");
            return Optional.empty();
        }
        return declared.flatMap(limit -> under(algorithm, limit, value))
                .flatMap(limit -> burst.isEmpty()
                        ? Optional.of(limit)
                        : tried(fields.get("burst").orElse(value), () -> limit.burst(burst.getAsLong())))
                .flatMap(limit -> algorithm == Algorithm.LEAKY_QUEUE ? queue(limit, terms, value) : Optional.of(limit));
    }

    private static Optional<RateLimit> under(Algorithm algorithm, RateLimit limit, Value value) {
        long most = switch (algorithm) {
            case SLIDING_LOG -> RateLimit.MAX_LOG_COUNT;
            case SLIDING_WINDOW -> RateLimit.MAX_SLIDING_COUNT;
            case FIXED_WINDOW -> RateLimit.MAX_WINDOW_COUNT;
            default -> RateLimit.MAX_COUNT;
        };
        if (limit.count() > most) {
            return value.wrong(limit.count() + " is more than a " + algorithm.policyName() + " counts, at most " + most
                    + ": lower it, or say algorithm: "
                    + (algorithm == Algorithm.SLIDING_LOG ? "sliding-window" : "token-bucket"));
        }
        return tried(value, () -> limit.algorithm(algorithm));
    }

    private static Optional<RateLimit> queue(RateLimit limit, Terms terms, Value value) {
        Optional<RateLimit> deep = terms.depth().isEmpty()
                ? Optional.of(limit)
                : tried(
                        terms.depth().get().value(),
                        () -> limit.depth(terms.depth().get().turns()));
        return deep.flatMap(queue -> terms.maxWait().isEmpty()
                ? Optional.of(queue)
                : tried(value, () -> queue.maxWait(terms.maxWait().get())));
    }

    private interface Maker {
        RateLimit make();
    }

    private static Optional<RateLimit> tried(Value place, Maker maker) {
        try {
            return Optional.of(maker.make());
        } catch (IllegalArgumentException e) {
            return place.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static RateLimit notZero(String text, RateLimit limit) {
        if (limit.count() == 0) {
            throw new IllegalArgumentException("'" + text + "'" + ZERO);
        }
        return limit;
    }

    private static OptionalLong notZero(Value value, Shape.Whole allowed) {
        boolean zero = value.text(allowed).filter("0"::equals).isPresent();
        return value.whole(
                allowed, zero ? ":" + ZERO.substring(0, ZERO.indexOf(':')) + ZERO.substring(ZERO.indexOf(';')) : "");
    }
}
