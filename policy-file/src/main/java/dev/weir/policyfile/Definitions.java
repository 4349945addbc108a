package dev.weir.policyfile;

import dev.weir.load.Criticality;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Answers;
import dev.weir.policy.Budget;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Limit;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Protects;
import dev.weir.policy.Scope;
import dev.weir.policy.StoreFailure;
import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of all sections but load, each once, and the forms of values that sections share. The parser, the JSON Schema and the reference
 * page are made from {@link Sections} and what it refers to.
 */
final class Definitions {

    private Definitions() {}

    // Words

    static final Shape.Words<ClientIp> CLIENT_IP = Shape.Words.of(ClientIp.values(), ClientIp::policyName);
    static final Shape.Words<Answers.Generation> GENERATIONS =
            Shape.Words.of(Answers.Generation.values(), Answers.Generation::policyName);
    static final Shape.Words<Boolean> PREFLIGHT = words("skip", true, "count", false);
    static final Shape.Words<Boolean> CORS = words("reflect", true, "off", false);
    static final Shape.Words<Criticality> CRITICALITY = Shape.Words.of(Criticality.values(), Criticality::policyName);
    static final Shape.Words<Algorithm> ALGORITHMS = algorithms();
    static final Shape.Words<Missing> IF_MISSING = words(
            "skip", new Missing.Skip(), "reject", new Missing.Reject(false), "reject-401", new Missing.Reject(true));
    static final Shape.Words<Missing> UNKNOWN = words(
            "default",
            new Missing.UseDefault(),
            "reject",
            new Missing.Reject(false),
            "reject-401",
            new Missing.Reject(true));
    static final Shape.Words<Budget> WITHOUT_NUMBER =
            words("unlimited", new Budget.Unlimited(), "deny", new Budget.Deny());
    static final Shape.Words<Boolean> ANSWER = words("full", false, "bare", true);
    static final Shape.Words<Protects> PROTECTS = Shape.Words.of(Protects.values(), Protects::policyName);
    static final Shape.Words<AdmissionPoint> POINTS =
            Shape.Words.of(AdmissionPoint.values(), AdmissionPoint::policyName);
    static final Shape.Words<Scope> SCOPES = Shape.Words.of(Scope.values(), Scope::policyName);
    static final Shape.Words<StoreFailure> STORE_FAILURES =
            Shape.Words.of(StoreFailure.values(), StoreFailure::policyName);
    static final Shape.Words<Boolean> LEASE = words("auto", true, "off", false);
    static final Shape.Words<GatewaySettings.AccessLog> ACCESS_LOG =
            Shape.Words.of(GatewaySettings.AccessLog.values(), GatewaySettings.AccessLog::policyName);
    static final Shape.Words<GatewaySettings.Scheme> SCHEMES =
            Shape.Words.of(GatewaySettings.Scheme.values(), GatewaySettings.Scheme::policyName);
    static final Shape.Words<Boolean> YES_OR_NO = words("yes", true, "no", false);
    static final Shape.Words<Mode> MODE_WORDS = words("enforce", Mode.ENFORCE, "shadow", Mode.SHADOW, "off", Mode.OFF);

    // Texts and numbers

    static final Shape.Whole FORMAT = new Shape.Whole(1, 1);
    static final Shape.Whole COUNT = new Shape.Whole(1, RateLimit.MAX_COUNT);
    static final Shape.Whole UNITS = new Shape.Whole(0, RateLimit.MAX_COUNT);
    static final Shape.Whole IN_FLIGHT = new Shape.Whole(1, 1_000_000);
    static final Shape.Whole DEPTH = new Shape.Whole(0, 1_000_000_000);
    static final Shape.Whole MAX_KEYS = new Shape.Whole(1, 100_000_000);
    static final Shape.Whole STATUS = new Shape.Whole(100, 599);
    static final Shape.Whole IPV4_PREFIX = new Shape.Whole(1, 32);
    static final Shape.Whole IPV6_PREFIX = new Shape.Whole(1, 128);
    static final Shape.Whole DATABASE = new Shape.Whole(0, 99_999);
    static final Shape.Whole INSTANCES = new Shape.Whole(1, 1_000_000);

