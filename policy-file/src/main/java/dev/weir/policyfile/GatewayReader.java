package dev.weir.policyfile;

import dev.weir.policy.Match;
import dev.weir.policyfile.GatewaySettings.AccessLog;
import dev.weir.policyfile.GatewaySettings.Admin;
import dev.weir.policyfile.GatewaySettings.Health;
import dev.weir.policyfile.GatewaySettings.Listener;
import dev.weir.policyfile.GatewaySettings.Route;
import dev.weir.policyfile.GatewaySettings.Target;
import dev.weir.policyfile.GatewaySettings.Tls;
import dev.weir.policyfile.GatewaySettings.Upstream;
import dev.weir.policyfile.GatewaySettings.UpstreamTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what the gateway listens on and where it forwards. */
final class GatewayReader {

    private static final Listener LISTEN = new Listener("127.0.0.1", 8080, Optional.empty());
    private static final Admin ADMIN = new Admin("127.0.0.1", 9090, Optional.empty(), Optional.empty());
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration RESPONSE = Duration.ofSeconds(30);
    private static final String SAY_CONNECT = "connect: 1s";
    private static final String SAY_RESPONSE = "response: 30s";
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration HEALTH_EVERY = Duration.ofSeconds(5);
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofHours(1);

    private final Reading reading;
    /** Where the gateway itself is called; none when that is wrong. */
    private Optional<Listener> listen = Optional.empty();

    /** The names under outbound; empty when that section is wrong, so that nobody is told that a name is not there. */
    private Optional<List<String>> dependencies = Optional.empty();

    private GatewayReader(Reading reading) {
        this.reading = reading;
    }

    /** The section {@code gateway} among the sections; empty when there is none or it is wrong. */
    static Optional<GatewaySettings> read(Fields sections, Reading reading) {
        return sections.read("gateway", value -> value.fields(Definitions.GATEWAY))
                .flatMap(fields -> new GatewayReader(reading).read(fields, sections));
    }

    private Optional<GatewaySettings> read(Fields fields, Fields sections) {
        dependencies = dependencies(sections);
        listen = fields.readOr("listen", LISTEN, this::listener);
        Optional<Admin> admin = fields.readOr("admin", ADMIN, GatewayReader::admin);
        if (listen.isPresent()
                && admin.isPresent()
                && HostPort.meet(
                        listen.get().host(),
                        listen.get().port(),
                        admin.get().host(),
                        admin.get().port())) {
            fields.misplaced(
                    fields.has("admin") ? "admin" : "listen",
                    "callers and operators would come in at one address, "
                            + listen.get().address() + ": give listen and admin a port each");
        }
        Optional<AccessLog> log =
                fields.readOr("access-log", AccessLog.JSON, value -> value.word(Definitions.ACCESS_LOG));
        Optional<String> debug =
                fields.read("debug", value -> value.parsed(Definitions.HEADER, MatchReader::headerName));
        if (!fields.has("routes") && fields.understood()) {
            sections.misplaced(
                    "gateway",
                    "the gateway has no routes, so it could forward nothing: say routes: [ { match: { path: /** }, upstream: http://HOST:PORT } ]");
        }
        Optional<List<Route>> routes = fields.read("routes", this::routes);
        return listen.isPresent() && admin.isPresent() && log.isPresent() && routes.isPresent()
                ? Optional.of(new GatewaySettings(listen.get(), admin.get(), log.get(), debug, routes.get()))
                : Optional.empty();
    }

    // Addresses

    private Optional<Listener> listener(Value value) {
        if (!value.isMapping()) {
            return address(value).map(at -> listener(at, Optional.empty()));
        }
        return value.fields(Definitions.LISTENER).flatMap(fields -> {
            Optional<HostPort> address =
                    fields.readOr("address", HostPort.parse(LISTEN.address()), GatewayReader::address);
            Optional<Tls> tls = fields.read("tls", this::tls);
            return address.map(at -> listener(at, tls));
        });
    }

    private static Listener listener(HostPort at, Optional<Tls> tls) {
        return new Listener(at.host(), at.port().orElseThrow(), tls);
    }

    private Optional<Tls> tls(Value value) {
        return value.fields(Definitions.TLS).flatMap(fields -> {
            fields.requireBoth("certificate", "key");
            Optional<Path> certificate = fields.read("certificate", reading::file);
            return fields.read("key", reading::file).flatMap(key -> certificate.map(c -> new Tls(c, key)));
        });
    }

    private static Optional<Admin> admin(Value value) {
        if (!value.isMapping()) {
            return address(value).map(at -> admin(at, Optional.empty(), Optional.empty()));
        }
        return value.fields(Definitions.ADMIN).flatMap(fields -> {
            Optional<HostPort> address =
                    fields.readOr("address", HostPort.parse(ADMIN.address()), GatewayReader::address);
            Optional<String> read = fields.read("read-token", GatewayReader::token);
            Optional<String> write = fields.read("write-token", GatewayReader::token);
            return address.map(at -> admin(at, read, write));
        });
    }

