package dev.weir.okhttp;

import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundRefusedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Makes an OkHttp client ask each dependency within what it can bear. An application interceptor:
 *
 * <pre>{@code
 * OkHttpClient client = new OkHttpClient.Builder()
 *         .addInterceptor(OutboundInterceptor.of(payments))
 *         .retryOnConnectionFailure(false)
 *         .build();
 * }</pre>
 *
 * <p>A call that is refused here fails with {@link OutboundRefusedException}, an {@link IOException}. Which calls are sent again is as in
 * weir-core's {@code OutboundHttpClient}; a body that is one-shot or duplex never is. A call's own timeout is for all attempts together.
 *
 * <p>Thread safe. It waits on the thread that OkHttp runs the call on, for at most the dependency's max-wait and the pauses between
 * attempts; for calls that are enqueued that is one of the dispatcher's threads.
 */
public final class OutboundInterceptor implements Interceptor {

    private final Function<Request, Optional<Outbound>> outbounds;
    private final Function<Request, OutboundCall> calls;
    private final InstantSource clock;

    private OutboundInterceptor(
            Function<Request, Optional<Outbound>> outbounds,
            Function<Request, OutboundCall> calls,
            InstantSource clock) {
        this.outbounds = outbounds;
        this.calls = calls;
        this.clock = clock;
    }

    /** For a client all of whose requests are for one dependency. */
    public static OutboundInterceptor of(Outbound outbound) {
        return of(request -> Optional.of(outbound));
    }

    /** For a client of several dependencies; a request for none of them is sent as it is. */
    public static OutboundInterceptor of(Function<Request, Optional<Outbound>> outbounds) {
        return new OutboundInterceptor(outbounds, request -> OutboundCall.ONCE, InstantSource.system());
    }

    /**
     * The same, told more of each request: its criticality, its deadline, the attempt that it is part of. Whether it may be repeated is read
     * from the request itself.
     */
    public OutboundInterceptor calls(Function<Request, OutboundCall> known) {
        return new OutboundInterceptor(outbounds, known, clock);
    }

    /** The same with another clock, by which moments in responses without a Date are judged. */
    public OutboundInterceptor clock(InstantSource local) {
        return new OutboundInterceptor(outbounds, calls, local);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Optional<Outbound> outbound = outbounds.apply(chain.request());
        if (outbound.isEmpty()) {
            return chain.proceed(chain.request());
        }
        InterceptedCall work = new InterceptedCall(chain, outbound.get().settings(), clock);
        try {
            return outbound.get().call(work.call(calls.apply(chain.request())), work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting to be sent");
            interrupted.initCause(e);
            throw interrupted;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("OkHttp throws nothing else", e);
        }
    }
}
