package dev.weir.sim;

import dev.weir.load.Criticality;
import dev.weir.load.MoveReason;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What came of one run: the figures of one contender. Percentages are shares from 0 to 1. */
final class Played {

    /** How many seconds running must be good before a run counts as settled. */
    private static final int STAYS_SETTLED = 5;

    private final Scenario scenario;
    private final Contender contender;
    private final Meters meters;
    private final Map<Span, Double> p99s = new HashMap<>();
    private final double[] allowed;
    private final boolean bounded;
    private final Map<MoveReason, Long> moves = new EnumMap<>(MoveReason.class);
    private final long[] offered;
    private final long[] good;
    private final double[] answerable;

    Played(Scenario scenario, Contender contender, Meters meters, double[] allowed, List<Instance> instances) {
        this.scenario = scenario;
        this.contender = contender;
        this.meters = meters;
        this.allowed = allowed;
        this.bounded = instances.get(0).door().allowed().isPresent();
        instances.forEach(
                each -> each.door().moves().forEach((reason, count) -> moves.merge(reason, count, Long::sum)));
        this.offered = bySecond(meters.offered);
        this.good = bySecond(meters.good);
        this.answerable = answerable();
    }

    private long[] bySecond(List<Map<Criticality, long[]>> counts) {
        long[] sums = new long[meters.seconds()];
        for (Map<Criticality, long[]> client : counts) {
            for (long[] criticality : client.values()) {
                Arrays.setAll(sums, second -> sums[second] + criticality[second]);
            }
        }
        return sums;
    }

    private double[] answerable() {
        double[] answerableBySecond = new double[offered.length];
        for (int second = 0; second < offered.length; second++) {
            long middleNanos = second * Meters.SECOND + Meters.SECOND / 2;
            answerableBySecond[second] = scenario.fleet().answerable((double) offered[second], middleNanos);
        }
        return answerableBySecond;
    }

    String name() {
        return contender.name();
    }

    Meters meters() {
        return meters;
    }

    long[] offered() {
        return offered;
    }

    long[] good() {
        return good;
    }

    double[] allowed() {
        return allowed;
    }

    /** Whether anything bounds what is in flight. */
    boolean isBounded() {
        return bounded;
    }

    /** How many windows moved the limits of all instances, or left them, and why; empty for rivals, which do not say. */
    Map<MoveReason, Long> moves() {
        return moves;
    }

    /** Answers in time, of those that were possible: the mean over the seconds in which some were. */
    double goodput(Span span) {
        double sum = 0;
        int seconds = 0;
        for (int second = span.from(); second < span.to(); second++) {
            if (answerable[second] > 0) {
                sum += good[second] / answerable[second];
                seconds++;
            }
        }
        return seconds == 0 ? 1 : sum / seconds;
    }

    double p99Millis(Span span) {
        return p99s.computeIfAbsent(span, each -> meters.latencies.quantileMillis(0.99, each.from(), each.to()));
    }

    double[] p99MillisBySecond() {
        double[] bySecond = new double[meters.seconds()];
        Arrays.setAll(bySecond, second -> p99Millis(new Span(second, second + 1)));
        return bySecond;
    }

    /** The p99 of an idle server in the middle of a stretch, in milliseconds. */
    double idleP99Millis(Span span) {
        long middleNanos = (span.from() + span.to()) * Meters.SECOND / 2;
        ServerSettings server = scenario.fleet().server();
        return (server.service().at(middleNanos).nanos(0.99)
                        + server.delayNanos().at(middleNanos))
                / 1e6;
    }

    /** Of all sends. */
    double refused(Span span) {
        return share(meters.refused, meters.sends, span);
    }

    /** Refused while there was room, of all sends. */
    double refusedFalsely(Span span) {
        return share(meters.refusedFalsely, meters.sends, span);
    }

    /** Answered too late, or after the client had left, of all sends. */
    double late(Span span) {
        return share(meters.late, meters.sends, span);
    }

    private static double share(long[] part, long[] whole, Span span) {
        return (double) span.sum(part) / Math.max(1, span.sum(whole));
    }

    /** How many seconds after the change the goodput reaches a share and keeps it for a while; empty when it does not. */
    OptionalInt settledAfter(double goodput) {
        int from = scenario.changesAt().orElse(0);
        for (int second = from; second + STAYS_SETTLED <= scenario.measured().to(); second++) {
            if (isGood(second, goodput)) {
                return OptionalInt.of(second - from);
            }
        }
        return OptionalInt.empty();
    }

    private boolean isGood(int from, double goodput) {
        for (int second = from; second < from + STAYS_SETTLED; second++) {
            if (goodput(new Span(second, second + 1)) < goodput) {
                return false;
            }
        }
        return true;
    }

    /** The limit of an instance in the last second of a stretch. */
    OptionalDouble limitAtEnd(Span span) {
        return bounded ? OptionalDouble.of(allowed[span.to() - 1]) : OptionalDouble.empty();
    }

    /** The same in knees. */
    OptionalDouble limitToKnee(Span span) {
        double knee = scenario.fleet().server().knee(span.to() * Meters.SECOND - 1);
        OptionalDouble limit = limitAtEnd(span);
        return limit.isPresent() ? OptionalDouble.of(limit.getAsDouble() / knee) : limit;
    }

    /** Calls of one criticality, or of one kind of clients, that were answered in time, of those offered. */
    double served(String criticalityOrClient, Span span) {
        long asked = served(meters.offered, criticalityOrClient, span);
        return (double) served(meters.good, criticalityOrClient, span) / Math.max(1, asked);
    }

    private long served(List<Map<Criticality, long[]>> counts, String criticalityOrClient, Span span) {
        long sum = 0;
        for (int client = 0; client < counts.size(); client++) {
            boolean named = scenario.clients().get(client).name().equals(criticalityOrClient);
            for (Map.Entry<Criticality, long[]> count : counts.get(client).entrySet()) {
                if (named || count.getKey().policyName().equals(criticalityOrClient)) {
                    sum += span.sum(count.getValue());
                }
            }
        }
        return sum;
    }

    /** Sends that the gate refused, by second. */
    long[] refused() {
        return meters.refused;
    }

    /** The most sends to the dependency in any rolling second. */
    long busiestSecond(Span span) {
        return span.most(meters.dependency().busiest);
    }

    /** Sends to the dependency for each call that needed it. */
    double sendsPerCall(Span span) {
        return share(meters.dependency().sends, meters.dependency().calls, span);
    }

    /** Mean in flight in the whole fleet. */
    double inFlight(Span span) {
        return span.mean(meters.inFlight().bySecond());
    }
}
