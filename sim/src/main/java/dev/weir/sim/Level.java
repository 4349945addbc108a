package dev.weir.sim;

/** A number that goes up and down, and its mean over each second. */
final class Level {

    private final VirtualTime time;
    private final double[] areaBySecond;
    private long sinceNanos;
    private int now;

    Level(VirtualTime time, int seconds) {
        this.time = time;
        this.areaBySecond = new double[seconds];
    }

    void add(int change) {
        settle();
        now += change;
    }

    int now() {
        return now;
    }

    private void settle() {
        long until = time.nanos();
        while (sinceNanos < until) {
            int second = (int) (sinceNanos / Meters.SECOND);
            long end = Math.min(until, (second + 1) * Meters.SECOND);
            if (second < areaBySecond.length) {
                areaBySecond[second] += (double) now * (end - sinceNanos) / Meters.SECOND;
            }
            sinceNanos = end;
        }
    }

    /** The mean of each second that has passed. */
    double[] bySecond() {
        settle();
        return areaBySecond.clone();
    }
}
