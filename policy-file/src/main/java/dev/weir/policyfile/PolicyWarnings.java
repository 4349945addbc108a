package dev.weir.policyfile;

import dev.weir.policy.Budget;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Cost;
import dev.weir.policy.Key;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.policy.Protects;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Finds what a policy may say and probably does not mean. */
final class PolicyWarnings {

    private static final Set<String> ADDRESS_HEADERS = Set.of("x-forwarded-for", "forwarded", "x-real-ip");
    /** In a path: whoever calls it guesses or proves who they are. */
    private static final Set<String> LOGIN_WORDS = Set.of("login", "otp", "password");

    private static final long LARGE_LOG = 100;
    /** How many new keys a second are reckoned with. */
    private static final long NEW_KEYS_A_SECOND = 10;

    private final Policy policy;
    private final Fields sections;
    private final List<ReadLimit> limits;
    private final Reading reading;

    PolicyWarnings(Policy policy, Fields sections, List<ReadLimit> limits, Reading reading) {
        this.policy = policy;
        this.sections = sections;
        this.limits = limits;
        this.reading = reading;
    }

    void find() {
        identity();
        for (ReadLimit read : limits) {
            if (!read.limit().mode().equals(Mode.OFF)) {
                unreachable(read);
            }
            forgeableKey(read);
            cost(read);
            read.budgets().forEach(budget -> budget(read, budget));
            windowDoubling(read);
            openOnLogin(read);
            read.ends().stream()
                    .filter(end -> !end.until().isAfter(reading.now()))
                    .forEach(end -> end.value()
                            .warn(
                                    WarningName.OVERRIDE_EXPIRED,
                                    "this override ended at " + end.until()
                                            + " and changes nothing: remove it, or set a later date"));
        }
    }

    // identity

    private void identity() {
        sections.read("identity", value -> value.fields(Definitions.IDENTITY)).ifPresent(fields -> {
            boolean proxies = !policy.identity().trustedProxies().isEmpty();
            if (proxies && policy.identity().clientIp() == ClientIp.PEER) {
                reading.warning(
                        WarningName.ADDRESS_BEHIND_PROXY,
                        fields.has("client-ip")
                                ? fields.get("client-ip").orElseThrow().place()
                                : fields.place("trusted-proxies"),
                        "behind a trusted proxy the peer is the proxy, so that all its clients are one caller: say client-ip: x-forwarded-for or forwarded");
            }
            if (!proxies && policy.identity().clientIp() != ClientIp.PEER) {
                fields.get("client-ip")
                        .ifPresent(
                                value -> value.warn(
                                        WarningName.ADDRESS_BEHIND_PROXY,
                                        "only trusted proxies are believed about addresses, and there are none, so that the peer is the client and all clients of a proxy are one caller: name them in identity.trusted-proxies"));
            }
            fields.get("secret")
                    .filter(secret -> !secret.fromEnvironment())
                    .ifPresent(
                            secret -> secret.warn(
                                    WarningName.SECRET_IN_FILE,
                                    "a secret stands in the file itself: name an environment variable, such as ${WEIR_SECRET}"));
        });
    }

    // who is counted

    private void forgeableKey(ReadLimit read) {
        boolean addressHeader = false;
        for (ReadKey.Part part : read.keys()) {
            if (part.key() instanceof Key.Header header
                    && ADDRESS_HEADERS.contains(header.name().toLowerCase(Locale.ROOT))) {
                addressHeader = true;
                part.value()
                        .warn(
                                WarningName.FORGEABLE_KEY,
                                "callers write " + header.name()
                                        + " themselves, and a new one is a new budget: say client-ip, and identity.client-ip for where it is read");
            }
        }
        Limit limit = read.limit();
        if (!addressHeader
                && onlyHeaders(limit.key())
                && !limit.mode().equals(Mode.OFF)
                && limits.stream().noneMatch(other -> boundsStrangers(other.limit(), limit))) {
            read.fields()
                    .get("key")
                    .ifPresent(
                            value -> value.warn(
                                    WarningName.FORGEABLE_KEY,
                                    "callers write this header themselves, and a new one is a new budget: refuse or count otherwise what no plan row knows (unknown: reject or client-ip), or set a limit by client-ip beside it"));
        }
    }

