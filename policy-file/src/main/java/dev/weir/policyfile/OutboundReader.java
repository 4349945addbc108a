package dev.weir.policyfile;

import dev.weir.client.Backoff;
import dev.weir.client.OutboundSettings;
import dev.weir.client.RetryBudget;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.policy.OutboundRule;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads one dependency. */
final class OutboundReader {

    private static final int MUCH_BASIS_POINTS = 5_000;
    private static final int DEFAULT_TRIES = OutboundSettings.Retry.DEFAULT.tries();

    private final Value.Named named;
    private final Fields fields;
    /** Whether the file has a store, or may have misspelt it. */
    private final boolean store;

    private OutboundReader(Value.Named named, Fields fields, boolean store) {
        this.named = named;
        this.fields = fields;
        this.store = store;
    }

    /** The dependencies of the section {@code outbound}, in file order. Those with an error are left out, and the error is reported. */
    static List<OutboundRule> all(Fields sections) {
        List<Value.Named> named = sections.get("outbound")
                .map(value -> value.named(OutboundDefinitions.OUTBOUNDS))
                .orElse(List.of());
        boolean store = sections.has("store") || !sections.understood();
        List<OutboundRule> rules = new ArrayList<>();
        for (Value.Named one : named) {
            if (!one.name().chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
                one.misnamed("the name of a dependency is a label of metrics: printable ASCII only");
            }
            one.value()
                    .fields(OutboundDefinitions.OUTBOUND)
                    .flatMap(fields -> new OutboundReader(one, fields, store).read())
                    .ifPresent(rules::add);
        }
        return rules;
    }

    private Optional<OutboundRule> read() {
        reportPartners();
        Optional<OutboundSettings.Pace> pace = pace();
        Optional<Duration> maxWait = fields.read("max-wait", GatewayReader::duration);
        Optional<ConcurrencyLimit> inFlight = fields.read("in-flight", GateReader::concurrency);
        Optional<Integer> queue = fields.read("queue", value -> whole(value, LoadDefinitions.PLACES));
        Optional<OutboundSettings.Retry> retry = fields.read("retry", OutboundReader::retry);
        Optional<Double> k = fields.read("throttle", OutboundReader::throttle);
        Optional<Duration> hedge = fields.read("hedge", GatewayReader::duration);
        Optional<Duration> timeout = fields.read("timeout", GatewayReader::duration);
        Optional<Duration> maxPause = fields.read("max-pause", GatewayReader::duration);
        Optional<Boolean> milliseconds = fields.read("retry-after-ms", value -> value.word(Definitions.YES_OR_NO));
        Optional<Boolean> sharedPause = fields.read("share-pause", this::isShared);
        Optional<List<String>> hosts = fields.read(
                "hosts", value -> value.oneOrMore(each -> each.parsed(Definitions.HOST, MatchReader::host)));
        boolean complete = isRight("rate", pace)
                && isRight("max-wait", maxWait)
                && isRight("in-flight", inFlight)
                && isRight("queue", queue)
                && isRight("retry", retry)
                && isRight("throttle", k)
                && isRight("hedge", hedge)
                && isRight("timeout", timeout)
                && isRight("max-pause", maxPause)
                && isRight("retry-after-ms", milliseconds)
                && isRight("share-pause", sharedPause)
                && isRight("hosts", hosts);
        if (!complete) {
            return Optional.empty();
        }
        boolean fleet = pace.map(OutboundSettings.Pace::fleet).orElse(false);
        OutboundSettings settings = OutboundSettings.of(named.name())
                .queue(queue.orElse(0))
                .milliseconds(milliseconds.orElse(false))
                .sharedPause(sharedPause.orElse(fleet));
        settings = pace.map(settings::pace).orElse(settings);
        settings = maxWait.map(settings::maxWait).orElse(settings);
        settings = inFlight.map(settings::inFlight).orElse(settings);
        settings = retry.map(settings::retry).orElse(settings);
        settings = k.map(settings::throttle).orElse(settings);
        settings = hedge.map(settings::hedge).orElse(settings);
        settings = timeout.map(settings::timeout).orElse(settings);
        settings = maxPause.map(settings::maxPause).orElse(settings);
        warn(settings);
        return Optional.of(new OutboundRule(settings, hosts.orElse(List.of())));
    }

    /** Whether a field is not there, or was read. */
    private boolean isRight(String name, Optional<?> read) {
        return read.isPresent() || !fields.has(name);
    }

    private void reportPartners() {
        for (String field : List.of("burst", "pacing", "scope")) {
            if (fields.has(field)) {
                fields.lacks(field, "rate", field + " needs a rate, which it is about: say rate, or leave it out");
            }
        }
        if (fields.has("queue")) {
            fields.lacks(
                    "queue",
                    "in-flight",
                    "queue needs in-flight, whose slots are waited for: say that, or leave it out");
        }
        if (fields.has("hedge")) {
            fields.lacks("hedge", "retry", "hedge needs retry, whose budget it uses: say that, or leave it out");
        }
    }

    /** Empty when there is no rate, or what belongs to it is wrong. */
    private Optional<OutboundSettings.Pace> pace() {
        Optional<RateLimit> rate = fields.read("rate", value -> value.parsed(Definitions.RATE, OutboundReader::rate));
        Optional<Boolean> smooth = fields.readOr("pacing", false, value -> value.word(OutboundDefinitions.PACING));
        Optional<Boolean> fleet = fields.readOr("scope", false, this::isFleet);
        Optional<Integer> burst = fields.read("burst", value -> whole(value, OutboundDefinitions.BURST));
        if (rate.isEmpty() || smooth.isEmpty() || fleet.isEmpty() || !isRight("burst", burst)) {
            return Optional.empty();
        }
        if (smooth.get() && burst.isPresent()) {
            fields.misplaced("burst", "burst beside pacing: smooth, which is a burst of 1: keep one of the two");
            return Optional.empty();
        }
        OptionalInt units =
                smooth.get() ? OptionalInt.of(1) : burst.map(OptionalInt::of).orElseGet(OptionalInt::empty);
        return Optional.of(new OutboundSettings.Pace(rate.get(), units, fleet.get()));
    }

