package dev.weir.cli.size;

/** The queue with one line and many workers, calls at random and service times at random (M/M/c). Formula: Erlang, 1917. */
final class MultiServerQueue {

    private MultiServerQueue() {}

    /**
     * How much longer than a lone call a call takes on average: 1 when nobody waits.
     *
     * @param workers how many calls are served at once, at least 1
     * @param load the share of the capacity that is used, from 0 to below 1
     */
    static double slowdown(int workers, double load) {
        double offered = workers * load;
        double blocked = 1;
        for (int worker = 1; worker <= workers; worker++) {
            blocked = offered * blocked / (worker + offered * blocked);
        }
        double waits = blocked / (1 - load + load * blocked);
        return 1 + waits / (workers * (1 - load));
    }
}
