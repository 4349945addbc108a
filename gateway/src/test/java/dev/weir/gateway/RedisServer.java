package dev.weir.gateway;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import redis.embedded.RedisExecProvider;

/** A real server on loopback: the one that the environment's REDIS_SERVER names, or the one that a test library carries. */
final class RedisServer implements AutoCloseable {

    private final int port;
    private Process process;

    private RedisServer(int port) {
        this.port = port;
    }

    static RedisServer start() throws IOException {
        RedisServer server = new RedisServer(freePort());
        server.restart();
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static File executable() throws IOException {
        String named = System.getenv("REDIS_SERVER");
        return named == null ? RedisExecProvider.defaultProvider().get() : new File(named);
    }

    /** Starts the process, and returns when it takes connections. */
    void restart() throws IOException {
        process = new ProcessBuilder(
                        executable().getPath(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no")
                .redirectErrorStream(true)
                .start();
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.contains("Ready to accept connections")) {
                return;
            }
        }
        throw new AssertionError(
                "no Redis server can be started: set REDIS_SERVER to the path of a redis-server or valkey-server, 6.2 or newer");
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        kill();
    }

    /** Ends the process; nobody listens there any more. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }
}
