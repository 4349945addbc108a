package dev.weir.client;

import dev.weir.Ticker;
import dev.weir.load.Criticality;
import java.util.EnumMap;
import java.util.Map;

/**
 * Refuses here what a dependency would refuse there: the more of our requests it turned away in the last two minutes, the more of the next
 * ones fail at once. It is the client-side throttling of "Site Reliability Engineering" (Beyer and others, 2016), chapter 21: a request is
 * refused with the probability {@code max(0, (requests - K * accepts) / (requests + 1))}. What is refused here counts as a request too, so
 * that the more is refused the longer none is accepted, and a few always go through to find out.
 *
 * <p>Each criticality counts for itself: a dependency that sheds what may wait does not make us refuse what may not.
 *
 * <p>Thread safe.
 */
public final class AdaptiveThrottle {

    /** K unless told otherwise: every second request may be turned away before any is refused here. */
    public static final double DEFAULT_K = 2;

    private static final int SECONDS = 120;

    /** Requests and accepts of one criticality. */
    private static final class Counts {
        final RecentCount requests;
        final RecentCount accepts;

        Counts(long nowNanos) {
            requests = new RecentCount(SECONDS, nowNanos);
            accepts = new RecentCount(SECONDS, nowNanos);
        }
    }

    private final double k;
    private final Ticker ticker;
    private final Map<Criticality, Counts> counts = new EnumMap<>(Criticality.class);

    private AdaptiveThrottle(double k, Ticker ticker) {
        if (!(k >= 1 && k <= 100)) {
            throw new IllegalArgumentException(
                    "K of a throttle is " + k + ": it must be from 1 to 100, and 2 is usual");
        }
        this.k = k;
        this.ticker = ticker;
        for (Criticality criticality : Criticality.values()) {
            counts.put(criticality, new Counts(ticker.nanos()));
        }
    }

    /**
     * A throttle that lets {@code k} requests through for each that is accepted.
     *
     * @throws IllegalArgumentException unless K is from 1 to 100
     */
    public static AdaptiveThrottle of(double k, Ticker ticker) {
        return new AdaptiveThrottle(k, ticker);
    }

    /** With which probability the next request is refused. Pure. */
    public static double probability(long requests, long accepts, double k) {
        return Math.max(0, (requests - k * accepts) / (requests + 1.0));
    }

    /**
     * Whether a request is refused here. One that is counts; one that is not counts when it is {@linkplain #sent sent}.
     *
     * @param draw chance, from 0 to below 1
     */
    public synchronized boolean refuses(Criticality criticality, double draw) {
        long now = ticker.nanos();
        boolean refused = draw < probabilityAt(now, criticality);
        if (refused) {
            of(criticality).requests.add(now);
        }
        return refused;
    }

    /** Counts a request that is sent. */
    public synchronized void sent(Criticality criticality) {
        of(criticality).requests.add(ticker.nanos());
    }

    /** Counts a request that was accepted. */
    public synchronized void accepted(Criticality criticality) {
        of(criticality).accepts.add(ticker.nanos());
    }

    /** With which probability the next request of that criticality is refused. */
    public synchronized double probability(Criticality criticality) {
        return probabilityAt(ticker.nanos(), criticality);
    }

    private double probabilityAt(long nowNanos, Criticality criticality) {
        Counts own = of(criticality);
        return probability(own.requests.sum(nowNanos), own.accepts.sum(nowNanos), k);
    }

    private Counts of(Criticality criticality) {
        Counts own = counts.get(criticality);
        if (own == null) {
            throw new IllegalStateException("every criticality is counted");
        }
        return own;
    }
}