    /** Whether nothing in the key but headers tells callers apart. */
    private static boolean onlyHeaders(Key key) {
        if (key instanceof Key.Composite composite) {
            return composite.parts().stream().anyMatch(Key.Header.class::isInstance)
                    && composite.parts().stream()
                            .noneMatch(part -> part instanceof Key.ClientAddressKey || part instanceof Key.Attribute);
        }
        return key instanceof Key.Header;
    }

    /** Whether a caller that makes keys up, and matches {@code limit}, is held back by {@code other}. */
    private boolean boundsStrangers(Limit other, Limit limit) {
        boolean byAddress = byAddress(other.key());
        boolean byPlan = policy.plans().source().isPresent()
                && (other.unknown() instanceof Missing.Reject
                        || (other.unknown() instanceof Missing.CountBy counted && byAddress(counted.key())));
        return (byAddress || byPlan)
                && (other.name().equals(limit.name()) || other.mode().equals(Mode.ENFORCE))
                && !limit.insteadOf().contains(other.name())
                && other.except().stream().noneMatch(except -> Coverage.covers(except, limit.match()))
                && other.at().containsAll(limit.at())
                && Coverage.covers(other.match(), limit.match());
    }

    private static boolean byAddress(Key key) {
        if (key instanceof Key.Composite composite) {
            return composite.parts().contains(Key.CLIENT_IP)
                    && composite.parts().stream()
                            .noneMatch(part -> part instanceof Key.Header
                                    || part instanceof Key.Cookie
                                    || part instanceof Key.Query);
        }
        return key.equals(Key.CLIENT_IP);
    }

    // which calls

    private void unreachable(ReadLimit read) {
        Match match = read.limit().match();
        if (policy.exempt().stream().anyMatch(exempt -> Coverage.covers(exempt, match))) {
            reading.warning(
                    WarningName.UNREACHABLE_LIMIT,
                    read.name(),
                    "every call that '" + read.limit().name() + "' matches is exempt: remove it, or narrow exempt");
        }
        if (read.limit().except().stream().anyMatch(except -> Coverage.covers(except, match))) {
            reading.warning(
                    WarningName.UNREACHABLE_LIMIT,
                    read.name(),
                    "every call that '" + read.limit().name()
                            + "' matches is in its except: remove it, or narrow except");
        }
        for (ReadLimit other : limits) {
            Limit instead = other.limit();
            if (instead.insteadOf().contains(read.limit().name())
                    && instead.except().isEmpty()
                    && !(instead.ifMissing() instanceof Missing.Skip)
                    && !instead.mode().equals(Mode.OFF)
                    && instead.at().containsAll(read.limit().at())
                    && Coverage.covers(instead.match(), match)) {
                reading.warning(
                        WarningName.UNREACHABLE_LIMIT,
                        read.name(),
                        "'" + instead.name() + "' counts every call that '"
                                + read.limit().name() + "' matches, instead of it: remove it, or narrow the other");
            }
        }
    }

    // what a call costs

    private void cost(ReadLimit read) {
        if (read.limit().cost() instanceof Cost.FromHeader header
                && policy.identity().trustedProxies().isEmpty()) {
            read.fields()
                    .get("cost")
                    .ifPresent(
                            value -> value.warn(
                                    WarningName.FORGEABLE_COST,
                                    "callers would write " + header.name()
                                            + " themselves, so it is read from trusted proxies only, and there are none: name them in identity.trusted-proxies"));
        }
        for (ReadCost.Units cost : read.costs()) {
            for (ReadBudget budget : read.budgets()) {
                if (budget.budget() instanceof Budget.Rate rate
                        && cost.units() > rate.limit().capacity()) {
                    (budget.isOwn() ? cost.value() : budget.value())
                            .warn(
                                    WarningName.COST_ABOVE_BURST,
                                    "a call of " + cost.units() + " never passes: " + budget.of() + " holds at most "
                                            + rate.limit().capacity() + "; lower the cost or raise what it holds");
                }
            }
        }
    }

