package dev.weir.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.StoreFailure;
import dev.weir.rate.Algorithm;
import dev.weir.rate.FleetCharge;
import dev.weir.rate.MemoryStore;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateStore;
import dev.weir.rate.Seeds;
import dev.weir.rate.StoreKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What many instances grant together, in virtual time, whatever becomes of the line to their store and of themselves. */
class SharedBudgetTest {

    private static final long SECOND = 1_000_000_000L;
    private static final StoreKey KEY = new StoreKey(4, 2);

    /** A grant of units at one time. */
    private record Granted(long nanos, long units) {}

    /** Instances that all count one key. */
    private static final class World {
        final VirtualTime time = new VirtualTime();
        final MemoryStore store = new MemoryStore(time.ticker);
        final Random random;
        final RateLimit limit;
        final StoreFailure onFailure;
        final boolean leases;
        final List<FarStore> lines = new ArrayList<>();
        final List<Fleet> fleets = new ArrayList<>();
        final List<Granted> granted = new ArrayList<>();
        long asked;
        long refused;
        int born;

        World(Random random, RateLimit limit, StoreFailure onFailure, int instances, boolean leases) {
            this.random = random;
            this.limit = limit;
            this.onFailure = onFailure;
            this.leases = leases;
            for (int i = 0; i < instances; i++) {
                FarStore line = line();
                lines.add(line);
                fleets.add(fleet(line, instances));
            }
        }

        Fleet fleet(RateStore line, int instances) {
            Fleet fleet = new Fleet(line, time.ticker, time.ticker, new FleetListener() {});
            fleet.configure(leases, instances);
            return fleet;
        }

        FarStore line() {
            return new FarStore(store.instance("i" + born++), time, random);
        }

        /** An instance dies with all it holds, and another one comes. */
        void crash(int i) {
            FarStore line = line();
            line.cut = lines.get(i).cut;
            line.lost = lines.get(i).lost;
            lines.set(i, line);
            fleets.set(i, fleet(line, fleets.size()));
        }

        void call(int i, long cost, double givenBack) {
            asked++;
            fleets.get(i)
                    .charge(List.of(new FleetLine(
                            new FleetCharge("limit", KEY, new FleetCharge.Rate(limit), cost, true), onFailure, 1_000)))
                    .thenAccept(answer -> {
                        if (answer.grant().isEmpty()) {
                            refused++;
                        } else if (random.nextDouble() < givenBack) {
                            time.after(
                                    random.nextLong(3_000_000L), answer.grant().get()::giveBack);
                        } else {
                            granted.add(new Granted(time.ticker.nanos(), cost));
                            answer.grant().get().end();
                        }
                    });
        }

        /** Calls of one instance, at random times, so many a second. */
        void calls(int i, double perSecond, long dearest, double givenBack) {
            long gap = (long) (-Math.log(1 - random.nextDouble()) * SECOND / perSecond);
            time.after(gap, () -> {
                call(i, 1 + random.nextLong(dearest), givenBack);
                calls(i, perSecond, dearest, givenBack);
            });
        }

        /** The most by which the grants of any stretch of time exceed what the rate brings in it, in units times the period. */
        BigInteger mostAbove() {
            BigInteger period = BigInteger.valueOf(limit.periodNanos());
            BigInteger count = BigInteger.valueOf(limit.count());
            BigInteger level = BigInteger.ZERO;
            BigInteger most = BigInteger.ZERO;
            long last = granted.isEmpty() ? 0 : granted.get(0).nanos();
            for (Granted each : granted) {
                level = level.subtract(count.multiply(BigInteger.valueOf(each.nanos() - last)))
                        .max(BigInteger.ZERO)
                        .add(period.multiply(BigInteger.valueOf(each.units())));
                most = most.max(level);
                last = each.nanos();
            }
            return most;
        }

        BigInteger bound(long lifeNanos) {
            return BigInteger.valueOf(limit.capacity())
                    .multiply(BigInteger.valueOf(limit.periodNanos()))
                    .add(BigInteger.valueOf(limit.count()).multiply(BigInteger.valueOf(lifeNanos)));
        }

