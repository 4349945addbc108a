package dev.weir.policyfile;

import dev.weir.policy.StoreSettings;
import dev.weir.policy.StoreSettings.Login;
import dev.weir.policy.StoreSettings.Node;
import dev.weir.policy.StoreSettings.Redis;
import dev.weir.policy.StoreSettings.Sentinel;
import dev.weir.policy.StoreSettings.Tls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads where a fleet's budgets are counted. */
final class StoreReader {

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofSeconds(1);

    private final Fields fields;
    private final Reading reading;

    private StoreReader(Fields fields, Reading reading) {
        this.fields = fields;
        this.reading = reading;
    }

    /** The section {@code store} among the sections; empty when there is none or it is wrong. */
    static Optional<StoreSettings> read(Fields sections, Reading reading) {
        return sections.read("store", store -> store.fields(Definitions.STORE))
                .flatMap(store -> store.read(
                        "redis",
                        redis -> redis.fields(Definitions.REDIS)
                                .flatMap(fields -> new StoreReader(fields, reading).read(store))));
    }

    private Optional<StoreSettings> read(Fields store) {
        if (!fields.has("url") && fields.understood()) {
            store.misplaced("redis", "redis does not say where it is: say url: " + Definitions.REDIS_URL.grammar());
        }
        Optional<Boolean> cluster = fields.readOr("cluster", false, v -> v.word(Definitions.YES_OR_NO));
        Optional<Sentinel> sentinel = fields.read("sentinel", this::sentinel);
        if (cluster.equals(Optional.of(true)) && fields.has("sentinel")) {
            fields.misplaced(
                    "sentinel", "sentinel beside cluster: a cluster knows its own masters; keep one of the two");
        }
        boolean several = !cluster.equals(Optional.of(false)) || fields.has("sentinel") || !fields.understood();
        Optional<List<RedisUrl>> urls = fields.read("url", value -> urls(value, several));
        Optional<Login> login = login(fields, urls.flatMap(all -> all.get(0).login()));
        Optional<Integer> database = database(urls, cluster);
        Optional<Tls> tls = tls(urls);
        Optional<Duration> timeout = fields.readOr("timeout", StoreSettings.DEFAULT_TIMEOUT, StoreReader::timeout);
        Optional<Boolean> leases = fields.readOr("lease", true, v -> v.word(Definitions.LEASE));
        OptionalLong instances =
                fields.get("instances").map(v -> v.whole(Definitions.INSTANCES)).orElse(OptionalLong.of(1));
        if (reading.hasProblems()
                || urls.isEmpty()
                || cluster.isEmpty()
                || database.isEmpty()
                || timeout.isEmpty()
                || leases.isEmpty()
                || instances.isEmpty()) {
            return Optional.empty();
        }
        List<Node> nodes = nodes(urls.get(), fields.has("sentinel"));
        Redis redis = new Redis(nodes, cluster.get(), sentinel, login, database.get(), tls);
        return Optional.of(new StoreSettings(redis, timeout.get(), leases.get(), (int) instances.getAsLong()));
    }

    // Where

    private static Optional<List<RedisUrl>> urls(Value value, boolean several) {
        List<RedisUrl> before = new ArrayList<>();
        Optional<List<RedisUrl>> urls = value.oneOrMore(item -> {
            Optional<RedisUrl> url = item.parsed(Definitions.REDIS_URL, RedisUrl::parse);
            url.ifPresent(read -> {
                before.add(read);
                if (read.login().isPresent()) {
                    warnOfSecret(item);
                }
            });
            return url.flatMap(read -> alike(item, read, before.get(0)));
        });
        if (urls.isPresent() && urls.get().size() > 1 && !several) {
            return value.wrong(
                    urls.get().size()
                            + " servers are a cluster or sentinels: say cluster: yes or sentinel: { master: NAME }, or name one server");
        }
        return urls;
    }