    static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    static final Shape.Text RANGE =
            Shape.Text.any("an address range such as 10.0.0.0/8 or 2001:db8::/32, or one address");
    static final Shape.Text FROM_HEADER = Shape.Text.like("header:NAME", "header:" + TOKEN);
    static final Shape.Text PERCENT =
            Shape.Text.like("a percentage from 0% to 100%, such as 10% or 0.25%", "[0-9]{1,3}(\\.[0-9]{1,2})?%");
    static final Shape MODE = Shape.AnyOf.of(MODE_WORDS, PERCENT);
    static final Shape.Text RATE = Shape.Text.like(
            "count/period, the period in ms, s, m (or min), h or d with a whole multiple before it, such as 10/s or 5/15m",
            "[0-9]{1,15}/[0-9]{0,9}(ms|s|min|m|h|d)");
    static final Shape.Text QUOTA = Shape.Text.like(
            "count/period, the period an hour, day, week (from Monday), month or year, such as 1000000/month",
            "[0-9]{1,15}/(hour|day|week|month|year)");
    static final Shape.Text DURATION =
            Shape.Text.like("a duration in ms, s, m (or min), h or d, such as 500ms", "[0-9]{1,9}(ms|s|min|m|h|d)");
    static final Shape.Text UNTIL = Shape.Text.like(
            "a date, which lasts through that day in UTC, or an instant such as 2030-06-30T12:00:00Z",
            "[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*)?");
    static final Shape.Text KEY_PART = Shape.Text.like(
            "all, client-ip, header:NAME, cookie:NAME, query:NAME, path:{VARIABLE}, host, route, method or attribute:NAME",
            "all|client-ip|host|route|method|(header|cookie):" + TOKEN
                    + "|(query|attribute):.+|path:\\{[A-Za-z_][A-Za-z0-9_-]*\\}");
    static final Shape.Text PATH = Shape.Text.like("a path pattern such as /api/** or /users/{id}", "/.*");
    static final Shape.Text METHOD = Shape.Text.like("a request method in capitals, such as GET", "[A-Z][A-Z0-9_-]*");
    static final Shape.Text HOST = Shape.Text.any("a host name without port, or *.DOMAIN for every name below it");
    static final Shape.Text ROUTE = Shape.Text.any("a route's name");
    static final Shape.Text NAME = Shape.Text.any("a name, which must be there");
    static final Shape.Text MATCHED = Shape.Text.any("a value, or \"*\" for any");
    static final Shape.Named VALUES_BY_NAME = new Shape.Named("name", new Shape.OneOrMore(MATCHED));
    static final Shape.Text SECRET = Shape.Text.any("a text, best from the environment");
    static final Shape.Text SOURCE = Shape.Text.like(
            "attribute:NAME, header:NAME (of trusted proxies) or file:PATH",
            "attribute:.+|header:" + TOKEN + "|file:.+");
    static final Shape.Text PLAN = Shape.Text.any("a plan's name");
    static final Shape.Text SETTLE = Shape.Text.like(
            "response-header:NAME, response-bytes or duration", "response-bytes|duration|response-header:" + TOKEN);
    static final Shape.Text ZONE = Shape.Text.any("a time zone such as UTC or Europe/Berlin");
    static final Shape.Text WHY = Shape.Text.any("a text");
    static final Shape.Text OTHER_LIMIT = Shape.Text.any("the name of another limit");
    static final Shape.Text DEPENDENCY = Shape.Text.any("the name of a dependency");
    static final Shape.Text HEADER = Shape.Text.like("the name of a header", TOKEN);
    static final Shape.Text FILE = Shape.Text.any("a PEM file, relative to the policy");
    static final String HOST_FORM = "(" + HostPort.NAME + "|" + HostPort.IPV6 + ")";
    static final Shape.Text ADDRESS = Shape.Text.like(
            "HOST:PORT such as 127.0.0.1:8080 or \"[::1]:8080\", port 0 for any that is free",
            HOST_FORM + ":[0-9]{1,5}");
    static final Shape.Text URL = Shape.Text.like(
            "http://HOST, https://HOST or h2c://HOST (HTTP/2 without TLS), with :PORT if that is another than 80, or 443 for https",
            "(http|https|h2c)://" + HOST_FORM + "(:[0-9]{1,5})?/?");
    static final Shape.Text HEALTH_PATH =
            Shape.Text.like("a path such as /healthz, with its query if it has one", "/[!\"$-~]*");
    static final Shape.Text TIMEOUT = Shape.Text.like(
            "a duration from 1ms to 1h, such as 500ms", DURATION.pattern().orElseThrow());
    static final Shape.Text STORE_TIMEOUT = Shape.Text.like(
            "a duration from 1ms to 1s, such as 5ms", DURATION.pattern().orElseThrow());
    static final Shape.Text REDIS_URL = Shape.Text.like(
            "redis://HOST:PORT, or rediss://HOST:PORT with TLS, with USER:PASSWORD@ before the host if it asks and /DATABASE behind the port",
            "rediss?://([^@/?#]*@)?" + HOST_FORM + "(:[0-9]{1,5})?(/[0-9]{0,5})?");
    static final Shape.Text NAMED = Shape.Text.any("a name");
    static final Shape.OneOrMore KEY = new Shape.OneOrMore(KEY_PART);
    static final Shape NAMES_AND_VALUES = Shape.AnyOf.of(NAME, VALUES_BY_NAME);

