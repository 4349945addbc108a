package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that two readers could frame differently: refused, or forwarded in a form that has one reading. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmugglingTest {

    /** Behind every message: whoever frames it differently from the gateway takes this for a request. */
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final String CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private RawClient client;

    @BeforeAll
    void start() throws Exception {
        upstream = ScriptedUpstream.obliging();
        gateway = GatewayFixture.before(upstream);
    }

    @BeforeEach
    void connect() throws Exception {
        client = gateway.client();
    }

    @AfterEach
    void leave() {
        client.close();
    }

    @AfterAll
    void stop() {
        gateway.close();
        upstream.close();
    }

    private static Arguments post(String what, String fields, String body) {
        return Arguments.of(what, "POST /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n" + body);
    }

    private static Arguments get(String what, String fields) {
        return Arguments.of(what, "GET /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                post("both lengths", "Content-Length: 5\r\nTransfer-Encoding: chunked", CHUNKS),
                post("both lengths, the other first", "Transfer-Encoding: chunked\r\nContent-Length: 5", CHUNKS),
                post("two lengths", "Content-Length: 5\r\nContent-Length: 6", "hello"),
                post("two equal lengths", "Content-Length: 5\r\nContent-Length: 5", "hello"),
                post("a list of lengths", "Content-Length: 5, 6", "hello"),
                post("a list of equal lengths", "Content-Length: 5, 5", "hello"),
                post("a plus sign", "Content-Length: +5", "hello"),
                post("a minus sign", "Content-Length: -5", "hello"),
                post("a space within", "Content-Length: 5 5", "hello"),
                post("hexadecimal", "Content-Length: 0x5", "hello"),
                post("a fraction", "Content-Length: 5.0", "hello"),
                post("no digits", "Content-Length: ", "hello"),
                post("above any number", "Content-Length: 99999999999999999999", "hello"),
                post("19 digits", "Content-Length: 9223372036854775807", "hello"),
                post("quoted", "Content-Length: \"5\"", "hello"),
                post("a coding that is not chunked", "Transfer-Encoding: identity", CHUNKS),
                post("chunked, twice", "Transfer-Encoding: chunked, chunked", CHUNKS),
                post("chunked, in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", CHUNKS),
                post("chunked and identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", CHUNKS),
                post("chunked not last", "Transfer-Encoding: chunked, gzip", CHUNKS),
                post("gzip first", "Transfer-Encoding: gzip, chunked", CHUNKS),
                post("misspelt", "Transfer-Encoding: xchunked", CHUNKS),
                post("a parameter", "Transfer-Encoding: chunked;q=1", CHUNKS),
                post("quoted chunked", "Transfer-Encoding: \"chunked\"", CHUNKS),
                post("a vertical tab", "Transfer-Encoding: \u000bchunked", CHUNKS),
                post("no coding", "Transfer-Encoding: ", CHUNKS),
                post("a comma behind", "Transfer-Encoding: chunked,", CHUNKS),
                post("space before the colon", "Content-Length : 5", "hello"),
                post("tab before the colon", "Transfer-Encoding\t: chunked", CHUNKS),
                post("a space before the name", " Content-Length: 5", "hello"),
                post("a line without a colon", "Content-Length 5", "hello"),
                post("a folded coding", "Transfer-Encoding:\r\n chunked", CHUNKS),
                get("NUL in a value", "X-A: b\u0000c"),
                get("NUL in a name", "X\u0000A: b"),
                get("a space in a name", "X A: b"),
                get("an empty name", ": b"),
                get("a bare CR in a value", "X-A: b\rX-B: c"),
                get("a bare LF behind a field", "X-A: b\nX-B: c"),
                get("a parenthesis in a name", "X(A): b"),
                get("a name that is not ASCII", "X\u00e9: b"),
                get("two Hosts", "Host: a"),
                get("another Host", "Host: b"),
                Arguments.of("no Host", "GET /x HTTP/1.1\r\nX-A: b\r\n\r\n"),
                Arguments.of("an empty Host", "GET /x HTTP/1.1\r\nHost:\r\n\r\n"),
                Arguments.of("a Host with a path", "GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n"),
                Arguments.of("a Host with a user", "GET /x HTTP/1.1\r\nHost: u@a\r\n\r\n"),
                Arguments.of("a Host with a list", "GET /x HTTP/1.1\r\nHost: a, b\r\n\r\n"),
                Arguments.of("a Host with a bad port", "GET /x HTTP/1.1\r\nHost: a:99999\r\n\r\n"),
                Arguments.of("bare LF as line ends", "GET /x HTTP/1.1\nHost: a\n\n"),
                Arguments.of("bare LF behind the first line", "GET /x HTTP/1.1\nHost: a\r\n\r\n"),
                Arguments.of(
                        "chunks in HTTP/1.0",
                        "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS),
                Arguments.of("an absolute form for another host", "GET http://b/x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("an absolute form for another port", "GET http://a:81/x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("an absolute form with a user", "GET http://a@b/x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("another scheme", "GET ftp://a/x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("no slash", "GET x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("an authority", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("an asterisk without OPTIONS", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("garbage", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"),
                Arguments.of("words", "what is this\r\nHost: a\r\n\r\n"),
                Arguments.of("HTTP/0.9", "GET /x\r\n\r\n"),
                Arguments.of("three spaces' worth of words", "GET /x y HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of("a method that is no token", "G(T /x HTTP/1.1\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void whatCouldBeReadInTwoWaysIsRefusedAndEndsTheConnection(String what, String message) throws Exception {
        int before = upstream.received().length();
        client.send(message).sendAnyhow(SMUGGLED);
        assertThat(client.answer().status()).isEqualTo(400);
        assertThat(client.isClosedNext()).isTrue();
        assertThat(upstream.received().substring(before)).isEmpty();
    }

    @Test
    void aFirstLineThatCannotBeReadIsNotLoggedAsSomethingElse() throws Exception {
        client.send("\u0016\u0003\u0001\u0002\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(400);
        Eventually.holds(
                "it is logged",
                () -> gateway.lines().stream()
                        .anyMatch(line ->
                                line.contains("\"method\":null,\"target\":null") && line.contains("\"status\":400")));
        assertThat(gateway.lines()).noneMatch(line -> line.contains("/bad-request"));
    }

    static Stream<Arguments> refusedOtherwise() {
        return Stream.of(
                Arguments.of(414, "GET /" + "x".repeat(17_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(431, "GET /x HTTP/1.1\r\nHost: a\r\nX-A: " + "x".repeat(33_000) + "\r\n\r\n"),
                Arguments.of(431, "GET /x HTTP/1.1\r\nHost: a\r\n" + "X-A: b\r\n".repeat(201) + "\r\n"),
                Arguments.of(405, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n"),
                Arguments.of(405, "TRACE /x HTTP/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "GET /x http/1.1\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "GET /x HTTP/3.0\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "GET /x SIP/2.0\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "GET /x HTTP/1.2\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "GET /x HTTP/2.0\r\nHost: a\r\n\r\n"),
                Arguments.of(505, "POST /x HTTP/0.9\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"),
                Arguments.of(417, "GET /x HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n"));
    }

    @ParameterizedTest
    @MethodSource("refusedOtherwise")
    void whatIsNotServedHasItsStatus(int status, String message) throws Exception {
        int before = upstream.received().length();
        client.send(message);
        assertThat(client.answer().status()).isEqualTo(status);
        assertThat(upstream.received().substring(before)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.2", "HTTP/2.0", "SIP/2.0"})
    void aVersionThatIsNotServedIsToldSoAndLogged(String version) throws Exception {
        client.send("GET /" + version + " " + version + "\r\nHost: a\r\n\r\n").sendAnyhow(SMUGGLED);
        Message answer = client.answer();
        assertThat(answer.head().line()).isEqualTo("HTTP/1.1 505 HTTP Version Not Supported");
        assertThat(answer.text()).contains("\"status\":505");
        assertThat(client.isClosedNext()).isTrue();
        gateway.awaitLines(1, "\"target\":\"/" + version + "\",\"protocol\":\"" + version + "\"");
        assertThat(upstream.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /LONG HTTP/1.1\r\nHost: a\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nX-A: LONG\r\n\r\n"})
    void whatIsTooLongToBeReadEndsTheConnection(String message) throws Exception {
        client.send(message.replace("LONG", "x".repeat(40_000))).sendAnyhow(SMUGGLED);
        assertThat(client.answer().status()).isIn(414, 431);
        assertThat(client.isClosedNext()).isTrue();
        assertThat(upstream.waiting()).isZero();
    }

    static Stream<Arguments> forwarded() {
        return Stream.of(
                forward("a length", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "/x", "hello"),
                forward(
                        "leading zeros",
                        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
                        "/x",
                        "hello"),
                forward(
                        "spaces around",
                        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length:\t 5 \r\n\r\nhello",
                        "/x",
                        "hello"),
                forward("no body", "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "/x", ""),
                forward("no length", "POST /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x", ""),
                forward(
                        "a body of a GET",
                        "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
                        "/x",
                        "hello"),
                forward("chunks", chunked("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"), "/x", "hello"),
                forward("extensions", chunked("5;a=b\r\nhello\r\n0;c\r\n\r\n"), "/x", "hello"),
                forward("zeros before a size", chunked("0005\r\nhello\r\n0000\r\n\r\n"), "/x", "hello"),
                forward("capitals in a size", chunked("A\r\nhellohello\r\n0\r\n\r\n"), "/x", "hellohello"),
                forward("trailers", chunked("5\r\nhello\r\n0\r\nX-T: v\r\n\r\n"), "/x", "hello"),
                forward(
                        "chunked in capitals",
                        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n" + CHUNKS,
                        "/x",
                        "hello"),
                forward(
                        "a length named by Connection",
                        "POST /x HTTP/1.1\r\nHost: a\r\nConnection: content-length\r\nContent-Length: 5\r\n\r\nhello",
                        "/x",
                        "hello"),
                forward("an absolute form", "GET http://a/x?y HTTP/1.1\r\nHost: a\r\n\r\n", "/x?y", ""),
                forward("an absolute form in capitals", "GET HTTP://A/x HTTP/1.1\r\nHost: a\r\n\r\n", "/x", ""),
                forward("an absolute form without a path", "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", "/", ""),
                forward("an absolute form with a query alone", "GET http://a?y HTTP/1.1\r\nHost: a\r\n\r\n", "/?y", ""),
                forward("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "*", ""),
                forward("an unknown method", "BREW /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x", ""),
                forward("empty lines before", "\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x", ""),
                forward(
                        "a fold, in one line",
                        "GET /x HTTP/1.1\r\nHost: a\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n",
                        "/x",
                        ""),
                forward("tabs for spaces", "GET\t/x\tHTTP/1.1\r\nHost: a\r\n\r\n", "/x", ""),
                forward("an empty value", "GET /x HTTP/1.1\r\nHost: a\r\nX-A:\r\n\r\n", "/x", ""));
    }

    private static String chunked(String body) {
        return "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    }

    private static Arguments forward(String what, String message, String target, String body) {
        return Arguments.of(what, message, target, body);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forwarded")
    void whatHasOneReadingIsForwardedInAFormThatHasOne(String what, String message, String target, String body)
            throws Exception {
        client.send(message + SMUGGLED);
        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(client.answer().status()).isEqualTo(200);
        Message first = upstream.next();
        assertThat(first.head().target()).isEqualTo(target);
        assertThat(first.text()).isEqualTo(body);
        assertThat(upstream.next().head().target()).isEqualTo("/smuggled");
        assertThat(upstream.waiting()).isZero();
        assertThat(upstream.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5 \r\nhello\r\n0\r\n\r\n",
                "+5\r\nhello\r\n0\r\n\r\n",
                "-5\r\nhello\r\n0\r\n\r\n",
                "0x5\r\nhello\r\n0\r\n\r\n",
                "g\r\nhello\r\n0\r\n\r\n",
                "\r\nhello\r\n0\r\n\r\n",
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhello0\r\n\r\n",
                "5\r\nhello!\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5;a\nb\r\nhello\r\n0\r\n\r\n",
                "100000005\r\nhello\r\n0\r\n\r\n",
                "10000000000000005\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\nX T: v\r\n\r\n",
            })
    void aBrokenChunkNeverEndsARequestAtTheUpstream(String body) throws Exception {
        client.send(chunked(body)).sendAnyhow(SMUGGLED);
        client.halfClose();
        List<Integer> statuses = client.statusesToClose();
        assertThat(statuses).as("one answer at most, and no good one").isSubsetOf(400, 408, 502);
        assertThat(statuses).hasSizeLessThanOrEqualTo(1);
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void aRequestWithoutHostIsServedInHttp10() throws Exception {
        client.send("GET /x HTTP/1.0\r\n\r\n");
        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(upstream.next().head().all("host")).hasSize(1);
        assertThat(client.isClosedNext()).isTrue();
    }
}
