package dev.weir.httpclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAnswer;
import dev.weir.rate.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.filters.RateLimitFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch of calls by several threads to a server whose limit nobody here wrote: Tomcat's RateLimitFilter, 20 calls in each second. */
class TomcatTest {

    private static final int CALLS = 60;
    private static final int THREADS = 4;

    @TempDir
    Path folder;

    private final Tomcat tomcat = new Tomcat();

    private URI limited(boolean tells) throws Exception {
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        FilterDef filter = new FilterDef();
        filter.setFilterName("limit");
        filter.setFilterClass(RateLimitFilter.class.getName());
        filter.addInitParameter("bucketRequests", "20");
        filter.addInitParameter("bucketDuration", "1");
        filter.addInitParameter("exposeHeaders", Boolean.toString(tells));
        context.addFilterDef(filter);
        FilterMap map = new FilterMap();
        map.setFilterName("limit");
        map.addURLPattern("/*");
        context.addFilterMap(map);
        Wrapper servlet = Tomcat.addServlet(context, "ok", new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(200);
            }
        });
        servlet.addMapping("/");
        tomcat.start();
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private static OutboundSettings settings() {
        return OutboundSettings.of("tomcat")
                .maxWait(Duration.ofMinutes(2))
                .timeout(Duration.ofMinutes(3))
                .retry(new OutboundSettings.Retry(10, OptionalInt.empty(), Backoff.DEFAULT, Set.of()));
    }

    private static OutboundFigures batch(OutboundSettings settings, URI uri) throws Exception {
        Outbound outbound = Outbound.of(settings);
        HttpClient http = OutboundHttpClient.of(HttpClient.newHttpClient(), outbound);
        HttpRequest get = HttpRequest.newBuilder(uri).build();
        Callable<Integer> call = () -> http.send(get, BodyHandlers.discarding()).statusCode();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int number = 0; number < CALLS; number++) {
                calls.add(call);
            }
            for (Future<Integer> status : threads.invokeAll(calls)) {
                assertThat(status.get()).isEqualTo(200);
            }
        } finally {
            threads.shutdownNow();
        }
        return outbound.figures();
    }

    @Test
    void whereTheServerTellsHardlyACallIsRefused() throws Exception {
        OutboundFigures figures = batch(settings(), limited(true));

        assertThat(figures.peer()).as("it told").isNotEmpty();
        assertThat(figures.answers().get(PeerAnswer.Kind.REFUSED)).isLessThanOrEqualTo(3);
    }

    @Test
    void whereItDoesNotOurOwnRateIsKept() throws Exception {
        OutboundFigures figures = batch(
                settings().pace(new OutboundSettings.Pace(RateLimit.parse("15/s"), OptionalInt.of(1), false)),
                limited(false));

        assertThat(figures.peer()).isEmpty();
        assertThat(figures.answers().get(PeerAnswer.Kind.REFUSED)).isLessThanOrEqualTo(5);
    }
}
