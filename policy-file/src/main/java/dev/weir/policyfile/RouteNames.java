package dev.weir.policyfile;

import dev.weir.policy.AdmissionPoint;
import java.util.List;
import java.util.Optional;

/** Looks for conditions on routes that the gateway does not have. A limit that it does not enforce may name those of a service. */
final class RouteNames {

    private final List<String> known;

    private RouteNames(List<String> known) {
        this.known = known;
    }

    static void check(Fields sections, GatewaySettings gateway) {
        RouteNames names = new RouteNames(
                gateway.routes().stream().map(GatewaySettings.Route::name).toList());
        sections.get("exempt").ifPresent(names::matches);
        sections.get("limits").map(value -> value.named(Definitions.LIMITS)).orElse(List.of()).stream()
                .flatMap(named -> named.value().fields(Definitions.LIMIT).stream())
                .filter(RouteNames::atGateway)
                .forEach(limit -> {
                    limit.get("match").ifPresent(names::matches);
                    limit.get("except").ifPresent(names::matches);
                    limit.get("cost").filter(Value::isSequence).ifPresent(c -> names.rules(c, Definitions.COST_RULE));
                });
        sections.read("criticality", value -> value.fields(Definitions.CRITICALITY_SECTION))
                .flatMap(criticality -> criticality.get("rules"))
                .ifPresent(rules -> names.rules(rules, Definitions.CRITICALITY_RULE));
    }

    private static boolean atGateway(Fields limit) {
        return limit.read("at", value -> value.oneOrMore(point -> point.word(Definitions.POINTS)))
                .map(points -> points.contains(AdmissionPoint.GATEWAY))
                .orElse(true);
    }

    private void rules(Value rules, Shape.Group group) {
        rules.list(rule -> {
            rule.fields(group).flatMap(fields -> fields.get("match")).ifPresent(this::matches);
            return Optional.empty();
        });
    }

    private void matches(Value value) {
        value.oneOrMore(match -> {
            match.fields(Definitions.MATCH)
                    .flatMap(fields -> fields.get("route"))
                    .ifPresent(this::routes);
            return Optional.empty();
        });
    }

    private void routes(Value value) {
        value.oneOrMore(route -> route.text(Definitions.ROUTE)
                .flatMap(name -> known.contains(name)
                        ? Optional.of(name)
                        : route.wrong("'" + Value.shown(name) + "' is not the name of a route of the gateway"
                                + Nearest.hint(name, known) + "; known are " + Value.shown(String.join(", ", known)))));
    }
}
