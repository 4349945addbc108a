package dev.weir.gateway;

import dev.weir.policy.Budget;
import dev.weir.policy.KeyDigest;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One setting of one limit that is another than the policy file says: {@code rate}, {@code burst}, {@code quota}, {@code in-flight}, {@code
 * mode}, {@code key:KEY} for the budget of one key, or {@code plan:NAME} for that of a plan. Pure.
 *
 * @param limit the limit's name
 * @param field which setting; a key stands in it as its hash
 * @param value what it is, as the policy file would say it; budgets of keys and plans as {@code 10/s}, {@code 10/s burst 20}, {@code
 *     1000/month}, {@code in-flight 5}, {@code unlimited} or {@code deny}
 */
record RuntimeChange(String limit, String field, String value) {

    private static final String KEY = "key:";
    private static final String HASHED = "sha256:";
    private static final String PLAN = "plan:";
    private static final String FIELDS = "rate, burst, quota, in-flight, mode, key:KEY or plan:NAME";
    private static final Pattern WITH_BURST = Pattern.compile("(\\S+) burst ([0-9]{1,15})");
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,2})?)%");
    private static final Pattern CALENDAR = Pattern.compile("[0-9]+/(hour|day|week|month|year)");

    /** A change as it was asked for: no key stands in it, but for its hash. */
    static RuntimeChange of(String limit, String field, String value) {
        boolean plain = field.startsWith(KEY) && !field.startsWith(KEY + HASHED);
        String hashed = plain ? KEY + HASHED + KeyDigest.sha256(field.substring(KEY.length())) : field;
        return new RuntimeChange(limit, hashed, value);
    }

    /** The policy with it. Throws {@link IllegalArgumentException} with what is wrong and what is allowed. */
    Policy on(Policy policy) {
        List<String> names = policy.limits().stream().map(Limit::name).toList();
        if (!names.contains(limit)) {
            throw new IllegalArgumentException("the policy in force has no limit '" + limit + "'; it has "
                    + (names.isEmpty() ? "none" : String.join(", ", names)));
        }
        return policy.withLimits(policy.limits().stream()
                .map(each -> each.name().equals(limit) ? on(each) : each)
                .toList());
    }

    private Limit on(Limit old) {
        if (field.startsWith(KEY)) {
            Map<String, KeyOverride> overrides = new HashMap<>(old.overrides());
            overrides.put(
                    field.substring(KEY.length() + HASHED.length()),
                    new KeyOverride(budget(old), Optional.empty(), Optional.empty()));
            return old.overrides(overrides);
        }
        if (field.startsWith(PLAN)) {
            Map<String, Budget> plans = new HashMap<>(old.plans());
            plans.put(field.substring(PLAN.length()), budget(old));
            return old.plans(plans);
        }
        return switch (field) {
            case "mode" -> old.mode(mode());
            case "rate", "quota", "in-flight" -> old.budget(sameKind(old));
            case "burst" -> old.budget(new Budget.Rate(rate(old).burst(number(value))));
            default ->
                throw new IllegalArgumentException("'" + field + "' cannot be changed at run time: say " + FIELDS);
        };
    }

    private Budget sameKind(Limit old) {
        Budget budget = budget(old);
        boolean fits = switch (field) {
            case "in-flight" -> budget instanceof Budget.InFlight && old.budget() instanceof Budget.InFlight;
            case "quota" -> budget instanceof Budget.Rate && isQuota(old);
            default -> budget instanceof Budget.Rate && old.budget() instanceof Budget.Rate && !isQuota(old);
        };
        if (!fits) {
            throw new IllegalArgumentException(
                    "limit '" + limit + "' is " + old.budget() + ": '" + value + "' is no other " + field + " of it");
        }
        return budget;
    }

    private static boolean isQuota(Limit limit) {
        return limit.budget() instanceof Budget.Rate rate && rate.limit().algorithm() == Algorithm.QUOTA;
    }

    private RateLimit rate(Limit old) {
        if (old.budget() instanceof Budget.Rate rate) {
            return rate.limit();
        }
        throw new IllegalArgumentException("limit '" + limit + "' is " + old.budget() + ": only a rate has a " + field);
    }

    /** The budget that the value names, refilled as the limit's own is. */
    private Budget budget(Limit old) {
        if (value.equals("unlimited")) {
            return new Budget.Unlimited();
        }
        if (value.equals("deny")) {
            return new Budget.Deny();
        }
        if (value.startsWith("in-flight ") || field.equals("in-flight")) {
            return new Budget.InFlight((int)
                    Math.min(Integer.MAX_VALUE, number(value.substring(value.startsWith("in-flight ") ? 10 : 0))));
        }
        if (CALENDAR.matcher(value).matches()) {
            return new Budget.Rate(RateLimit.parseQuota(value, rate(old).zone()));
        }
        Matcher withBurst = WITH_BURST.matcher(value);
        RateLimit like = rate(old);
        RateLimit given = RateLimit.parse(withBurst.matches() ? withBurst.group(1) : value);
        RateLimit refilled = like.algorithm() == Algorithm.QUOTA ? given : given.algorithm(like.algorithm());
        return new Budget.Rate(withBurst.matches() ? refilled.burst(number(withBurst.group(2))) : refilled);
    }

    private Mode mode() {
        Matcher share = SHARE.matcher(value);
        if (share.matches()) {
            return Mode.share(new BigDecimal(share.group(1)).movePointRight(2).intValueExact());
        }
        return switch (value) {
            case "enforce" -> Mode.ENFORCE;
            case "shadow" -> Mode.SHADOW;
            case "off" -> Mode.OFF;
            default ->
                throw new IllegalArgumentException(
                        "'" + value + "' is not one of: enforce, shadow, off, or a percentage such as 10%");
        };
    }

    private static long number(String text) {
        if (!text.matches("[1-9][0-9]{0,14}")) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number of at least 1");
        }
        return Long.parseLong(text);
    }
}
