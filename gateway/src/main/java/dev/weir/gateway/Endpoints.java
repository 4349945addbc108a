package dev.weir.gateway;

import dev.weir.gateway.Endpoint.Access;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** All that the admin port answers, in one table. */
final class Endpoints {

    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final Set<String> FILTERS = Set.of("limit", "reason", "id", "outcome", "top");
    private static final Set<String> PAGE = Set.of("offset", "limit");

    private Endpoints() {}

    static List<Endpoint> of(
            Running running, Watched watched, Supplier<Running.Reload> reload, BooleanSupplier draining) {
        HealthAnswers health = new HealthAnswers(running, draining);
        PolicyAnswers policy = new PolicyAnswers(running, reload);
        LimitAnswers limits = new LimitAnswers(running.weir());
        OverrideAnswers overrides = new OverrideAnswers(running);
        FleetAnswers fleet = new FleetAnswers(running.weir());
        GateAnswers gates = new GateAnswers(running.weir());
        OutboundAnswers outbounds = new OutboundAnswers(running.weir());
        KeyAnswers keys = new KeyAnswers(running.weir(), watched.remembered());
        DecisionAnswers decisions = new DecisionAnswers(running.weir(), watched.remembered());
        return List.of(
                new Endpoint("GET", "/healthz", Access.OPEN, Set.of(), health::healthz),
                new Endpoint("GET", "/readyz", Access.OPEN, Set.of(), health::readyz),
                new Endpoint(
                        "GET",
                        "/metrics",
                        Access.READ,
                        Set.of(),
                        asked -> new Answer(200, PROMETHEUS_TEXT, Map.of(), watched.scrape(running))),
                new Endpoint("GET", "/limits", Access.READ, PAGE, limits::limits),
                new Endpoint("GET", "/gates", Access.READ, PAGE, gates::gates),
                new Endpoint("GET", "/outbound", Access.READ, PAGE, outbounds::outbounds),
                new Endpoint("GET", "/store", Access.READ, Set.of(), fleet::store),
                new Endpoint("GET", "/instances", Access.READ, Set.of(), fleet::instances),
                new Endpoint("GET", "/limits/{name}/keys", Access.READ, Set.of("top"), keys::busiest),
                new Endpoint("GET", "/keys/{key}", Access.READ, Set.of(), keys::standings),
                new Endpoint("DELETE", "/keys/{key}", Access.WRITE, Set.of(), keys::forget),
                new Endpoint("GET", "/decisions", Access.READ, FILTERS, decisions::decisions),
                new Endpoint("GET", "/shadow", Access.READ, PAGE, decisions::shadow),
                new Endpoint("GET", "/policy", Access.READ, Set.of(), policy::policy),
                new Endpoint("GET", "/overrides", Access.READ, PAGE, overrides::overrides),
                new Endpoint(
                        "PUT",
                        "/overrides/{limit}/{field}",
                        Access.WRITE,
                        Set.of("value", "until", "why"),
                        overrides::put),
                new Endpoint("DELETE", "/overrides/{limit}/{field}", Access.WRITE, Set.of(), overrides::delete),
                new Endpoint("GET", "/audit", Access.READ, PAGE, overrides::audit),
                new Endpoint("POST", "/reload", Access.WRITE, Set.of(), policy::reload),
                new Endpoint("GET", "/openapi.json", Access.READ, Set.of(), asked -> openApi()));
    }

    private static Answer openApi() {
        try (InputStream in = Endpoints.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is missing from this build");
            }
            return new Answer(200, Answer.JSON, Map.of(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
