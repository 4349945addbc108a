package dev.weir.sim;

/** What is counted of a dependency, second by second. */
final class DependencyMeters {

    private final Meters meters;
    final long[] calls;
    final long[] sends;
    final long[] refusedThere;
    final long[] refusedOutbound;
    /** The most sends in a rolling second that ended in this second. */
    final long[] busiest;

    private final Level inFlight;

    DependencyMeters(Meters meters, VirtualTime time, int seconds) {
        this.meters = meters;
        this.calls = new long[seconds];
        this.sends = new long[seconds];
        this.refusedThere = new long[seconds];
        this.refusedOutbound = new long[seconds];
        this.busiest = new long[seconds];
        this.inFlight = new Level(time, seconds);
    }

    Level inFlight() {
        return inFlight;
    }

    void called() {
        meters.count(calls);
    }

    void refusedOutbound() {
        meters.count(refusedOutbound);
    }

    void sent(int inLastSecond, boolean refused) {
        meters.count(sends);
        if (refused) {
            meters.count(refusedThere);
        }
        int second = meters.second();
        if (second < busiest.length) {
            busiest[second] = Math.max(busiest[second], inLastSecond);
        }
    }
}
