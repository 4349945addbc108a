package dev.weir.http;

import dev.weir.Decision.Judged;
import dev.weir.http.StructuredFields.BytesValue;
import dev.weir.http.StructuredFields.IntegerValue;
import dev.weir.http.StructuredFields.Item;
import dev.weir.http.StructuredFields.Member;
import dev.weir.http.StructuredFields.StringValue;
import dev.weir.http.StructuredFields.Value;
import dev.weir.policy.Answers.Generation;
import dev.weir.rate.Standing;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The header fields that tell a caller what its limits are and what is left: written, merged with those of an upstream, and read. Pure
 * functions.
 *
 * <p>Implements the wire format of the Internet-Draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers): revisions
 * 08 to 11 as lists of strings, 07 as one dictionary, up to 06 as three fields; and the three {@code X-RateLimit} fields that no document
 * defines. All are drafts, so nothing here is called compliant. Every reset is sent in seconds from now, rounded up.
 *
 * <p>Limits that are {@code bare} are left out everywhere. So is one that cannot be written: a quota above 999,999,999,999,999 (RFC 9651
 * section 3.3.1), a name that is not printable ASCII.
 */
public final class RateLimitFields {

    /** What is left: in revisions 07 to 11. */
    public static final String RATE_LIMIT = "RateLimit";
    /** What the limits are: in revisions 07 to 11. */
    public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";

    private static final String EXPOSE_HEADERS = "Access-Control-Expose-Headers";
    private static final String DRAFT_6_PREFIX = "RateLimit-";
    private static final String X_PREFIX = "X-RateLimit-";
    /** The name given to what an upstream says in a generation without names. */
    private static final String UPSTREAM = "upstream";

    private static final long MAX_INTEGER = 999_999_999_999_999L;

    private RateLimitFields() {}

    // Writing

    /**
     * The fields of one answer, by name, in the order in which they are to be sent; none when there is nothing to tell.
     *
     * <p>Draft 11 lists all limits in the given order. The other generations have room for one: on a refusal the limit that speaks,
     * otherwise the one with the fewest units left (of several the one whose reset is farthest, then the first). They want a reset where
     * a limit on calls in flight has none; it is 1, as its Retry-After is. A limit that never resets is not told there. Draft 7 lists the
     * policies of all limits as well, the first of each quota: it allows no two of the same.
     *
     * @param judged how each limit judged the call, in file order
     * @param speaker the limit that speaks on a refusal; empty on granted answers
     * @param generation which fields to send
     */
    public static Map<String, String> of(List<Judged> judged, Optional<String> speaker, Generation generation) {
        if (judged.isEmpty() || generation == Generation.OFF) {
            return Map.of();
        }
        List<Judged> told = new ArrayList<>(judged.size());
        for (Judged one : judged) {
            if (isTold(one)) {
                told.add(one);
            }
        }
        if (told.isEmpty()) {
            return Map.of();
        }
        return switch (generation) {
            case DRAFT_11 -> draft11(told);
            case DRAFT_7 -> draft7(told, speaker);
            case DRAFT_6 -> triple(DRAFT_6_PREFIX, told, speaker);
            case X_RATELIMIT -> triple(X_PREFIX, told, speaker);
            case OFF -> Map.of();
        };
    }

    private static boolean isTold(Judged judged) {
        long quota = judged.standing().quota();
        return !judged.bare() && quota >= 0 && quota <= MAX_INTEGER && isPrintable(judged.limit());
    }

