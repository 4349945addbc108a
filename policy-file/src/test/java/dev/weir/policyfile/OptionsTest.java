package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.load.Criticality;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Answers;
import dev.weir.policy.Budget;
import dev.weir.policy.CallHeaders;
import dev.weir.policy.ClientIp;
import dev.weir.policy.Cost;
import dev.weir.policy.CriticalityRules;
import dev.weir.policy.Identity;
import dev.weir.policy.Key;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Match;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Plans;
import dev.weir.policy.Policy;
import dev.weir.policy.Protects;
import dev.weir.policy.Scope;
import dev.weir.policy.StoreFailure;
import dev.weir.policy.StoreSettings;
import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each field means in the model. */
class OptionsTest {

    @Test
    void nothingButTheFormatIsTheEmptyPolicy() {
        assertThat(Reads.policy("weir: 1")).isEqualTo(Policy.builder().build());
    }

    @Test
    void aLimitIsByDefaultWhatTheModelSays() {
        assertThat(Reads.limit("key: all, rate: 10/s")).isEqualTo(Limit.of("a", Key.ALL, rate("10/s")));
    }

    @Test
    void budgets() {
        assertThat(Reads.limit("key: all, rate: 5/15m, burst: 7").budget())
                .isEqualTo(
                        new Budget.Rate(RateLimit.of(5, Duration.ofMinutes(15)).burst(7)));
        assertThat(Reads.limit("key: all, rate: 20/60s, algorithm: sliding-window")
                        .budget())
                .isEqualTo(
                        new Budget.Rate(RateLimit.of(20, Duration.ofMinutes(1)).algorithm(Algorithm.SLIDING_WINDOW)));
        assertThat(Reads.limit("key: all, rate: 9/min, algorithm: gcra")).isEqualTo(Reads.limit("key: all, rate: 9/m"));
        assertThat(Reads.limit("key: all, rate: 9/m, algorithm: leaky-bucket"))
                .isEqualTo(Reads.limit("key: all, rate: 9/m"));
        assertThat(Reads.limit("key: all, rate: 9/s, algorithm: leaky-queue, depth: 0, max-wait: 1s")
                        .budget())
                .isEqualTo(new Budget.Rate(
                        RateLimit.of(9, Duration.ofSeconds(1)).depth(0).maxWait(Duration.ofSeconds(1))));
        assertThat(Reads.limit("key: all, rate: 9/s, algorithm: leaky-queue").budget())
                .isEqualTo(
                        new Budget.Rate(RateLimit.of(9, Duration.ofSeconds(1)).depth(8)));
        assertThat(Reads.limit("key: all, quota: 3/week").budget())
                .isEqualTo(new Budget.Rate(RateLimit.quota(3, CalendarPeriod.WEEK, ZoneOffset.UTC)));
        assertThat(Reads.limit("key: all, quota: 3/day, zone: Asia/Tokyo").budget())
                .isEqualTo(new Budget.Rate(RateLimit.quota(3, CalendarPeriod.DAY, ZoneId.of("Asia/Tokyo"))));
        assertThat(Reads.limit("key: all, in-flight: 20").budget()).isEqualTo(new Budget.InFlight(20));
        assertThat(Reads.limit("key: all, rate: \"${COUNT}/s\", burst: \"${COUNT}\"")
                        .budget())
                .isEqualTo(rate("25/s"));
    }

    @Test
    void keysAndWhatTakesTheirPlace() {
        assertThat(Reads.limit("key: header:X-Api-Key, rate: 1/s").key()).isEqualTo(new Key.Header("X-Api-Key"));
        assertThat(Reads.limit("key: [host, cookie:c, query:q], rate: 1/s").key())
                .isEqualTo(new Key.Composite(List.of(new Key.Host(), new Key.Cookie("c"), new Key.Query("q"))));
        assertThat(Reads.limit("key: [route], rate: 1/s").key()).isEqualTo(new Key.Route());
        assertThat(Reads.limit("match: { path: \"/a/{x}\" }, key: \"path:{x}\", rate: 1/s")
                        .key())
                .isEqualTo(new Key.PathVariable("x"));
        assertThat(Reads.limit("key: header:K, rate: 1/s, if-missing: reject-401, unknown: reject-401"))
                .satisfies(limit -> {
                    assertThat(limit.ifMissing()).isEqualTo(new Missing.Reject(true));
                    assertThat(limit.unknown()).isEqualTo(new Missing.Reject(true));
                });
        assertThat(Reads.limit("key: header:K, rate: 1/s, if-missing: skip, unknown: default"))
                .satisfies(limit -> {
                    assertThat(limit.ifMissing()).isEqualTo(new Missing.Skip());
                    assertThat(limit.unknown()).isEqualTo(new Missing.UseDefault());
                });
        assertThat(Reads.limit("key: header:K, rate: 1/s, if-missing: [host, client-ip], unknown: attribute:t"))
                .satisfies(limit -> {
                    assertThat(limit.ifMissing())
                            .isEqualTo(new Missing.CountBy(new Key.Composite(List.of(new Key.Host(), Key.CLIENT_IP))));
                    assertThat(limit.unknown()).isEqualTo(new Missing.CountBy(new Key.Attribute("t")));
                });
    }

