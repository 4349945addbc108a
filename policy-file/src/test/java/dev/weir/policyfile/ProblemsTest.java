package dev.weir.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every error stands where a person would look for it, and says what is allowed. § marks the place and is no part of the file. */
class ProblemsTest {

    private static final String PLANS = "plans: { from: attribute:plan }\n";

    @ParameterizedTest(name = "{0}")
    @MethodSource("limits")
    void aWrongLimit(String fields, String field, String message) {
        expectOne(
                "weir: 1\n" + PLANS + "limits:\n  a: { " + fields + " }\n  b: { key: all, rate: 1/s }\n",
                "limits.a" + field,
                message);
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                // budgets
                row("key: all, rate: §10", ".rate", "'10' is not a rate"),
                row("key: all, rate: §abc", ".rate", "'abc' is not a rate"),
                row("key: all, rate: §-5/s", ".rate", "'-5/s' is not a rate"),
                row("key: all, rate: §1_000/s", ".rate", "'1_000/s' is not a rate"),
                row("key: all, rate: §10/", ".rate", "is not a rate"),
                row("key: all, rate: §10/0s", ".rate", "period of zero"),
                row("key: all, rate: §1000/month", ".rate", "say quota"),
                row("key: all, rate: §0/s", ".rate", "say deny in plans"),
                row("key: all, §rate:", ".rate", "there is no value"),
                row("key: all, rate: §null", ".rate", "there is no value"),
                row("key: all, rate: §[10/s]", ".rate", "a list stands where one value belongs"),
                row("key: all, rate: §{ count: 10 }", ".rate", "fields stand where one value belongs"),
                row("key: all, rate: §\"\"", ".rate", "the text is empty"),
                row("key: all, rate: 10/s, §rate: 20/s", ".rate", "stands twice"),
                row("key: all, rate: 10/s, burst: §0", ".burst", "say deny in plans"),
                row("key: all, rate: 10/s, burst: §-1", ".burst", "in digits only"),
                row("key: all, rate: 10/s, burst: §\"20\"", ".burst", "in quotes is text"),
                row("key: all, rate: 10/s, burst: §many", ".burst", "not a whole number"),
                row("key: all, rate: 10/s, burst: §1_000", ".burst", "in digits only"),
                row("key: all, rate: 10/s, burst: §1e3", ".burst", "in digits only"),
                row("key: all, rate: 10/s, burst: §0x10", ".burst", "in digits only"),
                row("key: all, rate: 10/s, burst: §on", ".burst", "not a whole number"),
                row("key: all, rate: 10/s, burst: §1000000000000000", ".burst", "is not a whole number from 1 to"),
                row("key: all, rate: 1/d, burst: §999999999999999", ".burst", "to refill"),
                row("key: all, rate: 10/s, algorithm: fixed-window, §burst: 20", ".burst", "it holds its count"),
                row("key: all, rate: 10/s, algorithm: sliding-window, §burst: 20", ".burst", "it holds its count"),
                row("key: all, rate: 10/s, algorithm: sliding-log, §burst: 20", ".burst", "it holds its count"),
                row("key: all, rate: 10/s, algorithm: leaky-queue, §burst: 20", ".burst", "depth says"),
                row("key: all, quota: 10/day, §burst: 20", ".burst", "say rate"),
                row("key: all, rate: 10/s, §in-flight: 5", ".in-flight", "in-flight beside rate"),
                row("key: all, in-flight: 5, §rate: 10/s", ".rate", "rate beside in-flight"),
                row("key: all, rate: 10/s, §quota: 10/day", ".quota", "quota beside rate"),
                row("key: all, rate: §1001/s, algorithm: sliding-log", ".rate", "at most 1000"),
                row("key: all, rate: §2097152/s, algorithm: sliding-window", ".rate", "at most 2097151"),
                row("key: all, rate: 10/s, algorithm: §fixed-windw", ".algorithm", "did you mean 'fixed-window'?"),
                row("key: all, rate: 10/s, algorithm: §quota", ".algorithm", "is not one of"),
                row("key: all, quota: 10/day, §algorithm: fixed-window", ".algorithm", "leave algorithm out"),
                row("key: all, in-flight: 5, §algorithm: gcra", ".algorithm", "say rate"),
                row("key: all, rate: 10/s, §depth: 5", ".depth", "needs algorithm: leaky-queue"),
                row(
                        "key: all, rate: 10/s, algorithm: gcra, §max-wait: 5s",
                        ".max-wait",
                        "needs algorithm: leaky-queue"),
                row("key: all, rate: 10/s, algorithm: leaky-queue, depth: §x", ".depth", "whole number"),
                row("key: all, rate: 10/s, algorithm: leaky-queue, max-wait: §500", ".max-wait", "lacks its unit"),
                row("key: all, rate: 10/s, algorithm: leaky-queue, max-wait: §-1s", ".max-wait", "not a duration"),
                row("key: all, rate: 10/s, algorithm: leaky-queue, max-wait: §NaN", ".max-wait", "not a duration"),
                row("key: all, rate: §9999999999999999/s", ".rate", "a count above 999999999999999, the most there is"),
                row("key: all, rate: §1/99999999d", ".rate", "'1/99999999d' has a period longer than 13140d"),
                row("key: all, rate: §1/99999999999999999999ms", ".rate", "has a period longer than 13140d"),
                row(
                        "key: all, rate: 1/365d, burst: §50",
                        ".burst",
                        "a burst of 50 at 1/365d takes more than 13140 days"),
                row("key: all, rate: 1/365d, algorithm: leaky-queue, depth: §50", ".depth", "a depth of 50 at 1/365d"),
                row("key: all, quota: §70368744177664/day", ".quota", "a count above 70368744177663"),
                row("key: all, quota: §9999999999999999/day", ".quota", "a count above 70368744177663"),
                row("key: all, quota: §10/s", ".quota", "is not a quota"),
                row("key: all, quota: §10", ".quota", "is not a quota"),
                row("key: all, quota: §0/day", ".quota", "say deny"),
                row("key: all, quota: 10/day, zone: §Europe/Viena", ".zone", "did you mean 'Europe/Vienna'?"),
                row("key: all, rate: 10/s, §zone: UTC", ".zone", "zone needs a quota"),
                row("key: all, in-flight: §0", ".in-flight", "say deny"),
                row("key: all, in-flight: §-3", ".in-flight", "whole number"),
                row("key: all, in-flight: §2.5", ".in-flight", "whole number"),
                row("key: all, in-flight: 5, §cost: 1", ".cost", "beside in-flight"),
                row("key: all, in-flight: 5, §keep-if: { status: 200 }", ".keep-if", "beside in-flight"),
                // keys
                row("key: §nobody, rate: 1/s", ".key", "is not a key"),
                row("key: §header, rate: 1/s", ".key", "is not a key"),
                row("key: §\"header:\", rate: 1/s", ".key", "does not name a header"),
                row("key: §\"header:X Y\", rate: 1/s", ".key", "does not name a header"),
                row("key: §[], rate: 1/s", ".key", "the list is empty"),
                row("key: [client-ip, §client-ip], rate: 1/s", ".key[2]", "stands twice"),
                row("key: [client-ip, §all], rate: 1/s", ".key[2]", "stands alone"),
                row("key: [client-ip, §[route]], rate: 1/s", ".key[2]", "one value belongs"),
                row("key: [§path:{id}], rate: 1/s", ".key[1]", "in quotes: \"path:{id}\""),
                row("key: all, §key: client-ip, rate: 1/s", ".key", "stands twice"),
                row("key: §\"path:{id}\", rate: 1/s", ".key", "needs a path that declares it"),
                row(
                        "match: { path: [\"/a/{id}\", \"/b/{name}\"] }, key: §\"path:{id}\", rate: 1/s",
                        ".key",
                        "'/b/{name}' of match does not declare {id}"),
                row("key: client-ip, if-missing: §\"path:{id}\", rate: 1/s", ".if-missing", "declares it"),
                row("key: client-ip, if-missing: §client-ip, rate: 1/s", ".if-missing", "own key"),
                row("key: client-ip, if-missing: §rejct, rate: 1/s", ".if-missing", "did you mean 'reject'?"),
                row("key: client-ip, if-missing: §default, rate: 1/s", ".if-missing", "is not one of"),
                row("key: client-ip, unknown: §skip, rate: 1/s", ".unknown", "is not one of"),
                // conditions
                row("match: §{}, key: all, rate: 1/s", ".match", "this is empty"),
                row("match: §/api, key: all, rate: 1/s", ".match", "fields belong here"),
                row("match: { §pth: /api }, key: all, rate: 1/s", ".match.pth", "did you mean 'path'?"),
                row("match: { path: §api }, key: all, rate: 1/s", ".match.path", "does not begin with a slash"),
                row("match: { path: §/a*b }, key: all, rate: 1/s", ".match.path", "mixes a wildcard"),
                row("match: { path: §/a?b=c }, key: all, rate: 1/s", ".match.path", "match a query with query:"),
                row("match: { path: §/a#b }, key: all, rate: 1/s", ".match.path", "a query or a fragment"),
                row("match: { path: §/a/../b }, key: all, rate: 1/s", ".match.path", "write the path it leads to"),
                row("match: { path: §/a/%2E%2e/b }, key: all, rate: 1/s", ".match.path", "has a dot segment"),
                row("match: { path: §/a//b }, key: all, rate: 1/s", ".match.path", "has two slashes together"),
                row(
                        "match: { path: §\"/{a}/{a}\" }, key: all, rate: 1/s",
                        ".match.path",
                        "names the variable {a} twice"),
                row("match: { path: [/a, §\"/{b}c\"] }, key: all, rate: 1/s", ".match.path[2]", "mixes a wildcard"),
                row("except: { path: §/a/./b }, key: all, rate: 1/s", ".except.path", "has a dot segment"),
                row("match: { peer: §10.0.0.0/33 }, key: all, rate: 1/s", ".match.peer", "from 0 to 32"),
                row("match: { peer: §\"2001:db8::/129\" }, key: all, rate: 1/s", ".match.peer", "from 0 to 128"),
                row("match: { peer: §10.1.2.3/8 }, key: all, rate: 1/s", ".match.peer", "say 10.0.0.0/8 for the range"),
                row("match: { peer: §10.0.0.0/08 }, key: all, rate: 1/s", ".match.peer", "the prefix length '08'"),
                row("match: { peer: §10.0.0.0/ }, key: all, rate: 1/s", ".match.peer", "the prefix length ''"),
                row("match: { peer: §10.0.0 }, key: all, rate: 1/s", ".match.peer", "is not a range of addresses"),
                row("match: { peer: §010.0.0.1 }, key: all, rate: 1/s", ".match.peer", "no leading zeros"),
                row("match: { peer: [10.0.0.1, §proxy.local] }, key: all, rate: 1/s", ".match.peer[2]", "no name"),
                row("match: { peer: §\"fe80::1%eth0\" }, key: all, rate: 1/s", ".match.peer", "names a zone"),
                row("match: { path: §[] }, key: all, rate: 1/s", ".match.path", "the list is empty"),
                row("match: { path: [/a, §/a] }, key: all, rate: 1/s", ".match.path[2]", "stands twice"),
                row("match: { method: §get }, key: all, rate: 1/s", ".match.method", "say GET"),
                row("match: { method: [GET, §Post] }, key: all, rate: 1/s", ".match.method[2]", "say POST"),
                row("match: { host: §\"example.com:80\" }, key: all, rate: 1/s", ".match.host", "has a port"),
                row("match: { host: §\"a b\" }, key: all, rate: 1/s", ".match.host", "is not a host name"),
                row("match: { header: §[X-A, X-B] }, key: all, rate: 1/s", ".match.header", "could mean any or all"),
                row("match: { header: §X A }, key: all, rate: 1/s", ".match.header", "does not name a header"),
                row(
                        "match: { header: { §X A: 1 } }, key: all, rate: 1/s",
                        ".match.header.X A",
                        "does not name a header"),
                row("match: { header: { X-A: §[] } }, key: all, rate: 1/s", ".match.header.X-A", "the list is empty"),
                row("match: { header: { X-A: §{ b: c } } }, key: all, rate: 1/s", ".match.header.X-A", "one value"),
                row("match: { header: { X-A: 1, §x-a: 2 } }, key: all, rate: 1/s", ".match.header.x-a", "stands twice"),
                row("except: §[], key: all, rate: 1/s", ".except", "the list is empty"),
                row("except: [{ method: §put }], key: all, rate: 1/s", ".except[1].method", "say PUT"),
                // costs
                row("key: all, rate: 1/s, cost: §0", ".cost", "counts nothing"),
                row("key: all, rate: 1/s, cost: §-1", ".cost", "in digits only"),
                row("key: all, rate: 1/s, cost: §\"2\"", ".cost", "in quotes is text"),
                row("key: all, rate: 1/s, cost: §high", ".cost", "a list of { match, is }"),
                row("key: all, rate: 1/s, cost: §[]", ".cost", "the list is empty"),
                row("key: all, rate: 1/s, cost: [{ §match: { method: GET } }]", ".cost[1].match", "without 'is'"),
                row("key: all, rate: 1/s, cost: [{ §is: 3 }]", ".cost[1].is", "without 'match'"),
                row("key: all, rate: 1/s, cost: { §estimate: 3 }", ".cost.estimate", "without 'settle'"),
                row(
                        "key: all, rate: 1/s, cost: { estimate: 3, settle: §header:X }",
                        ".cost.settle",
                        "is not response-header"),
                row("key: all, rate: 1/s, cost: §cookie:x", ".cost", "a list of { match, is }"),
                // plans and overrides
                row("key: client-ip, rate: 1/s, plans: §{}", ".plans", "this is empty"),
                row("key: client-ip, rate: 1/s, plans: { pro: §free }", ".plans.pro", "is not one of: unlimited, deny"),
                row("key: client-ip, rate: 1/s, plans: { pro: { rate: §0/s } }", ".plans.pro.rate", "say deny"),
                row(
                        "key: client-ip, rate: 1/s, plans: { pro: { §quota: 5/day } }",
                        ".plans.pro.quota",
                        "counts by rate"),
                row(
                        "key: client-ip, quota: 1/day, plans: { pro: { §rate: 5/s } }",
                        ".plans.pro.rate",
                        "counts by quota"),
                row(
                        "key: client-ip, rate: 1/s, plans: { pro: { rate: 1/s, §in-flight: 5 } }",
                        ".plans.pro.in-flight",
                        "one budget"),
                row("key: client-ip, rate: 1/s, plans: { pro: { §burst: 5 } }", ".plans.pro.burst", "say rate"),
                row(
                        "key: client-ip, rate: 1/s, algorithm: fixed-window, plans: { pro: { rate: 2/s, §burst: 5 } }",
                        ".plans.pro.burst",
                        "it holds its count"),
                row(
                        "key: client-ip, rate: 1/s, algorithm: sliding-log, plans: { pro: { rate: §2000/s } }",
                        ".plans.pro.rate",
                        "at most 1000"),
                row("key: client-ip, rate: 1/s, plans: { pro: deny, §pro: unlimited }", ".plans.pro", "stands twice"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { x: { rate: 2/s, until: §soon } }",
                        ".overrides.x.until",
                        "neither a date"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { x: { rate: 2/s, until: §2030-02-30 } }",
                        ".overrides.x.until",
                        "neither a date"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { x: { rate: 2/s, §is: deny } }",
                        ".overrides.x.is",
                        "is beside rate"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { x: §{ why: because } }",
                        ".overrides.x",
                        "names no budget"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { §\"sha256:12ab\": deny }",
                        ".overrides.sha256:12ab",
                        "64 hexadecimal digits"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { §\"SHA256:" + "ab".repeat(32) + "\": deny }",
                        ".overrides.SHA256:" + "ab".repeat(32),
                        "say sha256: in lower case"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { test: deny, §\"sha256:9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08\": deny }",
                        ".overrides.sha256:9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
                        "stands twice"),
                row("key: all, rate: 1/s, §overrides: { x: deny }", ".overrides", "can never apply"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { §\"${KEY}\": deny }",
                        ".overrides.${KEY}",
                        "a variable stands in a name"),
                // the rest
                row("key: all, rate: 1/s, instead-of: §c", ".instead-of", "is not the name of a limit"),
                row("key: all, rate: 1/s, instead-of: [b, §bb]", ".instead-of[2]", "did you mean 'b'?"),
                row("key: all, rate: 1/s, instead-of: §a", ".instead-of", "instead of itself"),
                row("key: all, rate: 1/s, instead-of: §[]", ".instead-of", "the list is empty"),
                row("key: all, rate: 1/s, keep-if: { status: §[] }", ".keep-if.status", "the list is empty"),
                row("key: all, rate: 1/s, keep-if: { status: §4xx }", ".keep-if.status", "from 100 to 599"),
                row("key: all, rate: 1/s, keep-if: { status: [200, §99] }", ".keep-if.status[2]", "from 100 to 599"),
                row("key: all, rate: 1/s, keep-if: §{}", ".keep-if", "this is empty"),
                row("key: all, rate: 1/s, max-keys: §0", ".max-keys", "from 1 to"),
                row("key: all, rate: 1/s, mode: §on", ".mode", "is not one of: enforce, shadow, off, or a percentage"),
                row("key: all, rate: 1/s, mode: §10", ".mode", "a percentage"),
                row("key: all, rate: 1/s, mode: §101%", ".mode", "from 0% to 100%"),
                row("key: all, rate: 1/s, mode: §-1%", ".mode", "from 0% to 100%"),
                row("key: all, rate: 1/s, answer: §yes", ".answer", "is not one of: full, bare"),
                row("key: all, rate: 1/s, protects: §everything", ".protects", "is not one of"),
                row("key: all, rate: 1/s, at: §[]", ".at", "the list is empty"),
                row("key: all, rate: 1/s, at: [edge, §client]", ".at[2]", "is not one of"),
                row("key: all, rate: 1/s, scope: §fleet", ".scope", "without a store: say store"),
                row("key: all, rate: 1/s, scope: §flet", ".scope", "did you mean 'fleet'?"),
                row("key: all, rate: 1/s, §on-store-failure: open", ".on-store-failure", "no store that could fail"),
                row("key: all, rate: 1/s, §brust: 20", ".brust", "did you mean 'burst'?"),
                row("key: all, rate: 1/s, §max_keys: 20", ".max_keys", "did you mean 'max-keys'?"),
                row("key: all, rate: 1/s, §zebra: 20", ".zebra", "is not a field of limit"),
                row(
                        "key: §${NO_SUCH}, rate: 1/s".replace("${NO_SUCH}", "\"${NO_SUCH}\""),
                        ".key",
                        "NO_SUCH is not set"),
                row("key: all, rate: §\"${COUNT/s\"", ".rate", "names no environment variable"),
                row("key: all, rate: §\"${EMPTY}\"", ".rate", "the text is empty"),
                row(
                        "key: all, rate: 1/s, overrides: { x: { rate: 1/s, why: §\"${LINES}\" } }"
                                .replace("all", "client-ip"),
                        ".overrides.x.why",
                        "a line break"),
                row(
                        "key: client-ip, rate: 1/s, overrides: { x: { rate: 1/s, why: §\"a\\0b\" } }",
                        ".overrides.x.why",
                        "NUL"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("gates")
    void aWrongGate(String fields, String field, String message) {
        expectOne("weir: 1\nload:\n  a: { " + fields + " }\n  b: { concurrency: 5 }\n", "load.a" + field, message);
    }

    static Stream<Arguments> gates() {
        String five = "concurrency: 5, ";
        String pools = five + "pools: ";
        return Stream.of(
                // how many
                row("concurrency: §0", ".concurrency", "is not a whole number from 1"),
                row("concurrency: §-3", ".concurrency", "is not a whole number from 1"),
                row("concurrency: §many", ".concurrency", "or one of: aimd, gradient, target-latency"),
                row("concurrency: §gradiant", ".concurrency", "did you mean 'gradient'?"),
                row("concurrency: §\"5\"", ".concurrency", "in quotes is text"),
                row("concurrency: §[5]", ".concurrency", "a list stands where one value belongs"),
                row("concurrency: §{ aimd: { max: 9 }, gradient: { max: 9 } }", ".concurrency", "found in one way"),
                row("concurrency: { gradient: §{ min: 9, max: 8 } }", ".concurrency.gradient", "above the ceiling"),
                row("concurrency: { gradient: §{ max: 3 } }", ".concurrency.gradient", "above the ceiling"),
                row("concurrency: { aimd: { initial: §9, max: 8 } }", ".concurrency.aimd.initial", "start between"),
                row("concurrency: { aimd: { initial: §2 } }", ".concurrency.aimd.initial", "start between"),
                row("concurrency: { gradient: { §target: 9ms } }", ".concurrency.gradient.target", "is not a field of"),
                row(
                        "concurrency: { target-latency: { target: §0ms } }",
                        ".concurrency.target-latency.target",
                        "1ms to 1h"),
                row(five + "mode: §10%", ".mode", "is not one of: enforce, shadow, off"),
                row(five + "long-call: §30", ".long-call", "is not a duration"),
                row(five + "§except: { path: /a }", ".except", "is not a field of gate"),
                // pools
                row(pools + "§{}", ".pools", "this is empty"),
                row(pools + "{ x: { guarantee: §0% } }", ".pools.x.guarantee", "above 0%"),
                row(pools + "{ x: { guarantee: §101% } }", ".pools.x.guarantee", "is not a percentage"),
                row(pools + "{ x: { guarantee: §0.5 } }", ".pools.x.guarantee", "is not a percentage"),
                row(pools + "{ x: { guarantee: 5% }, §y: { guarantee: 5% } }", ".pools.y", "two pools take the rest"),
                row(pools + "{ §x: { match: { path: /x }, borrow: no } }", ".pools.x", "could have no slot"),
                row(pools + "{ x: { borrow: §maybe } }", ".pools.x.borrow", "is not one of: yes, no"),
                row(pools + "{ §ü: { guarantee: 5% } }", ".pools.ü", "printable ASCII"),
                row(pools + "§{ rest: { match: { path: /x }, guarantee: 5% } }", ".pools", "name it otherwise"),
                // tenants, queue
                row(five + "tenants: { §key: client-ip }", ".tenants.key", "name both"),
                row(five + "tenants: { §at-most: 20% }", ".tenants.at-most", "name both"),
                row(five + "tenants: { key: client-ip, at-most: §0% }", ".tenants.at-most", "above 0%"),
                row(five + "queue: { §size: 5 }", ".queue.size", "name both"),
                row(five + "queue: { size: §0, max-wait: 5ms }", ".queue.size", "from 1"),
                row(five + "queue: { size: 5, max-wait: 5ms, §fair-by: tenant }", ".queue.fair-by", "needs tenants"),
                row(five + "queue: { size: 5, max-wait: 5ms, fair-by: §luck }", ".queue.fair-by", "tenant, arrival"),
                // who goes first
                row(five + "shed: { sheddable: §0% }", ".shed.sheddable", "above 0%"),
                row(five + "shed: { §critical-plus: 90% }", ".shed.critical-plus", "is not a field of shed"),
                row(five + "reserve: { critical: §2% }", ".reserve.critical", "in digits only"),
                row(five + "shed: { sheddable: 9% }, §reserve: { critical: 2 }", ".reserve", "keep one"),
                // signals
                row(five + "signals: { cpu: §0.9 }", ".signals.cpu", "is not a percentage"),
                row(five + "signals: { cpu: §90ms }", ".signals.cpu", "is not a percentage"),
                row(five + "signals: { p99: §90% }", ".signals.p99", "is not a duration"),
                row(five + "signals: { §p999: 90ms }", ".signals.p999", "did you mean 'p99'?"),
                row(five + "signals: { §\"pool:\": 90% }", ".signals.pool:", "is no signal"),
                // degrade
                row(five + "degrade: §[]", ".degrade", "the list is empty"),
                row(five + "degrade: [ §{ do: stale } ]", ".degrade[1]", "one of above and without"),
                row(five + "degrade: [ §{ above: 9%, without: x, do: y } ]", ".degrade[1]", "one of above and without"),
                row(five + "degrade: [ §{ above: 70% } ]", ".degrade[1]", "what is done"),
                row(five + "degrade: [ { above: §100%, do: stale } ]", ".degrade[1].above", "never begins"),
                row(five + "degrade: [ { above: 70%, do: §No_Way } ]", ".degrade[1].do", "small letters"));
    }

    @Test
    void aGateWithoutANumberSaysSo() {
        expectOne("weir: 1\nload:\n  §a: { mode: shadow }\n", "load.a", "say concurrency: gradient");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outbounds")
    void aWrongDependency(String fields, String field, String message) {
        expectOne("weir: 1\noutbound: { pay: { " + fields + " } }", "outbound.pay" + field, message);
    }

    static Stream<Arguments> outbounds() {
        return Stream.of(
                row("rate: §10", ".rate", "is not a rate"),
                row("rate: §0/s", ".rate", "lets nothing out"),
                row("rate: §5/month", ".rate", "quota: 5/month"),
                row("rate: 5/s, burst: §0", ".burst", "from 1 to 1000000"),
                row("rate: 5/s, burst: §\"2\"", ".burst", "in quotes is text"),
                row("§burst: 2, timeout: 1s", ".burst", "needs a rate"),
                row("§pacing: smooth, timeout: 1s", ".pacing", "needs a rate"),
                row("§scope: instance, timeout: 1s", ".scope", "needs a rate"),
                row("rate: 5/s, pacing: smooth, §burst: 2", ".burst", "which is a burst of 1"),
                row("rate: 5/s, pacing: §smoth", ".pacing", "did you mean 'smooth'?"),
                row("rate: 5/s, scope: §region", ".scope", "instance, fleet"),
                row("rate: 5/s, max-wait: §50", ".max-wait", "lacks its unit"),
                row("max-wait: §2h", ".max-wait", "from 1ms to 1h"),
                row("in-flight: §0", ".in-flight", "from 1 to 100000"),
                row("in-flight: §gradiant", ".in-flight", "did you mean 'gradient'?"),
                row("in-flight: { aimd: { §mn: 2 } }", ".in-flight.aimd.mn", "did you mean 'min'?"),
                row("§queue: 5, timeout: 1s", ".queue", "needs in-flight"),
                row("in-flight: 5, queue: §0", ".queue", "from 1 to 100000"),
                row("retry: §3", ".retry", "one value stands here"),
                row("retry: { tries: §11 }", ".retry.tries", "from 1 to 10"),
                row("retry: { budget: §0.1 }", ".retry.budget", "a percentage"),
                row("retry: { backoff: §100ms }", ".retry.backoff", "FIRST..LONGEST"),
                row("retry: { backoff: §1..5s }", ".retry.backoff", "lacks its unit"),
                row("retry: { backoff: §5s..1s }", ".retry.backoff", "the shorter first"),
                row("retry: { methods: §post }", ".retry.methods", "say POST"),
                row("retry: { §trie: 3 }", ".retry.trie", "did you mean 'tries'?"),
                row("throttle: §2", ".throttle", "one value stands here"),
                row("throttle: { k: §0.5 }", ".throttle.k", "from 1 to 100"),
                row("throttle: { k: §two }", ".throttle.k", "from 1 to 100"),
                row("§hedge: 50ms, timeout: 1s", ".hedge", "needs retry"),
                row("timeout: §0s", ".timeout", "from 1ms to 1h"),
                row("max-pause: §forever", ".max-pause", "a duration"),
                row("share-pause: §maybe", ".share-pause", "yes, no"),
                row("retry-after-ms: §true", ".retry-after-ms", "yes, no"),
                row("hosts: §api.example:443", ".hosts", "has a port"),
                row("hosts: [a.example, §a.example]", ".hosts[2]", "stands twice"),
                row("§rat: 5/s", ".rat", "did you mean 'rate'?"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stores")
    void aWrongStore(String fields, String field, String message) {
        expectOne("weir: 1\nstore: { redis: { " + fields + " } }\n", "store.redis" + field, message);
    }

    static Stream<Arguments> stores() {
        String url = "url: redis://a, ";
        return Stream.of(
                row("url: §a:6379", ".url", "this is not redis://HOST:PORT"),
                row("url: §http://a", ".url", "is not one of: redis, rediss"),
                row("url: §redsi://a", ".url", "did you mean 'redis'?"),
                row("url: §redis://a:0", ".url", "port 0"),
                row("url: §redis://a:99999", ".url", "above 65535"),
                row("url: §redis://6379", ".url", "has no host"),
                row("url: §redis://a/x", ".url", "the number of a database"),
                row("url: §redis://a?timeout=5", ".url", "without query or fragment"),
                row("url: §redis://me@a", ".url", "no password"),
                row("url: §redis://me:100%@a", ".url", "write it as %25"),
                row("url: §[redis://a, redis://b]", ".url", "say cluster: yes or sentinel"),
                row("cluster: no, url: §[redis://a, redis://b]", ".url", "say cluster: yes or sentinel"),
                row("cluster: yes, url: [redis://a, §rediss://b]", ".url[2]", "all of them share one"),
                row("cluster: yes, url: [redis://a, §redis://b/2]", ".url[2]", "all of them share one"),
                row("cluster: yes, url: [redis://a, §redis://a]", ".url[2]", "stands twice"),
                row(url + "cluster: yes, §sentinel: { master: m }", ".sentinel", "keep one of the two"),
                row(url + "§sentinel: { username: u, password: p }", ".sentinel", "say master: NAME"),
                row(url + "sentinel: { master: m, §username: u }", ".sentinel.username", "name both"),
                row(url + "§username: u", ".username", "name both"),
                row("url: redis://u:p@a, §password: p", ".password", "keep one of the two"),
                row("url: redis://a/1, §database: 1", ".database", "keep one of the two"),
                row(url + "cluster: yes, §database: 1", ".database", "database 0 alone"),
                row("cluster: yes, §url: redis://a/1", ".url", "database 0 alone"),
                row(url + "database: §-1", ".database", "in digits only"),
                row(url + "§tls: { ca: ca.pem }", ".tls", "say rediss"),
                row("url: rediss://a, tls: { §key: k.pem }", ".tls.key", "name both"),
                row(url + "timeout: §5", ".timeout", "lacks its unit"),
                row(url + "timeout: §0ms", ".timeout", "from 1ms to 1s"),
                row(url + "timeout: §2s", ".timeout", "from 1ms to 1s"),
                row(url + "lease: §on", ".lease", "is not one of: auto, off"),
                row(url + "instances: §0", ".instances", "from 1 to"),
                row(url + "instances: §many", ".instances", "in digits only"),
                row(url + "§instance: 4", ".instance", "did you mean 'instances'?"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void aWrongFile(String yaml, String field, String message) {
        expectOne(yaml, field, message);
    }

    static Stream<Arguments> files() {
        return Stream.of(
                row("weir: §2", "weir", "this version reads format 1 alone"),
                row("weir: §\"1\"", "weir", "in quotes is text"),
                row("weir: §one", "weir", "format 1"),
                row("§identity: { ipv4-prefix: 24 }", "weir", "begin it with weir: 1"),
                row("weir: 1\n§limts: {}", "limts", "did you mean 'limits'?"),
                row("weir: 1\n§weir: 1", "weir", "stands twice"),
                row("weir: 1\noutbound: §{}", "outbound", "this is empty"),
                row(
                        "weir: 1\noutbound: { pay: { rate: 1/s, timeout: 1s, scope: §fleet } }",
                        "outbound.pay.scope",
                        "needs a store"),
                row(
                        "weir: 1\noutbound: { pay: { rate: 1/s, timeout: 1s, share-pause: §yes } }",
                        "outbound.pay.share-pause",
                        "needs a store"),
                row("weir: 1\noutbound:\n  §päy: { rate: 1/s }", "outbound.päy", "printable ASCII"),
                row(
                        "weir: 1\noutbound: { pay: { rate: 1/s } }\ngateway: { routes: [ { match: { path: /** }, upstream: http://a, outbound: §pya } ] }",
                        "gateway.routes[1].outbound",
                        "did you mean 'pay'?"),
                row(
                        "weir: 1\ngateway: { routes: [ { match: { path: /** }, upstream: http://a, outbound: §pay } ] }",
                        "gateway.routes[1].outbound",
                        "there is none: name it there"),
                row("weir: 1\nstore: §{}", "store", "this is empty"),
                row("weir: 1\nstore: { §reddis: { url: redis://a } }", "store.reddis", "did you mean 'redis'?"),
                row("weir: 1\nstore: { redis: { url: §\"${NO_SUCH}\" } }", "store.redis.url", "NO_SUCH is not set"),
                row("weir: 1\nstore: { §redis: { timeout: 5ms } }", "store.redis", "say url: redis://HOST:PORT"),
                row(
                        "weir: 1\nstore: { redis: { url: redis://a } }\nlimits:\n  a: { key: all, rate: 1/s, scope: instance, §on-store-failure: local }",
                        "limits.a.on-store-failure",
                        "say scope: fleet"),
                row(
                        "weir: 1\nstore: { redis: { url: redis://a } }\nlimits:\n  a: { key: all, rate: 1/s, on-store-failure: §opne }",
                        "limits.a.on-store-failure",
                        "did you mean 'open'?"),
                row("weir: 1\n§limits:", "limits", "there is no value"),
                row("weir: 1\nlimits: §[]", "limits", "fields belong here"),
                row("weir: 1\nlimits: §{}", "limits", "this is empty"),
                row("weir: 1\nlimits:\n  §a: { key: all }", "limits.a", "has no budget"),
                row("weir: 1\nlimits:\n  §a: { rate: 1/s }", "limits.a", "does not say who is counted"),
                row("weir: 1\nlimits:\n  §a:", "limits.a", "there is no value"),
                row("weir: 1\nlimits:\n  §grün: { key: all, rate: 1/s }", "limits.grün", "printable ASCII"),
                row("weir: 1\nlimits:\n  §\"\": { key: all, rate: 1/s }", "limits", "the name is empty"),
                row(
                        "weir: 1\nlimits:\n  a: { key: all, rate: 1/s }\n  §a: { key: all, rate: 2/s }",
                        "limits.a",
                        "stands twice"),
                row(
                        "weir: 1\nlimits:\n  a: { key: client-ip, rate: 1/s, §plans: { pro: deny } }",
                        "limits.a.plans",
                        "need plans.from"),
                row(
                        "weir: 1\nlimits:\n  a: { key: client-ip, rate: 1/s, §unknown: reject }",
                        "limits.a.unknown",
                        "needs plans.from"),
                row(
                        "weir: 1\nplans: { from: file:plans.csv }\nlimits:\n  a: { key: all, rate: 1/s, §plans: { large: deny } }",
                        "limits.a.plans",
                        "can never apply"),
                row("weir: 1\nplans: { §default: free }", "plans.default", "needs from"),
                row("weir: 1\nplans: { from: §plans.csv }", "plans.from", "such as file:plans.csv"),
                row("weir: 1\nplans: { from: §file:no-such.csv }", "plans.from", "there is no such file"),
                row("weir: 1\nplans: { from: §file:. }", "plans.from", "a directory or a device"),
                row("weir: 1\nplans: { from: §\"header:\" }", "plans.from", "does not name a header"),
                row("weir: 1\nidentity: §{}", "identity", "this is empty"),
                row("weir: 1\nidentity: { client-ip: §header }", "identity.client-ip", "is not one of: peer"),
                row("weir: 1\nidentity: { ipv4-prefix: §33 }", "identity.ipv4-prefix", "from 1 to 32"),
                row("weir: 1\nidentity: { ipv6-prefix: §0 }", "identity.ipv6-prefix", "from 1 to 128"),
                row("weir: 1\nidentity: { trusted-proxies: §[] }", "identity.trusted-proxies", "the list is empty"),
                row(
                        "weir: 1\nidentity: { trusted-proxies: [10.0.0.0/8, §192.0.2.1/24] }",
                        "identity.trusted-proxies[2]",
                        "say 192.0.2.0/24 for the range or 192.0.2.1 for the one address"),
                row(
                        "weir: 1\nidentity: { trusted-proxies: §localhost }",
                        "identity.trusted-proxies",
                        "is not a range of addresses"),
                row("weir: 1\nidentity: { secret: §\"\" }", "identity.secret", "the text is empty"),
                row("weir: 1\nidentity:\n  secret: §${NO_SUCH}", "identity.secret", "NO_SUCH is not set"),
                row("weir: 1\ncall: { deadline: §X-Time }", "call.deadline", "'X-Time' is not header:NAME"),
                row("weir: 1\ncall: { criticality: §client-ip }", "call.criticality", "is not header:NAME"),
                row("weir: 1\nanswers: { fields: §draft-12 }", "answers.fields", "did you mean 'draft-11'?"),
                row("weir: 1\nanswers: { jitter: §10 }", "answers.jitter", "a percentage"),
                row("weir: 1\nanswers: { cors: §on }", "answers.cors", "is not one of: reflect, off"),
                row("weir: 1\nexempt: [§{}]", "exempt[1]", "this is empty"),
                row("weir: 1\nexempt: §[]", "exempt", "the list is empty"),
                row(
                        "weir: 1\ncriticality: { rules: [{ §match: { path: /a } }] }",
                        "criticality.rules[1].match",
                        "without 'is'"),
                row(
                        "weir: 1\ncriticality: { rules: §{ match: { path: /a }, is: critical } }",
                        "criticality.rules",
                        "a list belongs here"),
                row("weir: 1\ncriticality: { default: §low }", "criticality.default", "is not one of"),
                row("§[]", "", "fields belong here"),
                row("§weir", "", "fields belong here"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("gateways")
    void aWrongGateway(String fields, String field, String message) {
        expectOne("weir: 1\ngateway: { " + fields + " }\n", "gateway." + field, message);
    }

    static Stream<Arguments> gateways() {
        return Stream.of(
                // addresses
                ofGateway("listen: §8080", "listen", "has no host"),
                ofGateway("listen: §localhost", "listen", "has no port"),
                ofGateway("listen: §127.0.0.1:65536", "listen", "above 65535"),
                ofGateway("listen: §127.0.0.1:-1", "listen", "is not HOST:PORT"),
                ofGateway("listen: §127.0.0.256:80", "listen", "is not an IP address"),
                ofGateway("listen: §\"::1:8080\"", "listen", "IPv6 in brackets"),
                ofGateway("listen: §\"[::g]:8080\"", "listen", "IPv6 in brackets"),
                ofGateway("listen: §\"[::1::]:8080\"", "listen", "is not an IP address"),
                ofGateway("listen: §http://a:80", "listen", "is not HOST:PORT"),
                ofGateway("listen: §" + "a.".repeat(100_000) + "a:80", "listen", "longer than"),
                ofGateway("listen: §{}", "listen", "this is empty"),
                ofGateway("listen: §[a]", "listen", "a list stands where one value belongs"),
                ofGateway("listen: { address: §a }", "listen.address", "has no port"),
                ofGateway("listen: { §adress: a:1 }", "listen.adress", "did you mean 'address'?"),
                ofGateway("listen: { tls: { §certificate: a.pem } }", "listen.tls.certificate", "without 'key'"),
                ofGateway("listen: { tls: { §key: a.pem } }", "listen.tls.key", "without 'certificate'"),
                ofGateway("listen: { tls: §yes }", "listen.tls", "fields belong here"),
                ofGateway("admin: §off", "admin", "has no port"),
                ofGateway("admin: { read-token: §\"\" }", "admin.read-token", "the text is empty"),
                ofGateway("admin: { write-token: §\"${EMPTY}\" }", "admin.write-token", "the text is empty"),
                ofGateway("admin: { write-token: §\"${NO_SUCH}\" }", "admin.write-token", "NO_SUCH is not set"),
                ofGateway("§admin: localhost:8080", "admin", "come in at one address"),
                ofGateway("§listen: \"[::]:9090\"", "listen", "come in at one address"),
                ofGateway("access-log: §apache", "access-log", "is not one of: json, combined, off"),
                ofGateway("access-log: §joson", "access-log", "did you mean 'json'?"),
                ofGateway("debug: §X Debug", "debug", "does not name a header"),
                ofGateway("§route: a", "route", "did you mean 'routes'?"),
                // routes
                row("routes: §[]", "routes", "the list is empty"),
                row("routes: §{ match: { path: /a } }", "routes", "a list belongs here"),
                row("routes: [§http://a]", "routes[1]", "fields belong here"),
                row("routes: [§{ name: a }]", "routes[1]", "a route names its match and its upstream"),
                row("routes: [{ §match: { path: /a } }]", "routes[1].match", "without 'upstream'"),
                row("routes: [{ §upstream: http://a }]", "routes[1].upstream", "without 'match'"),
                row("routes: [{ match: §{}, upstream: http://a }]", "routes[1].match", "this is empty"),
                row(
                        "routes: [{ match: { §route: b }, upstream: http://a }]",
                        "routes[1].match.route",
                        "does not know a call's route"),
                row(
                        "routes: [{ match: { §attribute: b }, upstream: http://a }]",
                        "routes[1].match.attribute",
                        "does not know a call's attribute"),
                row(
                        "routes: [{ name: §grün, match: { path: /a }, upstream: http://a }]",
                        "routes[1].name",
                        "printable ASCII"),
                row("routes: [§{ match: { path: /grün }, upstream: http://a }]", "routes[1]", "give it a name"),
                row(
                        "routes: [{ match: { path: /a }, upstream: http://a }, §{ match: { path: /a }, upstream: http://a }]",
                        "routes[2]",
                        "stands twice"),
                row(
                        "routes: [{ match: { path: /a, method: GET }, upstream: http://a }, §{ match: { path: /a }, upstream: http://b }]",
                        "routes[2]",
                        "two routes are called '/a': give one a name"),
                row(
                        "routes: [{ name: a, match: { path: /a }, upstream: http://a }, §{ name: a, match: { path: /b }, upstream: http://a }]",
                        "routes[2]",
                        "two routes are called 'a'"),
                row(
                        "routes: [{ match: { path: /** }, upstream: http://a }, §{ match: { method: PUT }, upstream: http://a }]",
                        "routes[2]",
                        "never reached: stands behind a route that matches every call that it does, '/**'"),
                row(
                        "routes: [{ match: { path: /a/** }, upstream: http://a }, §{ match: { path: /a/b }, upstream: http://b }]",
                        "routes[2]",
                        "never reached"),
                // upstreams
                ofUpstream("§a:80", "", "is not http://HOST"),
                ofUpstream("§ftp://a", "", "is not a scheme that is forwarded to: http, https, h2c"),
                ofUpstream("§htpps://a", "", "did you mean 'https'?"),
                ofUpstream("§http://", "", "is not HOST:PORT"),
                ofUpstream("§http://user:hidden@a", "", "holds a user"),
                ofUpstream("§http://a/b", "", "has a path, '/b': path and query are forwarded as they came"),
                ofUpstream("§http://a/?b", "", "has a query"),
                ofUpstream("§\"http://a#b\"", "", "has a fragment"),
                ofUpstream("§http://a:0", "", "nothing is reached at port 0"),
                ofUpstream("§http://a:99999", "", "above 65535"),
                ofUpstream("§http://1.2.3", "", "is not an IP address"),
                ofUpstream("§http://a_b..c", "", "is not HOST:PORT"),
                ofUpstream("§http://127.0.0.1:8080", "", "would call itself"),
                ofUpstream("§http://localhost:8080", "", "would call itself"),
                ofUpstream("§\"http://[::1]:8080\"", "", "would call itself"),
                ofUpstream("§[http://a]", "", "a list stands where one value belongs"),
                ofUpstream("{ url: [http://a, §https://a] }", ".url[2]", "share one scheme"),
                ofUpstream("{ url: [http://a, §http://a:80] }", ".url[2]", "stands twice"),
                ofUpstream("{ url: §[] }", ".url", "the list is empty"),
                ofUpstream("{ url: http://a, connect: §0s }", ".connect", "is not from 1ms to 1h"),
                ofUpstream("{ url: http://a, response: §61m }", ".response", "is not from 1ms to 1h"),
                ofUpstream("{ url: http://a, idle: §5 }", ".idle", "lacks its unit"),
                ofUpstream("{ url: http://a, health: { §every: 5s } }", ".health.every", "say path"),
                ofUpstream("{ url: http://a, health: { path: §alive } }", ".health.path", "is not a path"),
                ofUpstream("{ url: http://a, health: { path: /a, every: §2h } }", ".health.every", "from 1ms to 1h"),
                ofUpstream("{ url: http://a, §tls: { ca: a.pem } }", ".tls", "needs https"),
                ofUpstream("{ url: https://a, tls: { §certificate: a.pem } }", ".tls.certificate", "without 'key'"),
                ofUpstream("{ url: https://a, tls: { verify-host: §off } }", ".tls.verify-host", "one of: yes, no"),
                row(
                        "routes: [{ match: { path: /** }, §upstream: { connect: 1s } }]",
                        "routes[1].upstream",
                        "this upstream has no url"),
                row(
                        "listen: a.example:80, routes: [{ match: { path: /** }, upstream: §http://A.example }]",
                        "routes[1].upstream",
                        "would call itself"));
    }

    private static Arguments ofGateway(String field, String path, String message) {
        return row("routes: [{ match: { path: /** }, upstream: http://a }], " + field, path, message);
    }

    private static Arguments ofUpstream(String upstream, String path, String message) {
        return row(
                "routes: [{ match: { path: /** }, upstream: " + upstream + " }]", "routes[1].upstream" + path, message);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "exempt: { route: §order }",
                "exempt: [{ path: /a }, { route: [orders, §order] }]",
                "limits: { a: { match: { route: §order }, key: all, rate: 1/s } }",
                "limits: { a: { except: { route: §order }, key: all, rate: 1/s } }",
                "limits: { a: { key: all, rate: 1/s, cost: [{ match: { route: §order }, is: 1 }] } }",
                "limits: { a: { match: { route: §order }, key: all, rate: 1/s, at: [edge, gateway] } }",
                "criticality: { rules: [{ match: { route: §order }, is: critical }] }",
            })
    void aRouteThatTheGatewayDoesNotHave(String section) {
        String yaml = "weir: 1\n" + section
                + "\ngateway: { routes: [{ name: orders, match: { path: /** }, upstream: http://a }] }";
        assertThat(Reads.problems(yaml.replace("§", ""))).singleElement().satisfies(problem -> {
            assertThat(problem.message()).contains("'order' is not the name of a route", "did you mean 'orders'?");
            assertThat(new Place(problem.line(), problem.column())).isEqualTo(place(yaml));
        });
        Reads.understood(yaml.replace("§", "").replaceAll("gateway: \\{.*", ""));
    }

    @Test
    void aLimitOfTheServiceNamesRoutesOfTheService() {
        Reads.understood(
                "weir: 1\nlimits: { a: { match: { route: order }, key: all, rate: 1/s, at: service } }\ngateway: { routes: [{ match: { path: /** }, upstream: http://a }] }");
    }

    @Test
    void aGatewayWithoutRoutesIsNone() {
        expectOne("weir: 1\n§gateway:\n  listen: a:80\n", "gateway", "has no routes");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("texts")
    void aTextThatIsNoPolicy(String yaml, String message) {
        String text = yaml.replace("§", "");
        List<Problem> problems = Reads.problems(text);
        assertThat(problems).as(yaml).hasSize(1);
        assertThat(problems.get(0).message()).contains(message);
        assertThat(problems.get(0).field()).isEmpty();
        assertThat(new Place(problems.get(0).line(), problems.get(0).column())).isEqualTo(place(yaml));
    }

    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("§", "the file is empty"),
                Arguments.of("§# nothing\n", "the file is empty"),
                Arguments.of("§---\n", "the file is empty"),
                Arguments.of("weir: 1\n§---\nweir: 1\n", "a second document"),
                Arguments.of("weir: 1\nexempt: [ { path: /a }§", "this is not YAML"),
                Arguments.of("weir: 1\nlimits:\n§\ta: { key: all, rate: 1/s }\n", "a tab stands here"),
                Arguments.of("weir: 1\nplans: { from: §\u0000 }\n", "NUL"),
                Arguments.of("weir: 1 # §\u0007\n", "U+0007"),
                Arguments.of("weir: 1 # §\u2028\n", "U+2028"),
                Arguments.of("weir: 1 # §\ud800 \n", "U+D800"),
                Arguments.of("weir: 1\nidentity: §&all { ipv4-prefix: 24 }\n", "an anchor (&)"),
                Arguments.of("weir: 1\nplans: §*all\n", "an alias (*)"),
                Arguments.of("weir: 1\nexempt: { path: §* }\n", "stands in quotes"),
                Arguments.of("weir: §!!int 1\n", "a tag (!)"),
                Arguments.of("§%YAML 1.1\n---\nweir: 1\n", "a YAML directive"),
                Arguments.of("weir: 1\nlimits: a§: b\n", "a colon and a space"),
                Arguments.of("weir: 1\nidentity: { secret: $§{SECRET} }\n", "put the value in quotes"),
                Arguments.of("weir: 1\nlimits: { a: { key: path§:{id}, rate: 1/s } }\n", "\"path:{name}\""),
                Arguments.of("weir: 1\ngateway: { listen: [§::1]:8080 }\n", "\"[::1]:8080\""),
                Arguments.of("weir: 1\nexempt: { host: http://§[::1]:80 }\n", "\"http://[::1]:8081\""),
                Arguments.of("weir: 1\r\nexempt: [ {}\r\n§identity: x: y\r\n", "this is not YAML"),
                Arguments.of("😀: [x\ny§: z\n", "this is not YAML"),
                Arguments.of("weir: " + "[".repeat(32) + "§[" + "[".repeat(100_000), "nested deeper"),
                Arguments.of("§weir: 1 # " + "x".repeat(1 << 20), "larger than 1 MiB"));
    }

    @Test
    void everyErrorOfAFileIsReportedInItsOrder() {
        String yaml = """
                weir: 1
                identity: { client-ip: §head, ipv4-prefix: §99 }
                answers: { §jiter: 10% }
                limits:
                  §a:
                    match: { method: §get, path: §api }
                    rate: §10
                    cost: §0
                    mode: §on
                    instead-of: §b2
                  b:
                    key: §nobody
                    rate: 10/s
                    §depth: 4
                    overrides: { x: { rate: §1/month, until: §never } }
                exempt: §[]
                """;
        expectAll(yaml);
    }

    @Test
    void whatDoesNotBelongTogetherIsReadAllTheSame() {
        expectAll("""
                weir: 1
                plans: { from: attribute:plan }
                limits:
                  a: { key: client-ip, rate: §5, §in-flight: §0, §quota: §3/dya }
                  b: { key: client-ip, in-flight: 5, §burst: §0 }
                  c:
                    key: client-ip
                    rate: 10/s
                    plans: { pro: { rate: §6, §quota: 6/day, burst: §0 }, free: { §quota: §6/dya } }
                    overrides: { x: { is: §dney, §rate: §7, until: §never }, y: { is: deny, §burst: §many } }
                load:
                  service:
                    concurrency: §{ gradient: { min: §0 }, aimd: { max: §x, min: §y }, target-latency: { target: §5 } }
                    shed: { sheddable: §60, §bogus: 3% }
                    §reserve: { critical: §none }
                    degrade: [ §{ above: §70, without: §"", do: §X }, §{ above: 70%, without: a, do: x }, §{ do: x, match: §{} } ]
                """);
    }

    /** The file has the errors that are marked, in this order, and no others. */
    private static void expectAll(String yaml) {
        List<Place> places = new ArrayList<>();
        int line = 1;
        for (String text : yaml.lines().toList()) {
            int seen = 0;
            for (int at = text.indexOf('§'); at >= 0; at = text.indexOf('§', at + 1)) {
                places.add(new Place(line, at + 1 - seen++));
            }
            line++;
        }
        assertThat(Reads.problems(yaml.replace("§", "")))
                .extracting(p -> new Place(p.line(), p.column()))
                .isEqualTo(places);
    }

    @Test
    void columnsCountCharactersNotUtf16() {
        expectOne(
                "weir: 1\nlimits: { a: { match: { route: \"😀😀\" }, key: all, rate: §1 } }",
                "limits.a.rate",
                "not a rate");
    }

    @Test
    void aByteOrderMarkAndCarriageReturnsDoNotMoveAnything() {
        expectOne("\ufeffweir: 1\r\nlimits:\r\n  a: { key: all, rate: §1 }\r\n", "limits.a.rate", "not a rate");
        assertThat(Reads.problems("\ufeffweir: 2")).extracting(Problem::column).containsExactly(7);
    }

    @Test
    void anAnchorBombIsRefusedAtItsAnchors() {
        StringBuilder bomb = new StringBuilder("weir: 1\na0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            bomb.append("a")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" [*a")
                    .append(i - 1)
                    .append(", *a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThat(Reads.problems(bomb.toString())).hasSize(40 + 40 + 2 * 39);
    }

    @Test
    void limitsThatStandInsteadOfEachOtherAreARing() {
        List<Problem> problems = Reads.problems(
                "weir: 1\nlimits:\n  a: { key: all, rate: 1/s, instead-of: b }\n  b: { key: all, rate: 1/s, instead-of: c }\n  c: { key: all, rate: 1/s, instead-of: a }\n");
        assertThat(problems).extracting(Problem::line).containsExactly(3, 4, 5);
        assertThat(problems).allSatisfy(p -> assertThat(p.message()).contains("neither would count"));
    }

    @Test
    void aSecretIsNeverShown() {
        assertThat(Reads.problems(
                        "weir: 1\ngateway: { routes: [{ match: { path: /a }, upstream: http://me:pass@a:x }] }"))
                .noneMatch(p -> p.toString().contains("pass"));
        assertThat(Reads.problems("weir: 1\nstore: { redis: { url: redis://me:pass@a@b } }"))
                .noneMatch(p -> p.toString().contains("pass"));
        List<Problem> problems = Reads.problems("weir: 1\nidentity: { secret: \"pass\\0word\" }");
        assertThat(problems)
                .noneMatch(p -> p.toString().contains("pass") || p.toString().contains("word"));
    }

    @Test
    void aProblemReadsAsFileLineColumnFieldMessage() {
        assertThat(Reads.problems("weir: 1\nlimits: { a: { key: all, rate: 10/s, brust: 20 } }\n")
                        .get(0)
                        .toString())
                .startsWith(
                        "p.yaml:2:38: limits.a.brust: 'brust' is not a field of limit; did you mean 'burst'?; known are match,");
    }

    private static Arguments row(String yaml, String field, String message) {
        return Arguments.of(yaml, field, message);
    }

    /** The file has exactly one error: at the mark, about the field, with these words. */
    static void expectOne(String marked, String field, String message) {
        List<Problem> problems = Reads.problems(marked.replace("§", ""));
        Place place = place(marked);
        assertThat(problems).as(marked).hasSize(1);
        Problem problem = problems.get(0);
        assertThat(problem.message()).contains(message);
        assertThat(problem.field().orElse("")).isEqualTo(field);
        assertThat(new Place(problem.line(), problem.column()))
                .as(problem.toString())
                .isEqualTo(place);
    }

    private static Place place(String marked) {
        String before = marked.substring(0, marked.indexOf('§'));
        return Characters.end(before.startsWith("\ufeff") ? before.substring(1) : before);
    }
}