    // Conditions

    static final Shape.Group MATCH = new Shape.Group(
            "match",
            "A condition on a call. All fields given must hold; of a field's values one is enough. At least one field.",
            List.of(
                    field(
                            "path",
                            new Shape.OneOrMore(PATH),
                            "any path",
                            "Patterns over the normalised path, without the query: * is one segment, {name} is one and remembers it, ** any number; /x/** also matches /x and /x/. Case counts.",
                            "/api/**"),
                    field("method", new Shape.OneOrMore(METHOD), "any method", "Request methods.", "[GET, POST]"),
                    field(
                            "host",
                            new Shape.OneOrMore(HOST),
                            "any host",
                            "Hosts that were asked for, in any case.",
                            "api.example.com"),
                    field(
                            "header",
                            NAMES_AND_VALUES,
                            "any headers",
                            "Request headers by name: the first value of each must be one of those given.",
                            "{ X-Tier: [gold, silver] }"),
                    field(
                            "query",
                            NAMES_AND_VALUES,
                            "any query",
                            "Query parameters by name: the first value of each must be one of those given.",
                            "{ format: csv }"),
                    field(
                            "peer",
                            new Shape.OneOrMore(RANGE),
                            "any peer",
                            "Addresses of the peer that the connection comes from.",
                            "10.0.0.0/8"),
                    field(
                            "route",
                            new Shape.OneOrMore(ROUTE),
                            "any route",
                            "Names of routes, where the service or gateway knows them.",
                            "checkout"),
                    field(
                            "attribute",
                            NAMES_AND_VALUES,
                            "any attributes",
                            "What the service has proved about the call, by name: each must be one of the values given.",
                            "{ user-kind: robot }")));

    static final Shape MATCHES = new Shape.OneOrMore(MATCH);

    // Sections

    static final Shape.Group IDENTITY = new Shape.Group(
            "identity",
            "Whom to believe about who is calling.",
            List.of(
                    field(
                            "trusted-proxies",
                            new Shape.OneOrMore(RANGE),
                            "nobody",
                            "Peers whose identity, deadline and criticality headers are believed.",
                            "[10.0.0.0/8]"),
                    field(
                            "client-ip",
                            CLIENT_IP,
                            "peer",
                            "Where the client's address is read: the peer, or from the right of a header as far as the peers are trusted.",
                            "x-forwarded-for"),
                    field("ipv4-prefix", IPV4_PREFIX, "32", "How many bits of an IPv4 address make one caller.", "32"),
                    field("ipv6-prefix", IPV6_PREFIX, "64", "How many bits of an IPv6 address make one caller.", "56"),
                    field(
                            "secret",
                            SECRET,
                            "no partition key is sent",
                            "Hashes keys in stores and in the partition key of the RateLimit fields.",
                            "${WEIR_SECRET}")));

