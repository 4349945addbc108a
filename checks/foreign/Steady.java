import dev.weir.client.Backoff;
import dev.weir.client.Outbound;
import dev.weir.client.OutboundFigures;
import dev.weir.client.OutboundReason;
import dev.weir.client.OutboundSettings;
import dev.weir.httpclient.OutboundHttpClient;
import dev.weir.load.ConcurrencyLimit;
import dev.weir.rate.RateLimit;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One of twenty instances whose checkouts need a payments provider that has become slow: more calls a second than it may send, each of which takes
 * 800 ms. It sends 10 a second and has 8 under way at most; the rest is refused here at once.
 *
 * <p>usage: Steady URL CALLS-PER-SECOND SECONDS
 */
public final class Steady {

    private static final long SECOND = 1_000_000_000L;

    private Steady() {}

    public static void main(String[] args) throws Exception {
        Outbound outbound = Outbound.of(OutboundSettings.of("payments")
                .pace(new OutboundSettings.Pace(RateLimit.parse("10/s"), OptionalInt.of(2), false))
                .maxWait(Duration.ofMillis(50))
                .inFlight(ConcurrencyLimit.fixed(8))
                .retry(new OutboundSettings.Retry(4, OptionalInt.of(1_000), Backoff.DEFAULT, Set.of())));
        HttpClient http = OutboundHttpClient.of(HttpClient.newHttpClient(), outbound);
        HttpRequest request = HttpRequest.newBuilder(URI.create(args[0])).build();
        int perSecond = Integer.parseInt(args[1]);
        int calls = perSecond * Integer.parseInt(args[2]);
        AtomicInteger served = new AtomicInteger();
        int mostInFlight = 0;
        List<CompletableFuture<HttpResponse<Void>>> all = new ArrayList<>();
        long began = System.nanoTime();
        for (int call = 0; call < calls; call++) {
            long at = began + call * SECOND / perSecond;
            for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            all.add(http.sendAsync(request, BodyHandlers.discarding()));
            mostInFlight = Math.max(mostInFlight, outbound.figures().inFlight());
        }
        for (CompletableFuture<HttpResponse<Void>> one : all) {
            if (one.handle((response, failure) -> response != null && response.statusCode() == 200).get()) {
                served.incrementAndGet();
            }
        }
        OutboundFigures figures = outbound.figures();
        long refused = figures.refusals().values().stream().mapToLong(Long::longValue).sum();
        int seconds = Integer.parseInt(args[2]);
        System.out.printf(
                "%-22s %d calls/s, %.1f sends/s (9 to 10.2), at most %d under way (8), %d refused here (rate %d, in-flight %d), %d served%n",
                "slow provider",
                perSecond,
                (double) figures.attempts() / seconds,
                mostInFlight,
                refused,
                figures.refusals().get(OutboundReason.RATE),
                figures.refusals().get(OutboundReason.IN_FLIGHT),
                served.get());
        boolean holds = figures.attempts() >= 9L * seconds
                && figures.attempts() <= 10L * seconds + 2
                && mostInFlight <= 8
                && served.get() == figures.attempts()
                && served.get() + refused >= calls;
        System.exit(holds ? 0 : 1);
    }
}
