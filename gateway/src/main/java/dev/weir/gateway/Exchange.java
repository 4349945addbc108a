package dev.weir.gateway;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.client.Leave;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundRefusal;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Repeat;
import dev.weir.client.Sending;
import dev.weir.http.HttpAnswer;
import dev.weir.http.PeerAnswers;
import dev.weir.http.RateLimitFields;
import dev.weir.load.Outcome;
import dev.weir.policy.Answers;
import dev.weir.policy.Policy;
import dev.weir.policyfile.GatewaySettings.Upstream;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpClientConnection;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.ReadStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One admitted call on its way through: both bodies are streamed, each no faster than the other side takes it.
 *
 * <p>When nothing moves for too long the call ends, and who should have moved is to blame (decision record 0015).
 *
 * <p>It ends once, by whatever comes first: the answer went out whole, the client left, the upstream failed, or nobody moved for too long.
 * Ending frees everything at once: the permit, the place at the upstream, and the connection that is of no use any more. All of it runs on
 * the event loop of the client's connection, so nothing here is shared.
 */
final class Exchange implements UnderWay {

    /** When to come back if nobody knows. */
    private static final long SOON_NANOS = 1_000_000_000L;

    private final FrontDoor door;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final GatewayCall call;
    private final Decision.Admitted admitted;
    private final Policy policy;
    private final Answers answers;
    private final CallRecord record;
    private final UpstreamPool pool;
    private final UpstreamAddress address;
    private final long idleNanos;
    private final long responseNanos;
    private final OptionalLong timeLeftNanos;

    private final Optional<Outbound> outbound;

    /** Leave to ask the upstream, once it was asked for; null for upstreams that are asked without. */
    private @Nullable CompletableFuture<Leave> asking;

    private @Nullable Sending sending;
    private @Nullable HttpClientRequest toUpstream;
    /** What the upstream sends; null over HTTP/2, which holds each stream back by itself. */
    private @Nullable PausableReads upstreamReads;

    private @Nullable HttpClientResponse fromUpstream;
    private @Nullable NetSocket clientTunnel;
    private @Nullable NetSocket upstreamTunnel;
    /** What came of the request's body before there was anywhere to send it. */
    private @Nullable Buffer firstPiece;

    private boolean requestRead;
    private boolean tunnelAsked;
    private boolean answerRead;
    private boolean answeredWhole;
    private boolean upstreamBlocks;
    private boolean clientBlocks;
    private boolean mayBeSilent;
    private long lastMoveNanos;
    private long bodyBytes;
    /** How long the answer's body will be; -1 when that is not known. */
    private long announcedBytes = -1;

    /** Under what a copy of the answer is kept, and what of it has come; null when none is. */
    private @Nullable String copyKey;

    private @Nullable Buffer copying;
    private boolean over;

    Exchange(
            FrontDoor door,
            HttpServerRequest request,
            GatewayCall call,
            Decision.Admitted admitted,
            Policy policy,
            CallRecord record,
            UpstreamPool pool,
            Optional<Outbound> outbound,
            @Nullable Buffer body) {
        this.door = door;
        this.request = request;
        this.response = request.response();
        this.call = call;
        this.admitted = admitted;
        this.policy = policy;
        this.answers = policy.answers();
        this.record = record;
        this.pool = pool;
        this.outbound = outbound;
        firstPiece = body;
        Upstream settings = pool.settings();
        idleNanos = settings.idle().toNanos();
        lastMoveNanos = door.nanos();
        timeLeftNanos = Onward.timeLeftNanos(
                request.headers(), policy.callHeaders(), record.trustedPeer, lastMoveNanos - record.startNanos);
        responseNanos = Math.min(settings.response().toNanos(), Math.max(0, timeLeftNanos.orElse(Long.MAX_VALUE)));
        address = pool.enter(lastMoveNanos);
        record.upstream = address.text();
    }

    // Setting out

