package dev.weir.sim;

import static java.util.Objects.requireNonNull;

import dev.weir.load.Criticality;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What is counted in one run, second by second. What happens after the last second is not counted. */
final class Meters {

    static final long SECOND = 1_000_000_000L;

    /** How much of the knee must be in use for a refusal to be right. */
    private static final double MOST_OF_THE_KNEE = 0.9;

    private final VirtualTime time;
    private final int seconds;
    final long[] sends;
    final long[] late;
    final long[] failed;
    final long[] refused;
    final long[] refusedFalsely;
    final long[] abandoned;
    /** By client, criticality and second. */
    final List<Map<Criticality, long[]>> offered;

    final List<Map<Criticality, long[]>> good;
    final Latencies latencies;
    private final Level inFlight;
    private final DependencyMeters dependency;

    Meters(VirtualTime time, int seconds, int clients) {
        this.time = time;
        this.seconds = seconds;
        this.sends = new long[seconds];
        this.late = new long[seconds];
        this.failed = new long[seconds];
        this.refused = new long[seconds];
        this.refusedFalsely = new long[seconds];
        this.abandoned = new long[seconds];
        this.offered = byClient(clients);
        this.good = byClient(clients);
        this.latencies = new Latencies(seconds);
        this.inFlight = new Level(time, seconds);
        this.dependency = new DependencyMeters(this, time, seconds);
    }

    private List<Map<Criticality, long[]>> byClient(int clients) {
        List<Map<Criticality, long[]>> counts = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            Map<Criticality, long[]> byCriticality = new EnumMap<>(Criticality.class);
            for (Criticality criticality : Criticality.values()) {
                byCriticality.put(criticality, new long[seconds]);
            }
            counts.add(byCriticality);
        }
        return counts;
    }

    private void count(List<Map<Criticality, long[]>> counts, Call call) {
        count(requireNonNull(counts.get(call.crowd.index()).get(call.criticality)));
    }

    Level inFlight() {
        return inFlight;
    }

    DependencyMeters dependency() {
        return dependency;
    }

    int seconds() {
        return seconds;
    }

    void count(long[] bySecond) {
        int second = second();
        if (second < seconds) {
            bySecond[second]++;
        }
    }

    int second() {
        return (int) (time.nanos() / SECOND);
    }

    void offered(Call call) {
        count(offered, call);
    }

    void sent() {
        count(sends);
    }

    void abandoned() {
        count(abandoned);
    }

    void answered(Send send, boolean well) {
        long nanos = time.nanos() - send.sentNanos;
        if (second() < seconds) {
            latencies.add(second(), nanos);
        }
        if (!well) {
            count(failed);
        } else if (send.abandoned || nanos > send.call.crowd.settings().deadlineNanos()) {
            count(late);
        } else {
            count(good, send.call);
        }
    }

    void refused(int inFlightThere, double knee) {
        count(refused);
        if (inFlightThere < MOST_OF_THE_KNEE * knee) {
            count(refusedFalsely);
        }
    }
}
