package dev.weir.gateway;

import static dev.weir.gateway.H2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same promises over HTTP/2, frame by frame. */
class Http2Test {

    private static final String ONE_AT_ONCE = "limits: { one: { key: all, in-flight: 1 } }";
    private static final long ENHANCE_YOUR_CALM = 11;
    /** SETTINGS_INITIAL_WINDOW_SIZE. */
    private static final byte[] INITIAL_WINDOW_OF_ONE_BYTE = {0, 4, 0, 0, 0, 1};

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private H2Client client;

    private void start(ScriptedUpstream before, String sections) throws Exception {
        upstream = before;
        gateway = GatewayFixture.before(upstream, sections);
        client = H2Client.to(gateway.port());
    }

    private void start() throws Exception {
        start(MoodyUpstream.start(), "");
    }

    private void startObliging(String sections) throws Exception {
        start(ScriptedUpstream.obliging(), sections);
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.close();
    }

    private void assertRefused(H2Client.Stream answer) {
        assertThat(answer.status() / 100 == 4 || answer.resetCode() > 0 || client.isClosed())
                .as("status %d", answer.status())
                .isTrue();
    }

    private void assertStillServes() throws IOException {
        assertThat(client.ask(request("GET", "/ok")).status()).isEqualTo(200);
    }

