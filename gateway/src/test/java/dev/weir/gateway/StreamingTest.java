package dev.weir.gateway;

import static dev.weir.gateway.Bytes.checksum;
import static dev.weir.gateway.Bytes.pattern;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies on their way: piece by piece, whole, and no faster than the slower side. */
class StreamingTest {

    private static final int MIB = 1 << 20;
    private static final int LARGE_BYTES = 32 * MIB;
    private static final int MOST_TAKEN_BYTES = 12 * MIB;
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String WEBSOCKET =
            "GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private final CountDownLatch over = new CountDownLatch(1);
    private ScriptedUpstream upstream;
    private GatewayFixture gateway;
    private RawClient client;

    private void start(ScriptedUpstream.Script script) throws Exception {
        upstream = ScriptedUpstream.withSmallBuffer(script);
        gateway = GatewayFixture.before(upstream);
        client = gateway.client();
    }

    @AfterEach
    void stop() {
        over.countDown();
        client.close();
        gateway.close();
        upstream.close();
    }

    private void awaitOver() {
        try {
            over.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void sendChunked(OutputStream to, byte[] body, int pieceBytes) throws IOException {
        for (int at = 0; at < body.length; at += pieceBytes) {
            int count = Math.min(pieceBytes, body.length - at);
            to.write((Integer.toHexString(count) + "\r\n").getBytes(ISO_8859_1));
            to.write(body, at, count);
            to.write("\r\n".getBytes(ISO_8859_1));
        }
        to.write("0\r\n\r\n".getBytes(ISO_8859_1));
        to.flush();
    }

    @Test
    void eachEventArrivesBeforeTheNextIsSent() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        start(connection -> {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (String event = take(events); !event.isEmpty(); event = take(events)) {
                connection.send(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
            }
            connection.send("0\r\n\r\n");
        });
        client.send(GET);
        assertThat(client.head().status()).isEqualTo(200);
        for (int event = 0; event < 5; event++) {
            events.add("data: " + event + "\n\n");
            assertThat(client.reader().line()).isEqualTo("9");
            assertThat(new String(client.in().readNBytes(9), ISO_8859_1)).isEqualTo("data: " + event + "\n\n");
            assertThat(client.reader().line()).isEmpty();
        }
        events.add("");
        assertThat(client.reader().line()).isEqualTo("0");
    }

    private static String take(BlockingQueue<String> events) throws IOException {
        try {
            return events.take();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeAnswerArrivesWholeAtASlowReader(boolean chunked) throws Exception {
        byte[] body = pattern(LARGE_BYTES);
        start(connection -> {
            connection.request();
            if (chunked) {
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                sendChunked(connection.out(), body, 50_001);
            } else {
                connection
                        .send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n")
                        .send(body);
            }
        });
        try (RawClient slow = RawClient.to(gateway.port(), 8_192)) {
            slow.send(GET);
            Head head = slow.head();
            CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
            slow.reader().copyBody(head, false, sum);
            assertThat(sum.getChecksum().getValue()).isEqualTo(checksum(body));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeRequestArrivesWhole(boolean chunked) throws Exception {
        byte[] body = pattern(LARGE_BYTES);
        AtomicLong arrived = new AtomicLong();
        start(connection -> {
            Head head = connection.reader().head();
            CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
            connection.reader().copyBody(head, false, sum);
            arrived.set(sum.getChecksum().getValue());
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        });
        if (chunked) {
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            sendChunked(client.out(), body, 70_001);
        } else {
            client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .send(body);
        }
        assertThat(client.answer().status()).isEqualTo(200);
        assertThat(arrived.get()).isEqualTo(checksum(body));
    }

    @Test
    void anUpstreamThatDoesNotReadHoldsTheClientBack() throws Exception {
        start(connection -> {
            connection.reader().head();
            awaitOver();
        });
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1073741824\r\n\r\n");
        assertThat(takenUntilItStops(client.out())).isLessThan(MOST_TAKEN_BYTES);
    }

    @Test
    void aClientThatDoesNotReadHoldsTheUpstreamBack() throws Exception {
        AtomicLong taken = new AtomicLong(-1);
        start(connection -> {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n");
            taken.set(takenUntilItStops(connection.out()));
        });
        client.send(GET);
        Eventually.holds("the upstream is held back", () -> taken.get() >= 0);
        assertThat(taken.get()).isLessThan(MOST_TAKEN_BYTES);
    }

    /** How many bytes the other side takes until it takes none for a second. */
    private long takenUntilItStops(OutputStream to) {
        AtomicLong taken = new AtomicLong();
        Thread writer = new Thread(() -> {
            byte[] piece = new byte[65_536];
            try {
                while (taken.get() < 64L * MIB) {
                    to.write(piece);
                    taken.addAndGet(piece.length);
                }
            } catch (IOException closed) {
                // The test is over.
            }
        });
        writer.setDaemon(true);
        writer.start();
        long[] seen = {-1, System.nanoTime()};
        Eventually.holds("the writer stops", () -> {
            if (seen[0] != taken.get()) {
                seen[0] = taken.get();
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > TimeUnit.SECONDS.toNanos(1);
        });
        return taken.get();
    }

    private void startWebSocket(ScriptedUpstream.Script script) throws Exception {
        start(connection -> {
            Head asked = connection.reader().head();
            assertThat(asked.field("upgrade")).contains("websocket");
            assertThat(asked.field("connection").orElseThrow()).isEqualToIgnoringCase("upgrade");
            assertThat(asked.field("sec-websocket-key")).contains("dGhlIHNhbXBsZSBub25jZQ==");
            connection.send(
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
            script.run(connection);
        });
        client.send(WEBSOCKET);
        Head head = client.head();
        assertThat(head.status()).isEqualTo(101);
        assertThat(head.field("upgrade")).contains("websocket");
        assertThat(head.field("sec-websocket-accept")).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    @Test
    void aTunnelCarriesBytesBothWays() throws Exception {
        startWebSocket(connection -> connection.in().transferTo(connection.out()));
        byte[] bytes = pattern(100_000);
        for (int round = 0; round < 5; round++) {
            client.send(bytes);
            assertThat(client.in().readNBytes(bytes.length)).isEqualTo(bytes);
        }
    }

    @Test
    void whatTheUpstreamSaysAtOnceIsNotLost() throws Exception {
        startWebSocket(connection -> {
            connection.send("hello");
            connection.awaitClosed();
        });
        assertThat(new String(client.in().readNBytes(5), ISO_8859_1)).isEqualTo("hello");
    }

    @Test
    void aClientThatLeavesATunnelFreesTheUpstream() throws Exception {
        startWebSocket(ScriptedUpstream.Connection::awaitClosed);
        client.close();
        Eventually.holds("the upstream is free", () -> upstream.open() == 0);
        assertThat(gateway.line()).contains("\"status\":101");
        Eventually.holds(
                "the connection is forgotten", () -> gateway.metrics().contains("weir_gateway_connections 0.0"));
    }

    @Test
    void anUpstreamThatLeavesATunnelFreesTheClient() throws Exception {
        startWebSocket(connection -> connection.send("bye"));
        assertThat(new String(client.in().readNBytes(3), ISO_8859_1)).isEqualTo("bye");
        assertThat(client.isClosedNext()).isTrue();
        assertThat(gateway.line()).contains("\"status\":101");
        Eventually.holds(
                "the connection is forgotten", () -> gateway.metrics().contains("weir_gateway_connections 0.0"));
    }

    @Test
    void aTunnelThatIsRefusedIsAnOrdinaryAnswer() throws Exception {
        start(connection -> {
            while (connection.request() != null) {
                connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
            }
        });
        client.send(WEBSOCKET);
        Message answer = client.answer();
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).isEqualTo("no");
    }

    @Test
    void aRequestBehindARefusedTunnelIsARequest() throws Exception {
        start(connection -> {
            while (connection.request() != null) {
                connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
            }
        });
        client.send(WEBSOCKET + GET);
        assertThat(client.answer().text()).isEqualTo("no");
        assertThat(client.answer().text()).isEqualTo("no");
        assertThat(upstream.next().head().target()).isEqualTo("/ws");
        assertThat(upstream.next().head().has("x-forwarded-for")).isTrue();
    }

    @Test
    void anAnswerBeforeTheEndOfAShortBodyKeepsTheClient() throws Exception {
        start(connection -> {
            connection.reader().head();
            connection
                    .send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
                    .awaitClosed();
        });
        client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
        assertThat(client.answer().status()).isEqualTo(413);
        client.send("llo" + GET);
        assertThat(client.answer().status()).isEqualTo(413);
        assertThat(upstream.connections()).hasSize(2);
    }
}