    static final Shape.Group CALL = new Shape.Group(
            "call",
            "Headers of trusted proxies that carry what they know of a call.",
            List.of(
                    field(
                            "deadline",
                            FROM_HEADER,
                            "none is read",
                            "The header with the time that the caller will still wait.",
                            "header:X-Request-Timeout"),
                    field(
                            "criticality",
                            FROM_HEADER,
                            "none is read",
                            "The header with the call's criticality.",
                            "header:X-Criticality")));

    static final Shape.Group PLANS = new Shape.Group(
            "plans",
            "Which plan a caller is on.",
            List.of(
                    field(
                            "from",
                            SOURCE,
                            "required in this section",
                            "Where a caller's plan is looked up. A file is relative to the policy and has a row for each key: the key or sha256:HEX, the plan, and if it ends a date or instant; # begins a comment line, there is no header row.",
                            "file:plans.csv"),
                    field(
                            "default",
                            PLAN,
                            "the limit's own budget",
                            "The plan of callers that the source does not know.",
                            "free")));

    static final Shape.Group ANSWERS = new Shape.Group(
            "answers",
            "How decisions are told to callers.",
            List.of(
                    field(
                            "fields",
                            GENERATIONS,
                            "draft-11",
                            "Which generation of the RateLimit fields is sent.",
                            "draft-11"),
                    field(
                            "jitter",
                            PERCENT,
                            "10%",
                            "By how much of the wait a Retry-After that many keys share may be raised.",
                            "10%"),
                    field(
                            "preflight",
                            PREFLIGHT,
                            "skip",
                            "Whether CORS preflights pass uncounted or count as calls.",
                            "skip"),
                    field(
                            "cors",
                            CORS,
                            "reflect",
                            "Whether a page of another origin can read the refusal of its call.",
                            "reflect")));

    static final Shape.Group CRITICALITY_RULE = new Shape.Group(
            "criticality-rule",
            "A condition on a call or its caller, and the criticality under it.",
            List.of(
                    field("match", MATCH, "every call", "Which calls.", "{ path: /reports/** }"),
                    field(
                            "plan",
                            new Shape.OneOrMore(PLAN),
                            "any plan or none",
                            "On which plan their caller is, by plans.from. At least one of match and plan.",
                            "[free, trial]"),
                    field("is", CRITICALITY, "required", "Their criticality.", "sheddable")));

    static final Shape.Group CRITICALITY_SECTION = new Shape.Group(
            "criticality",
            "How much calls matter.",
            List.of(
                    field("default", CRITICALITY, "critical", "Of calls that no rule matches.", "critical"),
                    field(
                            "rules",
                            new Shape.ListOf(CRITICALITY_RULE),
                            "none",
                            "The first that matches decides.",
                            "[ { match: { path: /reports/** }, is: sheddable } ]")));

    // The store

    static final Shape.Group SENTINEL = new Shape.Group(
            "sentinel",
            "Sentinels, which know where the server is. The url then names them.",
            List.of(
                    field("master", NAMED, "required", "What they call the server.", "main"),
                    field("username", NAMED, "the default user", "Who this instance is to them.", "weir"),
                    field("password", SECRET, "they do not ask", "Its password there.", "${SENTINEL_PASSWORD}")));

    static final Shape.Group REDIS_TLS = new Shape.Group(
            "redis-tls",
            "How servers with rediss are spoken to.",
            List.of(
                    field("ca", FILE, "those of the system", "The authorities that are believed.", "ca.pem"),
                    field(
                            "certificate",
                            FILE,
                            "none is shown",
                            "What this instance proves itself with. Needs key.",
                            "weir.pem"),
                    field("key", FILE, "none", "The private key of the certificate.", "weir-key.pem"),
                    field(
                            "verify-host",
                            YES_OR_NO,
                            "yes",
                            "Whether a server's certificate must name its host.",
                            "no")));

