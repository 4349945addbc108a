package dev.weir.apachehttpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.apachehttpclient.ScriptedServer.Scripted;
import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundCall;
import dev.weir.client.OutboundReason;
import dev.weir.client.OutboundRefusedException;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.io.support.ClassicRequestBuilder;
import org.junit.jupiter.api.Test;

class OutboundExecTest {

    private static Outbound outbound() {
        return Outbound.of(OutboundSettings.of("api")
                .retry(new OutboundSettings.Retry(
                        3, OptionalInt.empty(), Backoff.of(Duration.ZERO, Duration.ofMillis(1)), Set.of())));
    }

    private static CloseableHttpClient client(OutboundExec exec) {
        return HttpClients.custom()
                .replaceExecInterceptor(ChainElement.RETRY.name(), exec)
                .build();
    }

    private static String answer(OutboundExec exec, ClassicHttpRequest request) throws IOException {
        try (CloseableHttpClient client = client(exec)) {
            return client.execute(
                    request, response -> response.getCode() + " " + EntityUtils.toString(response.getEntity()));
        }
    }

    private static ClassicRequestBuilder get(ScriptedServer server) {
        return ClassicRequestBuilder.get(server.uri());
    }

    @Test
    void refusedRequestsAreSentAgainAndSayWhichAttemptTheyAre() throws Exception {
        Outbound outbound = outbound();
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(429, "Retry-After", "0"))) {
            assertThat(answer(OutboundExec.of(outbound), get(server).build())).isEqualTo("200 answer 3");
            assertThat(server.received).containsExactly("GET #1", "GET #2", "GET #3");
        }
        assertThat(outbound.figures().inFlight()).isZero();
        assertThat(outbound.figures().answers()).containsEntry(PeerAnswer.Kind.REFUSED, 2L);
    }

    @Test
    void whatIsNotSafeIsSentOnce() throws Exception {
        OutboundExec exec = OutboundExec.of(outbound());
        try (ScriptedServer server =
                new ScriptedServer(Scripted.of(503), Scripted.of(503), Scripted.of(200), Scripted.of(503))) {
            assertThat(answer(
                            exec,
                            ClassicRequestBuilder.post(server.uri())
                                    .setEntity(new StringEntity("once"))
                                    .build()))
                    .startsWith("503");
            assertThat(answer(
                            exec,
                            ClassicRequestBuilder.post(server.uri())
                                    .addHeader("Idempotency-Key", "7")
                                    .setEntity(new StringEntity("keyed"))
                                    .build()))
                    .startsWith("200");
            ByteArrayInputStream stream = new ByteArrayInputStream("stream".getBytes(StandardCharsets.UTF_8));
            assertThat(answer(
                            exec,
                            ClassicRequestBuilder.put(server.uri())
                                    .setEntity(new InputStreamEntity(stream, ContentType.TEXT_PLAIN))
                                    .build()))
                    .startsWith("503");
            assertThat(server.received)
                    .containsExactly("POST once #1", "POST keyed #1", "POST keyed #2", "PUT stream #1");
        }
    }

    @Test
    void nobodyBelowATryingCallerTriesAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503), Scripted.of(503))) {
            ClassicHttpRequest handedOn =
                    get(server).addHeader("Weir-Attempt", "2").build();
            assertThat(answer(OutboundExec.of(outbound()), handedOn)).startsWith("503");
            OutboundExec told = OutboundExec.of(outbound()).calls(any -> OutboundCall.ONCE.inherited(4));
            assertThat(answer(told, get(server).build())).startsWith("503");
            assertThat(server.received).containsExactly("GET #2", "GET #4");
        }
    }

    @Test
    void aPauseIsKeptWithoutAskingTheServer() throws Exception {
        OutboundExec exec =
                OutboundExec.of(Outbound.of(OutboundSettings.of("api").maxWait(Duration.ZERO)));
        try (ScriptedServer server = new ScriptedServer(Scripted.of(429, "Retry-After", "600"))) {
            assertThat(answer(exec, get(server).build())).startsWith("429");
            assertThatThrownBy(() -> answer(exec, get(server).build()))
                    .isInstanceOfSatisfying(
                            OutboundRefusedException.class,
                            refused -> assertThat(refused.refusal().reason()).isEqualTo(OutboundReason.PAUSED));
            assertThat(server.received).hasSize(1);
        }
    }

    @Test
    void whereNothingListensNothingWasSent() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Outbound outbound = outbound();
        ClassicHttpRequest post = ClassicRequestBuilder.post("http://127.0.0.1:" + port + "/")
                .setEntity(new StringEntity("x"))
                .build();
        assertThatThrownBy(() -> answer(OutboundExec.of(outbound), post)).isInstanceOf(IOException.class);
        assertThat(outbound.figures().answers())
                .as("so even a POST goes again")
                .containsEntry(PeerAnswer.Kind.UNSENT, 3L);
    }

    @Test
    void aRequestOfNoDependencyIsSentAsItIs() throws Exception {
        try (ScriptedServer server = new ScriptedServer(Scripted.of(503))) {
            assertThat(answer(
                            OutboundExec.of(request -> Optional.empty()),
                            get(server).build()))
                    .startsWith("503");
            assertThat(server.received).containsExactly("GET");
        }
    }
}
