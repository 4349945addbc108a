package dev.weir.policyfile;

import static dev.weir.policyfile.Definitions.field;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.policy.Mode;
import java.util.List;
import java.util.stream.Collectors;

/** The fields of the section load, each once. */
final class LoadDefinitions {

    private LoadDefinitions() {}

    static final Shape.Whole SLOTS = new Shape.Whole(1, ConcurrencyLimit.HIGHEST);
    static final Shape.Whole PLACES = new Shape.Whole(1, 100_000);
    static final Shape.Text PERCENT = Shape.Text.like(
            "a percentage above 0% up to 100%, such as 60%",
            Definitions.PERCENT.pattern().orElseThrow());
    static final Shape.Text DEGRADE_MODE = Shape.Text.like(
            "a name in small letters, digits and hyphens, such as no-enrichment", "[a-z][a-z0-9-]{0,63}");
    static final Shape.Words<Mode> MODE =
            Definitions.words("enforce", Mode.ENFORCE, "shadow", Mode.SHADOW, "off", Mode.OFF);
    static final Shape.Words<Boolean> FAIR_BY = Definitions.words("tenant", true, "arrival", false);

    /** The ways of finding a limit, by their words. */
    enum Way {
        AIMD,
        GRADIENT,
        TARGET_LATENCY
    }

    static final Shape.Words<Way> WAYS =
            Definitions.words("aimd", Way.AIMD, "gradient", Way.GRADIENT, "target-latency", Way.TARGET_LATENCY);

    static final String SAY_TARGET = "100ms";

    private static Field initial() {
        return field(
                "initial",
                SLOTS,
                String.valueOf(ConcurrencyLimit.DEFAULT_INITIAL),
                "Where the limit starts: what a load test found, or less.",
                "20");
    }

    private static Field min() {
        return field(
                "min",
                SLOTS,
                String.valueOf(ConcurrencyLimit.DEFAULT_MIN),
                "The floor, which it never goes below.",
                "4");
    }

    private static Field max() {
        return field(
                "max",
                SLOTS,
                String.valueOf(ConcurrencyLimit.DEFAULT_MAX),
                "The ceiling, which it never goes above.",
                "500");
    }

    static final Shape.Group RANGE = new Shape.Group(
            "limit-range",
            "Between which numbers a limit is found: min, then initial, then max, each no lower than the one before.",
            List.of(initial(), min(), max()));

    static final Shape.Group TARGET = new Shape.Group(
            "limit-target",
            "The mean latency that a limit steers towards, and between which numbers it is found.",
            List.of(
                    field(
                            "target",
                            Definitions.TIMEOUT,
                            SAY_TARGET,
                            "The latency that is fast enough: the limit falls above one and a half times this and rises below four fifths of it.",
                            "80ms"),
                    initial(),
                    min(),
                    max()));

    static final Shape.Group FOUND = new Shape.Group(
            "limit-found",
            "How a limit is found. Exactly one of these.",
            List.of(
                    field(
                            "aimd",
                            RANGE,
                            "one is required",
                            "One more for each round of answers that used at least half, a tenth less when calls are dropped.",
                            "{ initial: 20, max: 200 }"),
                    field(
                            "gradient",
                            RANGE,
                            "one is required",
                            "Follows latency, and finds out by experiment whether a slowdown is of its own making.",
                            "{ initial: 20, min: 4, max: 500 }"),
                    field(
                            "target-latency",
                            TARGET,
                            "one is required",
                            "Follows latency towards one that is given.",
                            "{ target: 80ms }")));

    static final Shape CONCURRENCY = Shape.AnyOf.of(SLOTS, WAYS, FOUND);

    static final Shape.Group POOL = new Shape.Group(
            "pool",
            "Calls that some of the gate's slots are kept for.",
            List.of(
                    field(
                            "match",
                            Definitions.MATCH,
                            "all calls that no other pool matches",
                            "Which of the gate's calls; the first pool that matches has the call.",
                            "{ path: /checkout/** }"),
                    field(
                            "guarantee",
                            PERCENT,
                            "nothing is kept for it",
                            "Which share of the slots it can have whatever other pools do. What it leaves idle is lent.",
                            "60%"),
                    field(
                            "borrow",
                            Definitions.YES_OR_NO,
                            "yes",
                            "Whether it may use slots that others leave idle.",
                            "no"),
                    field(
                            "needs",
                            new Shape.OneOrMore(Definitions.DEPENDENCY),
                            "nothing",
                            "Dependencies without which its calls are of no use: while one is out they are refused before they are charged.",
                            "[payments]")));

    static final Shape.Named POOLS = new Shape.Named("pool, in printable ASCII", POOL);

    static final Shape.Group TENANTS = new Shape.Group(
            "tenants",
            "Among whom slots are shared when they are scarce.",
            List.of(
                    field("key", Definitions.KEY, "required", "Who a tenant is.", "header:X-Tenant"),
                    field(
                            "at-most",
                            PERCENT,
                            "required",
                            "Which share of what the pool can have one tenant may hold, once half of it is in use.",
                            "25%")));

    static final Shape.Group QUEUE = new Shape.Group(
            "queue",
            "Calls that wait for a slot.",
            List.of(
                    field("size", PLACES, "required", "How many may wait.", "16"),
                    field("max-wait", Definitions.TIMEOUT, "required", "How long one may wait.", "50ms"),
                    field(
                            "fair-by",
                            FAIR_BY,
                            "arrival",
                            "Whether the next one out is of the tenant with fewest in flight, or the one that came first. Needs tenants.",
                            "tenant")));