    static final Shape.Group REDIS = new Shape.Group(
            "redis",
            "A Redis server, a cluster, or sentinels, and how they are used.",
            List.of(
                    field(
                            "url",
                            new Shape.OneOrMore(REDIS_URL),
                            "required",
                            "Where it is. Several name a cluster or sentinels. The port is 6379 when none is given, 26379 of sentinels.",
                            "redis://10.0.0.5:6379"),
                    field("cluster", YES_OR_NO, "no", "Whether it is a cluster.", "yes"),
                    field(
                            "sentinel",
                            SENTINEL,
                            "the url names the server itself",
                            SENTINEL.description(),
                            "{ master: main }"),
                    field("username", NAMED, "the default user", "Who this instance is. Needs password.", "weir"),
                    field("password", SECRET, "it does not ask", "Its password.", "${REDIS_PASSWORD}"),
                    field("database", DATABASE, "0", "The number of the database. Not in a cluster.", "3"),
                    field(
                            "tls",
                            REDIS_TLS,
                            "with rediss the system's authorities, hosts verified",
                            REDIS_TLS.description(),
                            "{ ca: ca.pem }"),
                    field(
                            "timeout",
                            STORE_TIMEOUT,
                            "5ms",
                            "How long a decision waits for an answer; then on-store-failure decides.",
                            "10ms"),
                    field(
                            "lease",
                            LEASE,
                            "auto",
                            "Whether instances take units of busy keys in advance, to spend without asking again.",
                            "off"),
                    field(
                            "instances",
                            INSTANCES,
                            "1",
                            "How many instances to assume while none can be counted.",
                            "4")));

    static final Shape.Group STORE = new Shape.Group(
            "store",
            "Where the budgets of fleet limits are counted.",
            List.of(field("redis", REDIS, "required", REDIS.description(), "{ url: redis://10.0.0.5:6379 }")));

    // The gateway

    static final Shape.Group TLS = new Shape.Group(
            "tls",
            "What the gateway proves itself with to callers.",
            List.of(
                    field(
                            "certificate",
                            FILE,
                            "required",
                            "Its certificate, and those between it and a known authority.",
                            "gateway.pem"),
                    field("key", FILE, "required", "The private key of the certificate.", "gateway-key.pem")));

    static final Shape.Group LISTENER = new Shape.Group(
            "listen",
            "Where callers come in.",
            List.of(
                    field("address", ADDRESS, "127.0.0.1:8080", "The address.", "0.0.0.0:8443"),
                    field(
                            "tls",
                            TLS,
                            "HTTP/1.1 and h2c are spoken openly",
                            TLS.description(),
                            "{ certificate: gateway.pem, key: gateway-key.pem }")));

    static final Shape.Group ADMIN = new Shape.Group(
            "admin",
            "Where operators come in.",
            List.of(
                    field("address", ADDRESS, "127.0.0.1:9090", "The address.", "127.0.0.1:9091"),
                    field(
                            "read-token",
                            SECRET,
                            "everybody who reaches the address may read",
                            "What reading needs.",
                            "${WEIR_READ_TOKEN}"),
                    field(
                            "write-token",
                            SECRET,
                            "nothing can be changed",
                            "What changes need.",
                            "${WEIR_WRITE_TOKEN}")));

    static final Shape.Group HEALTH = new Shape.Group(
            "health",
            "How a server is asked whether it works.",
            List.of(
                    field("path", HEALTH_PATH, "required", "What is asked for.", "/healthz"),
                    field("every", TIMEOUT, "5s", "How often.", "2s")));

    static final Shape.Group UPSTREAM_TLS = new Shape.Group(
            "upstream-tls",
            "How servers with https are spoken to.",
            List.of(
                    field("ca", FILE, "those of the system", "The authorities that are believed.", "ca.pem"),
                    field(
                            "certificate",
                            FILE,
                            "none is shown",
                            "What the gateway proves itself with. Needs key.",
                            "client.pem"),
                    field("key", FILE, "none", "The private key of the certificate.", "client-key.pem"),
                    field(
                            "verify-host",
                            YES_OR_NO,
                            "yes",
                            "Whether a server's certificate must name its host.",
                            "no")));