    void start() {
        request.exceptionHandler(failure -> clientLeft());
        response.exceptionHandler(failure -> clientLeft());
        response.closeHandler(closed -> {
            // A stream of HTTP/2 is closed as well when its last frame is on its way.
            if (request.version() != HttpVersion.HTTP_2 || !answerRead) {
                clientLeft();
            }
        });
        requestRead = firstPiece != null
                || request.isEnded()
                || !RequestHead.mayHaveBody(request.version(), request.headers());
        if (!requestRead) {
            request.handler(piece -> {
                if (piece.length() > 0) { // an empty one says nothing but that the end may follow
                    request.pause();
                    firstPiece = piece;
                }
            });
            request.endHandler(ended -> requestRead = true);
        }
        outbound.ifPresentOrElse(this::ask, this::connect);
    }

    /** Asks for leave to ask the upstream; waits for it without holding the event loop. */
    private void ask(Outbound dependency) {
        moved();
        OutboundCall asked = new OutboundCall(Repeat.NEVER, admitted.criticality(), timeLeftNanos, OptionalInt.empty());
        CompletableFuture<Leave> leave = dependency.askAsync(asked);
        asking = leave;
        if (leave.isDone()) {
            told(leave.join());
            return;
        }
        Context here = door.vertx().getOrCreateContext();
        CompletableFuture<Leave> unused = leave.whenComplete((answer, cancelled) -> {
            if (answer != null) {
                here.runOnContext(back -> told(answer));
            }
        });
    }

    private void told(Leave leave) {
        asking = null;
        if (leave instanceof Sending granted) {
            if (over) {
                granted.unsent();
                return;
            }
            sending = granted;
            connect();
        } else if (!over && leave instanceof OutboundRefusal refusal) {
            over = true;
            pool.leave(address);
            admitted.permit().undo();
            OptionalLong retryAfter =
                    refusal.retryAfterNanos().isPresent() ? refusal.retryAfterNanos() : OptionalLong.of(SOON_NANOS);
            door.notSent(this, request, record, retryAfter, policy);
        }
    }

    private void connect() {
        moved();
        pool.request(address, door.number()).onComplete(connected -> {
            if (connected.succeeded()) {
                address.connected();
            }
            if (over) {
                if (connected.succeeded()) {
                    discard(connected.result());
                }
            } else if (connected.failed()) {
                address.failed(door.nanos());
                fail(Failures.isTimeout(connected.cause()) ? 504 : 502, "the upstream cannot be reached");
            } else if (requestRead) {
                send(connected.result());
            } else {
                // What came along with the head, the end of a request without a body too, is told in the same task as
                // the head.
                door.vertx().runOnContext(told -> {
                    if (over) {
                        discard(connected.result());
                    } else {
                        send(connected.result());
                    }
                });
            }
        });
    }

    /** The client left while a connection was made or waited for: it is of no use to anybody. */
    private static void discard(HttpClientRequest unused) {
        unused.exceptionHandler(failure -> {});
        Failures.ignored(unused.reset());
    }