        long bills() {
            return lines.stream().mapToLong(line -> line.bills).sum();
        }
    }

    private static RateLimit randomBucket(Random random) {
        long count = 5L + random.nextInt(2_000);
        return RateLimit.parse(count + "/s").burst(1 + random.nextLong(2 * count));
    }

    @Test
    void noMoreThanTheBoundWhateverHappens() {
        long seed = Seeds.next("SharedBudgetTest.noMoreThanTheBoundWhateverHappens");
        for (int round = 0; round < 40 * Seeds.DEPTH; round++) {
            Random random = new Random(seed + round);
            RateLimit limit = randomBucket(random);
            int instances = 1 + random.nextInt(20);
            World world = new World(random, limit, StoreFailure.CLOSED, instances, random.nextInt(4) > 0);
            double lost = random.nextInt(3) == 0 ? 0.05 : 0;
            long dearest = 1 + random.nextLong(Math.min(5, limit.capacity()));
            for (int i = 0; i < instances; i++) {
                world.lines.get(i).lost = lost;
                world.calls(i, (0.2 + 2 * random.nextDouble()) * limit.count() / instances, dearest, 0.1);
            }
            for (int step = 0; step < 15; step++) {
                world.time.run(random.nextLong(300_000_000L));
                int one = random.nextInt(instances);
                switch (random.nextInt(3)) {
                    case 0 -> world.lines.get(one).cut = !world.lines.get(one).cut;
                    case 1 -> world.crash(one);
                    default -> {}
                }
            }
            assertThat(world.granted).isNotEmpty();
            // answers are on their way for the budget at most, and a lease lies for its life
            assertThat(world.mostAbove())
                    .as("seed %d round %d: %s, %d instances", seed, round, limit, instances)
                    .isLessThanOrEqualTo(world.bound(LeaseTerms.MAX_LIFE_NANOS));
        }
    }

    /** Rates so slow and bursts so large that a unit which lay too long shows. */
    @Test
    void whatWasTakenInAdvanceIsNotSpentAfterItsLife() {
        long seed = Seeds.next("SharedBudgetTest.notSpentAfterItsLife");
        Random random = new Random(seed);
        World world = new World(random, RateLimit.parse("10/s").burst(1_600), StoreFailure.CLOSED, 4, true);
        for (int round = 0; round < 10; round++) {
            for (int call = 0; call < 400; call++) {
                world.call(random.nextInt(4), 1, 0.2);
                world.time.run(500_000L);
            }
            world.time.run(200 * SECOND); // full again
            for (int call = 0; call < 2_000; call++) {
                world.call(random.nextInt(4), 1, 0.2);
                world.time.run(10_000L);
            }
            world.time.run(200 * SECOND);
        }
        assertThat(world.fleets.get(0).figures().leases().get("limit").dropped())
                .isPositive();
        assertThat(world.mostAbove()).isLessThanOrEqualTo(world.bound(LeaseTerms.MAX_LIFE_NANOS));
        assertThat(world.mostAbove()).isGreaterThan(world.bound(-20 * SECOND));
    }

    @Test
    void withoutLeasesOnlyAnswersUnderWayAreAboveTheBucket() {
        long seed = Seeds.next("SharedBudgetTest.withoutLeases");
        Random random = new Random(seed);
        World world = new World(random, RateLimit.parse("500/s").burst(50), StoreFailure.CLOSED, 8, false);
        for (int i = 0; i < 8; i++) {
            world.calls(i, 150, 1, 0);
        }
        world.time.run(10 * SECOND);
        assertThat(world.mostAbove()).isLessThanOrEqualTo(world.bound(FarStore.BUDGET_NANOS));
        assertThat(world.granted.size()).isBetween(5_000, 5_050);
    }

