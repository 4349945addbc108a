package dev.weir.gateway;

import static dev.weir.gateway.H2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway that is told to stop: who is inside is served, and nobody else comes in. */
class DrainTest {

    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private CompletableFuture<Void> stopped;

    @BeforeEach
    void start() throws Exception {
        upstream = ScriptedUpstream.doing(connection -> {
            while (connection.request() != null) {
                awaitAnswerable();
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
        gateway = GatewayFixture.before(upstream);
    }

    private void awaitAnswerable() throws IOException {
        try {
            if (!mayAnswer.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the test does not go on");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @AfterEach
    void stop() {
        mayAnswer.countDown();
        gateway.close();
        upstream.close();
    }

    private void beginToStop() {
        stopped = CompletableFuture.runAsync(gateway::close);
        Eventually.holds("nobody else comes in", this::isClosedToOthers);
    }

    private boolean isClosedToOthers() {
        try {
            gateway.client().close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aCallUnderWayIsAnsweredAndItsConnectionClosed() throws Exception {
        try (RawClient idle = gateway.client();
                RawClient client = gateway.client()) {
            client.send("GET /inside HTTP/1.1\r\nHost: a\r\n\r\n");
            Eventually.holds("the call is there", () -> upstream.received().contains("/inside"));
            beginToStop();
            assertThat(idle.isClosedNext()).as("a connection without a call").isTrue();
            assertThat(stopped).isNotDone();
            mayAnswer.countDown();
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(client.isClosedNext()).isTrue();
            stopped.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void streamsUnderWayAreAnsweredBehindAGoAwayThatCoversThem() throws Exception {
        try (H2Client client = H2Client.to(gateway.port())) {
            int first = client.open(request("GET", "/inside"), true);
            int second = client.open(request("GET", "/beside"), true);
            Eventually.holds(
                    "the calls are there",
                    () -> upstream.received().contains("/inside")
                            && upstream.received().contains("/beside"));
            beginToStop();
            Eventually.holds("the client is told", () -> client.goAwayCode() >= 0);
            assertThat(client.goAwayCode()).isZero();
            assertThat(client.goAwayLastStream()).isGreaterThanOrEqualTo(second);
            mayAnswer.countDown();
            assertThat(client.answer(first).status()).isEqualTo(200);
            assertThat(client.answer(second).text()).isEqualTo("ok");
            stopped.get(60, TimeUnit.SECONDS);
        }
    }
}