    private static boolean isPrintable(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (!StructuredFields.isPrintable(name.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> draft11(List<Judged> told) {
        StringBuilder policies = new StringBuilder();
        StringBuilder limits = new StringBuilder();
        for (Judged judged : told) {
            Standing standing = judged.standing();
            Optional<String> partitionKey = judged.partitionKey().flatMap(RateLimitFields::canonicalBase64);
            startItem(judged, policies);
            policies.append(";q=").append(standing.quota());
            if (standing.concurrent()) {
                policies.append(";qu=\"concurrent-requests\"");
            }
            window(standing).ifPresent(seconds -> policies.append(";w=").append(seconds));
            startItem(judged, limits);
            limits.append(";r=").append(remaining(standing));
            standing.resetNanos().ifPresent(nanos -> limits.append(";t=").append(RetryAfter.ceilSeconds(nanos)));
            if (partitionKey.isPresent()) {
                policies.append(";pk=:").append(partitionKey.get()).append(':');
                limits.append(";pk=:").append(partitionKey.get()).append(':');
            }
        }
        return ordered(RATE_LIMIT_POLICY, policies.toString(), RATE_LIMIT, limits.toString());
    }

    private static void startItem(Judged judged, StringBuilder out) {
        out.append(out.isEmpty() ? "" : ", ");
        StructuredFields.writeString(judged.limit(), out);
    }

    private static Optional<String> canonicalBase64(String text) {
        try {
            return Optional.of(new BytesValue(text).base64());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static long remaining(Standing standing) {
        return Math.max(0, Math.min(MAX_INTEGER, standing.remaining()));
    }

    /** A window is at least a second; what cannot be said in whole seconds is not said. */
    private static OptionalLong window(Standing standing) {
        long seconds = standing.windowSeconds().orElse(0);
        return seconds >= 1 && seconds <= MAX_INTEGER ? OptionalLong.of(seconds) : OptionalLong.empty();
    }

    private static Map<String, String> draft7(List<Judged> told, Optional<String> speaker) {
        StringBuilder policies = new StringBuilder();
        Set<Long> quotas = new LinkedHashSet<>();
        for (Judged judged : told) {
            if (quotas.add(judged.standing().quota())) {
                policies.append(policies.isEmpty() ? "" : ", ")
                        .append(judged.standing().quota());
                window(judged.standing())
                        .ifPresent(seconds -> policies.append(";w=").append(seconds));
            }
        }
        return theOne(told, speaker)
                .map(one -> ordered(
                        RATE_LIMIT_POLICY,
                        policies.toString(),
                        RATE_LIMIT,
                        "limit=" + one.quota() + ", remaining=" + remaining(one) + ", reset="
                                + singleReset(one).orElse(0)))
                .orElseGet(Map::of);
    }

    private static Map<String, String> triple(String prefix, List<Judged> told, Optional<String> speaker) {
        return theOne(told, speaker)
                .map(one -> ordered(
                        prefix + "Limit",
                        Long.toString(one.quota()),
                        prefix + "Remaining",
                        Long.toString(remaining(one)),
                        prefix + "Reset",
                        Long.toString(singleReset(one).orElse(0))))
                .orElseGet(Map::of);
    }

    /** The limit that generations with room for one tell of. */
    private static Optional<Standing> theOne(List<Judged> told, Optional<String> speaker) {
        Optional<Judged> speaking = told.stream()
                .filter(judged -> speaker.filter(judged.limit()::equals).isPresent())
                .findFirst();
        if (speaking.isPresent()) {
            return speaking.map(Judged::standing)
                    .filter(standing -> singleReset(standing).isPresent());
        }
        Optional<Standing> tightest = Optional.empty();
        for (Judged judged : told) {
            Standing standing = judged.standing();
            if (singleReset(standing).isPresent() && (tightest.isEmpty() || tighter(standing, tightest.get()))) {
                tightest = Optional.of(standing);
            }
        }
        return tightest;
    }

    private static boolean tighter(Standing one, Standing other) {
        return remaining(one) != remaining(other)
                ? remaining(one) < remaining(other)
                : singleReset(one).orElse(0) > singleReset(other).orElse(0);
    }

    private static OptionalLong singleReset(Standing standing) {
        if (standing.concurrent()) {
            return OptionalLong.of(1);
        }
        return standing.resetNanos().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(RetryAfter.ceilSeconds(standing.resetNanos().getAsLong()));
    }

    private static Map<String, String> ordered(String... namesAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            fields.put(namesAndValues[at], namesAndValues[at + 1]);
        }
        return fields;
    }

    // Merging

    /**
     * Our fields for an answer that an upstream has made, merged with those that it carries. What is answered is to replace the
     * upstream's fields of the same names; what is not stays as it came.
     *
     * <p>Lists: the upstream's own items are kept, ours appended, in one well-formed field; an item that is there already, word for word,
     * is not sent twice. What an upstream says in the form of revision 07 is kept as an item named {@code upstream}, and where we send
     * that revision its policies of a later one stay alone. A field that cannot be read at all is replaced by ours: callers would have to
     * ignore the whole of it. Fields with room for one limit: ours, unless the upstream has fewer units left, or as few and a later reset,
     * and says so once; then all of its are left as they are. So no answer is ever more generous than the upstream's. Any other field of ours replaces theirs, but for Access-Control-Expose-Headers,
     * whose names are joined. Never throws on what the upstream sent.
     *
     * @param ours what {@link #of} or {@link HttpAnswer} answered
     * @param upstream the lines of an upstream field by its name in any case, in order; empty when it is absent
     * @param generation the generation of our fields
     */
    public static Map<String, String> merged(
            Map<String, String> ours, Function<String, List<String>> upstream, Generation generation) {
        if (saysNothing(upstream, ours)) {
            return ours;
        }
        Map<String, String> merged = new LinkedHashMap<>(ours);
        switch (generation) {
            case DRAFT_11 -> {
                merged.computeIfPresent(RATE_LIMIT_POLICY, (name, own) -> append(upstreamPolicies(upstream), own));
                merged.computeIfPresent(RATE_LIMIT, (name, own) -> append(upstreamLimits(upstream), own));
            }
            case DRAFT_7 -> {
                if (readPolicies(upstream.apply(RATE_LIMIT_POLICY)).isEmpty()) {
                    merged.computeIfPresent(
                            RATE_LIMIT_POLICY, (name, own) -> appendQuotas(upstream.apply(RATE_LIMIT_POLICY), own));
                } else {
                    merged.remove(RATE_LIMIT_POLICY);
                }
                if (ours.containsKey(RATE_LIMIT)
                        && tighter(
                                tightest(read(RATE_LIMIT, upstream)), tightest(read(RATE_LIMIT, oneLineEach(ours))))) {
                    merged.remove(RATE_LIMIT);
                }
            }
            case DRAFT_6 -> keepTighterTriple(DRAFT_6_PREFIX, merged, upstream);
            case X_RATELIMIT -> keepTighterTriple(X_PREFIX, merged, upstream);
            case OFF -> {}
        }
        merged.computeIfPresent(EXPOSE_HEADERS, (name, own) -> joinNames(upstream.apply(name), own));
        return merged;
    }

    /** Most upstreams have none of our fields. */
    private static boolean saysNothing(Function<String, List<String>> upstream, Map<String, String> ours) {
        for (String name : ours.keySet()) {
            if (!upstream.apply(name).isEmpty()) {
                return false;
            }
        }
        return ours.isEmpty()
                || (upstream.apply(RATE_LIMIT).isEmpty()
                        && upstream.apply(RATE_LIMIT_POLICY).isEmpty());
    }

    private static String append(List<Member> theirs, String own) {
        Set<Member> members = new LinkedHashSet<>(theirs);
        members.addAll(StructuredFields.parseList(List.of(own)).orElse(List.of()));
        return StructuredFields.write(List.copyOf(members)).orElse(own);
    }

    private static List<Member> upstreamLimits(Function<String, List<String>> upstream) {
        List<String> lines = upstream.apply(RATE_LIMIT);
        if (!readLimits(lines).isEmpty()) {
            return StructuredFields.parseList(lines).orElse(List.of());
        }
        return readDictionary(lines).stream()
                .map(limit -> {
                    Map<String, Value> parameters = new LinkedHashMap<>();
                    parameters.put("r", new IntegerValue(limit.remaining()));
                    limit.resetSeconds().ifPresent(seconds -> parameters.put("t", new IntegerValue(seconds)));
                    return (Member) new Item(new StringValue(UPSTREAM), parameters);
                })
                .toList();
    }

    private static List<Member> upstreamPolicies(Function<String, List<String>> upstream) {
        List<String> lines = upstream.apply(RATE_LIMIT_POLICY);
        if (!readPolicies(lines).isEmpty()) {
            return StructuredFields.parseList(lines).orElse(List.of());
        }
        Map<String, Member> dictionary =
                StructuredFields.parseDictionary(upstream.apply(RATE_LIMIT)).orElse(Map.of());
        OptionalLong limit = number(dictionary, "limit");
        return limit.isPresent()
                ? List.of(new Item(new StringValue(UPSTREAM), Map.of("q", new IntegerValue(limit.getAsLong()))))
                : List.of();
    }

    private static String appendQuotas(List<String> theirs, String own) {
        List<Member> members =
                new ArrayList<>(StructuredFields.parseList(theirs).orElse(List.of()));
        if (members.isEmpty()
                || !members.stream().allMatch(member -> number(member).isPresent())) {
            return own;
        }
        Set<OptionalLong> quotas = new LinkedHashSet<>();
        members.forEach(member -> quotas.add(number(member)));
        for (Member member : StructuredFields.parseList(List.of(own)).orElse(List.of())) {
            if (quotas.add(number(member))) {
                members.add(member);
            }
        }
        return StructuredFields.write(members).orElse(own);
    }

    private static void keepTighterTriple(
            String prefix, Map<String, String> merged, Function<String, List<String>> upstream) {
        List<String> names = List.of(prefix + "Limit", prefix + "Remaining", prefix + "Reset");
        boolean said = names.stream().map(upstream).allMatch(lines -> lines.size() <= 1);
        if (said
                && merged.keySet().containsAll(names)
                && tighter(readTriple(prefix, upstream), readTriple(prefix, oneLineEach(merged)))) {
            merged.keySet().removeAll(names);
        }
    }

    private static Function<String, List<String>> oneLineEach(Map<String, String> fields) {
        return name -> Optional.ofNullable(fields.get(name)).stream().toList();
    }

    private static boolean tighter(Optional<ServiceLimit> theirs, Optional<ServiceLimit> ours) {
        if (theirs.isEmpty() || ours.isEmpty()) {
            return theirs.isPresent();
        }
        long difference = theirs.get().remaining() - ours.get().remaining();
        return difference < 0
                || (difference == 0
                        && theirs.get().resetSeconds().orElse(0)
                                > ours.get().resetSeconds().orElse(0));
    }

    private static Optional<ServiceLimit> tightest(List<ServiceLimit> limits) {
        Optional<ServiceLimit> tightest = Optional.empty();
        for (ServiceLimit limit : limits) {
            if (tightest.isEmpty() || tighter(Optional.of(limit), tightest)) {
                tightest = Optional.of(limit);
            }
        }
        return tightest;
    }

    private static String joinNames(List<String> theirs, String own) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String line : theirs) {
            for (String name : line.split(",", -1)) {
                names.putIfAbsent(name.strip().toLowerCase(Locale.ROOT), name.strip());
            }
        }
        for (String name : own.split(", ", -1)) {
            names.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
        }
        names.remove("");
        return String.join(", ", names.values());
    }

    // Reading

    /**
     * What one limit of a server says.
     *
     * @param name its name; empty in generations that have none
     * @param remaining units left, not negative
     * @param resetSeconds in how long more comes, from the moment of the answer; empty when the server does not say
     * @param partitionKey who was counted, in Base64; empty when the server does not say
     */
    public record ServiceLimit(
            Optional<String> name, long remaining, OptionalLong resetSeconds, Optional<String> partitionKey) {}

    /**
     * One quota policy of a server.
     *
     * @param quota units in each window, not negative
     * @param unit what is counted; empty means requests
     * @param windowSeconds the window, at least 1; empty when the server does not say
     * @param partitionKey who was counted, in Base64; empty when the server does not say
     */
    public record QuotaPolicy(
            String name,
            long quota,
            Optional<String> unit,
            OptionalLong windowSeconds,
            Optional<String> partitionKey) {}

    /**
     * What a server says is left, in the newest generation that it speaks and that can be read: {@code RateLimit} as a list, then as a
     * dictionary, then the three fields of draft 6, then the three of {@code X-RateLimit}. Strict: a field that is malformed anywhere is
     * ignored as a whole. An {@code X-RateLimit-Reset} that can only be a moment (one since 2001, in seconds or milliseconds from the
     * epoch) becomes the wait until just after it. Empty when nothing can be read. Never throws.
     *
     * @param headers the lines of a field by its name in any case, in order; empty when it is absent
     * @param serverNow the server's time where it is known from its Date field, the local time otherwise
     */
    public static List<ServiceLimit> read(Function<String, List<String>> headers, Instant serverNow) {
        List<ServiceLimit> limits = read(RATE_LIMIT, headers);
        if (!limits.isEmpty()) {
            return limits;
        }
        return readTriple(DRAFT_6_PREFIX, headers)
                .or(() -> readTriple(X_PREFIX, headers).map(limit -> fromNow(limit, serverNow)))
                .stream()
                .toList();
    }

    private static ServiceLimit fromNow(ServiceLimit limit, Instant serverNow) {
        if (limit.resetSeconds().isEmpty()) {
            return limit;
        }
        BigDecimal reset = BigDecimal.valueOf(limit.resetSeconds().getAsLong());
        long wait = VendorFields.secondsFromNow(reset, serverNow);
        return new ServiceLimit(limit.name(), limit.remaining(), OptionalLong.of(wait), limit.partitionKey());
    }

    private static List<ServiceLimit> read(String name, Function<String, List<String>> headers) {
        List<String> lines = headers.apply(name);
        List<ServiceLimit> limits = readLimits(lines);
        return limits.isEmpty() ? readDictionary(lines).stream().toList() : limits;
    }

    /** The RateLimit field of revisions 08 to 11; none when it is malformed anywhere. */
    private static List<ServiceLimit> readLimits(List<String> lines) {
        List<ServiceLimit> limits = new ArrayList<>();
        for (Member member : StructuredFields.parseList(lines).orElse(List.of())) {
            OptionalLong remaining = number(member, "r");
            boolean wellFormed = remaining.isPresent()
                    && allows(member, "t", value -> number(value).isPresent())
                    && allows(member, "pk", BytesValue.class::isInstance);
            if (!wellFormed || !(member instanceof Item item && item.value() instanceof StringValue name)) {
                return List.of();
            }
            limits.add(new ServiceLimit(
                    Optional.of(name.value()), remaining.getAsLong(), number(member, "t"), partitionKey(member)));
        }
        return List.copyOf(limits);
    }

    /** The policies of a {@code RateLimit-Policy} field of revisions 08 to 11. Strict: none when the field is malformed anywhere. Never throws. */
    public static List<QuotaPolicy> readPolicies(List<String> lines) {
        List<QuotaPolicy> policies = new ArrayList<>();
        for (Member member : StructuredFields.parseList(lines).orElse(List.of())) {
            OptionalLong quota = number(member, "q");
            boolean wellFormed = quota.isPresent()
                    && allows(member, "w", value -> number(value).orElse(0) >= 1)
                    && allows(member, "qu", StringValue.class::isInstance)
                    && allows(member, "pk", BytesValue.class::isInstance);
            if (!wellFormed || !(member instanceof Item item && item.value() instanceof StringValue name)) {
                return List.of();
            }
            Optional<String> unit = parameter(member, "qu").map(value -> ((StringValue) value).value());
            policies.add(
                    new QuotaPolicy(name.value(), quota.getAsLong(), unit, number(member, "w"), partitionKey(member)));
        }
        return List.copyOf(policies);
    }

    /** The RateLimit field of revision 07; empty when it is malformed or lacks a number. */
    private static Optional<ServiceLimit> readDictionary(List<String> lines) {
        Map<String, Member> members = StructuredFields.parseDictionary(lines).orElse(Map.of());
        OptionalLong remaining = number(members, "remaining");
        OptionalLong reset = number(members, "reset");
        return remaining.isPresent()
                        && reset.isPresent()
                        && number(members, "limit").isPresent()
                ? Optional.of(new ServiceLimit(Optional.empty(), remaining.getAsLong(), reset, Optional.empty()))
                : Optional.empty();
    }

    private static Optional<ServiceLimit> readTriple(String prefix, Function<String, List<String>> headers) {
        OptionalLong remaining = number(headers.apply(prefix + "Remaining"));
        return remaining.isPresent()
                ? Optional.of(new ServiceLimit(
                        Optional.empty(),
                        remaining.getAsLong(),
                        number(headers.apply(prefix + "Reset")),
                        Optional.empty()))
                : Optional.empty();
    }

    private static Optional<Value> parameter(Member member, String key) {
        return Optional.ofNullable(member.parameters().get(key));
    }

    /** Whether the parameter is absent or as it must be. */
    private static boolean allows(Member member, String key, Predicate<Value> condition) {
        return parameter(member, key).map(condition::test).orElse(true);
    }

    private static Optional<String> partitionKey(Member member) {
        return parameter(member, "pk").map(value -> ((BytesValue) value).base64());
    }

    private static OptionalLong number(List<String> lines) {
        return StructuredFields.parseItem(lines).map(RateLimitFields::number).orElseGet(OptionalLong::empty);
    }

    private static OptionalLong number(Map<String, Member> members, String key) {
        return Optional.ofNullable(members.get(key))
                .map(RateLimitFields::number)
                .orElseGet(OptionalLong::empty);
    }

    private static OptionalLong number(Member member, String key) {
        return parameter(member, key).map(RateLimitFields::number).orElseGet(OptionalLong::empty);
    }

    private static OptionalLong number(Member member) {
        return member instanceof Item item ? number(item.value()) : OptionalLong.empty();
    }

    /** A whole number that is not negative. */
    private static OptionalLong number(Value value) {
        return value instanceof IntegerValue integer && integer.value() >= 0
                ? OptionalLong.of(integer.value())
                : OptionalLong.empty();
    }
}
