package dev.weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FakeTicker;
import dev.weir.rate.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds for every gate, whatever happens to it. */
final class GateLawsTest {

    private static final long MILLI = 1_000_000;

    /** A call as its caller sees it. */
    private static final class Caller implements Waiter {
        final GateCall call;
        long stamp;
        int told;
        boolean cancelled;

        @Nullable
        Entry entry;

        Caller(GateCall call) {
            this.call = call;
        }

        @Override
        public void admitted(long admittedStamp) {
            stamp = admittedStamp;
            told++;
        }

        @Override
        public void refused(GateRefusal refusal) {
            told++;
        }
    }

    @Test
    void eachCallerIsToldOnceAndNothingIsLost() {
        Random random = new Random(Seeds.next("GateLawsTest.eachCallerIsToldOnceAndNothingIsLost"));
        for (int i = 0; i < 60 * Seeds.DEPTH; i++) {
            new Story(random).play(400);
        }
    }

    /** Calls that come, wait, give up and go; time that passes; settings that change. */
    private static final class Story {
        private final Random random;
        private final FakeTicker ticker;
        private Gate gate;
        private final List<Caller> inFlight = new ArrayList<>();
        private final List<Caller> waiting = new ArrayList<>();
        private final List<Caller> all = new ArrayList<>();
        private int exits;

        Story(Random random) {
            this.random = random;
            ticker = new FakeTicker(random.nextLong());
            gate = Gate.of(settings(random), ticker);
        }

        void play(int turns) {
            for (int i = 0; i < turns; i++) {
                turn();
                look();
            }
            while (!inFlight.isEmpty() || !waiting.isEmpty()) {
                ticker.advance(MILLI * 1000);
                gate.expire();
                sort();
                new ArrayList<>(inFlight).forEach(this::exit);
                sort();
            }
            assertThat(gate.inFlight()).isZero();
            assertThat(gate.figures().waiting()).isZero();
            assertThat(gate.figures().longCalls()).isZero();
            assertThat(gate.figures().pools()).allMatch(pool -> pool.inFlight() == 0 && pool.waiting() == 0);
            assertThat(gate.doubleExits()).isEqualTo(exits);
            assertThat(all).allMatch(caller -> caller.told == (caller.cancelled ? 0 : 1));
        }

        private void turn() {
            switch (random.nextInt(12)) {
                case 0 -> ticker.advance(random.nextInt(200) * MILLI);
                case 1 -> gate.expire();
                case 2 -> giveUp();
                case 3 -> {
                    if (!inFlight.isEmpty()) {
                        gate.markLong(inFlight.get(random.nextInt(inFlight.size())).stamp);
                    }
                }
                case 4 -> {
                    if (random.nextInt(20) == 0) {
                        gate = gate.carriedOver(settings(random));
                    }
                }
                case 5, 6, 7 -> {
                    if (!inFlight.isEmpty()) {
                        exit(inFlight.get(random.nextInt(inFlight.size())));
                    }
                }
                default -> arrive();
            }
            sort();
        }

        private void arrive() {
            int pools = Math.max(1, gate.settings().pools().size());
            Caller caller = new Caller(new GateCall(
                    random.nextInt(pools),
                    random.nextBoolean() ? null : "tenant" + random.nextInt(3),
                    List.of(Criticality.values()).get(random.nextInt(4)),
                    random.nextBoolean() ? GateCall.NO_DEADLINE : ticker.nanos() + random.nextInt(300) * MILLI));
            all.add(caller);
            int room = gate.figures().ceiling() - gate.inFlight();
            boolean judged = gate.judge(caller.call).isEmpty();
            Entry entry = gate.enter(caller.call, caller);
            caller.entry = entry;
            entry.stamp().ifPresent(stamp -> {
                assertThat(room).as("admitted above the ceiling").isPositive();
                assertThat(judged).as("judged and entered differ").isTrue();
                caller.admitted(stamp);
            });
            entry.refusal().ifPresent(caller::refused);
            if (entry instanceof Entry.Parked) {
                waiting.add(caller);
            } else if (caller.stamp != Gate.REFUSED) {
                inFlight.add(caller);
            }
        }

        private void giveUp() {
            if (!waiting.isEmpty()) {
                Caller caller = waiting.get(random.nextInt(waiting.size()));
                assertThat(caller.entry != null && caller.entry.cancel()).isTrue();
                caller.cancelled = true;
                waiting.remove(caller);
            }
        }

        private void exit(Caller caller) {
            inFlight.remove(caller);
            gate.exit(caller.stamp, List.of(Outcome.values()).get(random.nextInt(3)));
            if (random.nextInt(10) == 0) {
                gate.exit(caller.stamp, Outcome.SUCCESS);
                exits++;
            }
        }

        private void sort() {
            for (Caller caller : new ArrayList<>(waiting)) {
                if (caller.told > 0) {
                    waiting.remove(caller);
                    if (caller.stamp != Gate.REFUSED) {
                        inFlight.add(caller);
                    }
                }
            }
        }

        private void look() {
            GateFigures figures = gate.figures();
            assertThat(figures.inFlight()).isEqualTo(inFlight.size());
            assertThat(figures.waiting())
                    .isEqualTo(waiting.size())
                    .isLessThanOrEqualTo(gate.settings().queue().size());
            assertThat(figures.longCalls()).isBetween(0, inFlight.size());
            assertThat(figures.limit()).isBetween(figures.floor(), figures.ceiling());
            assertThat(figures.pools()).allMatch(pool -> pool.inFlight() >= 0 && pool.utilisation() >= 0);
            int guaranteed = figures.pools().stream()
                    .mapToInt(GateFigures.Pool::guaranteed)
                    .sum();
            assertThat(guaranteed).isLessThanOrEqualTo(figures.limit());
        }
    }

    private static GateSettings settings(Random random) {
        int limit = 1 + random.nextInt(12);
        GateSettings settings = GateSettings.of(
                "gate",
                random.nextBoolean()
                        ? ConcurrencyLimit.fixed(limit)
                        : ConcurrencyLimit.gradient(limit, 1, limit + random.nextInt(10)));
        if (random.nextBoolean()) {
            settings = settings.withQueue(
                    new QueueSettings(random.nextInt(6), (1 + random.nextInt(200)) * MILLI, random.nextBoolean()));
        }
        if (random.nextBoolean()) {
            settings = settings.withPools(
                    new PoolSettings("a", 0.5, random.nextBoolean()),
                    new PoolSettings("b", 0.3, random.nextBoolean()),
                    new PoolSettings("c", 0, true));
        }
        if (random.nextBoolean()) {
            settings = settings.withTenantAtMost(0.25);
        }
        if (random.nextBoolean()) {
            settings = settings.withShedding(
                    random.nextBoolean()
                            ? Shedding.thresholds(0.6, 0.8)
                            : new Shedding.Reserve(Map.of(Criticality.CRITICAL, 1)));
        }
        if (random.nextBoolean()) {
            settings = settings.withDegrade(new DegradeStep(0.5, "stale"));
        }
        return settings.withLongCall(Duration.ofSeconds(1 + random.nextInt(30)));
    }
}
