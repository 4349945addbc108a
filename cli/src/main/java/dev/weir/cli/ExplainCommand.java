package dev.weir.cli;

import dev.weir.policy.AddressRange;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.ClientAddress;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.policyfile.GatewaySettings;
import dev.weir.policyfile.Loaded;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir explain}: which limits count a call, by whom, at each point, and why. */
@Command(
        name = "explain",
        description = "Tell which limits count a call, by whom, at each point, and why the others do not.",
        footer = {
            "",
            "Example:",
            "  weir explain policy.yaml --method POST --path /login --header 'X-Api-Key: abc' --peer 192.0.2.7"
        })
final class ExplainCommand implements Callable<Integer> {

    @Parameters(paramLabel = "POLICY", description = "The policy file.")
    private Path file = Path.of("");

    @Option(
            names = "--method",
            paramLabel = "M",
            defaultValue = "GET",
            description = "The request method; default: GET.")
    private String method = "GET";

    @Option(
            names = "--path",
            required = true,
            paramLabel = "P",
            description = "The path, with its query if it has one.")
    private String path = "";

    @Option(names = "--header", paramLabel = "K:V", description = "A request header; may be given more than once.")
    private List<String> headers = List.of();

    @Option(
            names = "--peer",
            paramLabel = "IP",
            defaultValue = "127.0.0.1",
            description = "The address of the connection's peer; default: 127.0.0.1.")
    private String peer = "127.0.0.1";

    @Option(
            names = "--route",
            paramLabel = "NAME",
            description = "The route that serves the call; at the gateway by default the one that it takes.")
    private @Nullable String route;

    @Option(names = "--attribute", paramLabel = "K=V", description = "What the service has proved of the call.")
    private List<String> attributes = List.of();

    @Option(names = "--json", description = "Print it as JSON.")
    private boolean json;

    private final Streams streams;

    ExplainCommand(Streams streams) {
        this.streams = streams;
    }

    /** One limit's part at one point: what it counts, or why it does not. */
    record Part(
            String limit,
            boolean applies,
            String why,
            @Nullable String key,
            @Nullable String counted_by,
            @Nullable String plan,
            @Nullable String budget,
            @Nullable Long cost,
            @Nullable String mode,
            Map<String, Object> settings) {}

    @Override
    public Integer call() {
        Loaded.Understood understood = Policies.understood(file);
        Policy policy = understood.policy();
        GivenCall call = new GivenCall(
                method,
                checkedPath(),
                pairs(headers, ':', "--header"),
                checkedPeer(),
                route,
                single(pairs(attributes, '=', "--attribute")));
        Instant now = Instant.now();
        Optional<GatewaySettings.Route> taken = understood.gateway().flatMap(gateway -> gateway.routeOf(call));
        GivenCall atGateway =
                route == null ? taken.map(known -> call.on(known.name())).orElse(call) : call;
        Map<String, Object> gateway = new LinkedHashMap<>();
        understood.gateway().ifPresent(settings -> {
            gateway.putAll(GatewayWords.settings(settings));
            gateway.putAll(GatewayWords.route(taken));
        });
        Map<String, List<Part>> points = new LinkedHashMap<>();
        Bill any = policy.bill(atGateway, AdmissionPoint.GATEWAY, now);
        Map<String, Object> gate = any.entrance().map(GateWords::entrance).orElseGet(Map::of);
        for (AdmissionPoint point : AdmissionPoint.values()) {
            points.put(
                    point.policyName(), parts(policy, point == AdmissionPoint.GATEWAY ? atGateway : call, point, now));
        }
        String client =
                ClientAddress.of(policy.identity(), peer, call.headers("X-Forwarded-For"), call.headers("Forwarded"));
        if (json) {
            Json.print(streams.out(), report(policy, call, client, any, gateway, gate, points));
        } else {
            print(policy, call, client, any, gateway, gate, points);
        }
        return Main.OK;
    }

    private String checkedPath() {
        if (!path.startsWith("/")) {
            throw new BadInput("--path '" + path
                    + "' does not begin with a slash: give it as callers ask for it, such as /api/x.");
        }
        return path;
    }

    private String checkedPeer() {
        try {
            if (peer.indexOf('/') < 0) {
                AddressRange.parse(peer);
                return peer;
            }
        } catch (IllegalArgumentException e) {
            // said below, with the option's name
        }
        throw new BadInput("--peer '" + peer + "' is no IP address: give one such as 192.0.2.7 or 2001:db8::1.");
    }

