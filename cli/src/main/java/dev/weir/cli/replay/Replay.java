package dev.weir.cli.replay;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Weir;
import dev.weir.cli.log.LoggedCall;
import dev.weir.load.Outcome;
import dev.weir.policy.AdmissionPoint;
import dev.weir.policy.Bill;
import dev.weir.policy.Budget;
import dev.weir.policy.Key;
import dev.weir.policy.KeyOverride;
import dev.weir.policy.Limit;
import dev.weir.policy.Missing;
import dev.weir.policy.Mode;
import dev.weir.policy.Policy;
import dev.weir.policy.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Judges logged calls in the order of their times: by the policy as it is, and by each of its limits as if that one alone were enforced.
 * Every verdict is a {@link Weir}'s on a clock that stands at the call. Not thread safe.
 */
public final class Replay {

    private final LogClock clock = new LogClock();
    private final World whole;
    private final List<Solo> solos = new ArrayList<>();
    private final List<String> notJudged = new ArrayList<>();
    private final List<String> asOneInstance;
    private long admitted;
    private long refused;

    /** One limit alone, and whether some of its keys are unlimited. */
    private record Solo(World world, LimitReport report, List<WhatIf> variants, boolean sparesSome) {
        void spared(String key) {
            report.granted(key);
            variants.forEach(WhatIf::spared);
        }
    }

    /**
     * Makes ready to judge.
     *
     * @param durations whether every call's duration is known; without them limits on calls in flight are not judged
     * @param variants whether other algorithms and counts are tried beside each limit's own
     */
    public Replay(Policy policy, boolean durations, boolean variants) {
        Policy judged = everywhere(policy, durations);
        asOneInstance =
                policy.limits().stream().filter(Limit::isFleet).map(Limit::name).toList();
        whole = new World(judged);
        for (Limit limit : policy.limits()) {
            if (limit.mode().kind() == Mode.Kind.OFF) {
                continue;
            }
            if (limit.budget() instanceof Budget.InFlight && !durations) {
                notJudged.add(limit.name());
                continue;
            }
            Policy alone = alone(judged, limit.name());
            solos.add(new Solo(
                    new World(alone),
                    new LimitReport(limit.name()),
                    variants ? WhatIf.variantsOf(limit) : List.of(),
                    sparesSome(limit)));
        }
    }

    /** Limits of the fleet: judged as one instance that sees all calls would, so without leases and without a store. */
    public List<String> asOneInstance() {
        return asOneInstance;
    }

    /** Judges one call; they come in the order of their times. */
    public void judge(LoggedCall call) {
        clock.nanos = call.epochNanos();
        if (whole.judge(call) instanceof Decision.Admitted) {
            admitted++;
        } else {
            refused++;
        }
        for (Solo solo : solos) {
            Decision decision = solo.world.judge(call);
            String name = solo.report.name();
            Decision.Judged line = decision.judged().stream()
                    .filter(judged -> judged.limit().equals(name))
                    .findFirst()
                    .orElse(null);
            if (decision instanceof Decision.Rejected) {
                String key = line == null ? keyOf(solo.world.policy, call, name) : line.key();
                solo.report.refused(key, call.epochNanos(), line == null ? Long.MAX_VALUE : line.waitNanos());
            } else if (line != null) {
                solo.report.granted(line.key());
            } else if (solo.sparesSome) {
                unlimitedKey(solo.world.policy, call, name).ifPresent(solo::spared);
            }
            if (line != null) {
                solo.variants.forEach(variant -> variant.judge(call, line));
            }
        }
    }

    /** Who was refused by a limit that did not count: denied, or without a key. */
    private static String keyOf(Policy policy, LoggedCall call, String limit) {
        return line(policy, call, limit).map(Bill.Line::key).orElse("");
    }

    /** Whom a limit let pass without counting, because the plan or override is unlimited; empty when the limit does not apply. */
    private static Optional<String> unlimitedKey(Policy policy, LoggedCall call, String limit) {
        return line(policy, call, limit)
                .filter(line -> line.budget() instanceof Budget.Unlimited)
                .map(Bill.Line::key);
    }

    private static boolean sparesSome(Limit limit) {
        return Stream.concat(
                        limit.plans().values().stream(),
                        limit.overrides().values().stream().map(KeyOverride::budget))
                .anyMatch(Budget.Unlimited.class::isInstance);
    }