    private static Optional<RedisUrl> alike(Value item, RedisUrl url, RedisUrl first) {
        boolean same = url.tls() == first.tls()
                && url.login().equals(first.login())
                && url.database().equals(first.database());
        return same
                ? Optional.of(url)
                : item.wrong(
                        "this URL has another scheme, user, password or database than the first: all of them share one");
    }

    private static List<Node> nodes(List<RedisUrl> urls, boolean sentinels) {
        int port = sentinels ? StoreSettings.DEFAULT_SENTINEL_PORT : StoreSettings.DEFAULT_PORT;
        return urls.stream().map(url -> url.node(port)).toList();
    }

    private Optional<Sentinel> sentinel(Value value) {
        return value.fields(Definitions.SENTINEL).flatMap(given -> {
            if (!given.has("master") && given.understood()) {
                fields.misplaced("sentinel", "sentinel does not say whom to ask for: say master: NAME");
            }
            Optional<Login> login = login(given, Optional.empty());
            return given.read("master", v -> v.text(Definitions.NAMED)).map(master -> new Sentinel(master, login));
        });
    }

    private Optional<Integer> database(Optional<List<RedisUrl>> urls, Optional<Boolean> cluster) {
        boolean inUrl = urls.isPresent() && urls.get().get(0).database().isPresent();
        int ofUrl = inUrl ? urls.get().get(0).database().getAsInt() : 0;
        if (fields.has("database") && inUrl) {
            fields.misplaced("database", "the URL names a database too: keep one of the two");
        }
        OptionalLong given =
                fields.get("database").map(v -> v.whole(Definitions.DATABASE)).orElse(OptionalLong.of(ofUrl));
        if (cluster.equals(Optional.of(true)) && given.isPresent() && given.getAsLong() > 0) {
            fields.misplaced(
                    fields.has("database") ? "database" : "url",
                    "a cluster has database 0 alone: leave the database out");
        }
        return given.isPresent() ? Optional.of((int) given.getAsLong()) : Optional.empty();
    }

    // Secrets

    private static void warnOfSecret(Value value) {
        if (!value.fromEnvironment()) {
            value.warn(
                    WarningName.SECRET_IN_FILE,
                    "a password stands in the file itself: name an environment variable, such as ${REDIS_PASSWORD}");
        }
    }

    private static Optional<Login> login(Fields given, Optional<Login> ofUrl) {
        if (given.has("username")) {
            given.lacks("username", "password", "username without password: name both, or leave it out");
        }
        if (given.has("password") && ofUrl.isPresent()) {
            given.misplaced("password", "the URL holds a password too: keep one of the two");
        }
        Optional<String> user = given.read("username", v -> v.text(Definitions.NAMED));
        Optional<String> password = given.read("password", value -> {
            warnOfSecret(value);
            return value.text(Definitions.SECRET);
        });
        return password.map(secret -> new Login(user, secret)).or(() -> ofUrl);
    }

    private Optional<Tls> tls(Optional<List<RedisUrl>> urls) {
        Optional<Tls> tls = fields.read("tls", value -> value.fields(Definitions.REDIS_TLS))
                .map(given -> {
                    given.requireBoth("certificate", "key");
                    return new Tls(
                            given.read("ca", reading::file),
                            given.read("certificate", reading::file),
                            given.read("key", reading::file),
                            given.read("verify-host", v -> v.word(Definitions.YES_OR_NO))
                                    .orElse(true));
                });
        boolean secret = urls.isPresent() && urls.get().get(0).tls();
        if (fields.has("tls") && urls.isPresent() && !secret) {
            fields.misplaced("tls", "tls needs rediss: say rediss in the url, or leave tls out");
        }
        Tls plain = new Tls(Optional.empty(), Optional.empty(), Optional.empty(), true);
        return secret ? tls.or(() -> Optional.of(plain)) : Optional.empty();
    }

    private static Optional<Duration> timeout(Value value) {
        return value.parsed(Definitions.STORE_TIMEOUT, text -> {
            Duration timeout = Durations.parse(text);
            if (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not from 1ms to 1s: a call waits that long at most");
            }
            return timeout;
        });
    }
}