    private static Map<String, List<String>> pairs(List<String> given, char between, String option) {
        Map<String, List<String>> pairs = new LinkedHashMap<>();
        for (String text : given) {
            int at = text.indexOf(between);
            if (at <= 0) {
                throw new BadInput(option + " '" + text + "' has no name and value: give NAME" + between + "VALUE.");
            }
            String name = text.substring(0, at).trim();
            String key = between == ':' ? name.toLowerCase(Locale.ROOT) : name;
            pairs.computeIfAbsent(key, k -> new ArrayList<>())
                    .add(text.substring(at + 1).trim());
        }
        return pairs;
    }

    private static Map<String, String> single(Map<String, List<String>> pairs) {
        Map<String, String> single = new LinkedHashMap<>();
        pairs.forEach((name, values) -> single.put(name, values.get(0)));
        return single;
    }

    private static List<Part> parts(Policy policy, GivenCall call, AdmissionPoint point, Instant now) {
        Bill bill = policy.bill(call, point, now);
        List<Part> parts = new ArrayList<>();
        for (Limit limit : policy.limits()) {
            Optional<Bill.Line> line = bill.lines().stream()
                    .filter(each -> each.limit().name().equals(limit.name()))
                    .findFirst();
            parts.add(line.map(ExplainCommand::counting).orElseGet(() -> notCounting(bill, limit, call, point)));
        }
        return parts;
    }

    private static Part counting(Bill.Line line) {
        String from = line.overridden()
                ? "its override"
                : line.plan()
                        .filter(line.limit().plans()::containsKey)
                        .map(plan -> "plan " + plan)
                        .orElse("the limit itself");
        String why = line.block()
                .map(block -> (line.enforced() ? "refuses: " : "would refuse: ")
                        + block.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .orElse(
                        line.budget() instanceof Budget.Unlimited
                                ? "lets pass without counting, by " + from
                                : "counts, by " + from);
        return new Part(
                line.limit().name(),
                true,
                why,
                line.key(),
                line.countedBy().toString(),
                line.plan().orElse(null),
                line.budget().toString(),
                line.cost(),
                mode(line.limit().mode())
                        + (line.limit().mode().kind() == Mode.Kind.PARTIAL
                                ? line.enforced() ? ", enforced for this key" : ", shadow for this key"
                                : ""),
                PolicyWords.settings(line.limit()));
    }

    private static Part notCounting(Bill bill, Limit limit, GivenCall call, AdmissionPoint point) {
        return new Part(
                limit.name(),
                false,
                whyNot(bill, limit, call, point),
                null,
                null,
                null,
                null,
                null,
                mode(limit.mode()),
                PolicyWords.settings(limit));
    }

    private static String whyNot(Bill bill, Limit limit, GivenCall call, AdmissionPoint point) {
        if (bill.exempt().isPresent()) {
            return bill.exempt().get() == Bill.Exemption.LISTED ? "the call is exempt" : "the call is a CORS preflight";
        }
        if (limit.mode().kind() == Mode.Kind.OFF) {
            return "its mode is off";
        }
        if (!limit.at().contains(point)) {
            return "it is not enforced at this point";
        }
        if (!limit.match().matches(call)) {
            return "the call's " + PolicyWords.firstMismatch(limit.match(), call) + " does not match";
        }
        for (Match exception : limit.except()) {
            if (exception.matches(call)) {
                return "except matches: " + PolicyWords.match(exception);
            }
        }
        for (Bill.Line line : bill.lines()) {
            if (line.enforced() && line.limit().insteadOf().contains(limit.name())) {
                return line.limit().name() + " stands instead of it";
            }
        }
        return "the call has no " + limit.key() + ", and if-missing says skip";
    }

    private static String mode(Mode mode) {
        return switch (mode.kind()) {
            case ENFORCE -> "enforce";
            case SHADOW -> "shadow";
            case OFF -> "off";
            case PARTIAL -> mode.shareBasisPoints() / 100.0 + "% of keys";
        };
    }

    private static Map<String, Object> report(
            Policy policy,
            GivenCall call,
            String client,
            Bill any,
            Map<String, Object> gateway,
            Map<String, Object> gate,
            Map<String, List<Part>> points) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("call", call.method() + " " + call.target());
        report.put("path", call.path());
        report.put("peer", call.peer());
        report.put("client", client);
        report.put("trusted", policy.identity().trusts(call.peer()));
        report.put(
                "exempt",
                any.exempt().map(e -> e.name().toLowerCase(Locale.ROOT)).orElse(null));
        report.put("criticality", any.criticality().policyName());
        report.put("policy", PolicyWords.settings(policy));
        report.put("gateway", gateway.isEmpty() ? null : gateway);
        report.put("gate", gate.isEmpty() ? null : gate);
        report.put("points", points);
        report.put("outbound", policy.outbounds().isEmpty() ? null : OutboundWords.all(policy.outbounds()));
        return report;
    }

