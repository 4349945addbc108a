package dev.weir.load;

import java.util.List;
import java.util.Map;

/**
 * A gate at one moment.
 *
 * @param limit in force
 * @param floor the lowest it may become
 * @param ceiling the highest it may become
 * @param inFlight calls that hold a slot, long ones included
 * @param longCalls those that are long
 * @param waiting calls in the queue
 * @param utilisation the share of the limit that is not free, from 0: short calls hold it, or long ones for which the ceiling left no other
 *     slots; above 1 when the limit was lowered below what is in flight
 * @param baseNanos the latency that counts as normal, 0 before it is known
 * @param pools its parts; one without a name for a gate without parts
 * @param refusals by pool, criticality and reason, those that happened
 * @param moves how many windows moved the limit, or left it, for each reason that occurred
 * @param lastMoves the last changes of the limit, oldest first
 * @param atFloorNanos how long the limit has been at its floor, altogether
 * @param atCeilingNanos how long it has been at its ceiling
 * @param oldestNanos how long the oldest call has held its slot; 0 when there is none
 * @param doubleExits exits of calls that had exited already
 * @param waiterErrors waiters that threw when they were told
 * @param waits how long those waited that were admitted from the queue
 * @param degrade the modes in force
 * @param signals those that its settings name, its own and others', in their order
 */
public record GateFigures(
        int limit,
        int floor,
        int ceiling,
        int inFlight,
        int longCalls,
        int waiting,
        double utilisation,
        double baseNanos,
        List<Pool> pools,
        List<Refused> refusals,
        Map<MoveReason, Long> moves,
        List<LimitMove> lastMoves,
        long atFloorNanos,
        long atCeilingNanos,
        long oldestNanos,
        long doubleExits,
        long waiterErrors,
        Waits waits,
        List<String> degrade,
        List<Signal> signals) {

    /**
     * A part of the gate.
     *
     * @param name empty for a gate without parts
     * @param guaranteed slots
     * @param inFlight calls of it that count for the limit
     * @param waiting calls of it in the queue
     * @param utilisation the share that it has taken, its long calls as above, of the slots it can have; 1 when it can have none
     * @param claims whether freed slots go to it first
     */
    public record Pool(String name, int guaranteed, int inFlight, int waiting, double utilisation, boolean claims) {}

    /** How many calls of a pool and a criticality were refused for a reason. */
    public record Refused(String pool, Criticality criticality, GateReason reason, long count) {}

    /**
     * How long calls waited before they were admitted.
     *
     * @param count of them
     * @param totalNanos of them all
     * @param longestNanos of one
     */
    public record Waits(long count, long totalNanos, long longestNanos) {}

    /**
     * A signal that the gate listens to.
     *
     * @param name by which the settings name it
     * @param value at present, in the signal's own unit; not a number when it is not known, as when nobody provides the signal
     * @param threshold in the same unit
     * @param above whether it is above its threshold, so that all who are shed early are refused
     */
    public record Signal(String name, double value, double threshold, boolean above) {}
}
