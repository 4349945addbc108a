package dev.weir.gateway;

import static dev.weir.gateway.Bytes.checksum;
import static dev.weir.gateway.Bytes.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that its upstream sent whole arrives whole, however soon the upstream closes behind it and however late it is read. */
class WholeAnswersTest {

    private static final int MIB = 1 << 20;
    private static final int TIMES = 6;
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    /** How the end of an answer is told. */
    enum Framing {
        LENGTH,
        CHUNKS,
        CLOSE
    }

    private static final int PREFACE_BYTES = 24;
    private static final int INITIAL_WINDOW = 65_535;
    /** {@code :status: 200}, of HPACK's static table. */
    private static final byte STATUS_200 = (byte) 0x88;

    private ScriptedUpstream upstream;
    private GatewayFixture gateway;

    private void start(ScriptedUpstream.Script script) throws Exception {
        upstream = ScriptedUpstream.doing(script);
        gateway = GatewayFixture.before(upstream);
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private static String head(Framing framing, int length) {
        return "HTTP/1.1 200 OK\r\nConnection: close\r\n"
                + switch (framing) {
                    case LENGTH -> "Content-Length: " + length + "\r\n\r\n";
                    case CHUNKS -> "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(length) + "\r\n";
                    case CLOSE -> "\r\n";
                };
    }

    private static long checksumOf(RawClient client) throws IOException {
        CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
        client.reader().copyBody(client.head(), false, sum);
        return sum.getChecksum().getValue();
    }

    private static Stream<Arguments> framingsAndSizes() {
        return Stream.of(Framing.values())
                .flatMap(framing -> Stream.of(MIB / 4, 3 * MIB, 12 * MIB).map(length -> Arguments.of(framing, length)));
    }

    @ParameterizedTest
    @MethodSource("framingsAndSizes")
    void aClosedConnectionStillGivesAllThatCameOnIt(Framing framing, int length) throws Exception {
        byte[] body = pattern(length);
        start(connection -> {
            connection.request();
            connection.send(head(framing, length)).send(body);
            if (framing == Framing.CHUNKS) {
                connection.send("\r\n0\r\n\r\n");
            }
        });
        for (int time = 0; time < TIMES; time++) {
            try (RawClient slow = RawClient.to(gateway.port(), 8_192)) {
                slow.send(GET);
                if (length <= 3 * MIB) { // what the systems on the way take while nobody reads
                    int known = time + 1;
                    Eventually.holds(
                            "the upstream has closed",
                            () -> upstream.connections().size() == known && upstream.open() == 0);
                }
                assertThat(checksumOf(slow)).isEqualTo(checksum(body));
            }
        }
        gateway.awaitLines(TIMES, "\"ended\":\"whole\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {MIB / 4, 12 * MIB})
    void aClosedTunnelStillGivesAllThatCameThroughIt(int length) throws Exception {
        byte[] sent = pattern(length);
        start(connection -> {
            connection.request();
            connection
                    .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
                    .send(sent);
        });
        for (int time = 0; time < TIMES; time++) {
            try (RawClient slow = RawClient.to(gateway.port(), 8_192)) {
                slow.send("GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
                assertThat(slow.head().status()).isEqualTo(101);
                if (length < MIB) {
                    int known = time + 1;
                    Eventually.holds(
                            "the upstream has closed",
                            () -> upstream.connections().size() == known && upstream.open() == 0);
                }
                CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
                slow.in().transferTo(sum);
                assertThat(sum.getChecksum().getValue()).isEqualTo(checksum(sent));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Framing.class)
    void anAnswerThatWasCutIsSeenToBeCut(Framing framing) throws Exception {
        start(connection -> {
            connection.request();
            connection.send(head(framing, 3 * MIB)).send(pattern(MIB)).reset();
        });
        try (RawClient slow = RawClient.to(gateway.port(), 8_192)) {
            slow.send(GET);
            Eventually.holds(
                    "the upstream has reset", () -> upstream.connections().size() == 1 && upstream.open() == 0);
            assertThatThrownBy(() -> checksumOf(slow)).isInstanceOf(IOException.class);
        }
        gateway.awaitLines(1, "\"ended\":\"upstream-failed\"");
    }

    /** Answers the one request on a connection over HTTP/2, says goodbye if asked to, and closes. */
    private static void answerHttp2(ScriptedUpstream.Connection connection, byte[] body, boolean goAway)
            throws IOException {
        DataInputStream in = new DataInputStream(connection.in());
        in.skipNBytes(PREFACE_BYTES);
        connection.send(frame(H2Client.SETTINGS, 0, 0, new byte[0]));
        int stream = 0;
        int sent = 0;
        long window = INITIAL_WINDOW;
        long streamWindow = INITIAL_WINDOW;
        while (stream == 0 || sent < body.length) {
            int lengthAndType = in.readInt();
            int flags = in.readUnsignedByte();
            int number = in.readInt();
            ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(lengthAndType >>> 8));
            switch (lengthAndType & 0xff) {
                case H2Client.SETTINGS -> {
                    while (payload.remaining() >= 6) {
                        boolean initialWindow = payload.getShort() == 4;
                        int value = payload.getInt();
                        streamWindow += initialWindow ? value - INITIAL_WINDOW : 0;
                    }
                    if ((flags & 1) == 0) {
                        connection.send(frame(H2Client.SETTINGS, 1, 0, new byte[0]));
                    }
                }
                case H2Client.WINDOW_UPDATE -> {
                    int more = payload.getInt();
                    window += number == 0 ? more : 0;
                    streamWindow += number == 0 ? 0 : more;
                }
                case H2Client.HEADERS -> {
                    stream = number;
                    connection.send(frame(H2Client.HEADERS, H2Client.END_HEADERS, stream, new byte[] {STATUS_200}));
                }
                default -> {}
            }
            while (stream != 0 && sent < body.length && Math.min(window, streamWindow) > 0) {
                int length = (int) Math.min(Math.min(window, streamWindow), Math.min(body.length - sent, 16_384));
                boolean end = sent + length == body.length;
                byte[] piece = Arrays.copyOfRange(body, sent, sent + length);
                connection.send(frame(H2Client.DATA, end ? H2Client.END_STREAM : 0, stream, piece));
                sent += length;
                window -= length;
                streamWindow -= length;
            }
        }
        if (goAway) {
            connection.send(frame(
                    H2Client.GOAWAY, 0, 0, ByteBuffer.allocate(8).putInt(stream).array()));
        }
        connection.halfClose();
        connection.awaitClosed();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    @ParameterizedTest
    @CsvSource({"1000, true", "1000, false", "60000, true", "60000, false", "12000000, true", "12000000, false"})
    void anAnswerOverHttp2IsWholeHoweverItsConnectionEnds(int length, boolean goAway) throws Exception {
        byte[] body = pattern(length);
        upstream = ScriptedUpstream.doing(connection -> answerHttp2(connection, body, goAway));
        gateway = GatewayFixture.before("h2c://127.0.0.1:" + upstream.port(), "", "response: 30s, idle: 30s");
        for (int time = 0; time < TIMES; time++) {
            try (RawClient slow = RawClient.to(gateway.port(), 8_192)) {
                slow.send(GET);
                Head head = slow.head();
                assertThat(head.status()).isEqualTo(200);
                assertThat(head.field("via")).contains("2 weir");
                CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
                slow.reader().copyBody(head, true, sum);
                assertThat(sum.getChecksum().getValue()).isEqualTo(checksum(body));
            }
            // A call that is sent just as the connection ends would be lost with it.
            Eventually.holds("the connection is over", () -> upstream.open() == 0);
        }
        gateway.awaitLines(TIMES, "\"ended\":\"whole\"");
    }
}
