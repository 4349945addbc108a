import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundSettings;
import dev.weir.client.PeerAnswer;
import dev.weir.httpclient.OutboundHttpClient;
import dev.weir.rate.RateLimit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A batch of calls to a server that limits them, by several threads that share one Outbound.
 *
 * <p>usage: Caller NAME URL CALLS THREADS RATE|none MOST-REFUSED LEAST-SECONDS MOST-SECONDS
 */
public final class Caller {

    private Caller() {}

    public static void main(String[] args) throws Exception {
        int calls = Integer.parseInt(args[2]);
        OutboundSettings settings = OutboundSettings.of(args[0])
                .maxWait(Duration.ofMinutes(2))
                .retry(new OutboundSettings.Retry(5, OptionalInt.of(1_000), Backoff.DEFAULT, Set.of()))
                .timeout(Duration.ofMinutes(3));
        if (!args[4].equals("none")) {
            settings = settings.pace(
                    new OutboundSettings.Pace(RateLimit.parse(args[4]), OptionalInt.of(1), false));
        }
        Outbound outbound = Outbound.of(settings);
        HttpClient http = OutboundHttpClient.of(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), outbound);
        HttpRequest request = HttpRequest.newBuilder(URI.create(args[1])).build();
        ExecutorService threads = Executors.newFixedThreadPool(Integer.parseInt(args[3]));
        AtomicInteger served = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(calls);
        long began = System.nanoTime();
        for (int thread = 0; thread < Integer.parseInt(args[3]); thread++) {
            threads.execute(() -> {
                while (left.getAndDecrement() > 0) {
                    try {
                        if (http.send(request, BodyHandlers.discarding()).statusCode() == 200) {
                            served.incrementAndGet();
                        }
                    } catch (Exception e) {
                        System.err.println(e);
                    }
                }
            });
        }
        threads.shutdown();
        boolean over = threads.awaitTermination(5, TimeUnit.MINUTES);
        double seconds = (System.nanoTime() - began) / 1e9;
        OutboundFigures figures = outbound.figures();
        long refused = figures.answers().get(PeerAnswer.Kind.REFUSED);
        System.out.printf(
                "%-22s %d of %d served in %.1f s (%s to %s), %d refused there (at most %s), %d sends%n",
                args[0], served.get(), calls, seconds, args[6], args[7], refused, args[5], figures.attempts());
        boolean holds = over
                && served.get() == calls
                && refused <= Integer.parseInt(args[5])
                && seconds >= Double.parseDouble(args[6])
                && seconds <= Double.parseDouble(args[7]);
        System.exit(holds ? 0 : 1);
    }
}
