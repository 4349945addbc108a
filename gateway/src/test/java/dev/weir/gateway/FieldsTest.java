package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which fields go through, which end here, and which are written here. */
class FieldsTest {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String TRUSTING = "identity: { trusted-proxies: [127.0.0.1], client-ip: x-forwarded-for }";

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private RawClient client;

    private void start(String sections, String answer) throws Exception {
        upstream = ScriptedUpstream.answering(answer);
        gateway = GatewayFixture.before(upstream, sections);
        client = gateway.client();
    }

    private void start(String sections, ScriptedUpstream.Script script) throws Exception {
        upstream = ScriptedUpstream.doing(script);
        gateway = GatewayFixture.before(upstream, sections);
        client = gateway.client();
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.close();
    }

    private Head forwarded(String fields) throws Exception {
        assertThat(client.send("GET /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                        .answer()
                        .status())
                .isEqualTo(200);
        return upstream.next().head();
    }

    private Head answered(String fields) throws Exception {
        return client.send("GET /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                .answer()
                .head();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Keep-Alive: timeout=5",
                "Proxy-Connection: keep-alive",
                "Proxy-Authorization: Basic eA==",
                "Proxy-Authenticate: Basic",
                "TE: gzip",
                "Trailer: X-T",
                "Upgrade: irc",
                "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
            })
    void fieldsOfOneHopEndHere(String field) throws Exception {
        start("", OK);
        String name = field.substring(0, field.indexOf(':'));
        assertThat(forwarded(field + "\r\n").has(name)).isFalse();
    }

    @Test
    void fieldsThatConnectionNamesEndHere() throws Exception {
        start("", OK);
        Head head = forwarded(
                "Connection: X-One, keep-alive,x-TWO\r\nConnection: x-three\r\nX-One: 1\r\nX-Two: 2\r\nX-Three: 3\r\nX-Four: 4\r\n");
        assertThat(head.has("x-one") || head.has("x-two") || head.has("x-three"))
                .isFalse();
        assertThat(head.field("x-four")).contains("4");
        assertThat(head.all("connection"))
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).contains("x-"));
    }

    @Test
    void connectionCannotTakeAwayWhatAMessageNeeds() throws Exception {
        start("", OK);
        Head head = forwarded(
                "Connection: Host, Authorization, Cookie, Via, X-Request-Id, X-Forwarded-For\r\nAuthorization: b\r\nCookie: c=d\r\n");
        assertThat(head.field("host")).contains("a");
        assertThat(head.field("authorization")).contains("b");
        assertThat(head.field("cookie")).contains("c=d");
        assertThat(head.field("x-forwarded-for")).contains("127.0.0.1");
        assertThat(head.has("via")).isTrue();
    }

    @Test
    void fieldsOfTheUpstreamsHopEndHere() throws Exception {
        start(
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: X-One\r\nKeep-Alive: timeout=9\r\nX-One: 1\r\nX-Two: 2\r\nProxy-Authenticate: Basic\r\nUpgrade: irc\r\n\r\nok");
        Head head = answered("");
        assertThat(head.has("x-one")).isFalse();
        assertThat(head.has("keep-alive")).isFalse();
        assertThat(head.has("proxy-authenticate")).isFalse();
        assertThat(head.has("upgrade")).isFalse();
        assertThat(head.field("x-two")).contains("2");
    }

    @Test
    void viaGrowsBothWays() throws Exception {
        start("", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nVia: 1.1 far\r\n\r\nok");
        Head answer = answered("Via: 1.0 near\r\n");
        assertThat(upstream.next().head().all("via")).containsExactly("1.0 near", "1.1 weir");
        assertThat(answer.all("via")).containsExactly("1.1 far", "1.1 weir");
    }

    @Test
    void aCircleIsBroken() throws Exception {
        start("", OK);
        assertThat(answered("Via: 1.1 weir\r\n".repeat(10)).status()).isEqualTo(508);
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void whatAStrangerSaysOfTheClientIsReplaced() throws Exception {
        start("", OK);
        Head head = forwarded(
                "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-For: 8.8.8.8\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\nX-Forwarded-Port: 1\r\nForwarded: for=9.9.9.9\r\nX-Real-IP: 9.9.9.9\r\nX-Request-Id: mine\r\n");
        assertThat(head.field("x-forwarded-for")).contains("127.0.0.1");
        assertThat(head.field("x-forwarded-proto")).contains("http");
        assertThat(head.field("x-forwarded-host")).contains("a");
        assertThat(head.has("x-forwarded-port")).isFalse();
        assertThat(head.field("forwarded")).contains("for=127.0.0.1;proto=http;host=\"a\"");
        assertThat(head.has("x-real-ip")).isFalse();
        assertThat(head.field("x-request-id")).isPresent().isNotEqualTo(Optional.of("mine"));
    }

    @Test
    void whatATrustedProxySaysOfTheClientIsContinued() throws Exception {
        start(TRUSTING, OK);
        Head head = forwarded(
                "X-Forwarded-For: 9.9.9.9, 8.8.8.8\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: b\r\nForwarded: for=9.9.9.9\r\nX-Real-IP: 9.9.9.9\r\nX-Request-Id: mine\r\n");
        assertThat(head.field("x-forwarded-for")).contains("9.9.9.9, 8.8.8.8, 127.0.0.1");
        assertThat(head.field("x-forwarded-proto")).contains("https");
        assertThat(head.field("x-forwarded-host")).contains("b");
        assertThat(head.field("forwarded")).contains("for=9.9.9.9, for=127.0.0.1;proto=http;host=\"a\"");
        assertThat(head.field("x-real-ip")).contains("9.9.9.9");
        assertThat(head.field("x-request-id")).contains("mine");
        assertThat(gateway.line()).contains("\"id\":\"mine\"", "\"client\":\"8.8.8.8\"", "\"peer\":\"127.0.0.1\"");
    }

    @Test
    void theHostGoesOnAsItCame() throws Exception {
        start("", OK);
        client.send("GET /x HTTP/1.1\r\nHost: Api.Example.com:8443\r\n\r\n").answer();
        assertThat(upstream.next().head().all("host")).containsExactly("Api.Example.com:8443");
    }

    @Test
    void eachAnswerNamesItsCall() throws Exception {
        start("", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Request-Id: theirs\r\n\r\nok");
        String id = answered("").field("x-request-id").orElseThrow();
        assertThat(upstream.next().head().field("x-request-id")).contains(id);
        assertThat(gateway.line()).contains(id);
    }

    @Test
    void trailersOfAnAnswerGoThrough() throws Exception {
        start(
                "",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: v\r\nConnection: x\r\n\r\n");
        Message answer = client.send("GET /x HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: TE\r\n\r\n")
                .answer();
        assertThat(answer.text()).isEqualTo("ok");
        assertThat(answer.trailers()).containsExactly(Map.entry("X-T", "v"));
        Head asked = upstream.next().head();
        assertThat(asked.field("te")).contains("trailers");
        assertThat(asked.field("connection")).contains("te");
    }

    @Test
    void trailersOfARequestDoNoHarm() throws Exception {
        start("", OK);
        client.send(
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-T: v\r\nContent-Length: 9\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(200);
        Message request = upstream.next();
        assertThat(request.text()).isEqualTo("hi");
        assertThat(request.head().has("content-length")).isFalse();
        assertThat(upstream.violations()).isEmpty();
    }

    @Test
    void aBodyThatIsHeldBackIsAskedFor() throws Exception {
        start("", OK);
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(100);
        client.send("hello");
        assertThat(client.answer().status()).isEqualTo(200);
        Message request = upstream.next();
        assertThat(request.text()).isEqualTo("hello");
        assertThat(request.head().has("expect")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 204", "GET, 304", "HEAD, 404"})
    void anAnswerWithoutBodyStaysWithoutBody(String method, int status) throws Exception {
        String length = status == 204 ? "" : "Content-Length: 7\r\n";
        start("", "HTTP/1.1 " + status + " X\r\nETag: \"e\"\r\n" + length + "\r\n");
        for (int call = 0; call < 2; call++) {
            client.send(method + " /x HTTP/1.1\r\nHost: a\r\n\r\n");
            Head head = client.answerTo(method).head();
            assertThat(head.status()).isEqualTo(status);
            assertThat(head.field("etag")).contains("\"e\"");
            assertThat(head.has("transfer-encoding")).isFalse();
            if (status != 204) {
                assertThat(head.field("content-length")).contains("7");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void interimAnswersOfTheUpstreamDoNoHarm(int status) throws Exception {
        start("", "HTTP/1.1 " + status + " X\r\nLink: </a.css>; rel=preload\r\n\r\n" + OK);
        for (int call = 0; call < 2; call++) {
            client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
            Message answer = client.answer();
            while (answer.status() < 200) {
                answer = client.answer();
            }
            assertThat(answer.text()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 102, 104, 199})
    void interimAnswersThatNobodyAskedForGoNoFurther(int status) throws Exception {
        start("", ("HTTP/1.1 " + status + " X\r\nContent-Length: 9\r\n\r\n").repeat(2) + OK);
        for (int call = 0; call < 3; call++) {
            assertThat(answered("").status()).isEqualTo(200);
        }
        assertThat(upstream.connections()).hasSize(1);
    }

    @Test
    void hintsGoThroughToThoseWhoUnderstandThem() throws Exception {
        start("", "HTTP/1.1 103 X\r\nLink: </a.css>\r\nContent-Length: 9\r\nConnection: X-A\r\nX-A: b\r\n\r\n" + OK);
        Head hints = answered("");
        assertThat(hints.status()).isEqualTo(103);
        assertThat(hints.field("link")).contains("</a.css>");
        assertThat(hints.has("content-length") || hints.has("x-a")).isFalse();
        assertThat(client.answer().text()).isEqualTo("ok");
        try (H2Client other = H2Client.to(gateway.port())) {
            int stream = other.open(H2Client.request("GET", "/x"), true);
            assertThat(other.answer(stream).text()).isEqualTo("ok");
        }
        assertThat(client.send("GET /x HTTP/1.0\r\n\r\n").answer().status()).isEqualTo(200);
    }

    @Test
    void aProtocolThatNobodyAskedForIsNoAnswer() throws Exception {
        start("", "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n" + OK);
        for (int call = 0; call < 2; call++) {
            assertThat(answered("").status()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                OK,
                "\r\n",
                "!",
                "HTTP/1.1 200 OK\r\nX-Theirs: ",
                "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n",
                "HTTP/1.1 103 X\r\nLink: </b.css>\r\n\r\n"
            })
    void whatComesBehindAnAnswerIsNobodys(String more) throws Exception {
        start("", OK + more);
        for (int call = 0; call < 3; call++) {
            Message answer = client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").answer();
            assertThat(answer.head().line()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(answer.head().has("x-theirs")).isFalse();
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(upstream.connections()).hasSize(call + 1);
        }
    }

    @Test
    void aBodyBehindAnAnswerToHeadIsNobodys() throws Exception {
        start("", OK);
        for (int call = 0; call < 3; call++) {
            client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answerTo("HEAD").status()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(call + 1);
        }
    }

    @Test
    void whatComesLaterBehindAnAnswerEndsTheConnection() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        start("", connection -> {
            connection.request();
            connection.send(OK);
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            connection.send("HTTP/1.1 200 OK\r\nX-Theirs: ").awaitClosed();
        });
        assertThat(answered("").status()).isEqualTo(200);
        answered.countDown();
        Eventually.holds("the connection is closed", () -> upstream.open() == 0);
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.0, 1.0 weir", "HTTP/1.1, 1.1 weir"})
    void viaTellsTheVersionOfEachWay(String version, String entry) throws Exception {
        start("", version + " 200 OK\r\nContent-Length: 2\r\n\r\nok");
        client.send("GET /x " + version + "\r\nHost: a\r\n\r\n");
        assertThat(client.answer().head().field("via")).contains(entry);
        assertThat(upstream.next().head().field("via")).contains(entry);
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, 5, 4", "OPTIONS, 1, 0", "GET, 5, 5", "GET, 0, 0", "GET, x, x"})
    void theHopsThatAnOptionsMayPassAreCounted(String method, String forwards, String left) throws Exception {
        start("", OK);
        client.send(method + " /x HTTP/1.1\r\nHost: a\r\nMax-Forwards: " + forwards + "\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(upstream.next().head().field("max-forwards")).contains(left);
    }

    @Test
    void anOptionsThatMayGoNoFurtherIsAnsweredHere() throws Exception {
        start("", OK);
        for (String target : new String[] {"/x", "*"}) {
            Message answer = client.send("OPTIONS " + target + " HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\n\r\n")
                    .answer();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.head().field("content-length")).contains("0");
            assertThat(answer.head().has("allow")).isTrue();
        }
        gateway.awaitLines(2, "\"status\":200");
        for (String forwards : new String[] {"x", "-1", "1\r\nMax-Forwards: 1"}) {
            try (RawClient other = gateway.client()) {
                other.send("OPTIONS /x HTTP/1.1\r\nHost: a\r\nMax-Forwards: " + forwards + "\r\n\r\n");
                assertThat(other.answer().status()).as(forwards).isEqualTo(400);
            }
        }
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void redirectsAreTheClientsToFollow() throws Exception {
        start("", "HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n");
        Head head = answered("");
        assertThat(head.status()).isEqualTo(302);
        assertThat(head.field("location")).contains("/y");
        upstream.next();
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void severalCookiesStaySeveral() throws Exception {
        start("", "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nContent-Length: 0\r\n\r\n");
        assertThat(answered("").all("set-cookie")).containsExactly("a=b", "c=d");
    }

    @Test
    void aBodyThatEndsWithTheConnectionGoesThrough() throws Exception {
        start("", connection -> {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\n\r\nuntil the end");
        });
        assertThat(client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").answer().text())
                .isEqualTo("until the end");
    }

    @Test
    void anAnswerForHttp10IsNotChunked() throws Exception {
        start("", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        Message answer = client.send("GET /x HTTP/1.0\r\nHost: a\r\n\r\n").answer();
        assertThat(answer.head().has("transfer-encoding")).isFalse();
        assertThat(answer.text()).isEqualTo("ok");
    }

    @Test
    void theUpstreamsLimitsAreToldWithOurs() throws Exception {
        start(
                "limits: { ours: { key: all, rate: 10/m } }",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nRateLimit: \"theirs\";r=3;t=9\r\nRateLimit-Policy: \"theirs\";q=5;w=60\r\n\r\nok");
        Head head = answered("");
        assertThat(String.join(", ", head.all("ratelimit"))).contains("\"ours\";r=9", "\"theirs\";r=3");
        assertThat(String.join(", ", head.all("ratelimit-policy"))).contains("\"ours\"", "\"theirs\"");
    }

    @Test
    void aPreflightIsNotCharged() throws Exception {
        start("limits: { ours: { key: all, rate: 1/h } }", OK);
        String preflight =
                "OPTIONS /x HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: GET\r\n\r\n";
        for (int call = 0; call < 3; call++) {
            assertThat(client.send(preflight).answer().status()).isEqualTo(200);
        }
        assertThat(answered("").status()).isEqualTo(200);
        assertThat(answered("").status()).isEqualTo(429);
    }

    @Test
    void aPageOfAnotherOriginCanReadItsRefusal() throws Exception {
        start("limits: { ours: { key: all, rate: 1/h } }", OK);
        answered("Origin: http://b\r\n");
        Head head = answered("Origin: http://b\r\n");
        assertThat(head.status()).isEqualTo(429);
        assertThat(head.field("access-control-allow-origin")).contains("http://b");
        assertThat(head.field("access-control-expose-headers").orElseThrow()).containsIgnoringCase("Retry-After");
        assertThat(String.join(",", head.all("vary"))).containsIgnoringCase("Origin");
    }

    @Test
    void aTrustedPeerIsToldWhy() throws Exception {
        start(TRUSTING + "\nlimits: { ours: { key: all, rate: 10/m } }", OK);
        Head head = answered("X-Weir-Debug: 1\r\n");
        assertThat(head.field("x-weir-debug").orElseThrow())
                .startsWith("admitted; id=")
                .contains("ours granted");
        assertThat(upstream.next().head().has("x-weir-debug")).isFalse();
    }

    @Test
    void aStrangerIsNotToldWhy() throws Exception {
        start("limits: { ours: { key: all, rate: 10/m } }", OK);
        assertThat(answered("X-Weir-Debug: 1\r\n").has("x-weir-debug")).isFalse();
        assertThat(upstream.next().head().has("x-weir-debug")).isFalse();
    }

    @Test
    void aClientThatWantsToCloseIsClosedWhateverItsAnswer() throws Exception {
        start("limits: { ours: { key: all, rate: 1/h } }", OK);
        for (int status : new int[] {200, 429}) {
            try (RawClient other = gateway.client()) {
                other.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                Head head = other.answer().head();
                assertThat(head.status()).isEqualTo(status);
                assertThat(head.field("connection")).contains("close");
                assertThat(other.isClosedNext()).isTrue();
            }
        }
    }

    @Test
    void anUpstreamThatClosesClosesNobodyElse() throws Exception {
        start("", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        for (int call = 0; call < 3; call++) {
            assertThat(answered("").has("connection")).isFalse();
        }
        assertThat(upstream.connections()).hasSize(3);
    }

    @Test
    void anAnswerOfUnknownLengthEndsAConnectionOfHttp10() throws Exception {
        start("", connection -> {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.send("2\r\nok\r\n0\r\n\r\n");
        });
        client.send("GET /x HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
        Message answer = client.answer();
        assertThat(answer.head().all("connection")).containsExactly("close");
        assertThat(answer.head().has("transfer-encoding")).isFalse();
        assertThat(answer.text()).isEqualTo("ok");
    }

    @Test
    void aClientOfHttp10KeepsItsConnectionWhereTheLengthIsKnown() throws Exception {
        start("", OK);
        for (int call = 0; call < 2; call++) {
            client.send("GET /x HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer().head().field("connection")).contains("keep-alive");
        }
    }

    @Test
    void aClientOfHttp10IsNotAskedForItsBody() throws Exception {
        start("", OK);
        client.send("POST /x HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.answer().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TE, close", "close, X-One", "X-One\r\nConnection: Close"})
    void aClientMayWantToCloseAmongOtherThings(String options) throws Exception {
        start("limits: { ours: { key: all, rate: 1/h } }", OK);
        for (int status : new int[] {200, 429, 400}) {
            try (RawClient other = gateway.client()) {
                String target = status == 400 ? "/../x" : "/x";
                other.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: " + options + "\r\n\r\n");
                Head head = other.answer().head();
                assertThat(head.status()).isEqualTo(status);
                assertThat(head.all("connection")).containsExactly("close");
                assertThat(other.isClosedNext()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close, X-One", "X-One, close", "X-One\r\nConnection: close"})
    void anUpstreamMayWantToCloseAmongOtherThings(String options) throws Exception {
        start("", connection -> {
            connection.request();
            connection
                    .send("HTTP/1.1 200 OK\r\nConnection: " + options + "\r\nContent-Length: 2\r\n\r\nok")
                    .awaitClosed();
        });
        for (int call = 0; call < 3; call++) {
            assertThat(answered("").status()).isEqualTo(200);
        }
        assertThat(upstream.connections()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Not Modified", "X"})
    void whatIsNotModifiedHasNoLength(String phrase) throws Exception {
        start("", "HTTP/1.1 304 " + phrase + "\r\nETag: \"e\"\r\n\r\n");
        for (int call = 0; call < 2; call++) {
            Head head = answered("");
            assertThat(head.status()).isEqualTo(304);
            assertThat(head.has("content-length")).isFalse();
            assertThat(head.has("transfer-encoding")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "gzip\r\nTransfer-Encoding: chunked"})
    void anAnswerInACodingThatIsNotUndoneIsNoAnswer(String codings) throws Exception {
        start("", "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + codings + "\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        assertThat(answered("").status()).isEqualTo(502);
    }

    @Test
    void anEmptyPortIsNone() throws Exception {
        start("", OK);
        client.send("GET http://a.b:/x HTTP/1.1\r\nHost: a.b:\r\n\r\n").answer();
        assertThat(upstream.next().head().all("host")).containsExactly("a.b");
    }

    @Test
    void aMethodThatIsNotServedIsToldWhichAre() throws Exception {
        start("", OK);
        Head head = client.send("TRACE /x HTTP/1.1\r\nHost: a\r\n\r\n").answer().head();
        assertThat(head.status()).isEqualTo(405);
        assertThat(head.field("allow")).contains("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    }
}