    @Test
    void conditions() {
        Match match = Reads.limit(
                        "match: { path: /a, method: [GET, POST], host: \"*.example.com\", header: { A: [x, y], B: \"*\" }, query: q, route: [r, s], attribute: { t: 1 } }, key: all, rate: 1/s")
                .match();
        assertThat(match)
                .isEqualTo(new Match(
                        Match.path("/a").path(),
                        List.of("GET", "POST"),
                        List.of("*.example.com"),
                        Map.of("A", List.of("x", "y"), "B", List.of("*")),
                        Map.of("q", List.of("*")),
                        List.of(),
                        List.of("r", "s"),
                        Map.of("t", List.of("1"))));
        assertThat(Reads.limit("except: { path: /a }, key: all, rate: 1/s").except())
                .containsExactly(Match.path("/a"));
        assertThat(Reads.limit("except: [{ path: /a }, { path: /b }], key: all, rate: 1/s")
                        .except())
                .containsExactly(Match.path("/a"), Match.path("/b"));
    }

    @Test
    void costs() {
        assertThat(Reads.limit("key: all, rate: 9/s, cost: 3").cost()).isEqualTo(new Cost.Fixed(3));
        assertThat(Reads.limit("key: all, rate: 9/s, cost: header:X-Cost").cost())
                .isEqualTo(new Cost.FromHeader("X-Cost"));
        assertThat(Reads.limit(
                                "key: all, rate: 9/s, cost: [{ match: { path: /a }, is: 0 }, { match: { path: /b }, is: 5 }]")
                        .cost())
                .isEqualTo(new Cost.ByMatch(List.of(
                        new Cost.ByMatch.Rule(Match.path("/a"), 0), new Cost.ByMatch.Rule(Match.path("/b"), 5))));
        assertThat(Reads.limit("key: all, rate: 9/s, cost: { estimate: 2, settle: response-header:X-Used }")
                        .cost())
                .isEqualTo(new Cost.Estimated(2, new Cost.SettleBy.ResponseHeader("X-Used")));
        assertThat(Reads.limit("key: all, rate: 9/s, cost: { estimate: 0, settle: response-bytes }")
                        .cost())
                .isEqualTo(new Cost.Estimated(0, new Cost.SettleBy.ResponseBytes()));
        assertThat(Reads.limit("key: all, rate: 9/s, cost: { estimate: 2, settle: duration }")
                        .cost())
                .isEqualTo(new Cost.Estimated(2, new Cost.SettleBy.DurationMillis()));
    }

    @Test
    void plansAndOverridesAreOfTheLimitsOwnKind() {
        assertThat(Reads.limit(
                                "key: client-ip, rate: 9/m, algorithm: sliding-log, plans: { p: { rate: 90/m }, q: unlimited, r: deny }")
                        .plans())
                .isEqualTo(Map.of(
                        "p",
                        new Budget.Rate(RateLimit.parse("90/m").algorithm(Algorithm.SLIDING_LOG)),
                        "q",
                        new Budget.Unlimited(),
                        "r",
                        new Budget.Deny()));
        assertThat(Reads.limit(
                                "key: client-ip, rate: 9/s, algorithm: leaky-queue, depth: 4, max-wait: 2s, plans: { p: { rate: 90/s } }")
                        .plans())
                .isEqualTo(Map.of(
                        "p", new Budget.Rate(RateLimit.parse("90/s").depth(4).maxWait(Duration.ofSeconds(2)))));
        assertThat(Reads.limit("key: client-ip, quota: 9/day, zone: Asia/Tokyo, plans: { p: { quota: 90/month } }")
                        .plans())
                .isEqualTo(Map.of(
                        "p", new Budget.Rate(RateLimit.quota(90, CalendarPeriod.MONTH, ZoneId.of("Asia/Tokyo")))));
        assertThat(Reads.limit(
                                "key: client-ip, in-flight: 9, overrides: { test: { in-flight: 90, until: 2031-12-31, why: a b } }")
                        .overrides())
                .isEqualTo(Map.of(
                        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                        new KeyOverride(
                                new Budget.InFlight(90),
                                Optional.of(Instant.parse("2032-01-01T00:00:00Z")),
                                Optional.of("a b"))));
        assertThat(Reads.limit(
                                "key: client-ip, rate: 9/s, overrides: { test: { is: deny, until: 2031-01-01T06:00:00Z } }")
                        .overrides()
                        .values())
                .containsExactly(new KeyOverride(
                        new Budget.Deny(), Optional.of(Instant.parse("2031-01-01T06:00:00Z")), Optional.empty()));
    }

