package dev.weir.rate;

import java.util.Random;

/** Where random sequences start: anew in each run, or at {@code -Dseed=N}. */
public final class Seeds {

    /** How much harder a deep run tries. */
    public static final int DEPTH = Boolean.getBoolean("weir.deep") ? 20 : 1;

    private Seeds() {}

    /** A seed that was printed. */
    public static long next(String test) {
        String given = System.getProperty("weir.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println(test + ": -Dseed=" + seed);
        return seed;
    }
}
