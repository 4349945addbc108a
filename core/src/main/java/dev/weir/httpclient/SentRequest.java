package dev.weir.httpclient;

import dev.weir.client.AnswerReader;
import dev.weir.client.AsyncOutboundWork;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundSettings;
import dev.weir.client.OutboundWork;
import dev.weir.client.PeerAnswer;
import dev.weir.client.Repeat;
import dev.weir.client.Sending;
import dev.weir.http.PeerAnswers;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One request through all its attempts. */
record SentRequest<T>(
        HttpRequest request,
        BodyHandler<T> bodyHandler,
        @Nullable PushPromiseHandler<T> pushPromiseHandler,
        OutboundSettings settings,
        OutboundCall known,
        InstantSource clock) {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /** What is known of it: what it says itself, and what its sender told. */
    OutboundCall call() {
        OptionalLong own =
                request.timeout().map(SentRequest::nanos).map(OptionalLong::of).orElseGet(OptionalLong::empty);
        return known.asSaid(repeat(), own, request.headers().firstValue(Sending.ATTEMPT_FIELD));
    }

    private Repeat repeat() {
        boolean keyed = request.headers().firstValue(IDEMPOTENCY_KEY).isPresent();
        boolean repeatable =
                request.bodyPublisher().map(body -> body.contentLength() >= 0).orElse(true);
        return settings.repeat(request.method(), keyed, repeatable);
    }

    private static long nanos(Duration timeout) {
        return timeout.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE / 2 : timeout.toNanos();
    }

    OutboundWork<HttpResponse<T>> sync(HttpClient client) {
        return new OutboundWork<>() {
            @Override
            public HttpResponse<T> send(Sending attempt) throws Exception {
                return client.send(attempted(attempt), bodyHandler);
            }

            @Override
            public PeerAnswer read(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
                return answer(response, failure);
            }

            @Override
            public void discard(HttpResponse<T> response) {
                close(response);
            }
        };
    }

    AsyncOutboundWork<HttpResponse<T>> async(HttpClient client) {
        return new AsyncOutboundWork<>() {
            @Override
            public CompletionStage<HttpResponse<T>> send(Sending attempt) {
                return client.sendAsync(attempted(attempt), bodyHandler, pushPromiseHandler);
            }

            @Override
            public PeerAnswer read(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
                return answer(response, failure);
            }

            @Override
            public void discard(HttpResponse<T> response) {
                close(response);
            }
        };
    }

    /** The request as this attempt sends it: with the number of the attempt, and no more time than is left. */
    private HttpRequest attempted(Sending attempt) {
        OptionalInt announced = attempt.announcedAttempt();
        OptionalLong left = attempt.timeLeftNanos();
        if (announced.isEmpty() && left.isEmpty()) {
            return request;
        }
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(request, (name, value) -> !name.equalsIgnoreCase(Sending.ATTEMPT_FIELD));
        announced.ifPresent(number -> builder.setHeader(Sending.ATTEMPT_FIELD, Integer.toString(number)));
        left.ifPresent(nanos -> builder.timeout(Duration.ofNanos(Math.max(1, nanos))));
        return builder.build();
    }

    private PeerAnswer answer(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        return response == null
                ? AnswerReader.ofFailure(failure)
                : PeerAnswers.of(
                        response.statusCode(), response.headers()::allValues, clock.instant(), settings.milliseconds());
    }

    private static void close(HttpResponse<?> response) {
        if (response.body() instanceof AutoCloseable body) {
            try {
                body.close();
            } catch (Exception e) {
                // The answer is not wanted; that its connection breaks is no news.
            }
        }
    }
}
