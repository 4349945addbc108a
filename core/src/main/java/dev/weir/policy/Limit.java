package dev.weir.policy;

import dev.weir.rate.RateTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One limit of a policy: which calls it counts, by whom, and what each may use. Immutable; a method that changes something answers a new
 * value. Starts as: every call, no exceptions, {@code if-missing: client-ip}, {@code unknown: default}, cost 1, enforced everywhere, counted by each
 * instance for itself.
 */
public final class Limit {

    /** The default of {@code max-keys}. */
    public static final int DEFAULT_MAX_KEYS = 1_000_000;

    private final String name;
    private final Key key;
    private Budget budget;
    private Match match = Match.ANY;
    private List<Match> except = List.of();
    private Missing ifMissing = new Missing.CountBy(Key.CLIENT_IP);
    private Missing unknown = new Missing.UseDefault();
    private Cost cost = Cost.ONE;
    private Map<String, Budget> plans = Map.of();
    private Map<String, KeyOverride> overrides = Map.of();
    private List<String> insteadOf = List.of();
    private Optional<Set<Integer>> keepIfStatus = Optional.empty();
    private int maxKeys = DEFAULT_MAX_KEYS;
    private Mode mode = Mode.ENFORCE;
    private boolean bare;
    private Optional<Protects> protects = Optional.empty();
    private Set<AdmissionPoint> at = Set.of(AdmissionPoint.values());
    private Scope scope = Scope.INSTANCE;
    private StoreFailure onStoreFailure = StoreFailure.OPEN;

    private Limit(String name, Key key, Budget budget) {
        this.name = name;
        this.key = key;
        this.budget = budget;
    }

    private Limit(Limit that) {
        name = that.name;
        key = that.key;
        budget = that.budget;
        match = that.match;
        except = that.except;
        ifMissing = that.ifMissing;
        unknown = that.unknown;
        cost = that.cost;
        plans = that.plans;
        overrides = that.overrides;
        insteadOf = that.insteadOf;
        keepIfStatus = that.keepIfStatus;
        maxKeys = that.maxKeys;
        mode = that.mode;
        bare = that.bare;
        protects = that.protects;
        at = that.at;
        scope = that.scope;
        onStoreFailure = that.onStoreFailure;
    }

    /** A limit on every call. The name is printable ASCII and stands in the RateLimit fields. */
    public static Limit of(String name, Key key, Budget budget) {
        if (name.isEmpty() || !name.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            throw new IllegalArgumentException("limit name '" + name + "' is not printable ASCII");
        }
        return new Limit(name, key, budget);
    }

    /** What a key without plan or override may use. */
    public Limit budget(Budget budget) {
        Limit changed = new Limit(this);
        changed.budget = budget;
        return changed;
    }

    /** Counts only calls that match. */
    public Limit match(Match match) {
        Limit changed = new Limit(this);
        changed.match = match;
        return changed;
    }

    /** Does not count calls that match one of these. */
    public Limit except(List<Match> except) {
        Limit changed = new Limit(this);
        changed.except = List.copyOf(except);
        return changed;
    }

    /** What becomes of a call without the key. */
    public Limit ifMissing(Missing ifMissing) {
        Limit changed = new Limit(this);
        changed.ifMissing = ifMissing;
        return changed;
    }

    /** What becomes of a key that no plan row and no override knows. */
    public Limit unknown(Missing unknown) {
        Limit changed = new Limit(this);
        changed.unknown = unknown;
        return changed;
    }

    /** What a call costs. */
    public Limit cost(Cost cost) {
        Limit changed = new Limit(this);
        changed.cost = cost;
        return changed;
    }

    /** Budgets by plan, instead of the limit's own. */
    public Limit plans(Map<String, Budget> plans) {
        Limit changed = new Limit(this);
        changed.plans = Map.copyOf(plans);
        return changed;
    }

