package dev.weir.redis;

import java.util.Random;

/** Where random sequences start: anew in each run, or at {@code -Dseed=N}. */
final class Seeds {

    /** How much harder a deep run tries. */
    static final int DEPTH = Boolean.getBoolean("weir.deep") ? 20 : 1;

    private Seeds() {}

    /** A seed that was printed. */
    static long next(String test) {
        String given = System.getProperty("weir.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println(test + ": -Dseed=" + seed);
        return seed;
    }
}
