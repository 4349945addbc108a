package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gateway that runs a policy in front of one upstream. */
final class GatewayFixture implements AutoCloseable {

    /** What changes at the admin port need. */
    static final String WRITE_TOKEN = "write-this";

    private final Path policy;
    private final Gateway gateway;
    private final ByteArrayOutputStream accessLog = new ByteArrayOutputStream();
    private final List<String> events = new CopyOnWriteArrayList<>();

    private GatewayFixture(String text) throws IOException, GatewayException {
        this(text, Duration.ofSeconds(20));
    }

    private GatewayFixture(String text, Duration firstHead) throws IOException, GatewayException {
        policy = Files.createTempFile("weir-gateway", ".yaml");
        Files.writeString(policy, text);
        gateway = Gateway.start(policy, Map.of(), new PrintStream(accessLog, true, UTF_8), events::add, firstHead);
    }

    /** One that waits no longer for the first head on a connection. */
    static GatewayFixture before(ScriptedUpstream upstream, Duration firstHead) throws IOException, GatewayException {
        return new GatewayFixture(
                text("http://127.0.0.1:" + upstream.port(), "", "response: 30s, idle: 30s"), firstHead);
    }

    /** Without any limit. */
    static GatewayFixture before(ScriptedUpstream upstream) throws IOException, GatewayException {
        return before(upstream, "");
    }

    /**
     * With these sections of the policy file.
     *
     * @param sections all but the gateway's
     */
    static GatewayFixture before(ScriptedUpstream upstream, String sections) throws IOException, GatewayException {
        return before("http://127.0.0.1:" + upstream.port(), sections, "response: 30s, idle: 30s");
    }

    /**
     * With these sections, and these times of the upstream.
     *
     * @param times such as {@code response: 1s, idle: 1s}
     */
    static GatewayFixture before(ScriptedUpstream upstream, String sections, String times)
            throws IOException, GatewayException {
        return before("http://127.0.0.1:" + upstream.port(), sections, times);
    }

    static GatewayFixture before(String url, String sections, String times) throws IOException, GatewayException {
        return new GatewayFixture(text(url, sections, times));
    }

    private static String text(String url, String sections, String times) {
        return """
                weir: 1
                %s
                gateway:
                  listen: 127.0.0.1:0
                  admin: { address: 127.0.0.1:0, write-token: "%s" }
                  debug: X-Weir-Debug
                  routes:
                    - name: all
                      match: { path: /** }
                      upstream: { url: "%s", %s }
                """.formatted(sections, WRITE_TOKEN, url, times);
    }

    /** With these sections, in which the upstream is a dependency. */
    static GatewayFixture asking(ScriptedUpstream upstream, String dependency, String sections)
            throws IOException, GatewayException {
        return new GatewayFixture("""
                weir: 1
                %s
                gateway:
                  listen: 127.0.0.1:0
                  admin: 127.0.0.1:0
                  routes:
                    - name: all
                      match: { path: /** }
                      upstream: { url: "http://127.0.0.1:%d", response: 30s, idle: 30s }
                      outbound: %s
                """.formatted(sections, upstream.port(), dependency));
    }

    /** What the admin port answers to a GET. */
    String admin(String path) throws IOException {
        try (InputStream body =
                URI.create(gateway.adminAddress() + path).toURL().openStream()) {
            return new String(body.readAllBytes(), UTF_8);
        }
    }

    RawClient client() throws IOException {
        return RawClient.to(gateway.port());
    }

    int port() {
        return gateway.port();
    }

    /** The lines of the access log so far. */
    List<String> lines() {
        return accessLog.toString(UTF_8).lines().toList();
    }

    /** The first line, once it is there. */
    String line() {
        Eventually.holds("a line in the access log", () -> !lines().isEmpty());
        return lines().get(0);
    }

    /** Returns once that many lines contain this text. */
    void awaitLines(int count, String text) {
        Eventually.holds(
                count + " lines with " + text,
                () -> lines().stream().filter(line -> line.contains(text)).count() == count);
    }

    String adminAddress() {
        return gateway.adminAddress();
    }

    /** All metrics, as an operator reads them. */
    String metrics() throws IOException {
        return admin("/metrics");
    }

    List<String> events() {
        return events;
    }

    @Override
    public void close() {
        gateway.close();
        try {
            Files.deleteIfExists(policy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