    static final Shape.Group UPSTREAM = new Shape.Group(
            "upstream",
            "A service that calls are forwarded to.",
            List.of(
                    field(
                            "url",
                            new Shape.OneOrMore(URL),
                            "required",
                            "Its servers, all of one scheme. Path and query are forwarded as they came.",
                            "[http://10.0.0.5:8081, http://10.0.0.6:8081]"),
                    field(
                            "health",
                            HEALTH,
                            "only calls tell whether a server works",
                            HEALTH.description(),
                            "{ path: /healthz, every: 2s }"),
                    field("connect", TIMEOUT, "1s", "How long a connection may take.", "500ms"),
                    field("response", TIMEOUT, "30s", "How long the first byte of the answer may take.", "10s"),
                    field("idle", TIMEOUT, "10s", "How long nothing may move while a body is on its way.", "20s"),
                    field(
                            "tls",
                            UPSTREAM_TLS,
                            "the system's authorities, hosts verified",
                            UPSTREAM_TLS.description() + " Needs https.",
                            "{ ca: ca.pem }")));

    static final Shape.Group GATEWAY_ROUTE = new Shape.Group(
            "route",
            "Which calls go where.",
            List.of(
                    field(
                            "match",
                            MATCH,
                            "required",
                            "Which calls, by anything but route and attribute.",
                            "{ path: /api/** }"),
                    field(
                            "upstream",
                            Shape.AnyOf.of(URL, UPSTREAM),
                            "required",
                            "Where they go.",
                            "{ url: http://127.0.0.1:8081, connect: 1s, response: 30s }"),
                    field(
                            "name",
                            ROUTE,
                            "the hosts and paths of match, joined with commas",
                            "What conditions, metrics and logs call it, in printable ASCII and not twice.",
                            "orders"),
                    field(
                            "outbound",
                            DEPENDENCY,
                            "the upstream is not held back",
                            "The dependency under outbound as which the upstream is asked: by its rate, its slots and its pauses. The gateway itself never sends a call again.",
                            "payments")));

    static final Shape.Group GATEWAY = new Shape.Group(
            "gateway",
            "What the gateway listens on and forwards to.",
            List.of(
                    field(
                            "listen",
                            Shape.AnyOf.of(ADDRESS, LISTENER),
                            "127.0.0.1:8080",
                            LISTENER.description(),
                            "0.0.0.0:8080"),
                    field(
                            "admin",
                            Shape.AnyOf.of(ADDRESS, ADMIN),
                            "127.0.0.1:9090",
                            ADMIN.description(),
                            "{ address: 127.0.0.1:9090, write-token: \"${WEIR_WRITE_TOKEN}\" }"),
                    field("access-log", ACCESS_LOG, "json", "The form of the access log.", "combined"),
                    field(
                            "debug",
                            HEADER,
                            "nothing is explained",
                            "The header in which trusted peers ask how a call was decided, and are answered.",
                            "X-Weir-Debug"),
                    field(
                            "routes",
                            new Shape.ListOf(GATEWAY_ROUTE),
                            "required in this section",
                            "The first that matches a call serves it.",
                            "[ { match: { path: /** }, upstream: { url: http://127.0.0.1:8081, connect: 1s, response: 30s } } ]")));

    // A limit

    static final Shape.Group PLAN_BUDGET = new Shape.Group(
            "plan-budget",
            "What a plan grants each key: of the limit's own kind, under its algorithm, zone, depth and max-wait. Exactly one of rate, quota and in-flight.",
            List.of(
                    field("rate", RATE, "one budget is required", "Units over time.", "50/s"),
                    field("burst", COUNT, "the count of the rate", "How much a token bucket holds.", "100"),
                    field("quota", QUOTA, "one budget is required", "Units by the calendar.", "5000000/month"),
                    field("in-flight", IN_FLIGHT, "one budget is required", "Calls at once.", "50")));

