package dev.weir.apachehttpclient;

import dev.weir.client.AnswerReader;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundSettings;
import dev.weir.client.OutboundWork;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Sending;
import dev.weir.http.PeerAnswers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.jspecify.annotations.Nullable;

/** One request through all its attempts. */
record ExecutedRequest(
        ClassicHttpRequest request,
        ExecChain.Scope scope,
        ExecChain chain,
        OutboundSettings settings,
        InstantSource clock)
        implements OutboundWork<ClassicHttpResponse> {

    /** What is known of it: what it says itself, and what its sender told. */
    OutboundCall call(OutboundCall known) {
        boolean repeatable = request.getEntity() == null || request.getEntity().isRepeatable();
        boolean keyed = request.containsHeader("Idempotency-Key");
        return known.asSaid(
                settings.repeat(request.getMethod(), keyed, repeatable),
                OptionalLong.empty(),
                Optional.ofNullable(request.getFirstHeader(Sending.ATTEMPT_FIELD))
                        .map(Header::getValue));
    }

    @Override
    public ClassicHttpResponse send(Sending attempt) throws IOException, HttpException {
        ClassicHttpRequest sent = attempt.attempt() == 1
                ? request
                : ClassicRequestBuilder.copy(scope.originalRequest).build();
        attempt.announcedAttempt().ifPresent(number -> sent.setHeader(Sending.ATTEMPT_FIELD, Integer.toString(number)));
        return chain.proceed(sent, scope);
    }

    @Override
    public PeerAnswer read(@Nullable ClassicHttpResponse response, @Nullable Throwable failure) {
        if (response != null) {
            return PeerAnswers.of(
                    response.getCode(), name -> lines(response, name), clock.instant(), settings.milliseconds());
        }
        if (scope.execRuntime.isExecutionAborted()) {
            return PeerAnswer.IGNORED;
        }
        return failure instanceof ConnectTimeoutException ? PeerAnswer.UNSENT : AnswerReader.ofFailure(failure);
    }

    private static List<String> lines(ClassicHttpResponse response, String name) {
        return Stream.of(response.getHeaders(name))
                .map(Header::getValue)
                .filter(value -> value != null)
                .toList();
    }

    @Override
    public void discard(ClassicHttpResponse response) {
        try {
            response.close();
        } catch (IOException e) {
            // The answer is not wanted; that its connection breaks is no news.
        }
    }
}
