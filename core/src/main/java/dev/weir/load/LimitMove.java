package dev.weir.load;

import java.util.OptionalDouble;

/**
 * One change of a limit and what it was decided on.
 *
 * @param atNanos when, on the gate's ticker
 * @param from the limit before, with its fraction
 * @param to the limit since
 * @param reason why
 * @param inFlight the mean number in flight over the window (N)
 * @param throughput completions a second (X)
 * @param latencyNanos mean latency (L)
 * @param baseNanos the latency that counts as normal
 * @param elasticity of throughput against calls in flight, where an experiment measured it (e): near 0, calls wait for each other
 */
public record LimitMove(
        long atNanos,
        double from,
        double to,
        MoveReason reason,
        double inFlight,
        double throughput,
        double latencyNanos,
        double baseNanos,
        OptionalDouble elasticity) {}
