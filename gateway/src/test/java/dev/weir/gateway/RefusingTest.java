package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals are said on the head alone, and cost the upstream nothing. */
class RefusingTest {

    private static final String NONE_AFTER_THE_FIRST = "limits: { few: { key: all, rate: 1/h } }";
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private RawClient client;

    private void start(String sections) throws Exception {
        upstream = ScriptedUpstream.obliging();
        gateway = GatewayFixture.before(upstream, sections);
        client = gateway.client();
    }

    private void startWithNothingLeft(String sections) throws Exception {
        start(sections);
        assertThat(client.send(GET).answer().status()).isEqualTo(200);
        upstream.next();
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.close();
    }

    private Message refusedPost(String fields, String body) throws IOException {
        return client.send("POST /x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n" + body)
                .answer();
    }

    @Test
    void aLongBodyIsRefusedOnItsHeadAndEndsTheConnection() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        List<String> lengths = List.of(
                "Content-Length: 1073741824",
                "Content-Length: 999999999999999999",
                "Transfer-Encoding: chunked",
                "Content-Length: 5\r\nExpect: 100-continue");
        List<RawClient> clients = new ArrayList<>();
        for (String length : lengths) {
            RawClient sender = gateway.client();
            clients.add(sender);
            Message answer = sender.send("POST /x HTTP/1.1\r\nHost: a\r\n" + length + "\r\n\r\n")
                    .answer();
            assertThat(answer.status()).as(length).isEqualTo(429);
            assertThat(answer.head().field("connection")).as(length).contains("close");
        }
        assertThat(clients).allMatch(RawClient::isClosedNext);
        clients.forEach(RawClient::close);
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void aLongBodyThatKeepsComingIsNotTaken() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        refusedPost("Content-Length: 1073741824", "");
        byte[] piece = new byte[65_536];
        long sent = 0;
        try {
            while (sent < 1L << 30) {
                client.send(piece);
                sent += piece.length;
            }
        } catch (IOException closed) {
            // As it should be.
        }
        assertThat(sent).isLessThan(16L << 20);
        assertThat(upstream.received()).doesNotContain("POST");
    }

    @Test
    void aShortBodyIsReadAndTheConnectionKept() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        for (int call = 0; call < 3; call++) {
            Message answer = refusedPost("Content-Length: 60000", "x".repeat(60_000));
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.head().has("connection")).isFalse();
        }
        assertThat(upstream.waiting()).isZero();
    }

    @Test
    void aShortBodyMayComeBehindItsRefusal() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        assertThat(refusedPost("Content-Length: 5", "").status()).isEqualTo(429);
        client.send("hello" + GET);
        assertThat(client.answer().status()).isEqualTo(429);
    }

    @Test
    void requestsThatComeTogetherAreAnsweredInOrder() throws Exception {
        start("limits: { few: { key: all, rate: 3/h, match: { path: /limited } } }");
        StringBuilder requests = new StringBuilder();
        for (int call = 0; call < 10; call++) {
            requests.append("GET ").append(call % 2 == 0 ? "/limited" : "/free").append(" HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        client.send(requests.toString());
        for (int call = 0; call < 10; call++) {
            Message answer = client.answer();
            boolean refused = call % 2 == 0 && call >= 6;
            assertThat(answer.status()).as("call " + call).isEqualTo(refused ? 429 : 200);
        }
    }

    @Test
    void aHeadRequestIsRefusedWithoutABody() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        for (int call = 0; call < 2; call++) {
            client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answerTo("HEAD").status()).isEqualTo(429);
        }
    }

    @ParameterizedTest
    @CsvSource({"/x, 429", "/../x, 400"})
    void itsLineTellsHowMuchWasSaid(String target, int status) throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        try (RawClient one = gateway.client();
                RawClient other = gateway.client()) {
            int length = one.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n")
                    .answer()
                    .text()
                    .length();
            gateway.awaitLines(1, "\"status\":" + status + ",\"bytes\":" + length + ",");
            other.send("HEAD " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").answerTo("HEAD");
            gateway.awaitLines(1, "\"status\":" + status + ",\"bytes\":0,");
        }
    }

    @Test
    void aRefusalSaysWhatItIs() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        Message answer = client.send(GET).answer();
        Head head = answer.head();
        assertThat(head.line()).isEqualTo("HTTP/1.1 429 Too Many Requests");
        assertThat(Integer.parseInt(head.field("retry-after").orElseThrow())).isBetween(3_590, 3_970);
        assertThat(head.field("ratelimit").orElseThrow()).startsWith("\"few\";r=0;t=");
        assertThat(head.field("content-type")).contains("application/problem+json");
        assertThat(head.has("x-request-id")).isTrue();
        assertThat(head.has("date")).isTrue();
        assertThat(answer.text()).contains("\"status\":429");
    }

    @Test
    void aBareRefusalIsAStatusAndNothingElse() throws Exception {
        startWithNothingLeft("limits: { few: { key: all, rate: 1/h, answer: bare } }");
        Message answer = client.send(GET).answer();
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.text()).isEmpty();
        assertThat(answer.head().has("retry-after")).isFalse();
        assertThat(answer.head().has("ratelimit")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'{ key: header:X-Key, rate: 1/h, if-missing: reject }', '', 400",
        "'{ key: header:X-Key, rate: 1/h, if-missing: reject-401 }', '', 401",
        "'{ key: header:X-Key, rate: 1/h, overrides: { bad: { is: deny } } }', X-Key: bad, 403",
    })
    void keysHaveTheirStatuses(String limit, String field, int status) throws Exception {
        start("limits: { keyed: " + limit + " }");
        String line = field.isEmpty() ? "" : field + "\r\n";
        for (int call = 0; call < 2; call++) {
            Message answer = client.send("GET /x HTTP/1.1\r\nHost: a\r\n" + line + "\r\n")
                    .answer();
            assertThat(answer.status()).isEqualTo(status);
        }
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void aRefusedClientThatLeavesLeavesNothing() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        for (int call = 0; call < 20; call++) {
            try (RawClient other = gateway.client()) {
                other.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\nhello");
                assertThat(other.answer().status()).isEqualTo(429);
                other.reset();
            }
        }
        assertThat(client.send(GET).answer().status()).isEqualTo(429);
        gateway.awaitLines(21, "\"ended\":\"refused\"");
        assertThat(upstream.connections()).hasSize(1);
    }

    /** A client that sends first and reads then must find its refusal; whatever it sends is taken in, up to a bound. */
    @Test
    void aLongBodyMayStillBeSentBehindItsRefusal() throws Exception {
        startWithNothingLeft(NONE_AFTER_THE_FIRST);
        int pieces = 64;
        byte[] piece = new byte[65_536];
        Message answer = refusedPost("Content-Length: " + pieces * piece.length, "");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(client.isClosedNext()).as("nothing follows").isTrue();
        for (int sent = 0; sent < pieces; sent++) {
            client.send(piece);
        }
        assertThat(upstream.received()).doesNotContain("POST");
        Eventually.holds("the connection is over", () -> gateway.metrics().contains("weir_gateway_connections 0.0"));
    }
}
