package dev.weir.policy;

import dev.weir.load.Criticality;
import dev.weir.rate.KeyHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The function from a call to its bill. One instance for one call; see {@link Policy#bill}. What throws is left out and counted. */
final class Billing {

    private final Policy policy;
    private final Call call;
    private final Instant now;
    private final KeyReader keys;
    private final boolean trusted;
    private int failures;

    Billing(Policy policy, Call call, Instant now) {
        this.policy = policy;
        this.call = call;
        this.now = now;
        this.keys = new KeyReader(policy.identity(), call);
        this.trusted = holds(() -> policy.identity().trusts(call.peer()));
    }

    Bill bill(AdmissionPoint point) {
        Criticality criticality = criticality();
        Optional<Bill.Exemption> exempt = exempt();
        if (exempt.isPresent()) {
            return new Bill(exempt, criticality, List.of(), Optional.empty(), OptionalLong.empty(), failures);
        }
        List<Bill.Line> lines = lines(point);
        Optional<Bill.Entrance> entrance = entrance();
        OptionalLong timeLeftNanos = timeLeftNanos();
        return new Bill(exempt, criticality, withoutReplaced(lines), entrance, timeLeftNanos, failures);
    }

    private List<Bill.Line> lines(AdmissionPoint point) {
        List<Bill.Line> lines = new ArrayList<>(4);
        PathIndex index = policy.limitsByPath();
        long[] candidates = read(() -> index.candidates(call.path()), index.pathless());
        for (int word = 0; word < candidates.length; word++) {
            for (long left = candidates[word]; left != 0; left &= left - 1) {
                Limit limit = policy.limits().get(64 * word + Long.numberOfTrailingZeros(left));
                read(() -> line(limit, point), Optional.<Bill.Line>empty()).ifPresent(lines::add);
            }
        }
        return lines;
    }

    /** What was asked for, or {@code otherwise} when the call throws. */
    private <T> T read(Supplier<T> asked, T otherwise) {
        try {
            return asked.get();
        } catch (Throwable e) {
            failures++;
            return otherwise;
        }
    }

    /** A condition on a call that throws does not hold. */
    private boolean holds(Supplier<Boolean> condition) {
        return read(condition, false);
    }

    private Optional<Bill.Exemption> exempt() {
        for (Match match : policy.exempt()) {
            if (holds(() -> match.matches(call))) {
                return Optional.of(Bill.Exemption.LISTED);
            }
        }
        boolean preflight = policy.answers().skipPreflight()
                && holds(() -> call.method().equals("OPTIONS")
                        && !call.headers("Origin").isEmpty()
                        && !call.headers("Access-Control-Request-Method").isEmpty());
        return preflight ? Optional.of(Bill.Exemption.PREFLIGHT) : Optional.empty();
    }

    private Criticality criticality() {
        Optional<String> header = policy.callHeaders().criticality();
        if (trusted && header.isPresent()) {
            List<String> said = read(() -> call.headers(header.get()), List.of());
            Optional<Criticality> named = said.isEmpty()
                    ? Optional.empty()
                    : Criticality.named(said.get(0).trim());
            if (named.isPresent()) {
                return named.get();
            }
        }
        for (CriticalityRules.Rule rule : policy.criticality().rules()) {
            if (holds(() -> rule.match().matches(call)) && (rule.plans().isEmpty() || isOnOneOf(rule.plans()))) {
                return rule.criticality();
            }
        }
        return policy.criticality().defaultCriticality();
    }

    /** The first gate that matches; a gate for which the call throws does not. */
    private Optional<Bill.Entrance> entrance() {
        for (GateRule gate : policy.gates()) {
            if (gate.mode().kind() != Mode.Kind.OFF && holds(() -> gate.match().matches(call))) {
                int pool =
                        read(() -> gate.poolOf(call), Math.max(0, gate.pools().size() - 1));
                Optional<String> tenant = gate.tenant()
                        .map(key -> read(() -> keys.read(key, gate.match()), Optional.<String>empty())
                                .orElse(""));
                return Optional.of(new Bill.Entrance(gate, pool, tenant));
            }
        }
        return Optional.empty();
    }

    private OptionalLong timeLeftNanos() {
        Optional<String> header = policy.callHeaders().deadline();
        if (!trusted || header.isEmpty()) {
            return OptionalLong.empty();
        }
        List<String> said = read(() -> call.headers(header.get()), List.of());
        return said.isEmpty() ? OptionalLong.empty() : TimeLeft.nanos(header.get(), said.get(0));
    }

    private boolean isOnOneOf(List<String> plans) {
        return read(this::callersPlan, policy.plans().defaultPlan())
                .filter(plans::contains)
                .isPresent();
    }

    /** The plan of whoever calls, beside any limit: where plans are listed by key, that of the first limit's key that the list knows. */
    private Optional<String> callersPlan() {
        Optional<String> plan = policy.plans().planOf(call, trusted, Optional.empty(), now);
        for (Limit limit : policy.limits()) {
            if (plan.isEmpty()) {
                plan = keys.read(limit.key(), limit.match())
                        .flatMap(key -> policy.plans().rowOf(key, now));
            }
        }
        return plan.or(policy.plans()::defaultPlan);
    }

    private boolean applies(Limit limit, AdmissionPoint point) {
        if (limit.mode().kind() == Mode.Kind.OFF
                || !limit.at().contains(point)
                || !limit.match().matches(call)) {
            return false;
        }
        for (Match exception : limit.except()) {
            if (exception.matches(call)) {
                return false;
            }
        }
        return true;
    }

    /** The limit's line; empty when it does not apply, or when the call lacks the key and the limit then skips. */
    private Optional<Bill.Line> line(Limit limit, AdmissionPoint point) {
        if (!applies(limit, point)) {
            return Optional.empty();
        }
        Key countedBy = limit.key();
        Optional<String> key = keys.read(countedBy, limit.match());
        boolean own = key.isPresent();
        if (!own && limit.ifMissing() instanceof Missing.Skip) {
            return Optional.empty();
        }
        if (!own && limit.ifMissing() instanceof Missing.CountBy other) {
            countedBy = other.key();
            key = keys.read(countedBy, limit.match());
        }
        if (key.isEmpty()) {
            boolean unauthorized = limit.ifMissing() instanceof Missing.Reject reject && reject.unauthorized();
            return Optional.of(blocked(
                    limit, countedBy, "", unauthorized ? Bill.Block.KEY_MISSING_UNAUTHORIZED : Bill.Block.KEY_MISSING));
        }
        Optional<String> plan = policy.plans().planOf(call, trusted, own ? key : Optional.empty(), now);
        if (plan.isEmpty()
                && own
                && policy.plans().source().isPresent()
                && override(limit, key.get(), now).isEmpty()) {
            if (limit.unknown() instanceof Missing.Reject reject) {
                Bill.Block block = reject.unauthorized() ? Bill.Block.KEY_UNKNOWN_UNAUTHORIZED : Bill.Block.KEY_UNKNOWN;
                return Optional.of(blocked(limit, countedBy, key.get(), block));
            }
            if (limit.unknown() instanceof Missing.CountBy other) {
                countedBy = other.key();
                key = keys.read(countedBy, limit.match());
                if (key.isEmpty()) {
                    return Optional.of(blocked(limit, countedBy, "", Bill.Block.KEY_MISSING));
                }
            }
        }
        return Optional.of(priced(
                limit,
                countedBy,
                key.get(),
                plan.or(policy.plans()::defaultPlan),
                now,
                budget -> cost(limit.cost(), budget)));
    }

    private Bill.Line blocked(Limit limit, Key countedBy, String key, Bill.Block block) {
        return new Bill.Line(
                limit,
                countedBy,
                key,
                Optional.empty(),
                false,
                limit.budget(),
                0,
                enforced(limit, key),
                Optional.of(block));
    }

    /** A line that is counted, unless its plan is to deny. Precedence: override, plan, limit. */
    static Bill.Line priced(
            Limit limit,
            Key countedBy,
            String key,
            Optional<String> plan,
            Instant now,
            ToLongFunction<? super Budget> cost) {
        Optional<KeyOverride> override = override(limit, key, now);
        Budget budget = override.map(KeyOverride::budget)
                .or(() -> plan.map(limit.plans()::get))
                .orElse(limit.budget());
        return new Bill.Line(
                limit,
                countedBy,
                key,
                plan,
                override.isPresent(),
                budget,
                cost.applyAsLong(budget),
                enforced(limit, key),
                budget instanceof Budget.Deny ? Optional.of(Bill.Block.DENIED) : Optional.empty());
    }

    /** The override of a key that still holds. */
    private static Optional<KeyOverride> override(Limit limit, String key, Instant now) {
        return limit.overrides().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(limit.overrides().get(KeyDigest.sha256(key)))
                        .filter(o ->
                                o.until().isEmpty() || now.isBefore(o.until().get()));
    }

    private long cost(Cost cost, Budget budget) {
        if (cost instanceof Cost.Fixed fixed) {
            return fixed.units();
        }
        if (cost instanceof Cost.Estimated estimated) {
            return estimated.units();
        }
        if (cost instanceof Cost.ByMatch byMatch) {
            for (Cost.ByMatch.Rule rule : byMatch.rules()) {
                if (rule.match().matches(call)) {
                    return rule.units();
                }
            }
            return 1;
        }
        List<String> said = trusted ? call.headers(((Cost.FromHeader) cost).name()) : List.of();
        long most =
                budget instanceof Budget.Rate rate ? Math.max(1, rate.limit().capacity()) : 1;
        return said.isEmpty()
                ? 1
                : Cost.wholeNumber(said.get(0))
                        .map(n -> Math.min(Math.max(n, 1), most))
                        .orElse(1L);
    }

    /** Whether a limit acts for a key: a share of the keys is picked by hash, salted with the limit's name, so that no caller flaps. */
    private static boolean enforced(Limit limit, String key) {
        Mode mode = limit.mode();
        if (mode.kind() != Mode.Kind.PARTIAL) {
            return mode.kind() == Mode.Kind.ENFORCE;
        }
        long hash = KeyHash.parts().hash(new CharSequence[] {limit.name(), key}, 0, 0);
        return Long.remainderUnsigned(hash, 10_000) < mode.shareBasisPoints();
    }

    /** Leaves out the limits that an enforced one stands instead of. */
    private static List<Bill.Line> withoutReplaced(List<Bill.Line> lines) {
        List<String> replaced = new ArrayList<>(0);
        for (Bill.Line line : lines) {
            if (line.enforced()) {
                replaced.addAll(line.limit().insteadOf());
            }
        }
        if (!replaced.isEmpty()) {
            lines.removeIf(line -> replaced.contains(line.limit().name()));
        }
        return lines;
    }
}
