package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.Reason;
import dev.weir.Weir;
import dev.weir.client.Outbound;
import dev.weir.http.HttpAnswer;
import dev.weir.http.RateLimitFields;
import dev.weir.load.Outcome;
import dev.weir.policy.ClientAddress;
import dev.weir.policy.GateRule;
import dev.weir.policy.Policy;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where every request comes in, one door for each event loop: its head is checked, the policy asked, and the call refused on the spot or
 * sent on its way.
 */
final class FrontDoor {

    /** What the engine says was asked for when it could not read the first line. */
    private static final String UNREAD_TARGET = "/bad-request";

    /** How long the head of a request may be, its first line not counted. */
    static final int MAX_HEADER_BYTES = 32_768;
    /** How long the first line of a request may be. */
    static final int MAX_LINE_BYTES = 16_384;

    private final Vertx vertx;
    private final Running running;
    private final int number;
    private final Wordings wordings = new Wordings();
    private final Map<HttpConnection, ClientConnection> connections = new HashMap<>();
    private final Map<UnderWay, ClientConnection> underWay = new HashMap<>();

    /** The door with a number of its own, from 0. */
    FrontDoor(Vertx vertx, Running running, int number) {
        this.vertx = vertx;
        this.running = running;
        this.number = number;
    }

    int number() {
        return number;
    }

    Vertx vertx() {
        return vertx;
    }

    long nanos() {
        return System.nanoTime();
    }

    /** A client connected. */
    ClientConnection connected(HttpConnection connection) {
        ClientConnection client = new ClientConnection(
                connection.remoteAddress().hostAddress(), AcceptedConnection.of(connection), nanos());
        connections.put(connection, client);
        ServedVersions.watch(connection);
        connection.closeHandler(closed -> forget(connection));
        return client;
    }

    /** A client's connection is closed. The engine does not tell it of one that became a tunnel: whoever owns the tunnel does. */
    void forget(HttpConnection closed) {
        connections.remove(closed);
    }

    private ClientConnection connectionOf(HttpServerRequest request) {
        ClientConnection known = connections.get(request.connection());
        return known != null ? known : connected(request.connection());
    }

    /** Closes connections that only take up room. To be called now and then. */
    void closeIdle() {
        long now = nanos();
        List<HttpConnection> idle = new ArrayList<>();
        connections.forEach((connection, client) -> {
            if (client.isIdleTooLong(now)) {
                idle.add(connection);
            }
        });
        idle.forEach(connection -> Failures.ignored(connection.close()));
    }

    /** Ends the calls in which nobody has moved for too long. To be called often. */
    void endOverdue() {
        if (!underWay.isEmpty()) {
            long now = nanos();
            for (UnderWay call : List.copyOf(underWay.keySet())) {
                call.endIfOverdue(now);
            }
        }
    }

    /** A request whose head could not even be read. */
    void malformed(HttpServerRequest request) {
        if (request.connection() instanceof HttpServerConnection connection
                && !connection.channelHandlerContext().channel().isActive()) {
            return; // closed within the head: nothing was asked, and nobody is there to be answered
        }
        String said = String.valueOf(request.decoderResult().cause());
        ClientConnection client = connectionOf(request);
        CallRecord record = record(request, client, running.now());
        client.called(record.startNanos);
        last(request, client);
        if (request.decoderResult().cause() instanceof ServedVersions.NotServed) {
            refuse(request, record, 505, "the version of HTTP is not served here");
        } else if (said.contains("TooLongHttpLine")) {
            refuse(request, record, 414, "the request line is too long");
        } else if (said.contains("TooLongHttpHeader")) {
            refuse(request, record, 431, "the fields are too long");
        } else {
            refuse(request, record, 400, "the request cannot be read");
        }
    }

    /** A request came in. */
    void handle(HttpServerRequest request) {
        ClientConnection client = connectionOf(request);
        if (client.isClosing()) {
            return;
        }
        Running.Snapshot now = running.now();
        String authority = request.version() == HttpVersion.HTTP_2 && request.authority(true) != null
                ? request.authority(true).toString()
                : null;
        RequestHead.Checked checked = RequestHead.check(
                request.version(), request.method().name(), request.uri(), authority, request.headers());
        CallRecord record = record(request, client, now);
        record.authority = authority;
        client.called(record.startNanos);
        if (request.version() != HttpVersion.HTTP_2 && HopByHop.closes(request.headers())) {
            last(request, client);
        }
        if (checked.refused().isPresent()) {
            RequestHead.Refused refused = checked.refused().get();
            refuse(request, record, refused.status(), refused.detail());
            return;
        }
        if (Via.isLoop(request.headers())) {
            refuse(request, record, 508, "the request goes round in a circle");
            return;
        }
        if (RequestHead.maxForwards(request.method(), request.headers()) == 0) {
            answerOptions(request, record);
            return;
        }
        GatewayCall call = new GatewayCall(request, checked.head().orElseThrow(), record.peer, record.requestId);
        Optional<Routes.Way> way = now.routes().of(call);
        if (way.isEmpty()) {
            refuse(request, record, 404, "no route serves this call");
            return;
        }
        record.route = way.get().route().name();
        call.route(record.route);
        boolean bodyFirst = !now.policy().gates().isEmpty() && Waiting.readsBodyFirst(request);
        CompletableFuture<Void> bodyRead = bodyFirst ? new CompletableFuture<>() : null;
        CompletableFuture<Decision> deciding = running.weir().decideAsync(call, bodyRead);
        Waiting.Next next = (decision, body) -> decided(request, client, call, record, way.get(), now, decision, body);
        if (deciding.isDone()) {
            next.decided(deciding.join(), null);
        } else {
            long idleNanos = way.get().pool().settings().idle().toNanos();
            Waiting waiting = new Waiting(this, request, record, deciding, bodyRead, idleNanos, next);
            underWay.put(waiting, client);
            client.callBegins();
            waiting.start();
        }
    }

