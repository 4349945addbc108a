package dev.weir.sim;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a scenario demands of the product.
 *
 * @param goodput at least this share of what could be answered in time
 * @param p99Ratio p99 at most this many times that of an idle server
 * @param limitToKnee the limit at the end, in knees
 * @param settledWithin at most so many seconds
 * @param falseShed at most this share of all sends refused while there was room
 * @param goodputOfNone at least this share of the answers in time that come without any limit
 * @param limitGrowth the limit at the end at most this many times that of a given second
 * @param limitAt the limit in a second, in knees
 * @param noneFails whether without a limit the goodput must be missed, else the scenario shows nothing
 * @param served by criticality or client: at least this share of its calls answered in time
 * @param busiestSecond at most so many sends to the dependency in any rolling second
 * @param sendsPerCall sends to the dependency, for each call that needed it
 * @param gateRefuses whether the gate may refuse anybody
 * @param goodputIn by phase: at least this share of what could be answered in time
 */
record Must(
        OptionalDouble goodput,
        OptionalDouble p99Ratio,
        Optional<Range> limitToKnee,
        OptionalInt settledWithin,
        OptionalDouble falseShed,
        OptionalDouble goodputOfNone,
        Optional<Growth> limitGrowth,
        Map<Integer, Range> limitAt,
        boolean noneFails,
        Map<String, Double> served,
        OptionalInt busiestSecond,
        Optional<Range> sendsPerCall,
        boolean gateRefuses,
        Map<String, Double> goodputIn) {

    /** From least to most. */
    record Range(double least, double most) {}

    /** How much the limit may grow since a second. */
    record Growth(double times, int sinceSecond) {}
}
