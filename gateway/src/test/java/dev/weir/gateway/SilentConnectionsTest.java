package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who connects counts, and who does not come to ask is let go. */
class SilentConnectionsTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;

    private void start(Duration firstHead) throws Exception {
        upstream = ScriptedUpstream.obliging();
        gateway = GatewayFixture.before(upstream, firstHead);
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private void awaitConnections(int count) {
        Eventually.holds(
                count + " connections", () -> gateway.metrics().contains("weir_gateway_connections " + count + ".0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "\r\n",
                "GET /x HTTP/1.1\r\n",
                "GET /x HTTP/1.1\r\nHost: a\r\nX-More: ",
                "PRI * HTTP/2.0\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            })
    void aConnectionWithoutAHeadIsClosed(String sent) throws Exception {
        start(SHORT);
        try (RawClient client = gateway.client()) {
            client.send(sent);
            client.in().transferTo(OutputStream.nullOutputStream()); // ends when the gateway closes
            awaitConnections(0);
        }
    }

    @Test
    void aHeadThatComesByteByByteIsNotWaitedFor() throws Exception {
        start(SHORT);
        try (RawClient client = gateway.client()) {
            awaitConnections(1);
            client.send("GET /x HTTP/1.1\r\nHost: a\r\n");
            Eventually.holds("it is closed although more comes", () -> {
                client.sendAnyhow("x: y\r\n");
                return gateway.metrics().contains("weir_gateway_connections 0.0");
            });
        }
        assertThat(gateway.lines()).isEmpty();
    }

    @Test
    void aCallerThatLeavesWithinItsHeadWasAnsweredNothing() throws Exception {
        start(LONG);
        try (RawClient client = gateway.client()) {
            client.send("GET /x HTTP/1.1\r\nHost: ");
            awaitConnections(1);
        }
        awaitConnections(0);
        try (RawClient client = gateway.client()) {
            client.send(GET).answer();
        }
        assertThat(gateway.line()).contains("\"status\":200");
    }

    @Test
    void aConnectionCountsBeforeItSaysAnything() throws Exception {
        start(LONG);
        try (RawClient silent = gateway.client();
                RawClient other = gateway.client()) {
            awaitConnections(2);
            assertThat(other.send(GET).answer().status()).isEqualTo(200);
            awaitConnections(2);
            silent.reset();
            awaitConnections(1);
        }
        awaitConnections(0);
    }

    @Test
    void aConnectionThatHasBroughtAHeadMayTakeLonger() throws Exception {
        start(SHORT);
        try (RawClient client = gateway.client();
                RawClient silent = gateway.client()) {
            assertThat(client.send(GET).answer().status()).isEqualTo(200);
            assertThat(silent.isClosedNext()).isTrue(); // so the time is over
            assertThat(client.send(GET).answer().status()).isEqualTo(200);
        }
    }
}
