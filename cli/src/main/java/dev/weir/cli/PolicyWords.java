package dev.weir.cli;

import dev.weir.policy.Answers;
import dev.weir.policy.Call;
import dev.weir.policy.Cost;
import dev.weir.policy.Identity;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Plans;
import dev.weir.policy.Policy;
import dev.weir.policy.StoreSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a policy says, in the words of the policy file: everything of it that no other line of an explanation tells. */
final class PolicyWords {

    private PolicyWords() {}

    /** The settings of a limit that are not at their defaults, and always its match and its key's fallbacks. */
    static Map<String, Object> settings(Limit limit) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("match", match(limit.match()));
        if (!limit.except().isEmpty()) {
            settings.put(
                    "except", limit.except().stream().map(PolicyWords::match).collect(Collectors.joining(" or ")));
        }
        settings.put("if-missing", limit.ifMissing().toString());
        settings.put("unknown", limit.unknown().toString());
        settings.put("cost", cost(limit.cost()));
        if (!limit.plans().isEmpty()) {
            settings.put("plans", new TreeMap<>(limit.plans()).toString());
        }
        if (!limit.overrides().isEmpty()) {
            settings.put(
                    "overrides",
                    new TreeMap<>(limit.overrides())
                            .entrySet().stream()
                                    .map(e -> "sha256:" + e.getKey() + " "
                                            + e.getValue().budget()
                                            + e.getValue()
                                                    .until()
                                                    .map(until -> " until " + until)
                                                    .orElse("")
                                            + e.getValue()
                                                    .why()
                                                    .map(why -> " (" + why + ")")
                                                    .orElse(""))
                                    .collect(Collectors.joining("; ")));
        }
        if (!limit.insteadOf().isEmpty()) {
            settings.put("instead-of", String.join(", ", limit.insteadOf()));
        }
        limit.keepIfStatus().ifPresent(statuses -> settings.put("keep-if", "status " + new TreeSet<>(statuses)));
        settings.put("max-keys", limit.maxKeys());
        if (limit.bare()) {
            settings.put("answer", "bare");
        }
        limit.protects().ifPresent(protects -> settings.put("protects", protects.policyName()));
        settings.put("scope", scope(limit));
        return settings;
    }

    private static String scope(Limit limit) {
        return limit.isFleet()
                ? "fleet; while the store is away " + limit.onStoreFailure().policyName()
                : limit.scope().policyName();
    }

    private static String store(StoreSettings store, boolean secret) {
        StoreSettings.Redis redis = store.redis();
        String kind = redis.cluster()
                ? "a cluster at "
                : redis.sentinel()
                        .map(sentinel -> "'" + sentinel.master() + "' of the sentinels at ")
                        .orElse("");
        return "redis, " + kind
                + redis.nodes().stream().map(Object::toString).collect(Collectors.joining(", "))
                + redis.login().map(login -> ", as " + login).orElse("")
                + redis.sentinel()
                        .flatMap(StoreSettings.Sentinel::login)
                        .map(login -> ", to the sentinels as " + login)
                        .orElse("")
                + (redis.database() == 0 ? "" : ", database " + redis.database())
                + redis.tls().map(PolicyWords::tls).orElse("")
                + ", timeout " + store.timeout().toMillis() + " ms, leases " + (store.leases() ? "auto" : "off") + ", "
                + store.instances() + (store.instances() == 1 ? " instance" : " instances")
                + " while none are counted, keys hashed "
                + (secret ? "under the secret" : "without a secret: who reads the store can try keys");
    }

    private static String tls(StoreSettings.Tls tls) {
        return ", with TLS"
                + tls.ca().map(file -> " ca " + file).orElse("")
                + tls.certificate().map(file -> " certificate " + file).orElse("")
                + tls.key().map(file -> " key " + file).orElse("")
                + (tls.verifyHost() ? "" : " any host");
    }

    /** The settings of a policy that concern every call. */
    static Map<String, Object> settings(Policy policy) {
        Map<String, Object> settings = new LinkedHashMap<>();
        Identity identity = policy.identity();
        settings.put(
                "identity",
                "client-ip " + identity.clientIp().policyName() + ", trusted-proxies " + identity.trustedProxies()
                        + ", /" + identity.ipv4Prefix() + " and /" + identity.ipv6Prefix()
                        + (identity.secret().isPresent() ? ", with a secret" : ""));
        Answers answers = policy.answers();
        settings.put(
                "answers",
                answers.fields().policyName() + ", jitter " + answers.jitterBasisPoints() / 100.0 + "%, preflight "
                        + (answers.skipPreflight() ? "skip" : "count") + ", cors "
                        + (answers.reflectOrigin() ? "reflect" : "off"));
        String plans = policy.plans().source().map(PolicyWords::source).orElse("")
                + policy.plans().defaultPlan().map(plan -> " default " + plan).orElse("");
        if (!plans.isEmpty()) {
            settings.put("plans", plans);
        }
        policy.store()
                .ifPresent(store ->
                        settings.put("store", store(store, identity.secret().isPresent())));
        policy.callHeaders().deadline().ifPresent(name -> settings.put("deadline", "header:" + name));
        policy.callHeaders().criticality().ifPresent(name -> settings.put("said by", "header:" + name));
        return settings;
    }

    private static String source(Plans.Source source) {
        if (source instanceof Plans.Source.Attribute attribute) {
            return "from attribute:" + attribute.name();
        }
        if (source instanceof Plans.Source.Header header) {
            return "from header:" + header.name();
        }
        return "from a file of " + ((Plans.Source.Rows) source).rows().size() + " keys";
    }

    private static String cost(Cost cost) {
        if (cost instanceof Cost.Fixed fixed) {
            return Long.toString(fixed.units());
        }
        if (cost instanceof Cost.FromHeader header) {
            return "header:" + header.name();
        }
        if (cost instanceof Cost.Estimated estimated) {
            return estimated.units() + " until settled by " + settle(estimated.settleBy());
        }
        return ((Cost.ByMatch) cost)
                .rules().stream()
                        .map(rule -> match(rule.match()) + " is " + rule.units())
                        .collect(Collectors.joining("; ", "", "; else 1"));
    }

    private static String settle(Cost.SettleBy by) {
        if (by instanceof Cost.SettleBy.ResponseHeader header) {
            return "response-header:" + header.name();
        }
        return by instanceof Cost.SettleBy.ResponseBytes ? "response-bytes" : "duration";
    }

    /** A condition as the file would say it. */
    static String match(Match match) {
        List<String> fields = fields(match).entrySet().stream()
                .filter(field ->
                        !field.getValue().equals("[]") && !field.getValue().equals("{}"))
                .map(field -> field.getKey() + " " + field.getValue())
                .toList();
        return fields.isEmpty() ? "every call" : String.join(", ", fields);
    }

    private static Map<String, String> fields(Match match) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("path", match.path().toString());
        fields.put("method", match.method().toString());
        fields.put("host", match.host().toString());
        fields.put("header", new TreeMap<>(match.header()).toString());
        fields.put("query", new TreeMap<>(match.query()).toString());
        fields.put("peer", match.peer().toString());
        fields.put("route", match.route().toString());
        fields.put("attribute", new TreeMap<>(match.attribute()).toString());
        return fields;
    }

    /** The first field that keeps the call from matching. */
    static String firstMismatch(Match match, Call call) {
        Map<String, Match> each = new LinkedHashMap<>();
        List<String> none = List.of();
        Map<String, List<String>> nothing = Map.of();
        each.put("path", new Match(match.path(), none, none, nothing, nothing, List.of(), none, nothing));
        each.put("method", new Match(List.of(), match.method(), none, nothing, nothing, List.of(), none, nothing));
        each.put("host", new Match(List.of(), none, match.host(), nothing, nothing, List.of(), none, nothing));
        each.put("header", new Match(List.of(), none, none, match.header(), nothing, List.of(), none, nothing));
        each.put("query", new Match(List.of(), none, none, nothing, match.query(), List.of(), none, nothing));
        each.put("peer", new Match(List.of(), none, none, nothing, nothing, match.peer(), none, nothing));
        each.put("route", new Match(List.of(), none, none, nothing, nothing, List.of(), match.route(), nothing));
        each.put("attribute", new Match(List.of(), none, none, nothing, nothing, List.of(), none, match.attribute()));
        return each.entrySet().stream()
                .filter(field -> !field.getValue().matches(call))
                .map(field -> field.getKey() + " (wants " + match(field.getValue()) + ")")
                .findFirst()
                .orElse("kind");
    }
}
