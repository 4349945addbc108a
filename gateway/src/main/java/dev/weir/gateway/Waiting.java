package dev.weir.gateway;

import dev.weir.Decision;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that is not let in yet: it waits for its turn in a leaky queue, at its gate, or for the end of its own short body, so that a slow
 * sender holds no slot. A client that leaves meanwhile gives up its place at once. Runs on the event loop of the client's connection; the
 * decision comes on whichever thread made room, and is taken over here.
 */
final class Waiting implements UnderWay {

    /** Longer bodies are streamed, and hold a slot while they come. */
    private static final int SHORT_BODY_BYTES = 65_536;

    private final FrontDoor door;
    private final HttpServerRequest request;
    private final CallRecord record;
    private final CompletableFuture<Decision> deciding;
    private final long idleNanos;
    private final @Nullable Buffer body;
    private final @Nullable CompletableFuture<Void> bodyRead;
    private final Next next;
    private long lastMoveNanos;
    private boolean over;

    /** What is done with the decision. */
    interface Next {
        void decided(Decision decision, @Nullable Buffer body);
    }

    /** @param bodyRead is completed once the body is there; null when the body is left alone */
    Waiting(
            FrontDoor door,
            HttpServerRequest request,
            CallRecord record,
            CompletableFuture<Decision> deciding,
            @Nullable CompletableFuture<Void> bodyRead,
            long idleNanos,
            Next next) {
        this.door = door;
        this.request = request;
        this.record = record;
        this.deciding = deciding;
        this.bodyRead = bodyRead;
        this.idleNanos = idleNanos;
        this.next = next;
        body = bodyRead == null ? null : Buffer.buffer();
        lastMoveNanos = door.nanos();
    }

    /** Whether a request's body is read before it asks for a slot: when it is short, and its sender does not wait to be asked for it. */
    static boolean readsBodyFirst(HttpServerRequest request) {
        String length = request.getHeader("content-length");
        long bytes = length == null ? 0 : RequestHead.wholeNumber(length);
        return bytes > 0
                && bytes <= SHORT_BODY_BYTES
                && request.version() != HttpVersion.HTTP_1_0
                && !request.headers().contains("expect")
                && !request.isEnded();
    }

    void start() {
        HttpServerResponse response = request.response();
        request.exceptionHandler(failure -> clientLeft());
        response.exceptionHandler(failure -> clientLeft());
        response.closeHandler(closed -> clientLeft());
        Buffer pieces = body;
        CompletableFuture<Void> read = bodyRead;
        if (pieces == null || read == null) {
            request.pause();
        } else {
            request.handler(piece -> {
                lastMoveNanos = door.nanos();
                pieces.appendBuffer(piece);
            });
            request.endHandler(ended -> read.complete(null));
        }
        Context here = door.vertx().getOrCreateContext();
        CompletableFuture<Decision> unused = deciding.whenComplete((decision, cancelled) -> {
            if (decision != null) {
                here.runOnContext(back -> decided(decision));
            }
        });
    }

    private void decided(Decision decision) {
        if (over) {
            // The client left while this was on its way here.
            if (decision instanceof Decision.Admitted admitted) {
                admitted.permit().undo();
            }
            return;
        }
        over = true;
        door.waited(this);
        next.decided(decision, body);
        if (body == null) {
            request.resume();
        }
    }

    private void clientLeft() {
        if (!over) {
            giveUp(CallRecord.Ended.CLIENT_LEFT);
            record.waitedNanos = record.durationNanos;
            door.ended(this, record);
        }
    }

    private void giveUp(CallRecord.Ended ended) {
        over = true;
        deciding.cancel(false);
        record.ended = ended;
        record.durationNanos = door.nanos() - record.startNanos;
    }

    @Override
    public void endIfOverdue(long nowNanos) {
        CompletableFuture<Void> read = bodyRead;
        if (!over && read != null && !read.isDone() && nowNanos - lastMoveNanos > idleNanos) {
            giveUp(CallRecord.Ended.CLIENT_SLOW);
            record.status = 408;
            Buffer said = Refusals.problem(408, "the request body did not come");
            record.bodyBytes = Refusals.sentBytes(request, said);
            door.ended(this, record);
            request.response().putHeader("X-Request-Id", record.requestId);
            Refusals.problem(request, door.vertx(), 408, said);
        }
    }
}