    private void print(
            Policy policy,
            GivenCall call,
            String client,
            Bill any,
            Map<String, Object> gateway,
            Map<String, Object> gate,
            Map<String, List<Part>> points) {
        streams.out()
                .println(call.method() + " " + call.target()
                        + (call.path().equals(call.target()) ? "" : ", matched as " + call.path()));
        streams.out()
                .println("  client       " + client
                        + (client.equals(peer)
                                ? ", the peer"
                                : ", told by " + (policy.identity().trusts(peer) ? "the trusted peer " : "the peer ")
                                        + peer));
        streams.out().println("  criticality  " + any.criticality().policyName());
        any.exempt()
                .ifPresent(exempt -> streams.out()
                        .println("  exempt       "
                                + (exempt == Bill.Exemption.LISTED ? "listed in the policy" : "a CORS preflight")));
        settings(PolicyWords.settings(policy));
        if (!gateway.isEmpty()) {
            streams.out().println();
            streams.out().println("the gateway");
            settings(gateway);
        }
        if (!gate.isEmpty()) {
            streams.out().println();
            streams.out().println("what holds it, in the gateway and in the service, each by itself");
            settings(gate);
        }
        Map<List<Part>, List<String>> same = new LinkedHashMap<>();
        points.forEach((point, parts) ->
                same.computeIfAbsent(parts, p -> new ArrayList<>()).add(point));
        same.forEach((parts, at) -> {
            streams.out().println();
            streams.out().println("at " + String.join(", ", at));
            if (parts.isEmpty()) {
                streams.out().println("  no limits");
            }
            parts.forEach(this::print);
        });
        if (!policy.outbounds().isEmpty()) {
            streams.out().println();
            streams.out().println("what may go out to others, first come first served");
            settings(OutboundWords.all(policy.outbounds()));
        }
        whoShares(
                policy,
                points.values().stream()
                        .flatMap(List::stream)
                        .filter(Part::applies)
                        .distinct()
                        .toList());
    }

    private void whoShares(Policy policy, List<Part> counting) {
        Set<String> fleet =
                policy.limits().stream().filter(Limit::isFleet).map(Limit::name).collect(Collectors.toSet());
        Map<String, Set<String>> slots = new LinkedHashMap<>();
        counting.stream()
                .filter(part -> fleet.contains(part.limit()))
                .forEach(part -> slots.computeIfAbsent(
                                part.counted_by() + " = " + part.key(), slot -> new LinkedHashSet<>())
                        .add(part.limit()));
        if (!slots.isEmpty()) {
            streams.out().println();
            streams.out()
                    .println("The fleet counts, in " + (slots.size() == 1 ? "one slot" : slots.size() + " slots")
                            + " of the store" + (slots.size() == 1 ? "" : ", of which a cluster asks all at once")
                            + ":");
            slots.forEach((slot, limits) -> streams.out().println("  " + slot + ": " + String.join(", ", limits)));
        }
        if (counting.stream().anyMatch(part -> !fleet.contains(part.limit()))) {
            streams.out().println();
            streams.out()
                    .println(
                            slots.isEmpty()
                                    ? "Every instance counts for itself: n instances grant up to n times as much."
                                    : "Of the other limits every instance counts for itself: n instances grant up to n times as much.");
        }
    }

    private void print(Part part) {
        streams.out().println("  " + (part.applies() ? "+ " : "- ") + part.limit() + ": " + part.why());
        if (part.applies()) {
            field(
                    "key",
                    part.counted_by() + " = "
                            + (part.key() == null || part.key().isEmpty() ? "(missing)" : part.key()));
            field("budget", part.budget() + ", this call costs " + part.cost());
            if (part.plan() != null) {
                field("plan", part.plan());
            }
            field("mode", String.valueOf(part.mode()));
            part.settings().forEach((name, value) -> field(name, String.valueOf(value)));
        }
    }

    private void settings(Map<String, Object> settings) {
        settings.forEach((name, value) -> streams.out().println("  " + pad(name, 12) + " " + value));
    }

    private void field(String name, String value) {
        streams.out().println("      " + pad(name, 10) + " " + value);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