    @Test
    void aCallGoesThroughAsHttp11() throws Exception {
        startObliging("");
        H2Client.Stream answer =
                client.ask(request("GET", "/x?y").add("x-a", "b").add("te", "trailers"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(gateway.line()).contains("\"host\":\"a\"");
        assertThat(answer.text()).isEqualTo("ok");
        assertThat(answer.field("via")).isEqualTo("1.1 weir");
        Head asked = upstream.next().head();
        assertThat(asked.line()).isEqualTo("GET /x?y HTTP/1.1");
        assertThat(asked.all("host")).containsExactly("a");
        assertThat(asked.field("x-a")).contains("b");
        assertThat(asked.field("via")).contains("2 weir");
        assertThat(asked.field("te")).contains("trailers");
        assertThat(asked.fields()).noneMatch(field -> field.getKey().startsWith(":"));
    }

    @Test
    void aBodyGoesThroughWithAndWithoutLength() throws Exception {
        startObliging("");
        int known = client.open(request("POST", "/x").add("content-length", "5"), false);
        client.data(known, "hel", false);
        client.data(known, "lo", true);
        assertThat(client.answer(known).status()).isEqualTo(200);
        assertThat(upstream.next().text()).isEqualTo("hello");
        int unknown = client.open(request("POST", "/x"), false);
        client.data(unknown, "hel", false);
        client.data(unknown, "lo", true);
        assertThat(client.answer(unknown).status()).isEqualTo(200);
        assertThat(upstream.next().text()).isEqualTo("hello");
        assertThat(upstream.violations()).isEmpty();
    }

    @Test
    void trailersDoNoHarm() throws Exception {
        start(
                ScriptedUpstream.answering(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: v\r\n\r\n"),
                "");
        int stream = client.open(request("POST", "/x"), false);
        client.data(stream, "hello", false);
        client.trailers(stream, new DefaultHttp2Headers().add("x-t", "v"));
        H2Client.Stream answer = client.answer(stream);
        assertThat(answer.text()).isEqualTo("ok");
        assertThat(answer.trailers().get("x-t")).hasToString("v");
        assertThat(upstream.next().text()).isEqualTo("hello");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /a/../b, a, 400",
        "GET, //a, a, 400",
        "GET, /a%2fb, a, 400",
        "GET, /a#b, a, 400",
        "GET, /a\\b, a, 400",
        "GET, http://b/a, a, 400",
        "GET, *, a, 400",
        "TRACE, /a, a, 405",
        "OPTIONS, *, a, 200",
    })
    void headsHaveTheSameStatuses(String method, String path, String authority, int status) throws Exception {
        startObliging("");
        assertThat(client.ask(request(method, path).authority(authority)).status())
                .isEqualTo(status);
        assertThat(upstream.waiting()).isEqualTo(status == 200 ? 1 : 0);
        assertStillServes();
    }

    @Test
    void anotherHostBesideTheAuthorityIsRefused() throws Exception {
        startObliging("");
        assertRefused(client.ask(request("GET", "/x").add("host", "b")));
        assertThat(client.ask(request("GET", "/x").add("host", "a")).status()).isEqualTo(200);
        assertThat(upstream.next().head().all("host")).containsExactly("a");
    }

    @Test
    void connectIsRefused() throws Exception {
        startObliging("");
        H2Client.Stream answer =
                client.ask(new DefaultHttp2Headers().method("CONNECT").authority("a:80"));
        assertThat(answer.status() == 405 || answer.status() == 400 || answer.resetCode() >= 0)
                .isTrue();
        assertThat(upstream.connections()).isEmpty();
        assertStillServes();
    }

    static List<Http2Headers> malformed() {
        return List.of(
                request("GET", "/x").add("connection", "close"),
                request("GET", "/x").add("transfer-encoding", "chunked"),
                request("GET", "/x").add("upgrade", "websocket"),
                request("GET", "/x").add("keep-alive", "1"),
                request("GET", "/x").add("proxy-connection", "close"),
                request("GET", "/x").add("te", "gzip"),
                request("GET", "/x").add("X-Upper", "b"),
                request("GET", "/x").add("x-a", "b\r\nx-smuggled: c"),
                request("GET", "/x").add("x-a", "b\u0000c"),
                request("GET", "/x").add("x a", "b"),
                request("GET", "/x").add("x-a\r\nx-smuggled", "b"),
                request("GET", "/x").add("", "b"),
                request("GET", "/x").authority("a/b"),
                request("GET", "/x").authority("u@a"),
                request("GET", "/x").add("content-length", "5"),
                request("GET", "/x").add("content-length", "+0"),
                request("GET", "/x\r\nx-smuggled: c"),
                request("GET", "/x y"),
                request("GET", ""),
                request("G T", "/x"),
                request("GET", "/x").add(":unknown", "b"),
                new DefaultHttp2Headers(false).method("GET").scheme("http").authority("a"),
                new DefaultHttp2Headers(false).scheme("http").authority("a").path("/x"),
                new DefaultHttp2Headers(false).method("GET").scheme("http").path("/x"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aMalformedHeadIsAnErrorAndGoesNoFurther(Http2Headers head) throws Exception {
        startObliging("");
        assertRefused(client.ask(head));
        try (H2Client other = H2Client.to(gateway.port())) {
            assertThat(other.ask(request("GET", "/ok")).status()).isEqualTo(200);
        }
        assertThat(upstream.next().head().target()).isEqualTo("/ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hell", "hello!"})
    void aBodyOfAnotherLengthThanSaidIsNoRequest(String body) throws Exception {
        startObliging("");
        int stream = client.open(request("POST", "/x").add("content-length", "5"), false);
        client.data(stream, body, true);
        H2Client.Stream answer = client.answer(stream);
        assertThat(answer.status()).isNotEqualTo(200);
        try (H2Client other = H2Client.to(gateway.port())) {
            assertThat(other.ask(request("GET", "/ok")).status()).isEqualTo(200);
        }
        assertThat(upstream.next().head().target()).isEqualTo("/ok");
    }

    @Test
    void aResetStreamFreesTheUpstream() throws Exception {
        start(MoodyUpstream.start(), ONE_AT_ONCE);
        for (int call = 0; call < 5; call++) {
            int stream = client.open(request("GET", call % 2 == 0 ? "/silent" : "/events"), true);
            Eventually.holds("the call is there", () -> upstream.open() == 1);
            assertThat(client.ask(request("GET", "/ok")).status()).isEqualTo(429);
            client.reset(stream);
            Eventually.holds("the upstream is free", () -> upstream.open() == 0);
        }
        gateway.awaitLines(5, "\"ended\":\"client-left\"");
        assertStillServes();
    }

    @Test
    void callsShareAConnectionToTheUpstream() throws Exception {
        startObliging("");
        for (int call = 0; call < 5; call++) {
            assertThat(client.ask(request("GET", "/" + call)).status()).isEqualTo(200);
        }
        gateway.awaitLines(5, "\"ended\":\"whole\"");
        assertThat(upstream.connections()).hasSize(1);
    }

    /** The upstream's connection serves the next call as soon as the answer is read, even if the client has not taken it yet. */
    @Test
    void aClientThatLeavesItsAnswerDoesNotCutTheNextCall() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        start(
                ScriptedUpstream.doing(connection -> {
                    connection.request();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    connection.request();
                    await(answered);
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                }),
                "");
        client.giveNothingBack();
        client.frame(H2Client.SETTINGS, 0, 0, INITIAL_WINDOW_OF_ONE_BYTE);
        int left = client.open(request("GET", "/left"), true);
        Eventually.holds("the head is there", () -> client.stream(left).status() == 200);
        int next = client.open(request("GET", "/next"), true);
        Eventually.holds("the next call is there", () -> upstream.received().contains("/next"));
        assertThat(upstream.connections()).hasSize(1);
        client.reset(left);
        gateway.awaitLines(1, "\"ended\":\"client-left\"");
        answered.countDown();
        Eventually.holds("the next call is answered", () -> client.stream(next).status() != 0);
        assertThat(client.stream(next).status()).isEqualTo(200);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** How many calls of silence have come to the upstream. */
    private long silentCalls() {
        return upstream.received()
                .lines()
                .filter(line -> line.startsWith("GET /silent"))
                .count();
    }

    @Test
    void aClosedConnectionFreesAllItsCalls() throws Exception {
        start();
        for (int call = 0; call < 20; call++) {
            client.open(request("GET", "/silent"), true);
        }
        Eventually.holds("the calls are there", () -> silentCalls() == 20);
        client.close();
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
        gateway.awaitLines(20, "\"ended\":\"client-left\"");
    }

    @Test
    void anAnswerThatIsCutResetsItsStreamAlone() throws Exception {
        start();
        assertThat(client.ask(request("GET", "/cut")).resetCode()).isPositive();
        gateway.awaitLines(1, "\"ended\":\"upstream-failed\"");
        assertThat(client.ask(request("GET", "/no-answer")).status()).isEqualTo(502);
        assertStillServes();
    }

    @Test
    void anAnswerThatFailsBeforeAnyOfItWentOutIsOurs() throws Exception {
        start();
        H2Client.Stream answer = client.ask(request("GET", "/broken-at-once"));
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.field("x-theirs")).isNull();
        assertThat(answer.field("content-length"))
                .isEqualTo(Integer.toString(answer.text().length()));
        assertThat(answer.text()).contains("\"status\":502");
        assertThat(answer.isWhole()).isTrue();
        assertThat(gateway.line()).contains("\"status\":502");
    }

    @Test
    void aFloodOfResetsEndsTheConnection() throws Exception {
        start();
        try {
            for (int call = 0; call < 300; call++) {
                client.reset(client.open(request("GET", "/silent"), true));
            }
        } catch (IOException closed) {
            // As it should be.
        }
        Eventually.holds("the connection is closed", client::isClosed);
        assertThat(client.goAwayCode()).isIn(-1L, ENHANCE_YOUR_CALM);
        Eventually.holds(
                "all calls are over",
                () -> gateway.lines().stream()
                                .filter(line -> line.contains("client-left"))
                                .count()
                        >= silentCalls());
        try (H2Client other = H2Client.to(gateway.port())) {
            assertThat(other.ask(request("GET", "/ok")).status()).isEqualTo(200);
        }
    }

    @Test
    void aFloodOfEmptyDataDoesNoHarm() throws Exception {
        start();
        int stream = client.open(request("POST", "/ok"), false);
        try {
            for (int frame = 0; frame < 5_000; frame++) {
                client.data(stream, "", false);
            }
            client.data(stream, "", true);
        } catch (IOException closed) {
            // As it may be.
        }
        client.answer(stream);
        try (H2Client other = H2Client.to(gateway.port())) {
            assertThat(other.ask(request("GET", "/ok")).status()).isEqualTo(200);
        }
    }

    @Test
    void aWindowThatGrowsByNothingIsAnError() throws Exception {
        start();
        int stream = client.open(request("GET", "/silent"), true);
        client.frame(H2Client.WINDOW_UPDATE, stream, 0);
        assertRefused(client.answer(stream));
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
    }

    @Test
    void aHundredStreamsAreAllAnswered() throws Exception {
        start();
        List<Integer> streams = new ArrayList<>();
        for (int call = 0; call < 100; call++) {
            streams.add(client.open(request("GET", "/ok"), true));
        }
        for (int stream : streams) {
            assertThat(client.answer(stream).text()).isEqualTo("ok");
        }
    }

    @Test
    void aRefusalEndsItsStreamAndKeepsTheConnection() throws Exception {
        startObliging("limits: { few: { key: all, rate: 1/h } }");
        assertThat(client.ask(request("GET", "/x")).status()).isEqualTo(200);
        int stream = client.open(request("POST", "/x").add("content-length", "1073741824"), false);
        Eventually.holds("it is refused", () -> client.stream(stream).status() == 429);
        H2Client.Stream answer = client.ask(request("HEAD", "/x"));
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.text()).isEmpty();
        assertThat(client.isClosed()).isFalse();
    }

    private int refusedUpload(int status, String path) throws Exception {
        int stream = client.open(request("POST", path), false);
        Eventually.holds("the stream is reset", () -> client.stream(stream).resetCode() >= 0);
        assertThat(client.stream(stream).resetCode()).as("NO_ERROR").isZero();
        assertThat(client.stream(stream).status()).isEqualTo(status);
        assertThat(client.stream(stream).isWhole()).isTrue();
        return stream;
    }

    @Test
    void anUnwantedBodyIsStoppedBehindItsAnswer() throws Exception {
        startObliging("limits: { few: { key: all, rate: 1/h } }");
        assertThat(client.ask(request("GET", "/x")).status()).isEqualTo(200);
        refusedUpload(429, "/x");
        int late = refusedUpload(400, "/x/../y");
        client.data(late, "what was on its way", false);
        assertThat(client.ask(request("GET", "/x")).status()).isEqualTo(429);
    }

    @Test
    void anUploadThatIsAnsweredEarlyIsStopped() throws Exception {
        start(
                ScriptedUpstream.doing(connection -> {
                    connection.reader().head();
                    connection
                            .send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
                            .awaitClosed();
                }),
                "");
        refusedUpload(413, "/x");
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
    }

    @Test
    void aRefusedRequestThatIsOverIsNotReset() throws Exception {
        startObliging("limits: { few: { key: all, rate: 1/h } }");
        for (int call = 0; call < 20; call++) {
            H2Client.Stream answer = client.ask(request("GET", "/x"));
            assertThat(answer.status()).isEqualTo(call == 0 ? 200 : 429);
            assertThat(answer.resetCode()).isEqualTo(-1);
        }
    }

    @Test
    void aGetThatUpgradesToHttp2HasNoBody() throws Exception {
        startObliging("");
        try (RawClient upgrading = gateway.client()) {
            upgrading.send(
                    "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");
            Head asked = upstream.next().head();
            assertThat(asked.has("transfer-encoding") || asked.has("content-length"))
                    .isFalse();
        }
    }
}
