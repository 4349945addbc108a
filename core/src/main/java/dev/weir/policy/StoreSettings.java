package dev.weir.policy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where a fleet's budgets are counted, and how an instance uses that place. Files are not opened here, and the text never shows a password.
 *
 * @param redis where it is
 * @param timeout how long a decision waits for it at most, 1 ms to 1 s
 * @param leases whether units are taken in advance, to spend without asking again
 * @param instances how many are assumed to share the budgets while none can be counted, 1 or more
 */
public record StoreSettings(Redis redis, Duration timeout, boolean leases, int instances) {

    /** The default of {@code timeout}. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(5);

    /** The port of a node that does not say its own. */
    public static final int DEFAULT_PORT = 6_379;

    /** The port of a sentinel that does not say its own. */
    public static final int DEFAULT_SENTINEL_PORT = 26_379;

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofSeconds(1);

    /** Refuses a timeout or a number of instances outside its range. */
    public StoreSettings {
        if (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("the store's timeout " + timeout + " is not from 1ms to 1s");
        }
        if (instances < 1) {
            throw new IllegalArgumentException("instances " + instances + " is below 1");
        }
    }

    /**
     * The servers, Redis or one that speaks like it.
     *
     * @param nodes the server; of a cluster some nodes; with Sentinel the sentinels; at least one
     * @param cluster whether the nodes are a cluster
     * @param sentinel whom to ask where the server is; not for a cluster
     * @param login who this instance is, if the servers ask
     * @param database the number of the database, 0 or more; 0 in a cluster
     * @param tls how they are spoken to in secret; without it everything is sent openly
     */
    public record Redis(
            List<Node> nodes,
            boolean cluster,
            Optional<Sentinel> sentinel,
            Optional<Login> login,
            int database,
            Optional<Tls> tls) {

        /** Refuses no nodes, and what does not go together. */
        public Redis {
            nodes = List.copyOf(nodes);
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException("a store has at least one node");
            }
            if (cluster && sentinel.isPresent()) {
                throw new IllegalArgumentException("a cluster needs no sentinel: keep one of the two");
            }
            if (!cluster && sentinel.isEmpty() && nodes.size() > 1) {
                throw new IllegalArgumentException(nodes.size() + " nodes are neither a cluster nor sentinels");
            }
            if (database < 0 || (cluster && database > 0)) {
                throw new IllegalArgumentException("database " + database + " is below 0, or not 0 in a cluster");
            }
        }
    }

    /**
     * Where a server listens.
     *
     * @param host a name or an address, IPv6 without brackets
     */
    public record Node(String host, int port) {

        /** {@code 10.0.0.5:6379} or {@code [::1]:6379}. */
        @Override
        public String toString() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * Sentinels, which know where the server is.
     *
     * @param master what they call it
     * @param login who this instance is to them, if they ask
     */
    public record Sentinel(String master, Optional<Login> login) {}

    /**
     * A name and its password.
     *
     * @param user empty: the default user
     */
    public record Login(Optional<String> user, String password) {

        /** Without the password. */
        @Override
        public String toString() {
            return user.orElse("the default user") + " with a password";
        }
    }

    /**
     * How servers are spoken to in secret, all files in PEM.
     *
     * @param ca the authorities that are believed; empty: those of the system
     * @param certificate what this instance proves itself with, and its key
     * @param key the private key of the certificate
     * @param verifyHost whether a server's certificate must name its host
     */
    public record Tls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key, boolean verifyHost) {}
}
