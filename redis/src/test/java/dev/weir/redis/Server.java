package dev.weir.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import redis.embedded.RedisExecProvider;

/**
 * A real server for tests, on loopback: the one that the environment's REDIS_SERVER names, or the one that a test library carries. Where none can
 * be started the test fails, and says so.
 */
final class Server implements AutoCloseable {

    private static final Random PORTS = new Random();
    private static final RedisClient CLIENT = RedisClient.create();

    private final Path folder;
    private final int port;
    private final List<String> arguments;
    private Process process;
    private StatefulRedisConnection<String, String> connection;

    private Server(Path folder, int port, List<String> arguments) {
        this.folder = folder;
        this.port = port;
        this.arguments = arguments;
    }

    /** A server that keeps everything in memory, with more arguments as on its command line. */
    static Server start(String... arguments) {
        return startAt(freePort(), arguments);
    }

    static Server startAt(int port, String... arguments) {
        try {
            List<String> all = new ArrayList<>(List.of(
                    "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"));
            all.addAll(Arrays.asList(arguments));
            Server server = new Server(Files.createTempDirectory("weir-redis"), port, all);
            server.restart();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sentinel that watches the primary at that port under the name {@code main}. */
    static Server startSentinel(int primaryPort) {
        try {
            Path folder = Files.createTempDirectory("weir-redis");
            int port = freePort();
            Path file = folder.resolve("sentinel.conf");
            Files.writeString(
                    file,
                    "port " + port + "\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 " + primaryPort
                            + " 1\nsentinel down-after-milliseconds main 300\nsentinel failover-timeout main 3000\n");
            Server server = new Server(folder, port, List.of(file.toString(), "--sentinel"));
            server.restart();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port that nobody uses, so low that the cluster's bus, 10,000 above it, is one too. */
    static int freePort() {
        for (; ; ) {
            int port = 15_000 + PORTS.nextInt(15_000);
            try (ServerSocket one = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                    ServerSocket bus = new ServerSocket(port + 10_000, 1, InetAddress.getLoopbackAddress())) {
                return one.getLocalPort() > 0 && bus.getLocalPort() > 0 ? port : 0;
            } catch (IOException e) {
                // Somebody has it: the next.
            }
        }
    }

    private static File executable() {
        String named = System.getenv("REDIS_SERVER");
        try {
            return named == null ? RedisExecProvider.defaultProvider().get() : new File(named);
        } catch (IOException | RuntimeException e) {
            throw noServer(named, e);
        }
    }

    private static AssertionError noServer(String named, Throwable cause) {
        return new AssertionError(
                "no Redis server can be started (" + (named == null ? "the library's" : named)
                        + "): set REDIS_SERVER to the path of a redis-server or valkey-server, 6.2 or newer",
                cause);
    }

    /** Starts the process, again if it has ended, and returns when it takes connections. */
    void restart() {
        try {
            List<String> command = new ArrayList<>(List.of(executable().getPath()));
            command.addAll(arguments);
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            StringBuilder said = new StringBuilder();
            BufferedReader out = process.inputReader();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.append(line).append('\n');
                if (line.contains("Ready to accept connections") || line.contains("+monitor master")) {
                    drain(out);
                    return;
                }
            }
            throw noServer(command.get(0), new IllegalStateException(said.toString()));
        } catch (IOException e) {
            throw noServer("started", e);
        }
    }

    /** Nobody reads on, and a full pipe would stop the server. */
    private static void drain(BufferedReader out) {
        Thread reader = new Thread(() -> {
            try {
                while (out.readLine() != null) {
                    // Thrown away.
                }
            } catch (IOException e) {
                // The server has ended.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    int port() {
        return port;
    }

    String address() {
        return "redis://127.0.0.1:" + port;
    }

    /** Commands for the test itself. */
    RedisCommands<String, String> commands() {
        if (connection == null || !connection.isOpen()) {
            connection = CLIENT.connect(RedisURI.builder()
                    .withHost("127.0.0.1")
                    .withPort(port)
                    .withTimeout(Duration.ofSeconds(20))
                    .build());
        }
        return connection.sync();
    }

    /** A command that has no name here, as one writes it by hand. */
    void tell(String command, String... words) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        Arrays.asList(words).forEach(args::add);
        commands().dispatch(CommandType.valueOf(command), new StatusOutput<>(StringCodec.UTF8), args);
    }

    /** How often a command ran so far. */
    long calls(String command) {
        String prefix = "cmdstat_" + command + ":calls=";
        for (String line : commands().info("commandstats").split("\r\n", -1)) {
            if (line.startsWith(prefix)) {
                return Long.parseLong(line.substring(prefix.length(), line.indexOf(',')));
            }
        }
        return 0;
    }

    /** Stops the process without telling it, as a machine that hangs. */
    void freeze() {
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("kill " + signal + " answered " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends the process at once. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        kill();
    }
}