    @Test
    void theRestOfALimit() {
        Limit limit = Reads.limit(
                "key: client-ip, rate: 9/s, keep-if: { status: [401, 403] }, max-keys: 500, mode: 12.5%, answer: bare, protects: pricing, at: [edge, service], scope: instance");
        assertThat(limit.keepIfStatus()).contains(Set.of(401, 403));
        assertThat(limit.maxKeys()).isEqualTo(500);
        assertThat(limit.mode()).isEqualTo(Mode.share(1_250));
        assertThat(limit.bare()).isTrue();
        assertThat(limit.protects()).contains(Protects.PRICING);
        assertThat(limit.at()).containsExactlyInAnyOrder(AdmissionPoint.EDGE, AdmissionPoint.SERVICE);
        assertThat(Reads.limit("key: all, rate: 9/s, mode: shadow").mode()).isEqualTo(Mode.SHADOW);
        assertThat(Reads.limit("key: all, rate: 9/s, mode: off").mode()).isEqualTo(Mode.OFF);
        assertThat(Reads.limit("key: all, rate: 9/s, mode: enforce").mode()).isEqualTo(Mode.ENFORCE);
        assertThat(Reads.policy(
                                "weir: 1\nlimits: { a: { key: all, rate: 1/s, instead-of: b }, b: { key: all, rate: 1/s } }")
                        .limits()
                        .get(0)
                        .insteadOf())
                .containsExactly("b");
    }

    @Test
    void sections() {
        Policy policy = Reads.policy("""
                weir: 1
                identity: { client-ip: forwarded, ipv4-prefix: 24, ipv6-prefix: 48, secret: "a-${COUNT}-${COUNT}" }
                call: { deadline: header:D, criticality: header:C }
                exempt: { path: /healthz }
                plans: { from: header:X-Plan, default: free }
                answers: { fields: x-ratelimit, jitter: 0%, preflight: count, cors: off }
                criticality: { default: sheddable, rules: [{ match: { path: /a }, is: critical-plus }] }
                """);
        assertThat(policy)
                .isEqualTo(Policy.builder()
                        .identity(new Identity(List.of(), ClientIp.FORWARDED, 24, 48, Optional.of("a-25-25")))
                        .callHeaders(new CallHeaders(Optional.of("D"), Optional.of("C")))
                        .exempt(List.of(Match.path("/healthz")))
                        .plans(new Plans(Optional.of(new Plans.Source.Header("X-Plan")), Optional.of("free")))
                        .answers(new Answers(Answers.Generation.X_RATELIMIT, 0, false, false))
                        .criticality(new CriticalityRules(
                                Criticality.SHEDDABLE,
                                List.of(new CriticalityRules.Rule(Match.path("/a"), Criticality.CRITICAL_PLUS))))
                        .build());
        assertThat(Reads.policy("weir: 1\nplans: { from: attribute:plan }")
                        .plans()
                        .source())
                .contains(new Plans.Source.Attribute("plan"));
    }