    private void send(HttpClientRequest upstream) {
        toUpstream = upstream;
        if (upstream.version() != HttpVersion.HTTP_2 && upstream.connection() instanceof HttpClientConnection opened) {
            upstreamReads = PausableReads.of(opened.channelHandlerContext().pipeline());
        }
        moved();
        upstream.setMethod(request.method()).setURI(call.head().target());
        writeFields(upstream);
        upstream.exceptionHandler(failure -> upstreamFailed());
        upstream.earlyHintsHandler(this::passHints);
        upstream.response().onComplete(answered -> {
            if (over) {
                return;
            }
            if (answered.succeeded()) {
                answer(answered.result());
            } else {
                upstreamFailed();
            }
        });
        if (Upgrade.isAsked(request)) {
            Upgrade.write(upstream.headers());
            tunnelAsked = true; // what follows belongs to the tunnel
            Failures.ignored(upstream.connect());
            return;
        }
        if (requestRead) {
            Buffer whole = firstPiece;
            Failures.ignored(whole == null ? upstream.end() : upstream.end(whole));
            return;
        }
        if (request.headers().contains(HttpHeaders.EXPECT) && request.version() != HttpVersion.HTTP_1_0) {
            Failures.ignored(response.writeContinue());
        }
        if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            upstream.setChunked(true);
        }
        stream(upstream);
    }

    private void writeFields(HttpClientRequest upstream) {
        MultiMap fields = upstream.headers();
        String debugHeader = door.debugHeader().orElse("host");
        boolean trusted = record.trustedPeer;
        HopByHop.copyEndToEnd(
                request.headers(),
                fields,
                name -> name.equalsIgnoreCase("host")
                        || name.equalsIgnoreCase("expect")
                        || name.equalsIgnoreCase(debugHeader)
                        || Onward.isReplaced(name, policy.callHeaders(), trusted)
                        || (!trusted && ForwardedFields.isOne(name)));
        if (HopByHop.takesTrailers(request.headers())) {
            fields.set("te", "trailers");
            if (address.isHttp1()) {
                fields.set("connection", "te");
            }
        }
        String host = call.head().host();
        ForwardedFields.write(fields, call.peer(), record.scheme, host);
        Onward.write(fields, admitted, policy.callHeaders(), timeLeftNanos);
        long forwards = RequestHead.maxForwards(request.method(), request.headers());
        if (forwards > 0) {
            fields.set(FieldNames.MAX_FORWARDS, Long.toString(forwards - 1));
        }
        fields.set(FieldNames.REQUEST_ID, call.requestId());
        fields.add(FieldNames.VIA, Via.entry(request.version()));
        if (host != null) {
            upstream.authority(HostAndPort.parseAuthority(host, -1));
        }
    }

    private void stream(HttpClientRequest upstream) {
        request.handler(piece -> forward(upstream, piece));
        request.endHandler(ended -> {
            requestRead = true;
            moved();
            if (!over) {
                Failures.ignored(upstream.end());
            }
        });
        Buffer first = firstPiece;
        firstPiece = null;
        if (first == null) {
            Failures.ignored(upstream.writeHead()); // an upstream may answer on the head alone
        } else {
            forward(upstream, first);
        }
        if (!upstreamBlocks) {
            request.resume();
        }
    }

    private void forward(HttpClientRequest upstream, Buffer piece) {
        if (over) {
            return;
        }
        moved();
        Failures.ignored(upstream.write(piece));
        if (upstream.writeQueueFull()) {
            upstreamBlocks = true;
            request.pause();
            upstream.drainHandler(drained -> {
                upstreamBlocks = false;
                moved();
                if (!over) {
                    request.resume();
                }
            });
        }
    }

    // Coming back

    /** What an upstream says before its answer (RFC 8297), for those who understand that. */
    private void passHints(MultiMap hints) {
        if (!over
                && request.version() != HttpVersion.HTTP_1_0
                && !response.headWritten()
                && !response.writeQueueFull()) {
            MultiMap fields = HttpHeaders.headers();
            HopByHop.copyEndToEnd(hints, fields, "content-length"::equalsIgnoreCase);
            Failures.ignored(response.writeEarlyHints(fields));
        }
    }

    private void answer(HttpClientResponse upstream) {
        fromUpstream = upstream;
        moved();
        int status = upstream.statusCode();
        record.status = status;
        upstream.exceptionHandler(failure -> upstreamFailed());
        admitted.permit().responseStarted();
        if (status == 101) {
            tunnel(upstream);
            return;
        }
        if (status < 200) {
            // Over HTTP/2 the engine takes an interim answer that it does not know for the last one, and loses that.
            fail(502, "the upstream sent an interim answer that is not understood here");
            return;
        }
        if (HopByHop.isCoded(upstream.headers())) {
            fail(502, "the upstream sent a Transfer-Encoding other than chunked");
            return;
        }
        response.setStatusCode(status);
        HopByHop.copyEndToEnd(upstream.headers(), response.headers());
        if (HopByHop.closes(upstream.headers())) {
            upstream.headers()
                    .set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE); // the engine knows it when it stands alone
        }
        String phrase = upstream.statusMessage();
        // The engine knows a 304, which says nothing of its length, by its usual phrase alone.
        if (request.version() != HttpVersion.HTTP_2
                && status != 304
                && !response.getStatusMessage().equals(phrase)) {
            response.setStatusMessage(phrase); // the usual ones are encoded already
        }
        writeOurFields(upstream.headers());
        response.headers().add(FieldNames.VIA, via(upstream));
        boolean bodiless = request.method().name().equals("HEAD") || status == 204 || status == 304;
        String length = upstream.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (!bodiless && length != null) {
            announcedBytes = RequestHead.wholeNumber(length);
        } else if (!bodiless) {
            if (request.version() == HttpVersion.HTTP_1_0) {
                LastAnswer.announce(request); // its end is the end of the connection
            } else {
                response.setChunked(true);
            }
        }
        copying = copyOf(upstream);
        mayBeSilent = isEventStream(upstream);
        if (mayBeSilent) {
            admitted.permit().lasts();
        }
        upstream.handler(this::pass);
        upstream.endHandler(ended -> finish(upstream.trailers()));
        // A head whose body does not come along with it goes ahead.
        door.vertx().runOnContext(later -> {
            if (!over && !response.headWritten()) {
                Failures.ignored(response.writeHead());
            }
        });
    }

    private String via(HttpClientResponse upstream) {
        PausableReads reads = upstreamReads;
        return Via.entry(reads == null ? upstream.version() : reads.answeredVersion());
    }

    private static boolean isEventStream(HttpClientResponse upstream) {
        String type = upstream.getHeader(HttpHeaders.CONTENT_TYPE);
        return type != null && type.toLowerCase(Locale.ROOT).startsWith("text/event-stream");
    }

    private void writeOurFields(MultiMap upstreamFields) {
        HttpAnswer ours = HttpAnswer.granted(admitted, answers, request.getHeader(HttpHeaders.ORIGIN));
        Map<String, String> merged = RateLimitFields.merged(ours.fields(), upstreamFields::getAll, answers.fields());
        merged.forEach((name, value) -> response.headers().set(name, value));
        response.headers().set(FieldNames.REQUEST_ID, call.requestId());
        if (!response.headers().contains(HttpHeaders.DATE)) {
            // RFC 9110 section 6.6.1 asks it of whoever passes an answer on.
            response.headers().set(HttpHeaders.DATE, HttpDate.at(System.currentTimeMillis()));
        }
        door.writeDebug(request, response, record, admitted);
    }

    private void pass(Buffer piece) {
        if (over || answerRead) {
            return;
        }
        moved();
        bodyBytes += piece.length();
        copy(piece);
        if (bodyBytes == announcedBytes && !trailersMayFollow()) {
            answerRead = true;
            finished(response.end(piece));
            return;
        }
        Failures.ignored(response.write(piece));
        HttpClientResponse upstream = fromUpstream;
        if (response.writeQueueFull() && upstream != null) {
            clientBlocks = true;
            pause(upstream);
            response.drainHandler(drained -> {
                clientBlocks = false;
                moved();
                if (!over) {
                    resume(upstream);
                }
            });
        }
    }

    private void pause(ReadStream<?> from) {
        PausableReads reads = upstreamReads;
        if (reads == null || from == clientTunnel) {
            from.pause();
        } else {
            reads.pause();
        }
    }

    private void resume(ReadStream<?> from) {
        PausableReads reads = upstreamReads;
        if (reads == null || from == clientTunnel) {
            from.resume();
        } else {
            reads.resume();
        }
    }

    /** In HTTP/2 they may, whatever length was announced. */
    private boolean trailersMayFollow() {
        HttpClientRequest upstream = toUpstream;
        return upstream != null && upstream.version() == HttpVersion.HTTP_2;
    }

    private void finish(MultiMap trailers) {
        if (over || answerRead) {
            return;
        }
        answerRead = true;
        moved();
        if (!trailers.isEmpty() && (response.isChunked() || request.version() == HttpVersion.HTTP_2)) {
            HopByHop.copyEndToEnd(trailers, response.trailers());
        }
        finished(response.end());
    }

    /** A reader that is slower than the upstream holds the call until it has everything. */
    private void finished(Future<Void> sending) {
        sending.onComplete(sent -> {
            boolean bodyUnwanted = !over && !requestRead;
            if (sent.failed()) {
                clientLeft();
                return;
            }
            answeredWhole = true;
            keepCopy();
            end(outcome());
            if (bodyUnwanted) {
                Refusals.drain(request, door.vertx(), sending);
            } else if (LastAnswer.isAnnounced(request)) {
                Failures.ignored(request.connection().close());
            }
        });
    }

    // Copies for a worse moment

    private @Nullable Buffer copyOf(HttpClientResponse upstream) {
        copyKey = door.copyKey(request, call);
        boolean kept = copyKey != null
                && request.method().name().equals("GET")
                && StaleCopies.mayKeep(record.status, upstream.headers(), door.callerHeaders())
                && announcedBytes <= StaleCopies.MAX_BODY_BYTES;
        return kept ? Buffer.buffer() : null;
    }

    private void copy(Buffer piece) {
        Buffer copied = copying;
        if (copied != null) {
            copying = copied.length() + piece.length() > StaleCopies.MAX_BODY_BYTES ? null : copied.appendBuffer(piece);
        }
    }

    private void keepCopy() {
        Buffer copied = copying;
        String key = copyKey;
        HttpClientResponse upstream = fromUpstream;
        if (answeredWhole && copied != null && key != null && upstream != null) {
            door.keepCopy(key, upstream.headers(), via(upstream), copied);
        }
    }

    /** A service that says it is overloaded, or that somebody behind it took too long, has dropped the call. */
    private Outcome outcome() {
        return record.status == 503 || record.status == 504 ? Outcome.DROPPED : Outcome.SUCCESS;
    }

    // Tunnels

    private void tunnel(HttpClientResponse upstream) {
        if (!Upgrade.isAsked(request)) {
            fail(502, "the upstream changed to a protocol that nobody asked for");
            return;
        }
        response.setStatusCode(101);
        HopByHop.copyEndToEnd(upstream.headers(), response.headers());
        Upgrade.write(response.headers());
        LastAnswer.retract(request);
        writeOurFields(upstream.headers());
        response.headers().add(FieldNames.VIA, via(upstream));
        NetSocket far = upstream.netSocket();
        far.pause(); // what came with the head
        pause(far);
        upstreamTunnel = far;
        mayBeSilent = true;
        admitted.permit().lasts();
        request.toNetSocket().onComplete(opened -> {
            if (opened.failed() || over) {
                clientLeft();
                return;
            }
            NetSocket near = opened.result();
            clientTunnel = near;
            join(near, far);
            join(far, near);
            near.closeHandler(closed -> end(Outcome.SUCCESS));
            far.closeHandler(closed -> end(Outcome.SUCCESS));
            near.exceptionHandler(failure -> {});
            far.exceptionHandler(failure -> {});
            near.shutdownHandler(
                    within -> {}); // a gateway that stops lets it end by itself for as long as it lets calls end
            near.resume();
            far.resume();
            resume(far);
        });
    }

    private void join(NetSocket from, NetSocket to) {
        from.handler(piece -> {
            if (from == upstreamTunnel) {
                bodyBytes += piece.length();
            }
            Failures.ignored(to.write(piece));
            if (to.writeQueueFull()) {
                pause(from);
                to.drainHandler(drained -> resume(from));
            }
        });
    }

    // Ending

    private void moved() {
        lastMoveNanos = door.nanos();
    }

    /** The side that is to move next may have been silent for too long. */
    @Override
    public void endIfOverdue(long nowNanos) {
        if (over || asking != null || (mayBeSilent && !clientBlocks && !answerRead)) {
            return;
        }
        boolean bodyAwaited = toUpstream != null && !requestRead && !upstreamBlocks;
        boolean clientsTurn = clientBlocks || answerRead || bodyAwaited;
        boolean headAwaited = !clientsTurn && fromUpstream == null && !upstreamBlocks;
        if (nowNanos - lastMoveNanos <= (headAwaited ? responseNanos : idleNanos)) {
            return;
        }
        if (clientsTurn) {
            clientSilent();
        } else {
            upstreamSilent();
        }
    }

    private void clientSilent() {
        record.ended = CallRecord.Ended.CLIENT_SLOW;
        if (response.headWritten()) {
            end(Outcome.IGNORED);
            cut();
        } else {
            fail(408, "the request body did not come");
        }
    }

    private void upstreamSilent() {
        record.ended = CallRecord.Ended.UPSTREAM_TIMEOUT;
        if (response.headWritten()) {
            end(Outcome.DROPPED);
            cut();
        } else {
            fail(504, "the upstream did not answer in time");
        }
    }

    private void clientLeft() {
        if (!over) {
            record.ended = CallRecord.Ended.CLIENT_LEFT;
            end(Outcome.IGNORED);
        }
    }

    private void upstreamFailed() {
        if (over) {
            return;
        }
        record.ended = CallRecord.Ended.UPSTREAM_FAILED;
        if (response.headWritten()) {
            end(Outcome.DROPPED);
            cut();
        } else {
            fail(
                    502,
                    fromUpstream == null
                            ? "the upstream closed the connection without an answer"
                            : "the upstream closed the connection within its answer");
        }
    }

    /** Shows the client that the answer is not whole. */
    private void cut() {
        if (request.version() == HttpVersion.HTTP_2) {
            Failures.ignored(response.reset(0x2));
        } else {
            LastAnswer.cut(request);
        }
    }

    /** Answers for an upstream that did not. */
    private void fail(int status, String detail) {
        if (over) {
            return;
        }
        record.status = status;
        if (record.ended == CallRecord.Ended.WHOLE) {
            record.ended = CallRecord.Ended.UPSTREAM_FAILED;
        }
        Buffer body = Refusals.problem(status, detail);
        bodyBytes = Refusals.sentBytes(request, body);
        fromUpstream = null; // nothing of its answer counts
        writeOurFieldsWithoutUpstream();
        end(status == 408 ? Outcome.IGNORED : Outcome.DROPPED);
        Refusals.problem(request, door.vertx(), status, body);
    }

    private void writeOurFieldsWithoutUpstream() {
        boolean last = LastAnswer.isAnnounced(request);
        response.headers().clear();
        if (last) {
            LastAnswer.announce(request);
        }
        writeOurFields(MultiMap.caseInsensitiveMultiMap());
    }

    private void end(Outcome outcome) {
        if (over) {
            return;
        }
        over = true;
        HttpClientRequest upstream = toUpstream;
        boolean upstreamIsDone =
                requestRead && answerRead && !tunnelAsked; // its connection serves another call already
        if (upstream != null && !upstreamIsDone) {
            Failures.ignored(upstream.reset(0x8));
            if (upstream.version() != HttpVersion.HTTP_2) {
                // A request without an end cannot be followed by another, whatever the answer.
                Failures.ignored(upstream.connection().close());
            }
        }
        closeTunnel();
        PausableReads reads = upstreamReads;
        if (reads != null && upstream != null && !upstreamIsDone) {
            reads.resume(); // so that the engine learns of the end
        }
        pool.leave(address);
        tellOutbound();
        long durationNanos = door.nanos() - record.startNanos;
        HttpClientResponse answered = fromUpstream;
        admitted.permit()
                .answered(new Answer(
                        record.status == 0 ? OptionalInt.empty() : OptionalInt.of(record.status),
                        OptionalLong.of(bodyBytes),
                        OptionalLong.of(durationNanos),
                        name -> answered == null
                                ? List.of()
                                : answered.headers().getAll(name)));
        if (record.ended == CallRecord.Ended.CLIENT_LEFT) {
            admitted.permit().abandon();
        } else {
            admitted.permit().release(outcome);
        }
        record.bodyBytes = bodyBytes;
        record.durationNanos = durationNanos;
        door.ended(this, record);
    }

    /** How the upstream took the call, as far as it got. */
    private void tellOutbound() {
        CompletableFuture<Leave> waiting = asking;
        Sending sent = sending;
        if (waiting != null) {
            waiting.cancel(false);
        }
        if (sent != null) {
            sent.answered(peerAnswer());
        }
    }

    private PeerAnswer peerAnswer() {
        HttpClientResponse answered = fromUpstream;
        if (answered != null && answered.statusCode() != 101) {
            boolean milliseconds =
                    outbound.map(known -> known.settings().milliseconds()).orElse(false);
            return PeerAnswers.of(answered.statusCode(), answered.headers()::getAll, Instant.now(), milliseconds);
        }
        return switch (record.ended) {
            case CLIENT_LEFT, CLIENT_SLOW -> PeerAnswer.IGNORED;
            case UPSTREAM_FAILED -> toUpstream == null ? PeerAnswer.UNSENT : PeerAnswer.FAILED;
            case UPSTREAM_TIMEOUT -> PeerAnswer.FAILED;
            default -> PeerAnswer.ACCEPTED;
        };
    }

    private void closeTunnel() {
        NetSocket near = clientTunnel;
        NetSocket far = upstreamTunnel;
        if (near != null) {
            Failures.ignored(near.close());
            door.forget(request.connection());
        }
        if (far != null) {
            Failures.ignored(far.close());
        }
    }
}
