package dev.weir.okhttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundReason;
import dev.weir.client.OutboundRefusedException;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAnswer;
import dev.weir.okhttp.ScriptedServer.Scripted;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.junit.jupiter.api.Test;

class OutboundInterceptorTest {

    private static Outbound outbound() {
        return Outbound.of(OutboundSettings.of("api")
                .retry(new OutboundSettings.Retry(
                        3, OptionalInt.empty(), Backoff.of(Duration.ZERO, Duration.ofMillis(1)), Set.of())));
    }

    private static OkHttpClient client(OutboundInterceptor interceptor) {
        return new OkHttpClient.Builder()
                .addInterceptor(interceptor)
                .retryOnConnectionFailure(false)
                .build();
    }

    private static Request.Builder request(ScriptedServer server) {
        return new Request.Builder().url(server.uri().toString());
    }

    private static String answer(OkHttpClient client, Request request) throws IOException {
        try (Response response = client.newCall(request).execute()) {
            return response.code() + " " + response.body().string();
        }
    }

    @Test
    void refusedCallsAreSentAgainAndSayWhichAttemptTheyAre() throws Exception {
        Outbound outbound = outbound();
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(429, "Retry-After", "0"))) {
            assertThat(answer(
                            client(OutboundInterceptor.of(outbound)),
                            request(server).build()))
                    .isEqualTo("200 answer 3");
            assertThat(server.received).containsExactly("GET #1", "GET #2", "GET #3");
        }
        assertThat(outbound.figures().inFlight()).isZero();
        assertThat(outbound.figures().answers()).containsEntry(PeerAnswer.Kind.REFUSED, 2L);
    }

    @Test
    void whatIsNotSafeIsSentOnce() throws Exception {
        OkHttpClient client = client(OutboundInterceptor.of(outbound()));
        MediaType text = MediaType.get("text/plain");
        RequestBody oneShot = new RequestBody() {
            @Override
            public MediaType contentType() {
                return text;
            }

            @Override
            public void writeTo(BufferedSink sink) throws IOException {
                sink.writeUtf8("stream");
            }

            @Override
            public boolean isOneShot() {
                return true;
            }
        };
        try (ScriptedServer server =
                new ScriptedServer(Scripted.of(503), Scripted.of(503), Scripted.of(200), Scripted.of(503))) {
            Request post =
                    request(server).post(RequestBody.create("once", text)).build();
            assertThat(answer(client, post)).startsWith("503");
            Request keyed = request(server)
                    .header("Idempotency-Key", "7")
                    .post(RequestBody.create("keyed", text))
                    .build();
            assertThat(answer(client, keyed)).startsWith("200");
            assertThat(answer(client, request(server).put(oneShot).build())).startsWith("503");
            assertThat(server.received)
                    .containsExactly("POST once #1", "POST keyed #1", "POST keyed #2", "PUT stream #1");
        }
    }

    @Test
    void nobodyBelowATryingCallerTriesAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(503))) {
            Request handedOn = request(server).header("Weir-Attempt", "2").build();
            assertThat(answer(client(OutboundInterceptor.of(outbound())), handedOn))
                    .startsWith("503");
            OutboundInterceptor told = OutboundInterceptor.of(outbound()).calls(any -> OutboundCall.ONCE.inherited(4));
            assertThat(answer(client(told), request(server).build())).startsWith("503");
            assertThat(server.received).containsExactly("GET #2", "GET #4");
        }
    }

    @Test
    void aPauseIsKeptWithoutAskingTheServer() throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("api").maxWait(Duration.ZERO));
        OkHttpClient client = client(OutboundInterceptor.of(outbound));
        try (ScriptedServer server = new ScriptedServer(Scripted.of(429, "Retry-After", "600"))) {
            assertThat(answer(client, request(server).build())).startsWith("429");
            assertThatThrownBy(() -> answer(client, request(server).build()))
                    .isInstanceOfSatisfying(
                            OutboundRefusedException.class,
                            refused -> assertThat(refused.refusal().reason()).isEqualTo(OutboundReason.PAUSED));
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void aCallOfNoDependencyIsSentAsItIs() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503))) {
            assertThat(answer(
                            client(OutboundInterceptor.of(request -> Optional.empty())),
                            request(server).build()))
                    .startsWith("503");
            assertThat(server.received).containsExactly("GET");
        }
    }

    @Test
    void anInterruptIsAnInterruptedCall() throws Exception {
        OkHttpClient client = client(OutboundInterceptor.of(outbound()));
        try (ScriptedServer server = new ScriptedServer()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> answer(client, request(server).build()))
                    .isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