    private static Admin admin(HostPort at, Optional<String> read, Optional<String> write) {
        return new Admin(at.host(), at.port().orElseThrow(), read, write);
    }

    private static Optional<String> token(Value value) {
        if (!value.fromEnvironment()) {
            value.warn(
                    WarningName.SECRET_IN_FILE,
                    "a token stands in the file itself: name an environment variable, such as ${WEIR_TOKEN}");
        }
        return value.text(Definitions.SECRET);
    }

    private static Optional<HostPort> address(Value value) {
        return value.parsed(Definitions.ADDRESS, text -> {
            HostPort at = HostPort.parse(text);
            if (at.port().isEmpty()) {
                throw new IllegalArgumentException(
                        "'" + Value.shown(text) + "' has no port: say " + Definitions.ADDRESS.grammar());
            }
            return at;
        });
    }

    // Routes

    private Optional<List<Route>> routes(Value value) {
        List<Route> before = new ArrayList<>();
        return value.list(item -> {
            Optional<Route> route = item.fields(Definitions.GATEWAY_ROUTE).flatMap(fields -> route(item, fields));
            route.filter(read -> !before.contains(read)).ifPresent(read -> {
                check(item, read, before);
                before.add(read);
            });
            return route;
        });
    }

    private Optional<Route> route(Value whole, Fields fields) {
        fields.requireBoth("match", "upstream");
        if (fields.understood() && !fields.has("match") && !fields.has("upstream")) {
            whole.wrong("a route names its match and its upstream");
        }
        Optional<Match> match = fields.read("match", GatewayReader::match);
        Optional<Upstream> upstream = fields.read("upstream", value -> upstream(value, fields));
        Optional<String> name = fields.read("name", GatewayReader::name);
        Optional<String> outbound = fields.read("outbound", this::dependency);
        boolean complete = fields.understood()
                && (name.isPresent() || !fields.has("name"))
                && (outbound.isPresent() || !fields.has("outbound"));
        return complete && match.isPresent() && upstream.isPresent()
                ? Optional.of(new Route(name.orElseGet(() -> name(match.get())), match.get(), upstream.get(), outbound))
                : Optional.empty();
    }

    private static Optional<List<String>> dependencies(Fields sections) {
        return sections.understood()
                ? Optional.of(
                        sections
                                .get("outbound")
                                .map(value -> value.named(OutboundDefinitions.OUTBOUNDS))
                                .orElse(List.of())
                                .stream()
                                .map(Value.Named::name)
                                .toList())
                : Optional.empty();
    }

    private Optional<String> dependency(Value value) {
        return value.text(Definitions.DEPENDENCY)
                .flatMap(name -> dependencies
                                .filter(known -> !known.contains(name))
                                .isEmpty()
                        ? Optional.of(name)
                        : value.wrong("'" + Value.shown(name) + "' is not the name of a dependency under outbound"
                                + Nearest.hint(name, dependencies.get())
                                + (dependencies.get().isEmpty()
                                        ? "; there is none: name it there"
                                        : "; known are " + Value.shown(String.join(", ", dependencies.get())))));
    }

    /** A condition on what the gateway knows before a route is chosen. */
    private static Optional<Match> match(Value value) {
        value.fields(Definitions.MATCH)
                .ifPresent(fields -> Stream.of("route", "attribute")
                        .filter(fields::has)
                        .forEach(field -> fields.misplaced(
                                field,
                                "the gateway does not know a call's " + field + " before its route: leave it out")));
        return MatchReader.read(value);
    }

    private static Optional<String> name(Value value) {
        return value.text(Definitions.ROUTE)
                .flatMap(name -> isAscii(name)
                        ? Optional.of(name)
                        : value.wrong("the name of a route is a label of metrics: printable ASCII only"));
    }

    private static String name(Match match) {
        String name = Stream.concat(match.host().stream(), match.path().stream())
                .map(Object::toString)
                .collect(Collectors.joining(","));
        return name.isEmpty() ? "/**" : name;
    }

    private static void check(Value item, Route route, List<Route> before) {
        if (!isAscii(route.name())) {
            item.wrong("this route's name is made of its hosts and paths and is not printable ASCII: give it a name");
        }
        Optional<Route> instead = before.stream()
                .filter(earlier -> Coverage.covers(earlier.match(), route.match()))
                .findFirst();
        if (instead.isPresent()) {
            item.wrong("never reached: stands behind a route that matches every call that it does, '"
                    + Value.shown(instead.get().name()) + "': move it up, or remove it");
        } else if (before.stream().anyMatch(earlier -> earlier.name().equals(route.name()))) {
            item.wrong("two routes are called '" + Value.shown(route.name()) + "': give one a name of its own");
        }
    }

