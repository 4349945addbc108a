package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever leaves or falls silent frees everything: the upstream's connection and the place in the limit in flight. */
class LeavingTest {

    private static final String ONE_AT_ONCE = "limits: { one: { key: all, in-flight: 1 } }";

    enum Leave {
        RESET,
        CLOSE,
        HALF_CLOSE;

        void by(RawClient client) throws IOException {
            switch (this) {
                case RESET -> client.reset();
                case CLOSE -> client.close();
                case HALF_CLOSE -> client.halfClose();
            }
        }
    }

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private RawClient client;

    private void start(String times) throws Exception {
        upstream = MoodyUpstream.start();
        gateway = GatewayFixture.before(upstream, ONE_AT_ONCE, times);
        client = gateway.client();
    }

    private void start() throws Exception {
        start("response: 30s, idle: 30s");
    }

    @AfterEach
    void stop() {
        client.close();
        gateway.close();
        upstream.close();
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private void assertFreedAnd(String ended) throws Exception {
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
        gateway.awaitLines(1, "\"ended\":\"" + ended + "\"");
        assertAdmitsAgain();
    }

    private void assertAdmitsAgain() throws Exception {
        try (RawClient next = gateway.client()) {
            assertThat(next.send(get("/ok")).answer().status()).isEqualTo(200);
        }
    }

    private void assertHeld() throws Exception {
        try (RawClient next = gateway.client()) {
            assertThat(next.send(get("/ok")).answer().status()).isEqualTo(429);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesWhileItWaitsFreesAll(Leave leave) throws Exception {
        start();
        client.send(get("/silent"));
        Eventually.holds("the call is there", () -> upstream.received().contains("/silent"));
        assertHeld();
        leave.by(client);
        assertFreedAnd("client-left");
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesWithinItsBodyFreesAll(Leave leave) throws Exception {
        start();
        client.send("POST /silent HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello");
        Eventually.holds("the call is there", () -> upstream.received().contains("hello"));
        leave.by(client);
        assertFreedAnd("client-left");
    }

    @ParameterizedTest
    @CsvSource({"RESET, /stall", "CLOSE, /stall", "RESET, /events", "CLOSE, /events", "RESET, /flood", "CLOSE, /flood"})
    void aClientThatLeavesWithinTheAnswerFreesAll(Leave leave, String path) throws Exception {
        start();
        client.send(get(path));
        assertThat(client.head().status()).isEqualTo(200);
        assertHeld();
        leave.by(client);
        assertFreedAnd("client-left");
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesBeforeThereIsAConnectionFreesAll(Leave leave) throws Exception {
        upstream = MoodyUpstream.start();
        List<SocketChannel> fillers = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int filler = 0; filler < 4; filler++) {
                SocketChannel channel = SocketChannel.open();
                fillers.add(channel);
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()));
            }
            gateway = GatewayFixture.before(
                    "http://127.0.0.1:" + full.getLocalPort(), ONE_AT_ONCE, "connect: 30s, response: 30s, idle: 30s");
            client = gateway.client();
            client.send(get("/ok"));
            Eventually.holds("the call is held", this::isHeld);
            leave.by(client);
            Eventually.holds(
                    "the call is over",
                    () -> gateway.lines().stream().anyMatch(line -> line.contains("\"ended\":\"client-left\"")));
            try (RawClient next = gateway.client()) {
                next.send(get("/ok")).halfClose();
                Eventually.holds(
                        "the next is let in",
                        () -> gateway.lines().stream()
                                        .filter(line -> line.contains("\"ended\":\"client-left\""))
                                        .count()
                                == 2);
            }
        } finally {
            for (SocketChannel filler : fillers) {
                filler.close();
            }
        }
    }

    private boolean isHeld() throws IOException {
        try (RawClient next = gateway.client()) {
            next.send(get("/ok")).halfClose();
            return next.statusesToClose().equals(List.of(429));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no-answer", "/reset", "/garbage", "/half-a-head", "/two-lengths"})
    void anUpstreamWithoutAnAnswerIs502(String path) throws Exception {
        start();
        assertThat(client.send(get(path)).answer().status()).isEqualTo(502);
        assertFreedAnd("upstream-failed");
        assertThat(client.send(get("/ok")).answer().status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cut", "/cut-chunks", "/reset-chunks", "/broken-chunks"})
    void anAnswerThatIsCutIsSeenToBeCut(String path) throws Exception {
        start();
        client.send(get(path));
        assertThatThrownBy(() -> assertThat(client.answer().status()).isEqualTo(502))
                .isInstanceOf(IOException.class);
        assertFreedAnd("upstream-failed");
    }

    /** Whoever reads until the connection closes would take a plain end for the end of the answer. */
    @ParameterizedTest
    @ValueSource(strings = {"/cut-chunks", "/reset-chunks", "/broken-chunks"})
    void anAnswerThatEndsWithItsConnectionIsCutWithAReset(String path) throws Exception {
        start();
        client.send("GET " + path + " HTTP/1.0\r\n\r\n");
        assertThatThrownBy(client::answer).isInstanceOf(SocketException.class);
        assertFreedAnd("upstream-failed");
    }

    @Test
    void anAnswerThatFailsBeforeAnyOfItWentOutIsOurs() throws Exception {
        start();
        Message answer = client.send(get("/broken-at-once")).answer();
        Head head = answer.head();
        assertThat(head.line()).isEqualTo("HTTP/1.1 502 Bad Gateway");
        assertThat(head.has("x-theirs") || head.has("trailer") || head.has("transfer-encoding") || head.has("via"))
                .isFalse();
        assertThat(head.field("content-type")).contains("application/problem+json");
        assertThat(answer.text()).contains("\"status\":502");
        assertThat(client.send(get("/ok")).answer().status()).isEqualTo(200);
        assertThat(gateway.line()).contains("\"status\":502", "\"ended\":\"upstream-failed\"");
    }

    @Test
    void anUpstreamThatIsNotThereIs502() throws Exception {
        upstream = MoodyUpstream.start();
        int port = upstream.port();
        upstream.close();
        gateway = GatewayFixture.before("http://127.0.0.1:" + port, ONE_AT_ONCE, "response: 30s");
        client = gateway.client();
        for (int call = 0; call < 3; call++) {
            assertThat(client.send(get("/ok")).answer().status()).isEqualTo(502);
        }
    }

    @Test
    void anUpstreamThatIsSilentIs504() throws Exception {
        start("response: 300ms, idle: 30s");
        assertThat(client.send(get("/silent")).answer().status()).isEqualTo(504);
        assertFreedAnd("upstream-timeout");
    }

    @Test
    void anUpstreamThatFallsSilentIsCut() throws Exception {
        start("response: 300ms, idle: 300ms");
        client.send(get("/stall"));
        assertThatThrownBy(client::answer).isInstanceOf(IOException.class);
        assertFreedAnd("upstream-timeout");
    }

    @Test
    void eventsMayTakeTheirTime() throws Exception {
        upstream = MoodyUpstream.start();
        gateway = GatewayFixture.before(upstream, "", "response: 300ms, idle: 300ms");
        client = gateway.client();
        client.send(get("/events"));
        assertThat(client.head().status()).isEqualTo(200);
        assertThat(client.reader().line()).isEqualTo("5");
        for (int others = 0; others < 2; others++) {
            try (RawClient other = gateway.client()) {
                assertThat(other.send(get("/silent")).answer().status()).isEqualTo(504);
            }
        }
        Eventually.holds("only the events are under way", () -> upstream.open() == 1);
    }

    @Test
    void aBodyThatDoesNotComeIs408() throws Exception {
        start("response: 30s, idle: 300ms");
        client.send("POST /silent HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhello");
        assertThat(client.statusesToClose()).isEqualTo(List.of(408));
        assertFreedAnd("client-slow");
    }

    @Test
    void aReaderThatDoesNotReadIsCut() throws Exception {
        start("response: 30s, idle: 300ms");
        client.send(get("/flood"));
        assertFreedAnd("client-slow");
    }

    @Test
    void everyCallHasItsLine() throws Exception {
        start();
        for (int call = 0; call < 3; call++) {
            client.send(get("/ok")).answer();
        }
        assertAdmitsAgain();
        gateway.awaitLines(4, "\"ended\":\"whole\"");
        assertThat(gateway.lines()).hasSize(4);
    }
}