    static final Shape.Group OVERRIDE = new Shape.Group(
            "override",
            "Another budget for one key. Exactly one of rate, quota, in-flight and is.",
            List.of(
                    field("rate", RATE, "one budget is required", "Units over time.", "800/s"),
                    field("burst", COUNT, "the count of the rate", "How much a token bucket holds.", "1000"),
                    field("quota", QUOTA, "one budget is required", "Units by the calendar.", "9000000/month"),
                    field("in-flight", IN_FLIGHT, "one budget is required", "Calls at once.", "200"),
                    field("is", WITHOUT_NUMBER, "one budget is required", "No count at all.", "deny"),
                    field("until", UNTIL, "for ever", "When it ends.", "2030-12-31"),
                    field("why", WHY, "no reason is shown", "The reason, for people.", "load test")));

    static final Shape.Named PLAN_BUDGETS = new Shape.Named("plan", Shape.AnyOf.of(WITHOUT_NUMBER, PLAN_BUDGET));
    static final Shape.Named OVERRIDES =
            new Shape.Named("key, as it is or as sha256:HEX", Shape.AnyOf.of(WITHOUT_NUMBER, OVERRIDE));

    static final Shape.Group COST_RULE = new Shape.Group(
            "cost-rule",
            "A condition and what a call costs under it.",
            List.of(
                    field("match", MATCH, "required", "Which calls.", "{ method: POST }"),
                    field("is", UNITS, "required", "What each of them costs.", "5")));

    static final Shape.Group COST_ESTIMATE = new Shape.Group(
            "cost-estimate",
            "A cost that is known only with the answer.",
            List.of(
                    field("estimate", UNITS, "required", "What is charged when the call comes.", "200"),
                    field(
                            "settle",
                            SETTLE,
                            "required",
                            "Where the true cost is read: a response header, the bytes of the body, or the whole milliseconds until the answer was done.",
                            "response-header:X-Tokens-Used")));

    static final Shape COST = Shape.AnyOf.of(COUNT, FROM_HEADER, new Shape.ListOf(COST_RULE), COST_ESTIMATE);

    static final Shape.Group KEEP_IF = new Shape.Group(
            "keep-if",
            "When a charge is kept.",
            List.of(field(
                    "status",
                    new Shape.OneOrMore(STATUS),
                    "required",
                    "Statuses of the answer under which the charge is kept; under all others it is given back.",
                    "[401, 403]")));