    // how much

    private static void budget(ReadLimit read, ReadBudget budget) {
        if (!(budget.budget() instanceof Budget.Rate rate)) {
            return;
        }
        RateLimit limit = rate.limit();
        Value value = budget.value();
        limit.calendarPeriod()
                .filter(period -> period != CalendarPeriod.HOUR && !read.limit().isFleet())
                .ifPresent(
                        period -> value.warn(
                                WarningName.QUOTA_IN_MEMORY,
                                "what was used in a " + period.policyName()
                                        + " is kept in memory and forgotten at a restart: count it in a store (scope: fleet), or keep quotas to an hour"));
        if (limit.algorithm() == Algorithm.SLIDING_LOG && limit.count() > LARGE_LOG) {
            value.warn(
                    WarningName.LARGE_SLIDING_LOG,
                    "a sliding-log keeps " + limit.count() + " times for each key, more than " + LARGE_LOG
                            + ": sliding-window keeps two numbers");
        }
        limit.roundedIntervalNanos()
                .ifPresent(interval -> value.warn(
                        WarningName.RATE_ROUNDED,
                        String.format(
                                Locale.ROOT,
                                "this rate cannot be kept exactly; in force is one unit every %.6f ns, %.6f in a second",
                                interval,
                                1e9 / interval)));
        if (limit.algorithm() != Algorithm.QUOTA && !(read.limit().key() instanceof Key.All)) {
            BigInteger seconds = refillSeconds(limit);
            if (seconds.multiply(BigInteger.valueOf(NEW_KEYS_A_SECOND))
                            .compareTo(BigInteger.valueOf(read.limit().maxKeys()))
                    > 0) {
                value.warn(
                        WarningName.KEYS_PER_REFILL,
                        "a used key refills in " + seconds + " s, in which more than max-keys "
                                + read.limit().maxKeys()
                                + " may come at " + NEW_KEYS_A_SECOND
                                + " a second, so that newcomers are judged more strictly: raise max-keys or shorten the period");
            }
        }
    }

    /** In how long what was used has come back, rounded up. */
    private static BigInteger refillSeconds(RateLimit limit) {
        BigInteger nanosAndCount =
                BigInteger.valueOf(limit.capacity()).multiply(BigInteger.valueOf(limit.periodNanos()));
        BigInteger divisor = BigInteger.valueOf(limit.count()).multiply(BigInteger.valueOf(1_000_000_000L));
        return nanosAndCount.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    }

    private static void windowDoubling(ReadLimit read) {
        boolean window = read.limit().budget() instanceof Budget.Rate rate
                && rate.limit().algorithm() == Algorithm.FIXED_WINDOW;
        boolean matters = read.limit()
                .protects()
                .filter(what -> what == Protects.CAPACITY || what == Protects.ABUSE)
                .isPresent();
        if (window && matters) {
            read.fields()
                    .get("algorithm")
                    .ifPresent(value -> value.warn(
                            WarningName.WINDOW_DOUBLING,
                            "across the edge of a fixed-window twice the count may pass, which matters for "
                                    + read.limit().protects().orElseThrow().policyName()
                                    + ": use token-bucket or sliding-window"));
        }
    }

    // while the store is away

    private void openOnLogin(ReadLimit read) {
        Limit limit = read.limit();
        boolean abuse = limit.protects().equals(Optional.of(Protects.ABUSE));
        boolean login = limit.match().path().stream()
                .map(path -> path.toString().toLowerCase(Locale.ROOT))
                .anyMatch(path -> LOGIN_WORDS.stream().anyMatch(path::contains));
        if (limit.isFleet() && limit.onStoreFailure() == StoreFailure.OPEN && (abuse || login)) {
            reading.warning(
                    WarningName.OPEN_ON_LOGIN,
                    read.fields().get("on-store-failure").map(Value::place).orElse(read.name()),
                    "while the store is away '" + limit.name()
                            + "' lets everybody guess as often as they like: say on-store-failure: local");
        }
    }
}
