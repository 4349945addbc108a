package dev.weir.sim;

import java.util.Optional;

/**
 * What one instance can do: a number of workers that take calls first come, first served.
 *
 * @param workers how many, each with one call at a time
 * @param service how long a call keeps its worker
 * @param delayNanos what comes on top and keeps no worker, such as a dependency
 * @param contention by how much of itself a call takes longer for each other one in the server beyond its workers
 * @param pauses when the whole instance stands still
 */
record ServerSettings(
        Steps<Integer> workers,
        Steps<ServiceTime> service,
        Steps<Long> delayNanos,
        double contention,
        Optional<Pauses> pauses) {

    /** Standing still, again and again, the first time after one interval. */
    record Pauses(long everyNanos, long lastNanos) {}

    /** Calls a second when every worker is busy. */
    double capacity(long nanos) {
        return workers.at(nanos) * 1e9 / service.at(nanos).meanNanos();
    }

    /** Calls in flight from which on more of them do not raise the throughput. */
    double knee(long nanos) {
        return capacity(nanos) * (service.at(nanos).meanNanos() + delayNanos.at(nanos)) / 1e9;
    }
}