    @Test
    void leasesSaveTripsAndRefuseNobodyUnderTheRate() {
        long seed = Seeds.next("SharedBudgetTest.leasesSaveTrips");
        Random random = new Random(seed);
        World world = new World(random, RateLimit.parse("10000/s"), StoreFailure.CLOSED, 4, true);
        for (int i = 0; i < 4; i++) {
            world.calls(i, 1_500, 1, 0);
        }
        world.time.run(5 * SECOND);
        assertThat(world.refused).isZero();
        assertThat(world.asked).isGreaterThan(25_000);
        assertThat(world.bills()).as("trips for %d calls", world.asked).isLessThan(world.asked / 10);
    }

    /** The table of docs/scale.md: how many questions a hundred calls cost. */
    @ParameterizedTest
    @CsvSource({
        "    4,  10000,  60, 10",
        "    4,  10000, 300, 95",
        "  100,  10000,  60, 75",
        "  100, 100000,  60, 15",
        " 1000, 100000,  60, 75",
    })
    void whatLeasesSave(int instances, long ratePerSecond, int demandPercent, int atMostInAHundred) {
        long seed = Seeds.next("SharedBudgetTest.whatLeasesSave");
        Random random = new Random(seed);
        World world = new World(random, RateLimit.parse(ratePerSecond + "/s"), StoreFailure.CLOSED, instances, true);
        for (int i = 0; i < instances; i++) {
            world.calls(i, ratePerSecond * (demandPercent / 100.0) / instances, 1, 0);
        }
        world.time.run(SECOND);
        long inAHundred = 100 * world.bills() / world.asked;
        System.out.printf(
                "%d instances, %d/s, demand %d %%: %d calls, %d questions (%d in a hundred), %d refused%n",
                instances, ratePerSecond, demandPercent, world.asked, world.bills(), inAHundred, world.refused);
        assertThat(inAHundred).isLessThanOrEqualTo(atMostInAHundred);
        assertThat(world.mostAbove()).isLessThanOrEqualTo(world.bound(LeaseTerms.MAX_LIFE_NANOS));
        assertThat(demandPercent > 100 || world.refused == 0).isTrue();
    }

