package dev.weir.httpclient;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on loopback that answers as it was told, one answer after the other; after the last with 200. */
final class ScriptedServer implements AutoCloseable {

    /** An answer: a status, and fields as name and value in turn. */
    record Scripted(int status, List<String> fields) {
        static Scripted of(int status, String... fields) {
            return new Scripted(status, List.of(fields));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ConcurrentLinkedQueue<Scripted> script = new ConcurrentLinkedQueue<>();
    final List<String> received = new CopyOnWriteArrayList<>();

    ScriptedServer(Scripted... answers) {
        script.addAll(List.of(answers));
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String attempt = exchange.getRequestHeaders().getFirst("Weir-Attempt");
            received.add((exchange.getRequestMethod() + " " + body).strip() + (attempt == null ? "" : " #" + attempt));
            Scripted next = script.poll();
            Scripted answer = next == null ? Scripted.of(200) : next;
            for (int field = 0; field < answer.fields().size(); field += 2) {
                exchange.getResponseHeaders()
                        .add(answer.fields().get(field), answer.fields().get(field + 1));
            }
            byte[] text = ("answer " + received.size()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