    private void answerOptions(HttpServerRequest request, CallRecord record) {
        record.status = 200;
        record.durationNanos = nanos() - record.startNanos;
        running.seen().ended(record);
        request.response().putHeader(FieldNames.REQUEST_ID, record.requestId);
        Refusals.options(request, vertx);
    }

    private void decided(
            HttpServerRequest request,
            ClientConnection client,
            GatewayCall call,
            CallRecord record,
            Routes.Way way,
            Running.Snapshot now,
            Decision decision,
            @Nullable Buffer body) {
        running.seen().decided(record.requestId, call, decision);
        record.waitedNanos = decision.waitedNanos();
        record.withoutStore = decision.withoutStore();
        if (decision instanceof Decision.Admitted admitted) {
            record.letIn = true;
            record.degrade = admitted.degrade().isEmpty() ? null : String.join(",", admitted.degrade());
            if (admitted.degrade().contains(GateRule.STALE) && answerStale(request, call, record, admitted, now)) {
                return;
            }
            Optional<Outbound> outbound = way.route().outbound().map(running.weir()::outbound);
            Exchange exchange =
                    new Exchange(this, request, call, admitted, now.policy(), record, way.pool(), outbound, body);
            underWay.put(exchange, client);
            client.callBegins();
            exchange.start();
        } else {
            refuse(request, record, (Decision.Rejected) decision, now.policy());
        }
    }

    // Answers of a moment ago

    /** Under what an answer to this call may be kept; null when none may be, or no step of the policy would serve it. */
    @Nullable
    String copyKey(HttpServerRequest request, GatewayCall call) {
        Running.Snapshot now = running.now();
        return now.stale().served()
                ? StaleCopies.key(request, call.host(), now.stale().callerHeaders())
                        .orElse(null)
                : null;
    }

    /** The headers by which the policy tells callers apart. */
    Set<String> callerHeaders() {
        return running.now().stale().callerHeaders();
    }

    /** Keeps an answer for a worse moment. */
    void keepCopy(String key, MultiMap upstreamFields, String via, Buffer body) {
        MultiMap fields = HttpHeaders.headers();
        HopByHop.copyEndToEnd(upstreamFields, fields);
        fields.add(FieldNames.VIA, via);
        if (!fields.contains(HttpHeaders.DATE)) {
            fields.set(HttpHeaders.DATE, HttpDate.at(System.currentTimeMillis()));
        }
        String age = upstreamFields.get("age");
        running.copies()
                .keep(
                        key,
                        new StaleCopies.Copy(
                                fields, body, nanos(), age == null ? 0 : Math.max(0, RequestHead.wholeNumber(age))));
    }

    /** Serves a call from memory; false when there is nothing to serve it with. */
    private boolean answerStale(
            HttpServerRequest request,
            GatewayCall call,
            CallRecord record,
            Decision.Admitted admitted,
            Running.Snapshot now) {
        String key = copyKey(request, call);
        Optional<StaleCopies.Copy> found =
                key == null ? Optional.empty() : running.copies().find(key, nanos());
        if (found.isEmpty()) {
            return false;
        }
        StaleCopies.Copy copy = found.get();
        HttpServerResponse response = request.response();
        copy.fields().forEach((name, value) -> response.headers().add(name, value));
        HttpAnswer ours = HttpAnswer.granted(admitted, now.policy().answers(), request.getHeader("origin"));
        RateLimitFields.merged(
                        ours.fields(),
                        copy.fields()::getAll,
                        now.policy().answers().fields())
                .forEach((name, value) -> response.headers().set(name, value));
        response.headers().set("Age", Long.toString(copy.ageSeconds(nanos())));
        response.headers().set(Onward.DEGRADE, GateRule.STALE);
        response.headers().set(FieldNames.REQUEST_ID, record.requestId);
        response.headers().set("Content-Length", Integer.toString(copy.body().length()));
        writeDebug(request, response, record, admitted);
        boolean head = request.method().name().equals("HEAD");
        Future<Void> sending = head ? response.end() : response.end(copy.body());
        if (LastAnswer.isAnnounced(request)) {
            sending.onComplete(sent -> Failures.ignored(request.connection().close()));
        }
        record.status = 200;
        record.bodyBytes = head ? 0 : copy.body().length();
        record.durationNanos = nanos() - record.startNanos;
        admitted.permit().answered(dev.weir.Answer.ofStatus(200));
        admitted.permit().release(Outcome.IGNORED);
        running.seen().ended(record);
        return true;
    }

