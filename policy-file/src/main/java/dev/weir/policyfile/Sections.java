package dev.weir.policyfile;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The whole of a policy file: its sections, and through them every field. */
final class Sections {

    private Sections() {}

    /** The file. */
    static final Shape.Group POLICY = new Shape.Group(
            "policy",
            "The sections of a policy file.",
            List.of(
                    Definitions.field("weir", Definitions.FORMAT, "required", "The version of the file's format.", "1"),
                    Definitions.field(
                            "identity",
                            Definitions.IDENTITY,
                            "nobody is trusted",
                            Definitions.IDENTITY.description(),
                            "{ trusted-proxies: [10.0.0.0/8] }"),
                    Definitions.field(
                            "call",
                            Definitions.CALL,
                            "none is read",
                            Definitions.CALL.description(),
                            "{ deadline: header:X-Request-Timeout }"),
                    Definitions.field(
                            "exempt",
                            Definitions.MATCHES,
                            "none",
                            "Calls that nothing applies to; they are counted.",
                            "[ { path: /healthz } ]"),
                    Definitions.field(
                            "plans",
                            Definitions.PLANS,
                            "no plans",
                            Definitions.PLANS.description(),
                            "{ from: file:plans.csv, default: free }"),
                    Definitions.field(
                            "answers",
                            Definitions.ANSWERS,
                            "as each field says",
                            Definitions.ANSWERS.description(),
                            "{ fields: draft-11, jitter: 10% }"),
                    Definitions.field(
                            "limits",
                            Definitions.LIMITS,
                            "none",
                            "Budgets per key. All that match a call apply, in file order.",
                            "{ per-key: { key: header:X-Api-Key, rate: 10/s } }"),
                    Definitions.field(
                            "criticality",
                            Definitions.CRITICALITY_SECTION,
                            "every call is critical",
                            Definitions.CRITICALITY_SECTION.description(),
                            "{ default: critical }"),
                    Definitions.field(
                            "load",
                            LoadDefinitions.GATES,
                            "nothing is held back",
                            "What this process can carry. The first gate that matches a call holds it.",
                            "{ service: { concurrency: gradient } }"),
                    Definitions.field(
                            "gateway",
                            Definitions.GATEWAY,
                            "no gateway",
                            Definitions.GATEWAY.description(),
                            "{ routes: [ { match: { path: /** }, upstream: http://127.0.0.1:8081 } ] }"),
                    Definitions.field(
                            "outbound",
                            OutboundDefinitions.OUTBOUNDS,
                            "calls to others are not held back",
                            "What this process asks of others. The first dependency that has a call's host is asked.",
                            "{ payments: { rate: 200/s, in-flight: 8, timeout: 2s } }"),
                    Definitions.field(
                            "store",
                            Definitions.STORE,
                            "every instance counts for itself",
                            Definitions.STORE.description(),
                            "{ redis: { url: redis://10.0.0.5:6379 } }")));

    /** All groups, each once, outermost first. */
    static List<Shape.Group> groups() {
        Set<Shape.Group> found = new LinkedHashSet<>();
        collect(POLICY, found);
        return new ArrayList<>(found);
    }

    private static void collect(Shape shape, Set<Shape.Group> found) {
        if (shape instanceof Shape.Group group) {
            if (found.add(group)) {
                group.fields().forEach(field -> collect(field.shape(), found));
            }
        } else if (shape instanceof Shape.ListOf list) {
            collect(list.item(), found);
        } else if (shape instanceof Shape.OneOrMore list) {
            collect(list.item(), found);
        } else if (shape instanceof Shape.Named named) {
            collect(named.value(), found);
        } else if (shape instanceof Shape.AnyOf any) {
            any.shapes().forEach(each -> collect(each, found));
        }
    }
}