    private Optional<Boolean> isFleet(Value value) {
        return onlyWithStore(
                value,
                OutboundDefinitions.SCOPES,
                "scope: fleet needs a store, which says how many instances share the rate: name one under store, or leave the scope out");
    }

    private Optional<Boolean> isShared(Value value) {
        return onlyWithStore(
                value,
                Definitions.YES_OR_NO,
                "share-pause: yes needs a store, through which the others hear of it: name one under store, or leave it out");
    }

    /** A word for yes or no, of which yes is wrong where there is no store. */
    private Optional<Boolean> onlyWithStore(Value value, Shape.Words<Boolean> words, String otherwise) {
        return value.word(words).flatMap(yes -> yes && !store ? value.wrong(otherwise) : Optional.of(yes));
    }

    private static RateLimit rate(String text) {
        RateLimit rate = RateLimit.parse(text);
        if (rate.count() == 0) {
            throw new IllegalArgumentException("'" + text + "' lets nothing out: a rate is at least 1, such as 10/s");
        }
        return rate;
    }

    private static Optional<Integer> whole(Value value, Shape.Whole shape) {
        OptionalLong number = value.whole(shape);
        return number.isPresent() ? Optional.of((int) number.getAsLong()) : Optional.empty();
    }

    private static Optional<OutboundSettings.Retry> retry(Value value) {
        return value.fields(OutboundDefinitions.RETRY).flatMap(retry -> {
            Optional<Integer> tries = retry.readOr("tries", DEFAULT_TRIES, v -> whole(v, OutboundDefinitions.TRIES));
            Optional<OptionalInt> budget = retry.readOr(
                    "budget",
                    OptionalInt.empty(),
                    v -> v.parsed(Definitions.PERCENT, Percent::basisPoints).map(OptionalInt::of));
            Optional<Backoff> backoff = retry.readOr(
                    "backoff", Backoff.DEFAULT, v -> v.parsed(OutboundDefinitions.BACKOFF, OutboundReader::backoff));
            Optional<List<String>> methods = retry.readOr(
                    "methods",
                    List.of(),
                    v -> v.oneOrMore(each -> each.parsed(Definitions.METHOD, MatchReader::method)));
            if (tries.isEmpty() || budget.isEmpty() || backoff.isEmpty() || methods.isEmpty()) {
                return Optional.empty();
            }
            Set<String> alsoSafe = new HashSet<>(methods.get());
            return Optional.of(new OutboundSettings.Retry(tries.get(), budget.get(), backoff.get(), alsoSafe));
        });
    }

    private static Backoff backoff(String text) {
        String[] ends = text.split("\\.\\.", -1);
        if (ends.length != 2) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' is not " + OutboundDefinitions.BACKOFF.grammar());
        }
        Duration first = Durations.parse(ends[0]);
        Duration longest = Durations.parse(ends[1]);
        if (first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' begins above where it ends: say the shorter first, such as 100ms..5s");
        }
        return Backoff.of(first, longest);
    }

    private static Optional<Double> throttle(Value value) {
        return value.fields(OutboundDefinitions.THROTTLE).flatMap(throttle -> {
            if (!throttle.has("k") && throttle.understood()) {
                return value.wrong("a throttle says k, such as k: 2");
            }
            return throttle.read("k", v -> v.parsed(OutboundDefinitions.K, OutboundReader::k));
        });
    }

    private static double k(String text) {
        boolean number = text.matches("[0-9]{1,3}(\\.[0-9]{1,3})?");
        double k = number ? Double.parseDouble(text) : 0;
        if (k < 1 || k > 100) {
            throw new IllegalArgumentException("'" + Value.shown(text) + "' is not " + OutboundDefinitions.K.grammar());
        }
        return k;
    }

    // Warnings

    private void warn(OutboundSettings settings) {
        Value whole = named.value();
        if (settings.timeoutNanos().isEmpty()) {
            whole.warn(
                    WarningName.NO_TIMEOUT,
                    "nothing says how long a call to '" + named.name()
                            + "' may take, so that one may wait for ever: say timeout: 2s, or what suits it");
        }
        settings.retry()
                .filter(retry -> retry.tries() > 1)
                .flatMap(OutboundReader::multiplies)
                .ifPresent(says -> fields.get("retry").orElse(whole).warn(WarningName.RETRIES_MULTIPLY, says));
    }

    private static Optional<String> multiplies(OutboundSettings.Retry retry) {
        if (retry.budgetBasisPoints().isEmpty()) {
            return Optional.of("without a budget a dependency that fails is sent up to " + retry.tries()
                    + " times as much: say budget: 10%");
        }
        int share = retry.budgetBasisPoints().getAsInt();
        return share <= MUCH_BASIS_POINTS
                ? Optional.empty()
                : Optional.of(
                        "a budget of " + share / 100.0 + "% is so large that a dependency that fails is sent up to "
                                + (100 + share / 100.0) + "% of what it had: say budget: "
                                + RetryBudget.DEFAULT_BASIS_POINTS / 100 + "%");
    }
}