    /** Nothing more is read from this connection, and it ends with the answer to this request. */
    private static void last(HttpServerRequest request, ClientConnection client) {
        LastAnswer.announce(request);
        client.closes();
    }

    private CallRecord record(HttpServerRequest request, ClientConnection connection, Running.Snapshot now) {
        boolean trusted = connection.isTrusted(now);
        String client = trusted
                ? ClientAddress.of(
                        now.policy().identity(),
                        connection.peer(),
                        request.headers().getAll(FieldNames.FORWARDED_FOR),
                        request.headers().getAll(FieldNames.FORWARDED))
                : connection.address(now);
        boolean firstLineRead =
                !request.decoderResult().isFailure() || !request.uri().equals(UNREAD_TARGET);
        return new CallRecord(
                RequestId.of(trusted ? request.getHeader(FieldNames.REQUEST_ID) : null),
                connection.peer(),
                trusted,
                client,
                request.isSSL() ? "https" : "http",
                firstLineRead ? request.method().name() : null,
                firstLineRead ? request.uri() : null,
                firstLineRead ? version(request) : null,
                nanos(),
                System.currentTimeMillis(),
                request.headers());
    }

    private static String version(HttpServerRequest request) {
        return request.decoderResult().cause() instanceof ServedVersions.NotServed came
                ? String.valueOf(came.getMessage())
                : request.version().alpnName();
    }

    private void refuse(HttpServerRequest request, CallRecord record, int status, String detail) {
        record.status = status;
        record.reason = detail;
        Buffer body = Refusals.problem(status, detail);
        record.bodyBytes = Refusals.sentBytes(request, body);
        refused(record);
        request.response().putHeader(FieldNames.REQUEST_ID, record.requestId);
        if (status == 405) {
            request.response().putHeader(HttpHeaders.ALLOW, RequestHead.ALLOWED);
        }
        if (request.version() != HttpVersion.HTTP_2 && status == 400) {
            // Whoever sends one message that can be read in two ways may have meant more of them.
            last(request, connectionOf(request));
        }
        Refusals.problem(request, vertx, status, body);
    }

    private void refuse(HttpServerRequest request, CallRecord record, Decision.Rejected rejected, Policy policy) {
        Wording wording = wordings.of(
                rejected, policy.answers(), request.getHeader(HttpHeaders.ORIGIN), ThreadLocalRandom.current());
        record.status = wording.status();
        record.reason = rejected.reason().wireName();
        record.limit = rejected.speaker().orElse(null);
        record.bodyBytes = Refusals.sentBytes(request, wording.body());
        refused(record);
        request.response().putHeader(FieldNames.REQUEST_ID, record.requestId);
        writeDebug(request, request.response(), record, rejected);
        Refusals.refuse(request, vertx, wording);
    }

    /** A call that was let in is not sent to its upstream after all. */
    void notSent(
            UnderWay call, HttpServerRequest request, CallRecord record, OptionalLong retryAfterNanos, Policy policy) {
        waited(call);
        Decision.Rejected rejected = new Decision.Rejected(
                Reason.DEPENDENCY_OUT,
                retryAfterNanos,
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                false,
                record.waitedNanos);
        refuse(request, record, rejected, policy);
    }

    private void refused(CallRecord record) {
        record.ended = CallRecord.Ended.REFUSED;
        record.durationNanos = nanos() - record.startNanos;
        running.seen().ended(record);
    }

    /** The field by which trusted peers ask why; it is theirs alone and goes no further. */
    Optional<String> debugHeader() {
        return running.now().settings().debugHeader();
    }

    /** Says why to a trusted peer that asks. */
    void writeDebug(HttpServerRequest request, HttpServerResponse response, CallRecord record, Decision decision) {
        Optional<String> name = debugHeader();
        if (name.isPresent() && record.trustedPeer && request.headers().contains(name.get())) {
            response.putHeader(name.get(), Explanation.of(record, decision));
        }
    }

    /** A call that was let in is over. */
    void ended(UnderWay call, CallRecord record) {
        waited(call);
        running.seen().ended(record);
    }

    /** A call is under way here no longer, or in another form. */
    void waited(UnderWay call) {
        ClientConnection client = underWay.remove(call);
        if (client != null) {
            client.callEnds(nanos());
        }
    }

    /** How many calls are under way here. */
    int underWay() {
        return underWay.size();
    }

    Weir weir() {
        return running.weir();
    }
}