    private static boolean isAscii(String name) {
        return name.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    // Upstreams

    private Optional<Upstream> upstream(Value value, Fields route) {
        if (!value.isMapping()) {
            return target(value).map(target -> {
                warnOfTimeouts(value, SAY_CONNECT, SAY_RESPONSE);
                return new Upstream(List.of(target), Optional.empty(), CONNECT, RESPONSE, IDLE, Optional.empty());
            });
        }
        return value.fields(Definitions.UPSTREAM).flatMap(fields -> upstream(value, fields, route));
    }

    private Optional<Upstream> upstream(Value value, Fields fields, Fields route) {
        if (!fields.has("url") && fields.understood()) {
            route.misplaced("upstream", "this upstream has no url: say url: " + Definitions.URL.grammar());
        }
        warnOfTimeouts(
                value,
                Stream.of(SAY_CONNECT, SAY_RESPONSE)
                        .filter(say -> !fields.has(say.substring(0, say.indexOf(':'))))
                        .toArray(String[]::new));
        List<Target> before = new ArrayList<>();
        Optional<List<Target>> targets = fields.read(
                "url",
                urls -> urls.oneOrMore(url -> {
                    Optional<Target> target = target(url);
                    target.ifPresent(before::add);
                    return target.flatMap(read -> sameScheme(url, read, before.get(0)));
                }));
        Optional<Health> health = fields.read("health", GatewayReader::health);
        Optional<Duration> connect = fields.readOr("connect", CONNECT, GatewayReader::duration);
        Optional<Duration> response = fields.readOr("response", RESPONSE, GatewayReader::duration);
        Optional<Duration> idle = fields.readOr("idle", IDLE, GatewayReader::duration);
        Optional<UpstreamTls> tls = fields.read("tls", this::upstreamTls);
        if (fields.has("tls") && targets.isPresent() && targets.get().get(0).scheme() != GatewaySettings.Scheme.HTTPS) {
            fields.misplaced("tls", "tls needs https: say https in the url, or leave tls out");
        }
        return targets.isPresent() && connect.isPresent() && response.isPresent() && idle.isPresent()
                ? Optional.of(new Upstream(targets.get(), health, connect.get(), response.get(), idle.get(), tls))
                : Optional.empty();
    }

    private static Optional<Target> sameScheme(Value url, Target target, Target first) {
        return target.scheme() == first.scheme()
                ? Optional.of(target)
                : url.wrong("this URL is of " + target.scheme().policyName() + " and the first is of "
                        + first.scheme().policyName() + ": all URLs of an upstream share one scheme");
    }

    private static void warnOfTimeouts(Value value, String... missing) {
        if (missing.length > 0) {
            value.warn(
                    WarningName.NO_TIMEOUT,
                    "this upstream leaves it to the defaults how long it may take: say " + String.join(" and ", missing)
                            + ", or what suits it");
        }
    }

    private Optional<Target> target(Value value) {
        return value.parsed(Definitions.URL, TargetUrl::parse).flatMap(target -> {
            boolean itself = listen.isPresent()
                    && HostPort.meet(listen.get().host(), listen.get().port(), target.host(), target.port());
            return itself
                    ? value.wrong(
                            "the gateway itself listens on " + listen.get().address()
                                    + " and would call itself: name the service behind it, or listen elsewhere")
                    : Optional.of(target);
        });
    }

    private static Optional<Health> health(Value value) {
        return value.fields(Definitions.HEALTH).flatMap(fields -> {
            if (fields.has("every")) {
                fields.lacks("every", "path", "health does not say what is asked for: say path: /healthz");
            }
            Optional<Duration> every = fields.readOr("every", HEALTH_EVERY, GatewayReader::duration);
            return fields.read("path", path -> path.parsed(Definitions.HEALTH_PATH, GatewayReader::healthPath))
                    .flatMap(path -> every.map(e -> new Health(path, e)));
        });
    }

    private static String healthPath(String text) {
        if (!text.matches(Definitions.HEALTH_PATH.pattern().orElseThrow())) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(text) + "' is not " + Definitions.HEALTH_PATH.grammar());
        }
        return text;
    }

    private Optional<UpstreamTls> upstreamTls(Value value) {
        return value.fields(Definitions.UPSTREAM_TLS).map(fields -> {
            fields.requireBoth("certificate", "key");
            return new UpstreamTls(
                    fields.read("ca", reading::file),
                    fields.read("certificate", reading::file),
                    fields.read("key", reading::file),
                    fields.read("verify-host", v -> v.word(Definitions.YES_OR_NO))
                            .orElse(true));
        });
    }

    /** A duration from 1 ms to 1 h. */
    static Optional<Duration> duration(Value value) {
        return value.parsed(Definitions.TIMEOUT, text -> {
            Duration duration = Durations.parse(text);
            if (duration.compareTo(LEAST) < 0 || duration.compareTo(MOST) > 0) {
                throw new IllegalArgumentException("'" + text + "' is not from 1ms to 1h");
            }
            return duration;
        });
    }
}
