package dev.weir.load;

/**
 * A signal and the value above which the gate counts as full for all who are shed early.
 *
 * @param signal the signal's name
 * @param threshold in the signal's own unit
 */
public record SignalThreshold(String signal, double threshold) {

    public SignalThreshold {
        if (!(threshold >= 0)) {
            throw new IllegalArgumentException(
                    "threshold of signal " + signal + " is " + threshold + ", it cannot be below 0");
        }
    }
}
