package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a store and its server and does to the connections what networks do: loses answers, falls silent, breaks. Faults are of the
 * connections that there are; later ones are sound.
 */
final class TcpProxy implements AutoCloseable {

    private final int upstreamPort;
    private final ServerSocket listener;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    TcpProxy(int upstreamPort) {
        try {
            this.upstreamPort = upstreamPort;
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    String address() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                connect(listener.accept());
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), upstreamPort);
        } catch (IOException e) {
            // Nobody listens there: as without the proxy.
            client.close();
            return;
        }
        Line line = new Line(client, server);
        lines.add(line);
        daemon(() -> line.pump(client, server, true));
        daemon(() -> line.pump(server, client, false));
    }

    /** Questions get through; answers are thrown away. */
    void swallowAnswers() {
        lines.forEach(line -> line.answers = false);
    }

    /** Nothing gets through, and nobody is told. */
    void fallSilent() {
        lines.forEach(line -> {
            line.answers = false;
            line.questions = false;
        });
    }

    /** The connections break. */
    void cut() {
        lines.forEach(Line::close);
        lines.clear();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private static final class Line {
        final Socket client;
        final Socket server;
        volatile boolean questions = true;
        volatile boolean answers = true;

        Line(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, boolean isQuestion) {
            byte[] buffer = new byte[8_192];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (isQuestion ? questions : answers) {
                        out.write(buffer, 0, read);
                        out.flush();
                    }
                }
            } catch (IOException e) {
                // One side is gone: so is the other.
            }
            close();
        }

        void close() {
            try {
                client.close();
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
