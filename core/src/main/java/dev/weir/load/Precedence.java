package dev.weir.load;

/**
 * How many slots of a pool sheddable calls leave free beyond what their thresholds say, since calls that are never shed found none. Guarded by
 * the gate's lock.
 *
 * <p>How it is designed, and why: how much must be kept free for important calls depends on how many of them come at once, which nobody knows
 * who writes a threshold; of eight slots a fifth is hardly one. So thresholds are what is kept at least, and a count of what was lost
 * corrects them: each important call that found no slot keeps a quarter of one more, and each that found one lets go of so little that one
 * lost in two hundred is where it rests. What is kept is forgotten within a minute or so when nobody comes. It moves with the gate's ticks alone, so that a single
 * full moment changes nothing at once.
 */
final class Precedence {

    private static final double KEPT_FOR_ONE_LOST = 0.25;
    private static final double LOST_AT_REST = 0.005;
    private static final double FORGOTTEN_PER_SECOND = 0.02;

    private double slots;
    private long found;
    private long lost;

    /** A call that is never shed found a slot. */
    void found() {
        found++;
    }

    /** A call that is never shed was refused for want of one. */
    void lost() {
        lost++;
    }

    /** Takes up what happened in the time since the last look; no more than {@code most} slots are kept. */
    void look(double seconds, int most) {
        double kept = slots * Math.max(0, 1 - FORGOTTEN_PER_SECOND * seconds);
        slots = Math.max(0, Math.min(most, kept + KEPT_FOR_ONE_LOST * (lost - LOST_AT_REST * (lost + found))));
        found = 0;
        lost = 0;
    }

    /** Slots to leave free, whole ones. */
    int slots() {
        return (int) slots;
    }
}
