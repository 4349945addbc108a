package dev.weir.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundReason;
import dev.weir.client.OutboundRefusedException;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAdvice;
import dev.weir.client.PeerAnswer;
import dev.weir.httpclient.ScriptedServer.Scripted;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class OutboundHttpClientTest {

    private static final HttpClient PLAIN = HttpClient.newHttpClient();

    private static Outbound outbound() {
        return Outbound.of(OutboundSettings.of("api")
                .retry(new OutboundSettings.Retry(
                        3, OptionalInt.empty(), Backoff.of(Duration.ZERO, Duration.ofMillis(1)), Set.of())));
    }

    private static HttpRequest.Builder request(ScriptedServer server) {
        return HttpRequest.newBuilder(server.uri());
    }

    @Test
    void refusedRequestsAreSentAgainAndSayWhichAttemptTheyAre() throws Exception {
        for (boolean async : new boolean[] {false, true}) {
            Outbound outbound = outbound();
            HttpClient http = OutboundHttpClient.of(PLAIN, outbound);
            try (ScriptedServer server =
                    new ScriptedServer(Scripted.of(503), Scripted.of(429, "Retry-After", "0"), Scripted.of(200))) {
                HttpRequest get = request(server).build();
                HttpResponse<String> response = async
                        ? http.sendAsync(get, BodyHandlers.ofString()).get()
                        : http.send(get, BodyHandlers.ofString());
                assertThat(response.body()).isEqualTo("answer 3");
                assertThat(server.received).containsExactly("GET #1", "GET #2", "GET #3");
                assertThat(outbound.figures().answers()).containsEntry(PeerAnswer.Kind.REFUSED, 2L);
            }
        }
    }

    @Test
    void whatIsNotSafeIsSentOnce() throws Exception {
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound());
        try (ScriptedServer server = new ScriptedServer(
                Scripted.of(503), Scripted.of(503), Scripted.of(200), Scripted.of(503), Scripted.of(503))) {
            HttpRequest post =
                    request(server).POST(BodyPublishers.ofString("once")).build();
            assertThat(http.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
            HttpRequest keyed = request(server)
                    .header("Idempotency-Key", "7")
                    .POST(BodyPublishers.ofString("keyed"))
                    .build();
            assertThat(http.send(keyed, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            HttpRequest stream = request(server)
                    .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] {'x'})))
                    .build();
            assertThat(http.send(stream, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
            assertThat(server.received).containsExactly("POST once #1", "POST keyed #1", "POST keyed #2", "PUT x #1");
        }
    }

    @Test
    void nobodyBelowATryingCallerTriesAgain() throws Exception {
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound());
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(503))) {
            HttpRequest handedOn = request(server).header("Weir-Attempt", "2").build();
            assertThat(http.send(handedOn, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(503);
            HttpClient told = OutboundHttpClient.of(PLAIN, outbound()).calls(any -> OutboundCall.ONCE.inherited(4));
            assertThat(told.send(request(server).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(503);
            assertThat(server.received).containsExactly("GET #2", "GET #4");
        }
    }

    @Test
    void aPauseIsKeptWithoutAskingTheServer() throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("api").maxWait(Duration.ZERO));
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound);
        try (ScriptedServer server = new ScriptedServer(Scripted.of(429, "Retry-After", "600"))) {
            HttpRequest get = request(server).build();
            assertThat(http.send(get, BodyHandlers.ofString()).statusCode()).isEqualTo(429);
            assertThatThrownBy(() -> http.send(get, BodyHandlers.ofString()))
                    .isInstanceOfSatisfying(
                            OutboundRefusedException.class,
                            refused -> assertThat(refused.refusal().reason()).isEqualTo(OutboundReason.PAUSED));
            assertThatThrownBy(
                            () -> http.sendAsync(get, BodyHandlers.ofString()).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(OutboundRefusedException.class);
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void whatTheServerSaysIsLeftIsKnown() throws Exception {
        Outbound outbound = outbound();
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound);
        try (ScriptedServer server = new ScriptedServer(Scripted.of(200, "RateLimit", "\"minute\";r=17;t=40"))) {
            assertThat(http.send(request(server).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        }
        OutboundFigures figures = outbound.figures();
        assertThat(figures.peer()).extracting(PeerAdvice.Limit::name).containsExactly(Optional.of("minute"));
        assertThat(figures.peer()).extracting(PeerAdvice.Limit::remaining).containsExactly(17L);
    }

    @Test
    void whereNothingListensNothingWasSent() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Outbound outbound = outbound();
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound);
        HttpRequest post = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .POST(BodyPublishers.ofString("x"))
                .build();
        assertThatThrownBy(() -> http.send(post, BodyHandlers.ofString())).isInstanceOf(IOException.class);
        assertThat(outbound.figures().answers())
                .as("so even a POST goes again")
                .containsEntry(PeerAnswer.Kind.UNSENT, 3L);
    }

    @Test
    void aResponseThatIsNotUsedIsClosed() throws Exception {
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound());
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(200));
                InputStream body = http.send(request(server).build(), BodyHandlers.ofInputStream())
                        .body()) {
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("answer 2");
        }
    }

    @Test
    void hedgesForCallersThatBlockToo() throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("api").hedge(Duration.ofSeconds(30)));
        HttpClient http = OutboundHttpClient.of(PLAIN, outbound);
        try (ScriptedServer server = new ScriptedServer()) {
            assertThat(http.send(request(server).build(), BodyHandlers.ofString())
                            .body())
                    .isEqualTo("answer 1");
        }
        assertThat(outbound.figures().hedges()).isZero();
    }

    @Test
    void aRequestOfNoDependencyIsSentAsItIs() throws Exception {
        OutboundHttpClient http = OutboundHttpClient.of(PLAIN, request -> Optional.empty());
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(503))) {
            assertThat(http.send(request(server).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(503);
            assertThat(http.sendAsync(request(server).build(), BodyHandlers.ofString())
                            .get()
                            .statusCode())
                    .isEqualTo(503);
            assertThat(server.received).containsExactly("GET", "GET");
        }
        assertThat(http.version()).isEqualTo(PLAIN.version());
        assertThat(http.followRedirects()).isEqualTo(PLAIN.followRedirects());
        assertThat(http.connectTimeout()).isEqualTo(PLAIN.connectTimeout());
    }
}
