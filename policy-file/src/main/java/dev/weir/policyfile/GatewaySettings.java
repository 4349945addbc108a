package dev.weir.policyfile;

import dev.weir.policy.Call;
import dev.weir.policy.Match;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the gateway listens on and where it forwards: the section {@code gateway} of a policy file. The files it names are not opened
 * here.
 *
 * @param listen where callers come in
 * @param admin where operators come in
 * @param accessLog what a line of the access log looks like
 * @param debugHeader the header in which trusted peers ask how a call was decided, and are answered
 * @param routes at least one, the first that matches a call serves it; no two of one name
 */
public record GatewaySettings(
        Listener listen, Admin admin, AccessLog accessLog, Optional<String> debugHeader, List<Route> routes) {

    public GatewaySettings {
        routes = List.copyOf(routes);
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("a gateway has at least one route");
        }
    }

    /** The route that serves a call; none when the gateway forwards no such call. */
    public Optional<Route> routeOf(Call call) {
        return routes.stream().filter(route -> route.match().matches(call)).findFirst();
    }

    /** The form of the access log. */
    public enum AccessLog {
        /** An object a line. */
        JSON,
        /** The combined format of web servers. */
        COMBINED,
        /** None is written. */
        OFF;

        /** As the policy file says it. */
        public String policyName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An address to listen on.
     *
     * @param host a name or an address, IPv6 without brackets
     * @param port 0 is any that is free
     * @param tls how callers are spoken to in secret; without it HTTP/1.1 and h2c are spoken openly
     */
    public record Listener(String host, int port, Optional<Tls> tls) {

        /** {@code 127.0.0.1:8080} or {@code [::1]:8080}. */
        public String address() {
            return GatewaySettings.address(host, port);
        }
    }

    /**
     * What a listener proves itself with, both files in PEM.
     *
     * @param certificate its certificate, and those between it and a known authority
     * @param key the private key of the certificate
     */
    public record Tls(Path certificate, Path key) {}

    /**
     * The operators' address.
     *
     * @param host a name or an address, IPv6 without brackets
     * @param port 0 is any that is free
     * @param readToken what reading needs; without one everybody who reaches the address may read
     * @param writeToken what changes need; without one nothing can be changed
     */
    public record Admin(String host, int port, Optional<String> readToken, Optional<String> writeToken) {

        /** {@code 127.0.0.1:9090} or {@code [::1]:9090}. */
        public String address() {
            return GatewaySettings.address(host, port);
        }

        /** Without the tokens. */
        @Override
        public String toString() {
            return "Admin[" + address() + (readToken.isPresent() ? ", with a read token" : "")
                    + (writeToken.isPresent() ? ", with a write token" : "") + "]";
        }
    }

    /**
     * Which calls go where.
     *
     * @param name in printable ASCII: as given, or made of the hosts and paths of the condition
     * @param outbound the dependency of the policy as which its upstream is asked, if it is
     */
    public record Route(String name, Match match, Upstream upstream, Optional<String> outbound) {}

    /**
     * A service that calls are forwarded to.
     *
     * @param targets at least one, all of one scheme
     * @param health how it is asked whether it works
     * @param connect how long a connection may take
     * @param response how long the first byte of an answer may take
     * @param idle how long nothing may move while a body is on its way
     * @param tls how targets with https are spoken to; without it the system's authorities decide, and hosts are verified
     */
    public record Upstream(
            List<Target> targets,
            Optional<Health> health,
            Duration connect,
            Duration response,
            Duration idle,
            Optional<UpstreamTls> tls) {

        public Upstream {
            targets = List.copyOf(targets);
            if (targets.isEmpty()) {
                throw new IllegalArgumentException("an upstream has at least one target");
            }
        }
    }

    /** How a target is spoken to. */
    public enum Scheme {
        /** HTTP/1.1. */
        HTTP(80),
        /** HTTP over TLS. */
        HTTPS(443),
        /** HTTP/2 without TLS. */
        H2C(80);

        private final int defaultPort;

        Scheme(int defaultPort) {
            this.defaultPort = defaultPort;
        }

        /** The port of a URL without one. */
        public int defaultPort() {
            return defaultPort;
        }

        /** As the policy file says it. */
        public String policyName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One server of an upstream.
     *
     * @param host a name or an address, IPv6 without brackets
     * @param port from 1 to 65535
     */
    public record Target(Scheme scheme, String host, int port) {

        /** Its URL, with the port. */
        @Override
        public String toString() {
            return scheme.policyName() + "://" + address(host, port);
        }
    }

    /**
     * How a target is asked whether it works.
     *
     * @param path what is asked for; begins with a slash
     * @param every how often
     */
    public record Health(String path, Duration every) {}

    /**
     * How targets are spoken to in secret, all files in PEM.
     *
     * @param ca the authorities believed instead of the system's
     * @param certificate what the gateway proves itself with; there with the key or not at all
     * @param key the private key of the certificate
     * @param verifyHost whether a target's certificate must name its host
     */
    public record UpstreamTls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key, boolean verifyHost) {}

    private static String address(String host, int port) {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
