package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Answers that come before the request has ended, and tunnels that are refused, leave no connection behind. */
class EarlyAnswersTest {

    private static final String NO = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno";
    private static final String WEBSOCKET =
            "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    @Test
    void anUpstreamCanAnswerOnTheHeadAlone() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.doing(connection -> {
                    connection.reader().head();
                    connection.send(NO).awaitClosed();
                });
                GatewayFixture gateway = GatewayFixture.before(upstream);
                RawClient client = gateway.client()) {
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void anAnswerBeforeTheEndOfTheBodyFreesTheUpstream() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.doing(connection -> {
                    connection.reader().head();
                    connection.send(NO).awaitClosed();
                });
                GatewayFixture gateway = GatewayFixture.before(upstream);
                RawClient client = gateway.client()) {
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\nhello");
            assertThat(client.answer().status()).isEqualTo(413);
            Eventually.holds("the upstream is free", () -> upstream.open() == 0);
        }
    }

    @Test
    void aRefusedTunnelFreesTheUpstream() throws Exception {
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
                GatewayFixture gateway = GatewayFixture.before(upstream);
                RawClient client = gateway.client()) {
            for (int call = 0; call < 5; call++) {
                assertThat(client.send(WEBSOCKET).answer().text()).isEqualTo("no");
            }
            Eventually.holds("the upstream is free", () -> upstream.open() <= 1);
        }
    }
}
