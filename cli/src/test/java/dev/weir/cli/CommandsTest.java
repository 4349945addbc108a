package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands as a person or a program runs them: words in, text and exit code out. */
class CommandsTest {

    private static final String ARRIVALS =
            "0.70,0.75,0.80,0.85,0.90,0.95,1.00,1.05,1.10,1.15,1.20,1.25,1.30,1.35,1.62,1.87,2.12,2.37,2.62,2.87";

    @TempDir
    Path folder;

    private record Ran(int exitCode, String out, String err) {
        JsonNode json() {
            return JsonMapper.shared().readTree(out);
        }
    }

    private static Ran run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Main.run(Streams.of(new ByteArrayInputStream(new byte[0]), out, err), words);
        return new Ran(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String write(String name, String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines)).toString();
    }

    // ---- simulate

    private String scenario(String must) throws IOException {
        return write(
                "small.yaml",
                "title: Twice the capacity",
                "duration: 30s",
                "fleet: { workers: 4, service: 10ms }",
                "clients: { all: { rate: 800/s, deadline: 100ms } }",
                "contenders: [none, fixed-8, weir]",
                "measure: 10s..30s",
                "must: { " + must + " }");
    }

    @Test
    void aScenarioIsPlayedBehindEachContender() throws IOException {
        Ran ran = run("simulate", scenario("goodput: 80%, none-fails: yes"));

        assertThat(ran.err).isEmpty();
        assertThat(ran.out)
                .startsWith("small: Twice the capacity\n")
                .contains("  none  ")
                .contains("  fixed-8  ")
                .contains("  weir  ")
                .contains("holds   goodput at least 80.0 %");
        assertThat(ran.exitCode).isZero();
    }

    @Test
    void aScenarioWhoseDemandsAreMissedSaysSo() throws IOException {
        Ran ran = run("simulate", scenario("limit-to-knee: 100..101"));

        assertThat(ran.out).contains("MISSED  limit to knee");
        assertThat(ran.exitCode).isEqualTo(1);
    }

    @Test
    void aScenarioIsReportedToProgramsAndEyes() throws IOException {
        Path page = folder.resolve("page.html");
        Ran ran = run("simulate", scenario("goodput: 80%"), "--json", "--html", page.toString());

        JsonNode weir = ran.json().get("contenders").get(2);
        assertThat(weir.get("name").asString()).isEqualTo("weir");
        assertThat(weir.get("goodput").asDouble()).isBetween(0.8, 1.1);
        assertThat(weir.get("by_second").get("limit").size()).isEqualTo(30);
        assertThat(Files.readString(page))
                .contains("<svg")
                .doesNotContain("<script")
                .doesNotContain("http");
    }

    @Test
    void aScenarioWithMistakesIsRefusedAtTheirPlaces() throws IOException {
        String file = write("bad.yaml", "title: Bad", "duration: 10", "fleat: {}");

        Ran ran = run("simulate", file);

        assertThat(ran.exitCode).isEqualTo(2);
        assertThat(ran.err)
                .contains("bad.yaml:2:11: duration: '10' is not a duration")
                .contains("bad.yaml:3:1: fleat: 'fleat' is not known here; did you mean 'fleet'?");
    }

    @Test
    void aDemandThatTheRunCannotShowIsRefusedAtItsPlace() throws IOException {
        Ran ran = run("simulate", scenario("limit-at: { 30s: 1..2 }, served: { nope: 99% }"));

        assertThat(ran.exitCode).isEqualTo(2);
        assertThat(ran.err)
                .contains("small.yaml:7:26: must.limit-at.30s: '30s' is not before the end, 30s")
                .contains("small.yaml:7:50: must.served.nope: 'nope' is neither a kind of clients here");
    }

    // ---- trace

    @Test
    void theTraceOfFiveASecond() {
        assertThat(run("trace", "--rate", "5/s", "--at", ARRIVALS).out)
                .contains("fixed-window    #####.#####.....####  14 of 20")
                .contains("sliding-log     #####..........#####  10 of 20")
                .contains("sliding-window  #####.....#...######  12 of 20")
                .contains("token-bucket    ######..#...#.######  14 of 20")
                .contains("leaky-queue     ######..#...#.######  14 of 20");
    }

    @Test
    void theTraceLeavesOutAlgorithmsThatCannotCountSoMany() {
        Ran all = run("trace", "--rate", "2000/s", "--json", "--at", "0,0");
        assertThat(all.exitCode()).isZero();
        assertThat(all.json().get("trace"))
                .extracting(row -> row.get("algorithm").asString())
                .containsExactly("fixed-window", "sliding-window", "token-bucket", "leaky-queue");
        assertThat(all.err())
                .isEqualToIgnoringNewLines("weir: sliding-log is left out: it counts at most 1000 in a period.");

        Ran named = run("trace", "--rate", "2000/s", "--algorithm", "sliding-log", "--at", "0");
        assertThat(named.exitCode()).isEqualTo(2);
        assertThat(named.err()).startsWith("weir: --rate: ").contains("2000 is not from 0 to 1000");
    }

    @Test
    void theTraceTellsEveryWait() {
        JsonNode trace = run("trace", "--rate", "5/s", "--json", "--algorithm", "gcra", "--at", ARRIVALS)
                .json()
                .get("trace");
        assertThat(trace.size()).isEqualTo(1);
        assertThat(trace.get(0).toString())
                .isEqualTo("{\"algorithm\":\"token-bucket\",\"granted\":14,\"decisions\":\"######..#...#.######\","
                        + "\"waits_ms\":[0,0,0,0,0,0,100,50,0,150,100,50,0,150,0,0,0,0,0,0]}");
    }

    @Test
    void aQueueTellsTheTurnsOfThoseItAccepts() {
        JsonNode row = run(
                        "trace",
                        "--rate",
                        "1/s",
                        "--depth",
                        "5",
                        "--algorithm",
                        "leaky-queue",
                        "--json",
                        "--at",
                        "0,0,0,0,0,0,0")
                .json()
                .get("trace")
                .get(0);
        assertThat(row.get("decisions").asString()).isEqualTo("######.");
        assertThat(row.get("waits_ms").toString()).isEqualTo("[0,1000,2000,3000,4000,5000,1000]");
    }

    @Test
    void aQueueHoldsWhatABucketHolds() {
        for (String[] numbers : new String[][] {
            {"--rate", "0/s"},
            {"--rate", "5/s", "--burst", "0"},
            {"--rate", "0/s", "--burst", "2"},
            {"--rate", "5/s", "--burst", "1"},
        }) {
            List<String> words = new ArrayList<>(List.of("trace", "--json", "--at", "0,0,0,1"));
            words.addAll(List.of(numbers));
            JsonNode trace = run(words.toArray(new String[0])).json().get("trace");
            assertThat(trace.get(4).get("algorithm").asString()).isEqualTo("leaky-queue");
            assertThat(trace.get(4).get("decisions"))
                    .as(String.join(" ", numbers))
                    .isEqualTo(trace.get(3).get("decisions"));
        }
    }

    @Test
    void whatCannotBeTracedIsNamed() {
        assertThat(run("trace", "--rate", "5", "--at", "0")).satisfies(ran -> {
            assertThat(ran.exitCode).isEqualTo(2);
            assertThat(ran.err).contains("--rate").contains("'5' is not a rate");
        });
        assertThat(run("trace", "--rate", "5/s", "--at", "1,0").err).contains("'0' comes before");
        assertThat(run("trace", "--rate", "5/s", "--at", "1e3").err).contains("'1e3' is no time in seconds");
        assertThat(run("trace", "--rate", "5/s", "--at", "0", "--algorithm", "magic").err)
                .contains("give one of fixed-window");
        assertThat(run("trace", "--rate", "2000/s", "--algorithm", "sliding-log", "--at", "0").err)
                .contains("from 0 to 1000");
    }

    // ---- check

    @Test
    void aCleanPolicyIsClean() throws IOException {
        String policy = write("good.yaml", "weir: 1", "limits: { a: { key: client-ip, rate: 10/s } }");
        assertThat(run("check", policy)).satisfies(ran -> {
            assertThat(ran.exitCode).isZero();
            assertThat(ran.out).isEqualTo(policy + ": 1 limit, no errors, no warnings\n");
        });
    }

    @Test
    void everyErrorHasItsPlace() throws IOException {
        String policy = write(
                "bad.yaml", "weir: 1", "limits:", "  a: { key: client-ip, rate: 10 }", "  b: { kye: all, rate: 1/s }");
        Ran ran = run("check", policy, "--json");
        assertThat(ran.exitCode).isEqualTo(2);
        JsonNode errors = ran.json().get("errors");
        assertThat(errors.get(0).get("line").asInt()).isEqualTo(3);
        assertThat(errors.get(0).get("column").asInt()).isEqualTo(30);
        assertThat(errors.get(0).get("field").asString()).isEqualTo("limits.a.rate");
        assertThat(errors.get(1).get("line").asInt()).isEqualTo(4);
        assertThat(errors.get(1).get("column").asInt()).isEqualTo(8);
        assertThat(errors.get(1).get("message").asString()).contains("did you mean 'key'");
    }

    @Test
    void warningsAloneAreExitCodeOne() throws IOException {
        String policy =
                write("warned.yaml", "weir: 1", "limits: { a: { key: client-ip, rate: 10/s, burst: 5, cost: 7 } }");
        Ran ran = run("check", policy, "--json");
        assertThat(ran.exitCode).isEqualTo(1);
        assertThat(ran.json().get("warnings").get(0).get("name").asString()).isEqualTo("cost-above-burst");
    }

    @Test
    void aReloadIsToldBeforeItHappens() throws IOException {
        String old = write(
                "old.yaml",
                "weir: 1",
                "limits: { a: { key: client-ip, rate: 10/s }, b: { key: client-ip, rate: 1/s }, c: { key: all, rate: 9/s } }");
        String next = write(
                "new.yaml",
                "weir: 1",
                "limits: { a: { key: client-ip, rate: 20/s }, b: { key: all, rate: 1/s }, d: { key: all, rate: 9/s } }");
        assertThat(run("check", next, "--against", old).out)
                .contains("a keeps its counts")
                .contains("b starts fresh")
                .contains("d is new")
                .contains("c is gone");
    }

    // ---- explain

    @Test
    void whatTheFleetCountsIsExplained() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "store: { redis: { url: \"redis://u:p@10.0.0.5\", instances: 4 } }",
                "limits:",
                "  a: { key: header:X-Api-Key, rate: 10/s, on-store-failure: closed }",
                "  b: { key: header:X-Api-Key, rate: 99/m }",
                "  c: { key: client-ip, rate: 50/s }",
                "  d: { key: client-ip, rate: 50/s, scope: instance }");
        String text = run("explain", policy, "--path", "/", "--header", "X-Api-Key: k1").out;
        assertThat(text)
                .contains("redis, 10.0.0.5:6379, as u with a password, timeout 5 ms, leases auto, 4 instances")
                .contains("fleet; while the store is away closed")
                .contains("in 2 slots of the store")
                .contains("header:X-Api-Key = k1: a, b")
                .contains("client-ip = 127.0.0.1: c")
                .contains("Of the other limits every instance counts for itself")
                .doesNotContain(":p@");
    }

    @Test
    void aCallIsExplained() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits:",
                "  per-key: { match: { path: /api/** }, key: header:X-Api-Key, rate: 10/s }",
                "  search: { match: { path: /api/search }, key: header:X-Api-Key, rate: 5/s, instead-of: [per-key] }",
                "  edge-only: { key: client-ip, rate: 50/s, at: edge }");
        String text = run("explain", policy, "--path", "/api/./search?q=x", "--header", "X-Api-Key: k1").out;
        assertThat(text)
                .contains("GET /api/./search?q=x, matched as /api/search")
                .contains("- per-key: search stands instead of it")
                .contains("+ search: counts")
                .contains("header:X-Api-Key = k1")
                .contains("- edge-only: it is not enforced at this point")
                .contains("n instances grant up to n times");
        JsonNode json = run("explain", policy, "--path", "/other", "--json").json();
        assertThat(json.get("points").get("service").get(0).get("why").asString())
                .contains("path");
    }

    @Test
    void aShadowIsExplainedAsOne() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "plans: { from: attribute:plan }",
                "limits:",
                "  a: { key: header:K, rate: 5/s, if-missing: reject-401 }",
                "  b: { key: header:K, rate: 5/s, if-missing: reject-401, mode: shadow }",
                "  c: { key: client-ip, rate: 5/s, plans: { bad: deny }, mode: 0% }");
        assertThat(run("explain", policy, "--path", "/", "--attribute", "plan=bad").out)
                .contains("+ a: refuses: key missing unauthorized\n")
                .contains("+ b: would refuse: key missing unauthorized\n")
                .contains("+ c: would refuse: denied\n");
    }

    @Test
    void theGatewaysPartIsExplained() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits:",
                "  orders: { match: { route: orders }, key: client-ip, rate: 10/s }",
                "gateway:",
                "  listen: { address: 0.0.0.0:8443, tls: { certificate: front.pem, key: front-key.pem } }",
                "  admin: { read-token: hidden-one }",
                "  access-log: combined",
                "  debug: X-Why",
                "  routes:",
                "    - name: orders",
                "      match: { path: /orders/** }",
                "      upstream:",
                "        url: [https://10.0.0.5:8081, https://b.example]",
                "        health: { path: /alive, every: 1500ms }",
                "        connect: 250ms",
                "        response: 2m",
                "        tls: { ca: ca.pem }",
                "    - { match: { path: /other }, upstream: h2c://127.0.0.1:8082 }");
        assertThat(run("check", policy).out).contains("1 limit, 2 routes, no errors, 2 warnings");
        String text = run("explain", policy, "--path", "/orders/7").out;
        assertThat(text.lines().map(line -> line.replaceAll(" {2,}", " ").strip()))
                .contains(
                        "listen 0.0.0.0:8443, tls certificate " + folder.resolve("front.pem") + ", key "
                                + folder.resolve("front-key.pem"),
                        "admin 127.0.0.1:9090, reads need a token, no changes",
                        "access-log combined",
                        "debug X-Why",
                        "route orders",
                        "match path [/orders/**]",
                        "upstream https://10.0.0.5:8081, https://b.example:443",
                        "timeouts connect 250ms, response 120s, idle 10s",
                        "health /alive every 1500ms",
                        "tls ca " + folder.resolve("ca.pem") + ", verify-host yes");
        assertThat(text).doesNotContain("hidden-one");
        JsonNode json = run("explain", policy, "--path", "/orders/7", "--json").json();
        assertThat(json.get("gateway").get("route").asString()).isEqualTo("orders");
        assertThat(json.get("gateway").get("listen").asString()).startsWith("0.0.0.0:8443");
        assertThat(json.get("points").get("gateway").get(0).get("applies").asBoolean())
                .isTrue();
        assertThat(json.get("points").get("service").get(0).get("applies").asBoolean())
                .isFalse();
        assertThat(run("explain", policy, "--path", "/nowhere").out).contains("route        none");
        assertThat(run("explain", policy, "--path", "/other").out).contains("route        /other");
    }

    @Test
    void whatGoesOutIsExplained() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "store: { redis: { url: redis://a, instances: 20 } }",
                "outbound:",
                "  payments:",
                "    rate: 200/s",
                "    burst: 2",
                "    scope: fleet",
                "    max-wait: 60ms",
                "    in-flight: 8",
                "    retry: { budget: 10%, tries: 4, methods: POST }",
                "    throttle: { k: 2 }",
                "    timeout: 3s",
                "    hosts: api.pay.example",
                "  ledger: { in-flight: aimd, queue: 5, timeout: 1500ms }",
                "gateway:",
                "  routes:",
                "    - { match: { path: /** }, upstream: { url: http://a, connect: 1s, response: 1s }, outbound: ledger }");
        String text = run("explain", policy, "--path", "/").out;
        assertThat(text.lines().map(line -> line.replaceAll(" {2,}", " ").strip()))
                .contains(
                        "what may go out to others, first come first served",
                        "payments token-bucket 200/s burst 2 for all instances together, max-wait 60ms, in flight 8, at most 4 tries, budget 10%, backoff 100ms..5s, also POST, throttle k 2, timeout 3s, pauses of at most 300s, hosts api.pay.example",
                        "outbound ledger");
        assertThat(text).contains("queue 5, no retries, timeout 1500ms");
        JsonNode json = run("explain", policy, "--path", "/", "--json").json();
        assertThat(json.get("outbound").get("payments").asString()).startsWith("token-bucket 200/s");
    }

    @Test
    void aPolicyWithErrorsExplainsNothing() throws IOException {
        String policy = write("bad.yaml", "weir: 1", "limits: { a: { key: client-ip, rate: 10 } }");
        assertThat(run("explain", policy, "--path", "/")).satisfies(ran -> {
            assertThat(ran.exitCode).isEqualTo(2);
            assertThat(ran.out).isEmpty();
            assertThat(ran.err).contains("bad.yaml:2:");
        });
    }

    // ---- replay

    /** Twelve calls of one address in eleven seconds, three of another, one malformed line. */
    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            lines.add(line("198.51.100.7", 48 + second, "/a", 200));
        }
        for (int second = 10; second < 13; second++) {
            lines.add(line("203.0.113.9", second, "/login", second == 11 ? 200 : 401));
        }
        lines.add("this is no line of a log");
        return lines;
    }

    private static String line(String address, int second, String path, int status) {
        return address + " - - [02/Mar/2026:10:00:" + (second < 10 ? "0" : "") + second + " +0000] \"GET " + path
                + " HTTP/1.1\" " + status + " 512 \"-\" \"test\"";
    }

    @Test
    void aReplayTellsWhenItCannotTakeDurationsOff() throws IOException {
        String policy = write("policy.yaml", "weir: 1", "limits:", "  a: { key: client-ip, rate: 5/10s }");
        String log = write("access.log", line("198.51.100.7", 10, "/a", 200));
        Ran ended = run("replay", policy, log, "--json", "--time-is", "end");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err()).startsWith("weir: --time-is end has no effect on 1 of 1 calls");
        Ran started = run("replay", policy, log);
        assertThat(started.err()).isEmpty();
        assertThat(started.out()).contains("1 call from ").contains("counts 1 call of 1 key");
    }

    /** Precedence is override, plan, limit: whoever has an override is not refused for lacking a plan. */
    @Test
    void anOverrideComesBeforeWhatBecomesOfUnknownKeys() throws IOException {
        write("plans.csv", "listed, pro");
        for (String unknown : List.of("reject", "client-ip")) {
            String policy = write(
                    "policy.yaml",
                    "weir: 1",
                    "plans: { from: file:plans.csv }",
                    "limits:",
                    "  a: { key: header:X-Key, rate: 5/s, unknown: " + unknown + ", plans: { pro: { rate: 6/s } },",
                    "       overrides: { vip: { rate: 7/s }, gone: { rate: 8/s, until: 2020-01-01 } } }");
            assertThat(explained(policy, "vip").get("budget").asString()).startsWith("token-bucket 7/s");
            assertThat(explained(policy, "vip").get("counted_by").asString()).isEqualTo("header:X-Key");
            assertThat(explained(policy, "listed").get("budget").asString()).startsWith("token-bucket 6/s");
            for (String stranger : List.of("gone", "other")) {
                JsonNode line = explained(policy, stranger);
                if (unknown.equals("reject")) {
                    assertThat(line.get("why").asString()).startsWith("refuses: key unknown");
                } else {
                    assertThat(line.get("counted_by").asString()).isEqualTo("client-ip");
                }
            }
        }
    }

    private static JsonNode explained(String policy, String key) {
        return run("explain", policy, "--path", "/", "--header", "X-Key: " + key, "--json")
                .json()
                .at("/points/service/0");
    }

    @Test
    void aReplayTellsWhichKeysTheLogCannotHold() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits:",
                "  a: { key: [client-ip, header:X-Api-Key], rate: 5/10s }",
                "  b: { key: cookie:sid, rate: 5/10s }",
                "  c: { key: header:user-agent, rate: 5/10s }",
                "  d: { key: host, rate: 5/10s }");
        String log = write("access.log", line("198.51.100.7", 10, "/a", 200));
        assertThat(run("replay", policy, log, "--json").err().lines())
                .containsExactly(
                        "weir: a: the log's format has no header:X-Api-Key: every call is judged as one without this key.",
                        "weir: b: the log's format has no cookie:sid: every call is judged as one without this key.");
    }

    @Test
    void anExplainedPeerIsAnAddress() throws IOException {
        String policy = write("policy.yaml", "weir: 1", "limits:", "  a: { key: client-ip, rate: 5/10s }");
        assertThat(run("explain", policy, "--path", "/", "--peer", "2001:db8::1")
                        .exitCode())
                .isZero();
        for (String peer : List.of("localhost", "10.0.0.0/8", "010.1.1.1")) {
            Ran ran = run("explain", policy, "--path", "/", "--peer", peer);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).startsWith("weir: --peer '" + peer + "' is no IP address");
        }
    }

    @Test
    void aReplayTellsExactTotals() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits:",
                "  fixed: { key: client-ip, rate: 5/10s, algorithm: fixed-window }",
                "  bucket: { key: client-ip, rate: 5/10s }",
                "  failed: { match: { path: /login }, key: client-ip, rate: 1/1h, algorithm: sliding-log, keep-if: { status: 401 } }",
                "  busy: { key: client-ip, in-flight: 2 }");
        String log = write("access.log", lines().toArray(new String[0]));
        Ran ran = run("replay", policy, log, "--json");
        assertThat(ran.exitCode).isEqualTo(1);
        JsonNode json = ran.json();
        assertThat(json.get("events").asInt()).isEqualTo(15);
        assertThat(json.get("malformed").get(0).get("line").asInt()).isEqualTo(16);
        assertThat(json.get("from").asString()).isEqualTo("2026-03-02T10:00:10Z");
        assertThat(json.get("to").asString()).isEqualTo("2026-03-02T10:00:59Z");
        // Seconds 48 and 49 fall into one window, 50 to 59 into the next.
        assertThat(json.get("limits").get("fixed").toString())
                .isEqualTo(
                        "{\"granted\":10,\"refused\":5,\"keys\":2,\"top\":[{\"key\":\"198.51.100.7\",\"refused\":5}]}");
        // Five at once, then one every other second: 48 to 56 by burst and refill, then every other one.
        assertThat(json.get("limits").get("bucket").get("granted").asInt()).isEqualTo(13);
        // The first 401 counts; the 200 would have been refused because of it, and so would the second 401.
        assertThat(json.get("limits").get("failed").get("refused").asInt()).isEqualTo(2);
        assertThat(json.get("not_judged").get(0).asString()).isEqualTo("busy");
        assertThat(json.get("policy").toString()).isEqualTo("{\"admitted\":8,\"refused\":7}");
    }

    @Test
    void whoIsUnlimitedIsGranted() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits:",
                "  a: { key: client-ip, rate: 1/10s, overrides: { 198.51.100.7: { is: unlimited } } }",
                "  b: { match: { path: /login }, key: client-ip, rate: 5/s, overrides: { 203.0.113.9: unlimited } }");
        String log = write("access.log", lines().subList(0, 15).toArray(new String[0]));
        JsonNode limits = run("replay", policy, log, "--json").json().get("limits");
        assertThat(limits.get("a").toString())
                .isEqualTo(
                        "{\"granted\":13,\"refused\":2,\"keys\":2,\"top\":[{\"key\":\"203.0.113.9\",\"refused\":2}]}");
        assertThat(limits.get("b").toString()).isEqualTo("{\"granted\":3,\"refused\":0,\"keys\":1,\"top\":[]}");
    }

    @Test
    void whoIsUnlimitedIsAmongThoseWhomAnotherCountWouldLetPass() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits: { a: { key: client-ip, rate: 1/10s, overrides: { 198.51.100.7: unlimited } } }");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            lines.add((i % 500 == 0 ? "203.0.113.9" : "198.51.100.7")
                    + " - - [02/Mar/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 2");
        }
        String report = run("replay", policy, write("access.log", lines.toArray(new String[0]))).out;

        assertThat(report)
                .as("one of 1,500 is refused")
                .contains("hint    token-bucket 2/10s burst 2 is the least of those tried");
    }

    @Test
    void theOrderOfTheLinesDoesNotMatter() throws IOException {
        String policy = write(
                "policy.yaml",
                "weir: 1",
                "limits: { a: { key: client-ip, rate: 5/10s }, b: { key: all, rate: 3/4s } }");
        List<String> lines = new ArrayList<>(lines().subList(0, 15));
        String expected = run("replay", policy, write("access.log", lines.toArray(new String[0])), "--json").out;
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(lines, new Random(seed));
            assertThat(run("replay", policy, write("access.log", lines.toArray(new String[0])), "--json").out)
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void callsInFlightAreJudgedWhenTheLogHasDurations() throws IOException {
        String policy = write("policy.yaml", "weir: 1", "limits: { busy: { key: client-ip, in-flight: 2 } }");
        List<String> lines = new ArrayList<>();
        for (int start : new int[] {0, 1, 2, 3, 4}) {
            lines.add("{\"time\":\"2026-03-02T10:00:0" + start
                    + "Z\",\"peer\":\"192.0.2.1\",\"method\":\"GET\",\"target\":\"/\",\"status\":200,\"ms\":3000}");
        }
        String log = write("access.json", lines.toArray(new String[0]));
        Ran ran = run(
                "replay",
                policy,
                log,
                "--json",
                "--format",
                "json:time=time,peer=peer,method=method,target=target,status=status,duration_ms=ms");
        assertThat(ran.err).isEmpty();
        // 0 and 1 are in flight when 2 comes; 0 has ended when 3 comes, 1 when 4 does.
        assertThat(ran.json().get("limits").get("busy").toString())
                .isEqualTo("{\"granted\":4,\"refused\":1,\"keys\":1,\"top\":[{\"key\":\"192.0.2.1\",\"refused\":1}]}");
    }

    @Test
    void theTextNamesWhoWhenAndHowHard() throws IOException {
        String policy = write("policy.yaml", "weir: 1", "limits: { per-address: { key: client-ip, rate: 5/10s } }");
        String text = run("replay", policy, write("access.log", lines().toArray(new String[0]))).out;
        assertThat(text)
                .contains("15 calls from 2026-03-02T10:00:10Z to 2026-03-02T10:00:59Z")
                .contains("198.51.100.7")
                .contains("longest wait announced 1 s")
                .contains("sliding-log")
                .contains("hint")
                .contains("access.log:16:");
    }

    @Test
    void aMissingLogIsNamed() throws IOException {
        String policy = write("policy.yaml", "weir: 1", "limits: { a: { key: client-ip, rate: 5/10s } }");
        assertThat(run("replay", policy, folder.resolve("nowhere.log").toString()))
                .satisfies(ran -> {
                    assertThat(ran.exitCode).isEqualTo(2);
                    assertThat(ran.err).contains("nowhere.log");
                });
    }
}
