package dev.weir.okhttp;

import dev.weir.client.AnswerReader;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundSettings;
import dev.weir.client.OutboundWork;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import dev.weir.http.PeerAnswers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** One call through all its attempts. */
record InterceptedCall(Interceptor.Chain chain, OutboundSettings settings, InstantSource clock)
        implements OutboundWork<Response> {

    /** What is known of it: what it says itself, and what its sender told. */
    OutboundCall call(OutboundCall known) {
        Request request = chain.request();
        RequestBody body = request.body();
        boolean repeatable = body == null || !(body.isOneShot() || body.isDuplex());
        boolean keyed = request.header("Idempotency-Key") != null;
        long own = chain.call().timeout().timeoutNanos(); // 0 for none
        return known.asSaid(
                settings.repeat(request.method(), keyed, repeatable),
                own == 0 ? OptionalLong.empty() : OptionalLong.of(own),
                Optional.ofNullable(request.header(Sending.ATTEMPT_FIELD)));
    }

    @Override
    public Response send(Sending attempt) throws IOException {
        OptionalInt announced = attempt.announcedAttempt();
        Request request = announced.isEmpty()
                ? chain.request()
                : chain.request()
                        .newBuilder()
                        .header(Sending.ATTEMPT_FIELD, Integer.toString(announced.getAsInt()))
                        .build();
        OptionalLong left = attempt.timeLeftNanos();
        return left.isEmpty()
                ? chain.proceed(request)
                : within(left.getAsLong()).proceed(request);
    }

    private Interceptor.Chain within(long leftNanos) {
        int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, leftNanos / 1_000_000));
        int connect = atMost(millis, chain.connectTimeoutMillis());
        int read = atMost(millis, chain.readTimeoutMillis());
        int write = atMost(millis, chain.writeTimeoutMillis());
        return chain.withConnectTimeout(connect, TimeUnit.MILLISECONDS)
                .withReadTimeout(read, TimeUnit.MILLISECONDS)
                .withWriteTimeout(write, TimeUnit.MILLISECONDS);
    }

    /** Of two timeouts the shorter; OkHttp says 0 for none. */
    private static int atMost(int millis, int own) {
        return own == 0 ? millis : Math.min(millis, own);
    }

    @Override
    public PeerAnswer read(@Nullable Response response, @Nullable Throwable failure) {
        if (response == null) {
            return chain.call().isCanceled() ? PeerAnswer.IGNORED : AnswerReader.ofFailure(failure);
        }
        if (response.networkResponse() == null) {
            return PeerAnswer.IGNORED; // out of OkHttp's own cache
        }
        return PeerAnswers.of(response.code(), response.headers()::values, clock.instant(), settings.milliseconds());
    }

    @Override
    public void discard(Response response) {
        response.close();
    }
}
