package dev.weir.sim;

/**
 * Calls a second over one step of time.
 *
 * @param from at its beginning
 * @param to at its end, reached in a straight line
 */
record Rate(double from, double to) {

    static double at(Steps<Rate> steps, long nanos) {
        Rate rate = steps.at(nanos);
        return rate.from + (rate.to - rate.from) * steps.progress(nanos);
    }
}