    @Test
    void aGatewayIsByDefaultWhatThePageSays() {
        assertThat(Reads.understood("weir: 1").gateway()).isEmpty();
        GatewaySettings gateway = gateway("routes: [{ match: { method: GET }, upstream: https://a.example }]");
        assertThat(gateway)
                .isEqualTo(new GatewaySettings(
                        new GatewaySettings.Listener("127.0.0.1", 8080, Optional.empty()),
                        new GatewaySettings.Admin("127.0.0.1", 9090, Optional.empty(), Optional.empty()),
                        GatewaySettings.AccessLog.JSON,
                        Optional.empty(),
                        List.of(new GatewaySettings.Route(
                                "/**",
                                gateway.routes().get(0).match(),
                                new GatewaySettings.Upstream(
                                        List.of(new GatewaySettings.Target(
                                                GatewaySettings.Scheme.HTTPS, "a.example", 443)),
                                        Optional.empty(),
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(30),
                                        Duration.ofSeconds(10),
                                        Optional.empty()),
                                Optional.empty()))));
    }

    @Test
    void theGatewaysAddresses() {
        String routes = ", routes: [{ match: { path: /** }, upstream: http://a }]";
        assertThat(gateway("listen: \"[::1]:0\"" + routes).listen())
                .isEqualTo(new GatewaySettings.Listener("::1", 0, Optional.empty()))
                .extracting(GatewaySettings.Listener::address)
                .isEqualTo("[::1]:0");
        assertThat(gateway("listen: { tls: { certificate: a.pem, key: /b.pem } }" + routes)
                        .listen())
                .isEqualTo(new GatewaySettings.Listener(
                        "127.0.0.1",
                        8080,
                        Optional.of(new GatewaySettings.Tls(
                                Reads.DIRECTORY.resolve("a.pem"), Reads.DIRECTORY.resolve("/b.pem")))));
        assertThat(gateway("admin: { read-token: \"r-${COUNT}\", write-token: \"w-${COUNT}\" }" + routes)
                        .admin())
                .isEqualTo(new GatewaySettings.Admin("127.0.0.1", 9090, Optional.of("r-25"), Optional.of("w-25")))
                .asString()
                .isEqualTo("Admin[127.0.0.1:9090, with a read token, with a write token]");
        assertThat(gateway("access-log: off, debug: X-Why" + routes)).satisfies(gateway -> {
            assertThat(gateway.accessLog()).isEqualTo(GatewaySettings.AccessLog.OFF);
            assertThat(gateway.debugHeader()).contains("X-Why");
        });
    }

    @Test
    void theGatewaysRoutes() {
        assertThat(gateway(
                                "routes: [{ match: { host: [a.example, b.example], path: [/x, /y/**] }, upstream: http://a }]")
                        .routes()
                        .get(0)
                        .name())
                .isEqualTo("a.example,b.example,/x,/y/**");
        GatewaySettings.Upstream upstream = gateway(
                        "routes: [{ match: { path: /** }, upstream: { url: [h2c://a, \"h2c://[2001:db8::1]:81/\"], health: { path: /h }, connect: 1ms, response: 1h, idle: 2s } }]")
                .routes()
                .get(0)
                .upstream();
        assertThat(upstream.targets())
                .extracting(Object::toString)
                .containsExactly("h2c://a:80", "h2c://[2001:db8::1]:81");
        assertThat(upstream)
                .isEqualTo(new GatewaySettings.Upstream(
                        upstream.targets(),
                        Optional.of(new GatewaySettings.Health("/h", Duration.ofSeconds(5))),
                        Duration.ofMillis(1),
                        Duration.ofHours(1),
                        Duration.ofSeconds(2),
                        Optional.empty()));
        assertThat(gateway(
                                "routes: [{ match: { path: /** }, upstream: { url: https://a, tls: { ca: c.pem, verify-host: no } } }]")
                        .routes()
                        .get(0)
                        .upstream()
                        .tls())
                .contains(new GatewaySettings.UpstreamTls(
                        Optional.of(Reads.DIRECTORY.resolve("c.pem")), Optional.empty(), Optional.empty(), false));
    }

    @Test
    void aServiceMayHaveThePortOfTheGatewayElsewhere() {
        String route = ", routes: [{ match: { path: /** }, upstream: ";
        gateway("listen: 0.0.0.0:8080" + route + "http://10.0.0.5:8080 }]");
        gateway("listen: 127.0.0.1:8080" + route + "http://localhost:8081 }]");
        gateway("listen: a.example:8080" + route + "http://b.example:8080 }]");
        gateway("listen: 127.0.0.1:0, admin: 127.0.0.1:0" + route + "http://127.0.0.1 }]");
    }

    private static GatewaySettings gateway(String fields) {
        return Reads.understood("weir: 1\ngateway: { " + fields + " }")
                .gateway()
                .orElseThrow();
    }

