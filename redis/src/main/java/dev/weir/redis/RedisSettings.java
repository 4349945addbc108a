package dev.weir.redis;

import dev.weir.policy.StoreSettings;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where the server is and how an instance uses it. Immutable; a method that changes something answers a new value, and throws {@link
 * IllegalArgumentException} with the value and what is allowed when it cannot.
 */
public final class RedisSettings {

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final List<RedisURI> addresses;
    private final boolean cluster;
    private final Duration timeout;
    private final String namespace;
    private final String instance;
    private final Optional<StoreSettings.Tls> tls;

    private RedisSettings(
            List<RedisURI> addresses,
            boolean cluster,
            Duration timeout,
            String namespace,
            String instance,
            Optional<StoreSettings.Tls> tls) {
        this.addresses = addresses;
        this.cluster = cluster;
        this.timeout = timeout;
        this.namespace = namespace;
        this.instance = instance;
        this.tls = tls;
    }

    /**
     * A server by its address: {@code redis://[user:password@]host[:port][/database]}, {@code rediss://} for TLS, or {@code
     * redis-sentinel://[password@]host[:port][,host..][/database]#name}, where the sentinels say who is the primary of that name.
     */
    public static RedisSettings of(String address) {
        return new RedisSettings(
                List.of(parsed(address)),
                false,
                Duration.ofMillis(5),
                "w",
                UUID.randomUUID().toString().substring(0, 13),
                Optional.empty());
    }

    /** A cluster, by the addresses of some of its nodes; the others are found. */
    public static RedisSettings cluster(List<String> addresses) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs the address of a node");
        }
        RedisSettings one = of(addresses.get(0));
        List<RedisURI> all = addresses.stream().map(RedisSettings::parsed).toList();
        if (all.stream().anyMatch(uri -> !uri.getSentinels().isEmpty())) {
            throw new IllegalArgumentException("a cluster is found by its nodes, not by sentinels: say redis://");
        }
        return new RedisSettings(all, true, one.timeout, one.namespace, one.instance, one.tls);
    }

    /** The server that a policy names. */
    public static RedisSettings of(StoreSettings settings) {
        StoreSettings.Redis redis = settings.redis();
        List<RedisURI> addresses = redis.sentinel()
                .map(sentinel -> List.of(watched(redis, sentinel)))
                .orElseGet(() ->
                        redis.nodes().stream().map(node -> address(redis, node)).toList());
        return new RedisSettings(
                addresses,
                redis.cluster(),
                settings.timeout(),
                "w",
                UUID.randomUUID().toString().substring(0, 13),
                redis.tls());
    }

    private static RedisURI address(StoreSettings.Redis redis, StoreSettings.Node node) {
        return common(redis, RedisURI.builder().withHost(node.host()).withPort(node.port()));
    }

    private static RedisURI watched(StoreSettings.Redis redis, StoreSettings.Sentinel sentinel) {
        RedisURI.Builder address = RedisURI.builder().withSentinelMasterId(sentinel.master());
        for (StoreSettings.Node node : redis.nodes()) {
            RedisURI.Builder one = RedisURI.builder().withHost(node.host()).withPort(node.port());
            sentinel.login().ifPresent(login -> logIn(one, login));
            redis.tls().ifPresent(tls -> one.withSsl(true).withVerifyPeer(tls.verifyHost()));
            address.withSentinel(one.build());
        }
        return common(redis, address);
    }

    private static RedisURI common(StoreSettings.Redis redis, RedisURI.Builder address) {
        redis.login().ifPresent(login -> logIn(address, login));
        redis.tls().ifPresent(tls -> address.withSsl(true).withVerifyPeer(tls.verifyHost()));
        return address.withDatabase(redis.database()).build();
    }

    private static void logIn(RedisURI.Builder address, StoreSettings.Login login) {
        login.user()
                .ifPresentOrElse(
                        user -> address.withAuthentication(user, login.password()),
                        () -> address.withPassword((CharSequence) login.password()));
    }

    private static RedisURI parsed(String address) {
        try {
            return RedisURI.create(address);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IllegalArgumentException(
                    "'" + withoutPassword(address)
                            + "' is no address of a store: redis://host:port, rediss://host:port or redis-sentinel://host:port#name",
                    e);
        }
    }

    private static String withoutPassword(String address) {
        return address.replaceFirst("//.*@", "//...@");
    }

    /** How long a bill may take before it is answered without the store: 1 ms to 10 s, 5 ms unless said. */
    public RedisSettings timeout(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("a time budget of " + timeout.toMillis() + " ms is not from 1 to 10000");
        }
        return new RedisSettings(addresses, cluster, timeout, namespace, instance, tls);
    }

    /** What the names of all keys start with, so that several fleets can share a server: {@code w} unless said. Letters, digits, dots, dashes. */
    public RedisSettings namespace(String namespace) {
        return new RedisSettings(addresses, cluster, timeout, word("namespace", namespace), instance, tls);
    }

    /** What this instance is called; by chance unless said. No two of a fleet may have the same name at the same time. */
    public RedisSettings instance(String instance) {
        return new RedisSettings(addresses, cluster, timeout, namespace, word("instance", instance), tls);
    }

    /** A PEM file with the certificates that a {@code rediss} server is checked against, instead of the platform's. */
    public RedisSettings trusted(Path certificates) {
        return new RedisSettings(
                addresses,
                cluster,
                timeout,
                namespace,
                instance,
                Optional.of(
                        new StoreSettings.Tls(Optional.of(certificates), Optional.empty(), Optional.empty(), true)));
    }

    private static String word(String what, String value) {
        if (!WORD.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + value + "' is not 1 to 100 letters, digits, dots, dashes and underscores");
        }
        return value;
    }

    List<RedisURI> addresses() {
        return addresses;
    }

    boolean isCluster() {
        return cluster;
    }

    /** How long a bill may take. */
    public Duration timeout() {
        return timeout;
    }

    /** What the names of all keys start with. */
    public String namespace() {
        return namespace;
    }

    /** What this instance is called. */
    public String instance() {
        return instance;
    }

    /** What a {@code rediss} server is checked against, and this instance proves itself with; empty: the platform's, and nothing. */
    Optional<StoreSettings.Tls> tls() {
        return tls;
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return addresses + (cluster ? " cluster" : "") + " timeout " + timeout.toMillis() + " ms namespace " + namespace
                + " instance " + instance;
    }
}
