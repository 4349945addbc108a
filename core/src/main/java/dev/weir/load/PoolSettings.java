package dev.weir.load;

/**
 * A part of a gate.
 *
 * @param name unique in its gate
 * @param guarantee the share of the limit that is this pool's when it wants it, 0 to 1
 * @param borrow whether it takes slots that others do not use, and lends its own; if not, its guarantee is a wall on both sides
 */
public record PoolSettings(String name, double guarantee, boolean borrow) {

    public PoolSettings {
        if (!(guarantee >= 0 && guarantee <= 1)) {
            throw new IllegalArgumentException(
                    "guarantee of pool " + name + " is " + guarantee + ", it must be 0 to 1");
        }
    }

    /** A pool that borrows and lends. */
    public static PoolSettings of(String name, double guarantee) {
        return new PoolSettings(name, guarantee, true);
    }
}
