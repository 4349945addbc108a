package dev.weir.httpclient;

import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundRefusedException;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that asks each dependency within what it can bear.
 *
 * <pre>{@code
 * HttpClient http = OutboundHttpClient.of(HttpClient.newHttpClient(), payments);
 * HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>A request that is refused here fails with {@link OutboundRefusedException}, an {@link IOException}; nothing of it was sent. GET, HEAD,
 * OPTIONS, TRACE, PUT and DELETE are sent again after a refusal or a failure, and so is a request with an Idempotency-Key, as far as the
 * settings of its {@link Outbound} allow; another one only when no connection could be made. A body whose length is not known beforehand
 * may be had only once, so it is never sent again. A request's own timeout is for all its attempts together.
 *
 * <p>A response that is not used because of another attempt is closed when its body is {@link AutoCloseable}.
 *
 * <p>Thread safe. WebSockets are passed through.
 */
public final class OutboundHttpClient extends HttpClient {

    private final HttpClient client;
    private final Function<HttpRequest, Optional<Outbound>> outbounds;
    private final Function<HttpRequest, OutboundCall> calls;
    private final InstantSource clock;

    private OutboundHttpClient(
            HttpClient client,
            Function<HttpRequest, Optional<Outbound>> outbounds,
            Function<HttpRequest, OutboundCall> calls,
            InstantSource clock) {
        this.client = client;
        this.outbounds = outbounds;
        this.calls = calls;
        this.clock = clock;
    }

    /** A client all of whose requests are for one dependency. */
    public static OutboundHttpClient of(HttpClient client, Outbound outbound) {
        return of(client, request -> Optional.of(outbound));
    }

    /** A client for several dependencies; a request for none of them is sent as it is. */
    public static OutboundHttpClient of(HttpClient client, Function<HttpRequest, Optional<Outbound>> outbounds) {
        return new OutboundHttpClient(client, outbounds, request -> OutboundCall.ONCE, LocalClock.SYSTEM);
    }

    /**
     * The same, told more of each request: its criticality, its deadline, the attempt that it is part of. Whether it may be repeated is read
     * from the request itself.
     */
    public OutboundHttpClient calls(Function<HttpRequest, OutboundCall> known) {
        return new OutboundHttpClient(client, outbounds, known, clock);
    }

    /** The same with another clock, by which moments in responses without a Date are judged. */
    public OutboundHttpClient clock(InstantSource local) {
        return new OutboundHttpClient(client, outbounds, calls, local);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> bodyHandler)
            throws IOException, InterruptedException {
        Optional<Outbound> outbound = outbounds.apply(request);
        if (outbound.isEmpty()) {
            return client.send(request, bodyHandler);
        }
        SentRequest<T> sent = sent(outbound.get(), request, bodyHandler, null);
        if (outbound.get().settings().hedgeNanos().isPresent()) {
            return joined(outbound.get().callAsync(sent.call(), sent.async(client)));
        }
        try {
            return outbound.get().call(sent.call(), sent.sync(client));
        } catch (IOException | InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("an HTTP client throws nothing else", e);
        }
    }

    private static <T> T joined(CompletableFuture<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : e.getCause();
            if (cause instanceof IOException io) {
                throw io;
            }
            throw new IOException(cause);
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> bodyHandler) {
        return sendAsync(request, bodyHandler, null);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> bodyHandler, @Nullable PushPromiseHandler<T> pushPromiseHandler) {
        Optional<Outbound> outbound = outbounds.apply(request);
        if (outbound.isEmpty()) {
            return client.sendAsync(request, bodyHandler, pushPromiseHandler);
        }
        SentRequest<T> sent = sent(outbound.get(), request, bodyHandler, pushPromiseHandler);
        return outbound.get().callAsync(sent.call(), sent.async(client));
    }

    private <T> SentRequest<T> sent(
            Outbound outbound,
            HttpRequest request,
            BodyHandler<T> bodyHandler,
            @Nullable PushPromiseHandler<T> pushPromiseHandler) {
        return new SentRequest<>(
                request, bodyHandler, pushPromiseHandler, outbound.settings(), calls.apply(request), clock);
    }

    // As the client below

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }
}