    static final Shape.Group LIMIT = new Shape.Group(
            "limit",
            "A budget per key. Exactly one of rate, quota and in-flight.",
            List.of(
                    field("match", MATCH, "every call", "Which calls it counts.", "{ path: /api/** }"),
                    field("except", MATCHES, "none", "Which of them it does not count.", "{ peer: 10.0.0.0/8 }"),
                    field(
                            "key",
                            KEY,
                            "required",
                            "Who is counted; a list counts each combination.",
                            "header:X-Api-Key"),
                    field(
                            "if-missing",
                            Shape.AnyOf.of(IF_MISSING, KEY),
                            "client-ip",
                            "What becomes of a call without the key: counted by another key, not counted, or refused with 400 or 401.",
                            "reject"),
                    field(
                            "unknown",
                            Shape.AnyOf.of(UNKNOWN, KEY),
                            "default",
                            "What becomes of a key that no plan row and no override knows: counted by another key, refused, or counted under the default plan. Needs plans.from.",
                            "client-ip"),
                    field("rate", RATE, "one budget is required", "Units over time.", "10/s"),
                    field(
                            "burst",
                            COUNT,
                            "the count of the rate",
                            "How much a token bucket holds when nobody asks. Needs rate and token-bucket.",
                            "20"),
                    field(
                            "algorithm",
                            ALGORITHMS,
                            "token-bucket",
                            "How the rate refills; gcra and leaky-bucket are other names of token-bucket. Needs rate.",
                            "sliding-window"),
                    field(
                            "depth",
                            DEPTH,
                            "the count of the rate less one",
                            "How many turns a leaky queue hands out ahead. Needs algorithm: leaky-queue.",
                            "50"),
                    field(
                            "max-wait",
                            DURATION,
                            "as long as the depth takes",
                            "How far ahead a leaky queue hands out turns. Needs algorithm: leaky-queue.",
                            "500ms"),
                    field("quota", QUOTA, "one budget is required", "Units by the calendar.", "1000000/month"),
                    field("zone", ZONE, "UTC", "Whose calendar. Needs quota.", "Europe/Berlin"),
                    field(
                            "in-flight",
                            IN_FLIGHT,
                            "one budget is required",
                            "Calls at once, each counted from its admission to its end.",
                            "20"),
                    field(
                            "cost",
                            COST,
                            "1",
                            "What a call takes: a number; a request header of trusted proxies, clamped to 1 and what the limit holds; the first rule that matches, else 1; or an estimate that is settled later. Not for in-flight.",
                            "header:X-Cost"),
                    field(
                            "plans",
                            PLAN_BUDGETS,
                            "the limit's own budget for all",
                            "What each plan grants instead. Needs plans.from.",
                            "{ pro: { rate: 50/s, burst: 100 }, internal: unlimited, banned: deny }"),
                    field(
                            "overrides",
                            OVERRIDES,
                            "none",
                            "What single keys get instead of plan and limit.",
                            "{ \"key-of-a-partner\": { rate: 800/s, until: 2030-12-31, why: load test } }"),
                    field(
                            "instead-of",
                            new Shape.OneOrMore(OTHER_LIMIT),
                            "none",
                            "Limits that do not count a call which this one counts.",
                            "[per-key]"),
                    field(
                            "keep-if",
                            KEEP_IF,
                            "every charge is kept",
                            "When a charge is kept. Not for in-flight.",
                            "{ status: [401, 403] }"),
                    field(
                            "max-keys",
                            MAX_KEYS,
                            String.valueOf(Limit.DEFAULT_MAX_KEYS),
                            "How many keys are remembered at once.",
                            "200000"),
                    field(
                            "mode",
                            MODE,
                            "enforce",
                            "Whether it acts, is only recorded, or neither; or for what share of the keys it acts, the rest being recorded.",
                            "shadow"),
                    field(
                            "answer",
                            ANSWER,
                            "full",
                            "Whether callers are told of it: bare sends a status and nothing else.",
                            "bare"),
                    field(
                            "protects",
                            PROTECTS,
                            "nothing is assumed",
                            "What it is for; decides which warnings apply.",
                            "abuse"),
                    field(
                            "at",
                            new Shape.OneOrMore(POINTS),
                            "at all of them",
                            "Where it is enforced.",
                            "[gateway, service]"),
                    field(
                            "scope",
                            SCOPES,
                            "fleet when there is a store, else instance",
                            "Who shares its budgets: the calls of one instance, or of all. Fleet needs a store.",
                            "instance"),
                    field(
                            "on-store-failure",
                            STORE_FAILURES,
                            "open",
                            "What it does while the store does not answer: open lets calls pass, closed refuses them with 503, local grants this instance its share. Needs scope: fleet.",
                            "local")));

    static final Shape.Named LIMITS = new Shape.Named("limit, in printable ASCII", LIMIT);

    /** A field of a group. */
    static Field field(String name, Shape shape, String otherwise, String description, String example) {
        return new Field(name, shape, otherwise, description, example);
    }

    private static Shape.Words<Algorithm> algorithms() {
        Map<String, Algorithm> meanings = new LinkedHashMap<>();
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm != Algorithm.QUOTA) {
                meanings.put(algorithm.policyName(), algorithm);
            }
        }
        meanings.put("gcra", Algorithm.TOKEN_BUCKET);
        meanings.put("leaky-bucket", Algorithm.TOKEN_BUCKET);
        return new Shape.Words<>(meanings);
    }

    static <T> Shape.Words<T> words(String first, T one, String second, T two) {
        Map<String, T> meanings = words(first, one).meanings();
        meanings.put(second, two);
        return new Shape.Words<>(meanings);
    }

    static <T> Shape.Words<T> words(String first, T one, String second, T two, String third, T three) {
        Map<String, T> meanings = words(first, one, second, two).meanings();
        meanings.put(third, three);
        return new Shape.Words<>(meanings);
    }

    static <T> Shape.Words<T> words(String word, T meaning) {
        Map<String, T> meanings = new LinkedHashMap<>();
        meanings.put(word, meaning);
        return new Shape.Words<>(meanings);
    }
}