    @Test
    void numbersThatProductsAdvertiseCanBeSaid() {
        Policy policy = Reads.policy("""
                weir: 1
                plans: { from: attribute:plan }
                limits:
                  anonymous: { key: client-ip, rate: 60/h }
                  signed-in: { key: attribute:user, if-missing: skip, rate: 5000/h, instead-of: anonymous }
                  at-once: { key: attribute:user, in-flight: 100 }
                  account: { key: attribute:account, rate: 10000/s, burst: 5000 }
                  requests: { key: attribute:project, rate: 500/min }
                  tokens: { key: attribute:project, rate: 1000000/min, cost: { estimate: 800, settle: response-header:X-Tokens } }
                  key: { key: attribute:key, rate: 50/s, burst: 100, plans: { free: { rate: 1000/min } } }
                  month: { key: attribute:key, quota: 1000000/month }
                  checkouts: { match: { path: /checkout }, key: attribute:merchant, rate: 300/s }
                  texts: { key: all, rate: 100/s, algorithm: leaky-queue, max-wait: 2s }
                """);
        assertThat(policy.limits()).hasSize(10);
    }

    private static Budget rate(String rate) {
        return new Budget.Rate(RateLimit.parse(rate));
    }

    @Test
    void withAStoreLimitsAreTheFleetsUnlessTheySayOtherwise() {
        List<Limit> limits = Reads.policy("""
                weir: 1
                store: { redis: { url: redis://a } }
                limits:
                  a: { key: client-ip, rate: 1/s }
                  b: { key: client-ip, rate: 1/s, on-store-failure: closed }
                  c: { key: client-ip, in-flight: 5, scope: instance }
                """).limits();
        assertThat(limits).extracting(Limit::scope).containsExactly(Scope.FLEET, Scope.FLEET, Scope.INSTANCE);
        assertThat(limits)
                .extracting(Limit::onStoreFailure)
                .containsExactly(StoreFailure.OPEN, StoreFailure.CLOSED, StoreFailure.OPEN);
        assertThat(Reads.limit("key: all, rate: 9/s").scope()).isEqualTo(Scope.INSTANCE);
    }

    @Test
    void aStoreWithNothingButItsPlace() {
        assertThat(store("url: redis://10.0.0.5"))
                .isEqualTo(new StoreSettings(
                        new StoreSettings.Redis(
                                List.of(new StoreSettings.Node("10.0.0.5", 6379)),
                                false,
                                Optional.empty(),
                                Optional.empty(),
                                0,
                                Optional.empty()),
                        Duration.ofMillis(5),
                        true,
                        1));
    }

    @Test
    void aStoresUrlTellsWhoWhereAndHow() {
        StoreSettings.Redis redis =
                store("url: \"rediss://me:p%40ss+1@[::1]:7000/4\"").redis();
        assertThat(redis.nodes()).hasToString("[[::1]:7000]");
        assertThat(redis.login()).contains(new StoreSettings.Login(Optional.of("me"), "p@ss+1"));
        assertThat(redis.database()).isEqualTo(4);
        assertThat(redis.tls())
                .contains(new StoreSettings.Tls(Optional.empty(), Optional.empty(), Optional.empty(), true));
        assertThat(redis.toString()).doesNotContain("p@ss");
        assertThat(store("url: redis://:secret@a").redis().login())
                .contains(new StoreSettings.Login(Optional.empty(), "secret"));
    }

    @Test
    void aClusterAndSentinels() {
        assertThat(store("cluster: yes, url: [redis://a, redis://b:7001]").redis())
                .satisfies(redis -> assertThat(redis.cluster()).isTrue())
                .satisfies(redis -> assertThat(redis.nodes()).hasToString("[a:6379, b:7001]"));
        StoreSettings.Redis watched = store(
                        "url: redis://a, username: u, password: p, sentinel: { master: m, password: q }")
                .redis();
        assertThat(watched.nodes()).hasToString("[a:26379]");
        assertThat(watched.login()).contains(new StoreSettings.Login(Optional.of("u"), "p"));
        assertThat(watched.sentinel())
                .contains(new StoreSettings.Sentinel("m", Optional.of(new StoreSettings.Login(Optional.empty(), "q"))));
    }

    private static StoreSettings store(String redis) {
        return Reads.policy("weir: 1\nstore: { redis: { " + redis + " } }")
                .store()
                .orElseThrow();
    }
}