    private static Optional<Bill.Line> line(Policy policy, LoggedCall call, String limit) {
        return policy.bill(call, AdmissionPoint.SERVICE, call.time()).lines().stream()
                .filter(line -> line.limit().name().equals(limit))
                .findFirst();
    }

    /** Calls that the whole policy would have let pass. */
    public long admitted() {
        return admitted;
    }

    /** Calls that the whole policy would have refused. */
    public long refused() {
        return refused;
    }

    /** What each limit would have done alone, in file order. */
    public List<LimitReport> limits() {
        return solos.stream().map(Solo::report).toList();
    }

    /** Limits on calls in flight that could not be judged, because the log does not say how long calls took. */
    public List<String> notJudged() {
        return List.copyOf(notJudged);
    }

    /** What other algorithms and counts would have done in the place of a limit. */
    public List<WhatIf> variants(LimitReport report) {
        return solos.stream().filter(solo -> solo.report == report).findFirst().orElseThrow().variants;
    }

    private static Policy everywhere(Policy policy, boolean durations) {
        Policy.Builder builder = like(policy);
        for (Limit limit : policy.limits()) {
            Limit judged = limit.at(Set.of(AdmissionPoint.values())).scope(Scope.INSTANCE);
            builder.limit(limit.budget() instanceof Budget.InFlight && !durations ? judged.mode(Mode.OFF) : judged);
        }
        return builder.build();
    }

    /** The limit enforced, and those that stand instead of it unlimited: they still do, but refuse nothing. */
    private static Policy alone(Policy policy, String name) {
        Policy.Builder builder = like(policy);
        for (Limit limit : policy.limits()) {
            if (limit.name().equals(name)) {
                builder.limit(limit.mode(Mode.ENFORCE).insteadOf(List.of()));
            } else if (limit.insteadOf().contains(name)) {
                builder.limit(unlimited(limit).insteadOf(List.of(name)));
            }
        }
        return builder.build();
    }

    private static Limit unlimited(Limit limit) {
        Limit open = limit.budget(new Budget.Unlimited())
                .plans(Map.of())
                .overrides(Map.of())
                .unknown(new Missing.UseDefault());
        return open.ifMissing() instanceof Missing.Skip ? open : open.ifMissing(new Missing.CountBy(Key.ALL));
    }

    private static Policy.Builder like(Policy policy) {
        return Policy.builder()
                .identity(policy.identity())
                .callHeaders(policy.callHeaders())
                .exempt(policy.exempt())
                .plans(policy.plans())
                .answers(policy.answers())
                .criticality(policy.criticality());
    }

    /** A Weir, and the admitted calls that are still in flight in it. */
    private final class World {
        final Policy policy;
        private final Weir weir;
        private final PriorityQueue<InFlight> inFlight =
                new PriorityQueue<>(Comparator.comparingLong(InFlight::endNanos));

        World(Policy policy) {
            this.policy = policy;
            this.weir = Weir.builder(policy).tickers(clock, clock).build();
        }

        private record InFlight(long endNanos, Decision.Admitted admitted, LoggedCall call) {}

        Decision judge(LoggedCall call) {
            while (!inFlight.isEmpty() && inFlight.peek().endNanos <= call.epochNanos()) {
                end(inFlight.remove());
            }
            Decision decision = weir.judge(call);
            if (decision instanceof Decision.Admitted in) {
                InFlight begun =
                        new InFlight(call.epochNanos() + call.durationNanos().orElse(0), in, call);
                if (call.durationNanos().isPresent()) {
                    inFlight.add(begun);
                } else {
                    end(begun);
                }
            }
            return decision;
        }

        /** The answer is known and the permit ends, at the time at which that was. */
        private void end(InFlight call) {
            long now = clock.nanos;
            clock.nanos = call.endNanos;
            call.admitted
                    .permit()
                    .answered(new Answer(
                            call.call.status(),
                            call.call.bytes(),
                            call.call.durationNanos(),
                            name -> Stream.ofNullable(call.call.responseHeader(name))
                                    .toList()));
            call.admitted.permit().release(Outcome.SUCCESS);
            clock.nanos = now;
        }
    }
}