    /** Budgets of single keys, by the lower-case hexadecimal SHA-256 of the UTF-8 key, instead of plan and limit. */
    public Limit overrides(Map<String, KeyOverride> overrides) {
        Limit changed = new Limit(this);
        changed.overrides = Map.copyOf(overrides);
        return changed;
    }

    /** The names of limits that do not count a call which this one counts. */
    public Limit insteadOf(List<String> insteadOf) {
        Limit changed = new Limit(this);
        changed.insteadOf = List.copyOf(insteadOf);
        return changed;
    }

    /** Keeps the charge only if the answer's status is one of these, and gives it back otherwise. */
    public Limit keepIfStatus(Set<Integer> keepIfStatus) {
        Limit changed = new Limit(this);
        changed.keepIfStatus = Optional.of(Set.copyOf(keepIfStatus));
        return changed;
    }

    /** How many keys are remembered at once, 1 or more. */
    public Limit maxKeys(int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("max-keys " + maxKeys + " is below 1");
        }
        Limit changed = new Limit(this);
        changed.maxKeys = maxKeys;
        return changed;
    }

    /** Whether it acts. */
    public Limit mode(Mode mode) {
        Limit changed = new Limit(this);
        changed.mode = mode;
        return changed;
    }

    /** Whether its refusals, and the fields of granted answers, tell the caller nothing about it. */
    public Limit bare(boolean bare) {
        Limit changed = new Limit(this);
        changed.bare = bare;
        return changed;
    }

    /** What it is for. */
    public Limit protects(Protects protects) {
        Limit changed = new Limit(this);
        changed.protects = Optional.of(protects);
        return changed;
    }

    /** Where it is enforced. */
    public Limit at(Set<AdmissionPoint> at) {
        Limit changed = new Limit(this);
        changed.at = Set.copyOf(at);
        return changed;
    }

    /** Who shares its budgets. */
    public Limit scope(Scope scope) {
        Limit changed = new Limit(this);
        changed.scope = scope;
        return changed;
    }

    /** How it decides while the store does not answer; without meaning for one instance's limit. */
    public Limit onStoreFailure(StoreFailure onStoreFailure) {
        Limit changed = new Limit(this);
        changed.onStoreFailure = onStoreFailure;
        return changed;
    }

    /** Its name, one of its kind in a policy. */
    public String name() {
        return name;
    }

    /** Who is counted. */
    public Key key() {
        return key;
    }

    /** What a key without plan or override may use. */
    public Budget budget() {
        return budget;
    }

    /** Which calls it counts. */
    public Match match() {
        return match;
    }

    /** Which calls it does not count. */
    public List<Match> except() {
        return except;
    }

    /** What becomes of a call without the key. */
    public Missing ifMissing() {
        return ifMissing;
    }

    /** What becomes of a key that no plan row and no override knows. */
    public Missing unknown() {
        return unknown;
    }

    /** What a call costs. */
    public Cost cost() {
        return cost;
    }

    /** Budgets by plan, instead of the limit's own. */
    public Map<String, Budget> plans() {
        return plans;
    }

    /** Budgets of single keys, by the lower-case hexadecimal SHA-256 of the UTF-8 key. */
    public Map<String, KeyOverride> overrides() {
        return overrides;
    }

    /** The names of limits that do not count a call which this one counts. */
    public List<String> insteadOf() {
        return insteadOf;
    }

    /** The statuses under which a charge is kept; empty: it always is. */
    public Optional<Set<Integer>> keepIfStatus() {
        return keepIfStatus;
    }

    /** How many keys are remembered at once. */
    public int maxKeys() {
        return maxKeys;
    }

    /** Whether it acts. */
    public Mode mode() {
        return mode;
    }

    /** Whether callers are told nothing about it. */
    public boolean bare() {
        return bare;
    }

    /** What it is for. */
    public Optional<Protects> protects() {
        return protects;
    }

    /** Where it is enforced. */
    public Set<AdmissionPoint> at() {
        return at;
    }

    /** Who shares its budgets. */
    public Scope scope() {
        return scope;
    }

    /** How it decides while the store does not answer; without meaning for one instance's limit. */
    public StoreFailure onStoreFailure() {
        return onStoreFailure;
    }

    /** Whether the fleet shares its budgets. */
    public boolean isFleet() {
        return scope == Scope.FLEET;
    }

    /**
     * What a limit's counts belong to. Two limits of equal identity, one before and one after a change of policy, share their counts;
     * everything else about them (numbers, plans, overrides, mode, conditions) may differ.
     *
     * @param name the limit's name
     * @param scope who shares its budgets
     * @param key who is counted
     * @param counting the algorithm; for windows their length too, for quotas calendar and zone
     */
    public record StateIdentity(String name, Scope scope, Key key, String counting) {}

    /** What its counts belong to. */
    public StateIdentity stateIdentity() {
        String counting;
        if (budget instanceof Budget.Rate rate) {
            counting = switch (rate.limit().algorithm()) {
                case TOKEN_BUCKET, LEAKY_QUEUE -> rate.limit().algorithm().policyName();
                case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG ->
                    rate.limit().algorithm().policyName() + " of "
                            + rate.limit().periodNanos() + " ns";
                case QUOTA ->
                    "quota by " + rate.limit().calendarPeriod().orElseThrow().policyName() + " in "
                            + rate.limit().zone();
            };
        } else {
            counting = budget instanceof Budget.InFlight ? "in-flight" : budget.toString();
        }
        return new StateIdentity(name, scope, key, counting);
    }

    /** Every budget that it can grant: its own, its plans' and its overrides'. */
    public Set<Budget> budgets() {
        Set<Budget> budgets = new LinkedHashSet<>();
        budgets.add(budget);
        budgets.addAll(plans.values());
        overrides.values().forEach(override -> budgets.add(override.budget()));
        return budgets;
    }

    /** All budgets that count must count alike, since a key may change from one to the other, and must be few enough for a table. */
    void requireOneKind() {
        Set<Budget> budgets = budgets();
        for (Budget other : budgets) {
            if (!(other instanceof Budget.Unlimited)
                    && !(other instanceof Budget.Deny)
                    && !kind(other).equals(kind(budget))) {
                throw new IllegalArgumentException("limit '" + name + "' counts by " + kind(budget)
                        + ", but a plan or override of it by " + kind(other));
            }
        }
        if (budgets.size() > RateTable.MAX_BUDGETS) {
            throw new IllegalArgumentException("limit '" + name + "' has " + budgets.size()
                    + " different budgets, more than " + RateTable.MAX_BUDGETS);
        }
    }

    private static String kind(Budget budget) {
        if (budget instanceof Budget.Rate rate) {
            return rate.limit().algorithm().policyName();
        }
        return budget instanceof Budget.InFlight ? "in-flight" : budget.toString();
    }

    private List<Object> parts() {
        return List.of(
                name,
                key,
                budget,
                match,
                except,
                ifMissing,
                unknown,
                cost,
                plans,
                overrides,
                insteadOf,
                keepIfStatus,
                maxKeys,
                mode,
                bare,
                protects,
                at,
                scope,
                onStoreFailure);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limit that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, key, budget);
    }

    /** Every setting, in the order of a policy file, for people. */
    @Override
    public String toString() {
        return name + "{match=" + match + ", except=" + except + ", key=" + key + ", if-missing=" + ifMissing
                + ", unknown=" + unknown + ", budget=" + budget + ", cost=" + cost + ", plans=" + new TreeMap<>(plans)
                + ", overrides=" + new TreeMap<>(overrides) + ", instead-of=" + insteadOf + ", keep-if="
                + keepIfStatus.map(TreeSet::new) + ", max-keys=" + maxKeys + ", mode=" + mode + ", answer="
                + (bare ? "bare" : "full") + ", protects=" + protects + ", at=" + new TreeSet<>(at) + ", scope="
                + scope.policyName() + (isFleet() ? ", on-store-failure=" + onStoreFailure.policyName() : "") + "}";
    }
}
