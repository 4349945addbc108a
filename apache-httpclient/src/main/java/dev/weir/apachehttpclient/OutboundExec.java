package dev.weir.apachehttpclient;

import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundRefusedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;

/**
 * Makes a classic Apache HttpClient ask each dependency within what it can bear. It stands where the client's own retries were:
 *
 * <pre>{@code
 * CloseableHttpClient client = HttpClients.custom()
 *         .replaceExecInterceptor(ChainElement.RETRY.name(), OutboundExec.of(payments))
 *         .build();
 * }</pre>
 *
 * <p>A request that is refused here fails with {@link OutboundRefusedException}, an {@link IOException}. Which requests are sent again is as
 * in weir-core's {@code OutboundHttpClient}; an entity that is not repeatable never is.
 *
 * <p>Thread safe. It waits on the calling thread, for at most the dependency's max-wait and the pauses between attempts.
 */
public final class OutboundExec implements ExecChainHandler {

    private final Function<ClassicHttpRequest, Optional<Outbound>> outbounds;
    private final Function<ClassicHttpRequest, OutboundCall> calls;
    private final InstantSource clock;

    private OutboundExec(
            Function<ClassicHttpRequest, Optional<Outbound>> outbounds,
            Function<ClassicHttpRequest, OutboundCall> calls,
            InstantSource clock) {
        this.outbounds = outbounds;
        this.calls = calls;
        this.clock = clock;
    }

    /** For a client all of whose requests are for one dependency. */
    public static OutboundExec of(Outbound outbound) {
        return of(request -> Optional.of(outbound));
    }

    /** For a client of several dependencies; a request for none of them is sent as it is. */
    public static OutboundExec of(Function<ClassicHttpRequest, Optional<Outbound>> outbounds) {
        return new OutboundExec(outbounds, request -> OutboundCall.ONCE, InstantSource.system());
    }

    /**
     * The same, told more of each request: its criticality, its deadline, the attempt that it is part of. Whether it may be repeated is read
     * from the request itself.
     */
    public OutboundExec calls(Function<ClassicHttpRequest, OutboundCall> known) {
        return new OutboundExec(outbounds, known, clock);
    }

    /** The same with another clock, by which moments in responses without a Date are judged. */
    public OutboundExec clock(InstantSource local) {
        return new OutboundExec(outbounds, calls, local);
    }

    @Override
    public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
            throws IOException, HttpException {
        Optional<Outbound> outbound = outbounds.apply(request);
        if (outbound.isEmpty()) {
            return chain.proceed(request, scope);
        }
        ExecutedRequest work =
                new ExecutedRequest(request, scope, chain, outbound.get().settings(), clock);
        try {
            return outbound.get().call(work.call(calls.apply(request)), work);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting to be sent");
            interrupted.initCause(e);
            throw interrupted;
        } catch (IOException | HttpException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Apache HttpClient throws nothing else", e);
        }
    }
}