    static final Shape.Group SHED = new Shape.Group(
            "shed",
            "How full the pool is at the latest when calls of a criticality are refused early, earlier while better calls find no slot; 100% means they take their chance at the gate. Calls that are critical-plus are never refused early.",
            List.of(
                    field("sheddable", PERCENT, "100%", "Calls that may fail for hours.", "60%"),
                    field("sheddable-plus", PERCENT, "100%", "Calls that may fail for minutes.", "80%"),
                    field("critical", PERCENT, "100%", "Calls that a person waits for.", "95%")));

    static final Shape.Group RESERVE = new Shape.Group(
            "reserve",
            "How many of the last slots are only for calls of a criticality and better ones. Instead of shed.",
            List.of(
                    field("sheddable-plus", SLOTS, "none", "Kept from sheddable calls.", "4"),
                    field("critical", SLOTS, "none", "Kept from sheddable-plus calls too.", "2"),
                    field("critical-plus", SLOTS, "none", "Kept from critical calls too.", "1")));

    /**
     * The signs of being full that a gate can look at.
     *
     * @param time whether its value is a duration; else a percentage
     */
    record Sign(String name, boolean time, String meaning) {}

    static final List<Sign> SIGNS = List.of(
            new Sign("cpu", false, "how busy the processors are that this process may use"),
            new Sign("heap", false, "how full the heap is after a collection"),
            new Sign("collector", false, "which share of the time goes to collecting garbage"),
            new Sign("event-loop", true, "how late event loops are"),
            new Sign("queue-time", true, "how long the call at the head of the gate's queue has waited"),
            new Sign("p99", true, "the 99th percentile of the gate's latency over the last seconds"),
            new Sign("errors", false, "which share of the gate's calls fails"),
            new Sign("timeouts", false, "which share of the gate's calls times out"));

    /** What stands before the name of a gauge that the service registers. */
    static final String GAUGE = "pool:";

    static final Shape.Named SIGNALS = new Shape.Named(
            "signal ("
                    + SIGNS.stream()
                            .map(sign -> sign.name() + ", " + sign.meaning())
                            .collect(Collectors.joining("; "))
                    + "; " + GAUGE + "NAME, how full a pool is whose gauge the service registers)",
            Shape.AnyOf.of(PERCENT, Definitions.TIMEOUT));

    static final Shape.Group DEGRADE = new Shape.Group(
            "degrade",
            "A cheaper way of serving calls, and when it begins: exactly one of above and without.",
            List.of(
                    field(
                            "above",
                            PERCENT,
                            "one is required",
                            "How full the gate is, over a second. Ends two seconds after it has fallen five points below.",
                            "70%"),
                    field(
                            "without",
                            Definitions.DEPENDENCY,
                            "one is required",
                            "A dependency: while it is out, calls that need it are served in this way instead of being refused.",
                            "payments"),
                    field(
                            "do",
                            DEGRADE_MODE,
                            "required",
                            "What the handler is told; stale is served by the gateway itself, for GET and HEAD only.",
                            "no-enrichment"),
                    field("match", Definitions.MATCH, "every call of the gate", "Which calls.", "{ method: GET }")));

    static final Shape.Group GATE = new Shape.Group(
            "gate",
            "A limit on how many calls are in flight. Who finds it full is answered with 503, and is charged by no limit.",
            List.of(
                    field("match", Definitions.MATCH, "every call", "Which calls it holds.", "{ path: /** }"),
                    field(
                            "concurrency",
                            CONCURRENCY,
                            "required",
                            "How many at once: a number, or a way of finding one.",
                            "{ gradient: { initial: 20, min: 4, max: 500 } }"),
                    field(
                            "pools",
                            POOLS,
                            "one for all",
                            "Kinds of calls that slots are kept for.",
                            "{ payments: { match: { path: /checkout/** }, guarantee: 60% }, browse: { guarantee: 30% } }"),
                    field(
                            "tenants",
                            TENANTS,
                            "callers are not told apart",
                            TENANTS.description(),
                            "{ key: header:X-Tenant, at-most: 25% }"),
                    field("queue", QUEUE, "nobody waits", QUEUE.description(), "{ size: 16, max-wait: 50ms }"),
                    field(
                            "shed",
                            SHED,
                            "nobody is refused early",
                            SHED.description(),
                            "{ sheddable: 60%, sheddable-plus: 80% }"),
                    field("reserve", RESERVE, "none", RESERVE.description(), "{ critical: 2 }"),
                    field(
                            "signals",
                            SIGNALS,
                            "none",
                            "Other signs of being full, a percentage or a time each. While one is above its value the gate sheds as if it were full.",
                            "{ cpu: 90%, p99: 800ms }"),
                    field(
                            "degrade",
                            new Shape.ListOf(DEGRADE),
                            "calls are served in full",
                            "Cheaper ways of serving calls; each comes on top of those before it.",
                            "[ { above: 70%, do: stale, match: { method: GET } }, { above: 85%, do: no-enrichment } ]"),
                    field(
                            "long-call",
                            Definitions.TIMEOUT,
                            "30s",
                            "After how long a call counts as a stream: it holds its slot, and says nothing about latency any more. Upgrades and event streams do from the start.",
                            "10s"),
                    field("mode", MODE, "enforce", "Whether it acts, is only recorded, or neither.", "shadow")));

    static final Shape.Named GATES = new Shape.Named("gate, in printable ASCII", GATE);
}
