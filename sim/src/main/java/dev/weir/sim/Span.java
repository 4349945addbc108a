package dev.weir.sim;

/**
 * A stretch of a run, in whole seconds.
 *
 * @param from the first second
 * @param to the first second after it
 */
record Span(int from, int to) {

    long sum(long[] bySecond) {
        long sum = 0;
        for (int second = from; second < to; second++) {
            sum += bySecond[second];
        }
        return sum;
    }

    double sum(double[] bySecond) {
        double sum = 0;
        for (int second = from; second < to; second++) {
            sum += bySecond[second];
        }
        return sum;
    }

    double mean(double[] bySecond) {
        return sum(bySecond) / length();
    }

    double mean(long[] bySecond) {
        return (double) sum(bySecond) / length();
    }

    long most(long[] bySecond) {
        long most = 0;
        for (int second = from; second < to; second++) {
            most = Math.max(most, bySecond[second]);
        }
        return most;
    }

    int length() {
        return to - from;
    }

    @Override
    public String toString() {
        return from + "s..." + to + "s";
    }
}