    /** A thousand instances, of which every tenth of a second others are cut off from the store and some die: with leases and without. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThousandInstances(boolean leases) {
        long seed = Seeds.next("SharedBudgetTest.aThousandInstances");
        Random random = new Random(seed);
        RateLimit limit = RateLimit.parse("100000/s").burst(30_000);
        World world = new World(random, limit, StoreFailure.CLOSED, 1_000, leases);
        for (int i = 0; i < 1_000; i++) {
            world.calls(i, 150, 1, 0.05);
        }
        for (int step = 0; step < 12; step++) {
            world.time.run(SECOND / 10);
            for (int i = 0; i < 1_000; i++) {
                world.lines.get(i).cut = random.nextInt(5) == 0;
            }
            for (int i = 0; i < 20; i++) {
                world.crash(random.nextInt(1_000));
            }
        }
        BigInteger above = world.mostAbove().divide(BigInteger.valueOf(limit.periodNanos()));
        System.out.printf(
                "1000 instances, %s, leases %b: %d calls, %d questions (%d in a hundred), %d refused, at most %d above the rate%n",
                limit, leases, world.asked, world.bills(), 100 * world.bills() / world.asked, world.refused, above);
        long life = leases ? LeaseTerms.MAX_LIFE_NANOS : FarStore.BUDGET_NANOS;
        assertThat(world.mostAbove()).isLessThanOrEqualTo(world.bound(life));
        assertThat(world.granted).hasSizeGreaterThan(50_000);
    }

    @Test
    void aRefusedKeyIsRefusedFromMemory() {
        long seed = Seeds.next("SharedBudgetTest.refusedFromMemory");
        Random random = new Random(seed);
        World world = new World(random, RateLimit.parse("2/s").burst(5), StoreFailure.OPEN, 3, true);
        for (int i = 0; i < 3; i++) {
            world.calls(i, 1_000, 1, 0);
        }
        world.time.run(10 * SECOND);
        assertThat(world.granted.size()).isBetween(24, 26);
        // every 500 ms a unit comes, for which each instance may ask, and calls ask until the first answer is there
        assertThat(world.bills()).as("trips for %d calls", world.asked).isLessThan(500);
    }

    @Test
    void cutOffInstancesGrantTheirShares() {
        long seed = Seeds.next("SharedBudgetTest.shares");
        Random random = new Random(seed);
        RateLimit limit = RateLimit.parse("100/s").burst(30);
        World world = new World(random, limit, StoreFailure.LOCAL, 7, true);
        world.lines.forEach(line -> line.cut = true);
        for (int i = 0; i < 7; i++) {
            world.calls(i, 100, 1, 0.1);
        }
        world.time.run(20 * SECOND);
        assertThat(world.mostAbove())
                .isLessThanOrEqualTo(BigInteger.valueOf(7 * 5).multiply(BigInteger.valueOf(SECOND)));
        assertThat(world.granted.size()).isBetween(1_900, 2_035);
    }

    /** What a store hears after an outage is what it would have counted: exactly, when it was idle and one instance was cut off. */
    @Test
    void recoveryTellsTheStoreWhatWasGrantedOnce() {
        long seed = Seeds.next("SharedBudgetTest.recovery");
        for (int round = 0; round < 200 * Seeds.DEPTH; round++) {
            Random random = new Random(seed + round);
            RateLimit limit = randomLimit(random);
            World world = new World(random, limit, StoreFailure.OPEN, 1, false);
            MemoryStore undisturbed = new MemoryStore(world.time.ticker);
            Fleet allTheTime = world.fleet(undisturbed.instance("x"), 1);
            world.lines.get(0).cut = true;
            int calls = 1 + random.nextInt((int) limit.capacity());
            for (int i = 0; i < calls; i++) {
                FleetCharge charge = charge(limit, 1);
                if (allTheTime
                        .charge(List.of(new FleetLine(charge, StoreFailure.OPEN, 9)))
                        .toCompletableFuture()
                        .join()
                        .grant()
                        .isPresent()) {
                    world.call(0, 1, 0);
                }
                world.time.run(1 + random.nextLong(limit.periodNanos() / 40));
            }
            world.lines.get(0).cut = false;
            world.time.run(Fleet.PROBE_EVERY_NANOS);
            FleetCharge touch = charge(limit, 0);
            world.fleets.get(0).charge(List.of(new FleetLine(touch, StoreFailure.OPEN, 9)));
            world.time.run(20_000_000L);
            assertThat(world.fleets.get(0).figures().away()).isFalse();
            assertThat(world.fleets.get(0).figures().lostUnits()).isZero();
            assertThat(remaining(world.store, limit, "late"))
                    .as("seed %d round %d: %s after %d calls", seed, round, limit, calls)
                    .isBetween(remaining(undisturbed, limit, "late") - 1, remaining(undisturbed, limit, "late"));
        }
    }

    private static RateLimit randomLimit(Random random) {
        RateLimit limit = RateLimit.parse((1 + random.nextInt(40)) + "/" + (1 + random.nextInt(9)) + "s");
        return switch (random.nextInt(4)) {
            case 0 -> limit.algorithm(Algorithm.FIXED_WINDOW);
            case 1 -> limit.algorithm(Algorithm.SLIDING_WINDOW);
            case 2 -> limit.algorithm(Algorithm.SLIDING_LOG);
            default -> limit;
        };
    }

    private static FleetCharge charge(RateLimit limit, long cost) {
        return new FleetCharge("limit", KEY, new FleetCharge.Rate(limit), cost, true);
    }

    private static long remaining(MemoryStore store, RateLimit limit, String as) {
        try (var instance = store.instance(as)) {
            return instance.peek(List.of(charge(limit, 1)))
                    .toCompletableFuture()
                    .join()
                    .orElseThrow()
                    .get(0)
                    .standing()
                    .remaining();
        }
    }
}
