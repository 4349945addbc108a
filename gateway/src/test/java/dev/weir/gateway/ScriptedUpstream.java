package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An upstream that does to each connection what a script says, and remembers what came. */
final class ScriptedUpstream implements AutoCloseable {

    /** What is done with a connection; it is closed behind it. */
    interface Script {
        void run(Connection connection) throws IOException;
    }

    private final ServerSocket server = new ServerSocket();
    private final Script script;
    private final Thread accepting;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Message> requests = new LinkedBlockingQueue<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    private ScriptedUpstream(Script script, int receiveBufferBytes) throws IOException {
        this.script = script;
        if (receiveBufferBytes > 0) {
            server.setReceiveBufferSize(receiveBufferBytes);
        }
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
        accepting = daemon(this::accept);
    }

    static ScriptedUpstream doing(Script script) throws IOException {
        return new ScriptedUpstream(script, 0);
    }

    /** One whose system takes few bytes that the script does not read. */
    static ScriptedUpstream withSmallBuffer(Script script) throws IOException {
        return new ScriptedUpstream(script, 65_536);
    }

    /** Answers every request with these bytes. */
    static ScriptedUpstream answering(String latin1) throws IOException {
        return doing(connection -> {
            while (connection.request() != null) {
                connection.send(latin1);
            }
        });
    }

    /** Answers every request with 200 and a small body. */
    static ScriptedUpstream obliging() throws IOException {
        return answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "scripted-upstream");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                Connection connection = new Connection(server.accept());
                connections.add(connection);
                daemon(connection::run);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    int port() {
        return server.getLocalPort();
    }

    List<Connection> connections() {
        return connections;
    }

    /** How many connections neither side has closed. */
    long open() {
        return connections.stream().filter(connection -> !connection.over).count();
    }

    /** The next request that came in whole. */
    Message next() {
        try {
            Message request = requests.poll(Eventually.DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
            if (request == null) {
                throw new AssertionError("no request came; violations: " + violations);
            }
            return request;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The requests that came in whole and were not taken by {@link #next}. */
    int waiting() {
        return requests.size();
    }

    /** What a strict reader did not take. */
    List<String> violations() {
        return violations;
    }

    /** Everything that came, on all connections. */
    String received() {
        StringBuilder all = new StringBuilder();
        connections.forEach(connection -> all.append(connection.received()));
        return all.toString();
    }

    /** Then nobody is served any more, not even who came while it closed. */
    @Override
    public void close() {
        try {
            server.close();
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        connections.forEach(Connection::close);
    }

    /** One connection, as its script sees it. */
    final class Connection {
        private static final int REMEMBERED_BYTES = 1 << 20;

        private final Socket socket;
        private final InputStream in;
        private final StrictReader reader;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final AtomicLong receivedBytes = new AtomicLong();
        private volatile boolean over;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = new Recorded(new BufferedInputStream(socket.getInputStream()));
            reader = new StrictReader(in);
        }

        private void run() {
            try {
                script.run(this);
            } catch (StrictReader.Violation violation) {
                violations.add(violation.getMessage());
            } catch (IOException closed) {
                // The other side left; the test sees that from what it left undone.
            } finally {
                close();
            }
        }

        /** The next request, whole; null when the other side has closed. */
        Message request() throws IOException {
            Head head = reader.head();
            if (head == null) {
                return null;
            }
            Message request = reader.request(head);
            requests.add(request);
            return request;
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

        Connection send(String latin1) throws IOException {
            return send(latin1.getBytes(ISO_8859_1));
        }

        Connection send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return this;
        }

        /** Says that nothing more is sent; a socket closed with something unread would take back what is not sent yet. */
        void halfClose() throws IOException {
            socket.shutdownOutput();
        }

        /** Returns once the other side has closed or reset. */
        void awaitClosed() {
            try {
                while (in.read() >= 0) {
                    // What comes is recorded.
                }
            } catch (IOException reset) {
                // As good as closed.
            }
        }

        String received() {
            synchronized (received) {
                return received.toString(ISO_8859_1);
            }
        }

        long receivedBytes() {
            return receivedBytes.get();
        }

        /** Whether either side has closed it and its script knows. */
        boolean isOver() {
            return over;
        }

        /** Leaves with RST. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            close();
        }

        void close() {
            over = true;
            try {
                socket.close();
                in.close(); // lets go of its buffer
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private final class Recorded extends FilterInputStream {
            Recorded(InputStream in) {
                super(in);
            }

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = super.read(into, offset, length);
                if (count > 0) {
                    receivedBytes.addAndGet(count);
                    remember(into, offset, count);
                }
                return count;
            }

            private void remember(byte[] bytes, int offset, int count) {
                synchronized (received) {
                    if (received.size() < REMEMBERED_BYTES) {
                        received.write(bytes, offset, count);
                    }
                }
            }
        }
    }
}
