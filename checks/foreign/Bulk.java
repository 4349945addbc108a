import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Both ends for checks/foreign/bulk, run from source: {@code serve PORT} counts what is sent to it, sends as much as it is asked for, and
 * echoes WebSocket messages; {@code sockets PORT COUNT IDLE-SECONDS} opens that many WebSockets, lets them rest, and then uses each once.
 */
class Bulk {

    private static final Buffer PIECE = Buffer.buffer(new byte[65_536]);

    public static void main(String[] args) throws Exception {
        if (args[0].equals("serve")) {
            serve(Integer.parseInt(args[1]));
        } else {
            sockets(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        }
    }

    private static void serve(int port) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
        vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port).setAcceptBacklog(4_096))
                .webSocketHandler(socket -> socket.textMessageHandler(socket::writeTextMessage))
                .requestHandler(Bulk::serve)
                .listen();
    }

    private static void serve(HttpServerRequest request) {
        String bytes = request.getParam("bytes");
        if (bytes == null) {
            AtomicLong taken = new AtomicLong();
            request.handler(piece -> taken.addAndGet(piece.length()));
            request.endHandler(end -> request.response().end(taken + "\n"));
        } else {
            request.response().putHeader("Content-Length", bytes);
            send(request, Long.parseLong(bytes));
        }
    }

    private static void send(HttpServerRequest request, long left) {
        long more = left;
        while (more > 0 && !request.response().writeQueueFull()) {
            int length = (int) Math.min(more, PIECE.length());
            request.response().write(PIECE.slice(0, length));
            more -= length;
        }
        long rest = more;
        if (rest > 0) {
            request.response().drainHandler(drained -> send(request, rest));
        } else {
            request.response().end();
        }
    }

    private static void sockets(int port, int count, int idleSeconds) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
        WebSocketClient client = vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(count));
        AtomicInteger lost = new AtomicInteger();
        List<WebSocket> open = new ArrayList<>();
        for (int done = 0; done < count; ) {
            List<Future<WebSocket>> some = new ArrayList<>();
            for (; some.size() < 100 && done < count; done++) {
                some.add(client.connect(port, "127.0.0.1", "/ws"));
            }
            Future.all(some).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
            for (Future<WebSocket> one : some) {
                one.result().closeHandler(closed -> lost.incrementAndGet());
                open.add(one.result());
            }
        }
        System.out.println(open.size() + " open");
        Thread.sleep(idleSeconds * 1_000L);
        System.out.println(lost + " lost in " + idleSeconds + " s");
        AtomicInteger echoed = new AtomicInteger();
        for (WebSocket socket : open) {
            socket.textMessageHandler(text -> echoed.incrementAndGet());
            socket.writeTextMessage("still there?");
        }
        for (int wait = 0; wait < 300 && echoed.get() < open.size(); wait++) {
            Thread.sleep(100);
        }
        System.out.println(echoed + " answered");
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
