package dev.weir.cli.size;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.DoubleStream;

/**
 * Load tests of a server that is known: so many workers, so long a service. Its knee is where all workers are busy and nobody waits.
 * Measured latencies are off by up to the noise in either direction, rates by a third of that.
 */
final class SimulatedLoadTest {

    private static final double MS_PER_SECOND = 1_000;
    private static final int CALLS = 20_000;

    private final int workers;
    private final double serviceMs;
    private final double noise;
    private final Random random;

    SimulatedLoadTest(int workers, double serviceMs, double noise, long seed) {
        this.workers = workers;
        this.serviceMs = serviceMs;
        this.noise = noise;
        this.random = new Random(seed);
    }

    /** How a test of the server below goes: the loads, as shares of the workers or of the capacity, and what is measured at each. */
    enum Kind {
        CONNECTIONS(0.2, 0.4, 0.6, 0.8, 0.9, 1.1, 1.3, 1.6, 2, 3) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.connections(load, 0);
            }
        },
        DOUBLED_CONNECTIONS(0.07, 0.14, 0.28, 0.56, 1.12, 2.24, 4.48, 8.96) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.connections(load, 0);
            }
        },
        FIVE_POINTS(0.3, 0.6, 0.9, 1.6, 3) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.connections(load, 0);
            }
        },
        RATE_FALLS_BEYOND(0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.connections(load, 0.4);
            }
        },
        FIXED_TIMES_AT_RANDOM(0.2, 0.4, 0.6, 0.8, 0.9, 1.1, 1.3, 1.5) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.open(load, false);
            }
        },
        RANDOM_TIMES_AT_RANDOM(0.2, 0.4, 0.6, 0.8, 0.9, 1.1, 1.3, 1.5) {
            @Override
            LoadPoint run(SimulatedLoadTest test, double load) {
                return test.open(load, true);
            }
        };

        @SuppressWarnings("ImmutableEnumChecker") // nobody changes it
        private final double[] loads;

        Kind(double... loads) {
            this.loads = loads;
        }

        abstract LoadPoint run(SimulatedLoadTest test, double load);
    }

    /** All runs of such a test, in no order. */
    List<LoadPoint> all(Kind kind) {
        return runs(kind, Arrays.stream(kind.loads));
    }

    /** Those runs whose load is from one share to another. */
    List<LoadPoint> runs(Kind kind, double from, double to) {
        return runs(kind, Arrays.stream(kind.loads).filter(load -> load >= from && load <= to));
    }

    private List<LoadPoint> runs(Kind kind, DoubleStream loads) {
        List<LoadPoint> points =
                new ArrayList<>(loads.mapToObj(load -> kind.run(this, load)).toList());
        Collections.shuffle(points, random);
        return points;
    }

    double ratePerSecond() {
        return workers / serviceMs * MS_PER_SECOND;
    }

    /** Each connection sends its next call when the last was answered. */
    private LoadPoint connections(double load, double fallingPower) {
        double inFlight = workers * load;
        double rate = ratePerSecond() * Math.min(load, Math.pow(Math.max(1, load), -fallingPower));
        return measured(rate, inFlight / rate * MS_PER_SECOND);
    }

    /** Calls at random, whatever is answered; each goes to the worker that is free first. */
    private LoadPoint open(double load, boolean randomTimes) {
        PriorityQueue<Double> freeMs = new PriorityQueue<>(Collections.nCopies(workers, 0.0));
        double nowMs = 0;
        double sumMs = 0;
        double endMs = 0;
        for (int call = 0; call < CALLS; call++) {
            nowMs += exponential() * serviceMs / workers / load;
            double doneMs = Math.max(nowMs, freeMs.remove()) + serviceMs * (randomTimes ? exponential() : 1);
            freeMs.add(doneMs);
            sumMs += doneMs - nowMs;
            endMs = Math.max(endMs, doneMs);
        }
        return measured(CALLS / endMs * MS_PER_SECOND, sumMs / CALLS);
    }

    private double exponential() {
        return -Math.log(1 - random.nextDouble());
    }

    private LoadPoint measured(double ratePerSecond, double latencyMs) {
        return new LoadPoint(ratePerSecond * off(noise / 3), latencyMs * off(noise), 0);
    }

    private double off(double most) {
        return 1 + most * (2 * random.nextDouble() - 1);
    }
}
