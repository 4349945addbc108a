package dev.weir.load;

/**
 * A way to serve cheaper while the gate is busy.
 *
 * @param above the share of the slots in use, averaged over a second, from which on it is in force
 * @param mode what is to be done; the gate only passes the word on
 */
public record DegradeStep(double above, String mode) {

    public DegradeStep {
        if (!(above > 0 && above < 1)) {
            throw new IllegalArgumentException(
                    "degrade to " + mode + " above " + above + ": it must be between 0 and 1");
        }
    }
}
