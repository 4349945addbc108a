package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A client that sends exactly the bytes that a test gives it. Every read fails at a deadline. */
final class RawClient implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final StrictReader reader;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        in = new BufferedInputStream(socket.getInputStream());
        reader = new StrictReader(in);
    }

    static RawClient to(int port) throws IOException {
        return to(port, 0);
    }

    /** A client whose system takes few bytes that it does not read; 0 for the usual many. */
    static RawClient to(int port, int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawClient(socket);
    }

    RawClient send(String latin1) throws IOException {
        return send(latin1.getBytes(ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return this;
    }

    /** Sends, whether or not the other side still takes it. */
    RawClient sendAnyhow(String latin1) {
        try {
            return send(latin1);
        } catch (IOException closed) {
            return this;
        }
    }

    /** The next answer, to a request with any method but HEAD. */
    Message answer() throws IOException {
        return answerTo("GET");
    }

    /** The next answer; interim ones are answers too. */
    Message answerTo(String method) throws IOException {
        return reader.answer(head(), method);
    }

    /** The next head alone. */
    Head head() throws IOException {
        Head head = reader.head();
        if (head == null) {
            throw new IOException("closed without an answer");
        }
        return head;
    }

    /** The statuses of all answers until the other side closes. */
    List<Integer> statusesToClose() throws IOException {
        List<Integer> statuses = new ArrayList<>();
        try {
            for (Head head = reader.head(); head != null; head = reader.head()) {
                statuses.add(head.status());
                reader.answer(head, "GET");
            }
        } catch (SocketException reset) {
            // Closed as well.
        }
        return statuses;
    }

    StrictReader reader() {
        return reader;
    }

    InputStream in() {
        return in;
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    /** Whether the other side closes, or resets, before it sends anything more. */
    boolean isClosedNext() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    /** Leaves with RST. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
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
