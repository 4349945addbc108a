package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client that sends exactly the HTTP/2 frames that a test gives it, over an open socket with prior knowledge. It acknowledges settings
 * and pings, and gives back whatever window an answer took; a thread of its own reads.
 */
final class H2Client implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    private static final int ACK = 1;
    private static final int PADDED = 8;
    private static final int PRIORITY = 32;
    private static final int PRIORITY_BYTES = 5;
    private static final int MAX_FIELDS_BYTES = 1 << 20;

    private final Socket socket;
    private final Http2HeadersEncoder encoder =
            new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, false);
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, MAX_FIELDS_BYTES);
    private final Map<Integer, Stream> streams = new ConcurrentHashMap<>();
    private int nextStream = 1;
    private volatile long goAwayCode = -1;
    private volatile int goAwayLastStream;
    private volatile boolean givesBack = true;
    private volatile boolean closed;

    /** What came back on one stream. */
    static final class Stream {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private volatile Http2Headers head;
        private volatile Http2Headers trailers;
        private volatile boolean whole;
        private volatile long resetCode = -1;

        int status() {
            Http2Headers fields = head;
            return fields == null ? 0 : Integer.parseInt(fields.status().toString());
        }

        String field(String name) {
            CharSequence value = head.get(name);
            return value == null ? null : value.toString();
        }

        Http2Headers trailers() {
            return trailers;
        }

        synchronized String text() {
            return body.toString(ISO_8859_1);
        }

        boolean isWhole() {
            return whole;
        }

        /** The code of RST_STREAM; -1 when it was not reset. */
        long resetCode() {
            return resetCode;
        }

        private synchronized void add(byte[] bytes, int offset, int length) {
            body.write(bytes, offset, length);
        }
    }

    private H2Client(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
        frame(SETTINGS, 0, 0, new byte[0]);
        Thread reader = new Thread(this::read, "h2-client");
        reader.setDaemon(true);
        reader.start();
    }

    static H2Client to(int port) throws IOException {
        return new H2Client(port);
    }

    /** From now on answers may take what window there is, and no more. */
    void giveNothingBack() {
        givesBack = false;
    }

    /** The fields of a request. */
    static Http2Headers request(String method, String path) {
        return new DefaultHttp2Headers(false)
                .method(method)
                .scheme("http")
                .path(path)
                .authority("a");
    }

    private synchronized void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload);
        write(frame.array());
    }

    void frame(int type, int stream, int word) throws IOException {
        frame(type, 0, stream, ByteBuffer.allocate(4).putInt(word).array());
    }

    /** Sends a head; the number of its stream. */
    synchronized int open(Http2Headers fields, boolean end) throws IOException {
        int stream = nextStream;
        nextStream += 2;
        streams.put(stream, new Stream());
        frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block(stream, fields));
        return stream;
    }

    /** Sends fields behind a body. */
    synchronized void trailers(int stream, Http2Headers fields) throws IOException {
        frame(HEADERS, END_HEADERS | END_STREAM, stream, block(stream, fields));
    }

    private byte[] block(int stream, Http2Headers fields) throws IOException {
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(stream, fields, block);
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
        byte[] bytes = new byte[block.readableBytes()];
        block.readBytes(bytes);
        return bytes;
    }

    void data(int stream, String latin1, boolean end) throws IOException {
        frame(DATA, end ? END_STREAM : 0, stream, latin1.getBytes(ISO_8859_1));
    }

    void reset(int stream) throws IOException {
        frame(RST_STREAM, stream, 8);
    }

    Stream stream(int stream) {
        return streams.get(stream);
    }

    /** Sends a request without a body and waits for its answer. */
    Stream ask(Http2Headers fields) throws IOException {
        return answer(open(fields, true));
    }

    /** Waits until a stream is over: answered whole, reset, or closed with the connection. */
    Stream answer(int number) {
        Stream stream = streams.get(number);
        Eventually.holds("stream " + number + " is over", () -> stream.whole || stream.resetCode >= 0 || closed);
        return stream;
    }

    /** The code of GOAWAY; -1 when there was none. */
    long goAwayCode() {
        return goAwayCode;
    }

    /** The last stream that the other side still serves, as GOAWAY says. */
    int goAwayLastStream() {
        return goAwayLastStream;
    }

    boolean isClosed() {
        return closed;
    }

    private void read() {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int lengthAndType = in.readInt();
                int flags = in.readUnsignedByte();
                int stream = in.readInt() & Integer.MAX_VALUE;
                byte[] payload = new byte[lengthAndType >>> 8];
                in.readFully(payload);
                take(lengthAndType & 0xff, flags, stream, payload);
            }
        } catch (IOException | Http2Exception e) {
            closed = true;
        }
    }

    private void take(int type, int flags, int number, byte[] payload) throws IOException, Http2Exception {
        Stream stream = streams.get(number);
        switch (type) {
            case SETTINGS -> acknowledge(SETTINGS, flags, new byte[0]);
            case PING -> acknowledge(PING, flags, payload);
            case GOAWAY -> {
                goAwayLastStream = ByteBuffer.wrap(payload).getInt(0) & Integer.MAX_VALUE;
                goAwayCode = ByteBuffer.wrap(payload).getInt(4) & 0xffff_ffffL;
            }
            case RST_STREAM -> stream.resetCode = ByteBuffer.wrap(payload).getInt() & 0xffff_ffffL;
            case HEADERS -> takeFields(stream, flags, number, payload);
            case DATA -> takeData(stream, flags, number, payload);
            default -> {}
        }
    }

    private void acknowledge(int type, int flags, byte[] payload) throws IOException {
        if ((flags & ACK) == 0) {
            frame(type, ACK, 0, payload);
        }
    }

    private void takeFields(Stream stream, int flags, int number, byte[] payload) throws Http2Exception {
        Http2Headers fields = decoder.decodeHeaders(
                number, Unpooled.wrappedBuffer(payload).skipBytes((flags & PRIORITY) == 0 ? 0 : PRIORITY_BYTES));
        if (stream.head == null) {
            stream.head = fields;
        } else {
            stream.trailers = fields;
        }
        stream.whole = (flags & END_STREAM) != 0;
    }

    private void takeData(Stream stream, int flags, int number, byte[] payload) throws IOException {
        int padding = (flags & PADDED) == 0 ? 0 : 1 + payload[0];
        int start = padding == 0 ? 0 : 1;
        stream.add(payload, start, payload.length - padding);
        boolean ended = (flags & END_STREAM) != 0;
        stream.whole |= ended;
        if (payload.length > 0 && givesBack) {
            frame(WINDOW_UPDATE, 0, payload.length);
            if (!ended) {
                frame(WINDOW_UPDATE, number, payload.length);
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
