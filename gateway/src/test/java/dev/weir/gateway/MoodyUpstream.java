package dev.weir.gateway;

import java.io.IOException;

/** An upstream that behaves as the path asks it to. */
final class MoodyUpstream {

    private static final String STREAM =
            "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    private static final String UPGRADED =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

    private MoodyUpstream() {}

    static ScriptedUpstream start() throws IOException {
        return ScriptedUpstream.doing(MoodyUpstream::behave);
    }

    private static void behave(ScriptedUpstream.Connection connection) throws IOException {
        for (Head head = connection.reader().head();
                head != null;
                head = connection.reader().head()) {
            if (head.target().equals("/ok")) {
                connection.reader().request(head);
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            } else {
                misbehave(head.target(), connection);
                return;
            }
        }
    }

    /** The connection is closed behind it. */
    private static void misbehave(String mood, ScriptedUpstream.Connection connection) throws IOException {
        switch (mood) {
            case "/silent" -> connection.awaitClosed();
            case "/no-answer" -> {}
            case "/reset" -> connection.reset();
            case "/garbage" -> connection.send("what is this\r\n\r\n");
            case "/half-a-head" -> connection.send("HTTP/1.1 200 OK\r\nContent-Le");
            case "/two-lengths" ->
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!");
            case "/cut" -> connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
            case "/cut-chunks" -> connection.send(STREAM.formatted("text/plain"));
            case "/reset-chunks" ->
                connection.send(STREAM.formatted("text/plain")).reset();
            case "/broken-chunks" -> connection.send(STREAM.formatted("text/plain") + "xyz\r\n");
            case "/broken-at-once" ->
                connection.send(
                        "HTTP/1.1 200 Fine\r\nX-Theirs: 1\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
            case "/stall" -> connection.send(STREAM.formatted("text/plain")).awaitClosed();
            case "/events" ->
                connection.send(STREAM.formatted("text/event-stream")).awaitClosed();
            case "/flood" -> flood(connection);
            case "/ws" -> connection.send(UPGRADED).awaitClosed();
            default -> throw new AssertionError("no such mood: " + mood);
        }
    }

    private static void flood(ScriptedUpstream.Connection connection) throws IOException {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n");
        byte[] piece = new byte[65_536];
        while (true) {
            connection.send(piece);
        }
    }
}
