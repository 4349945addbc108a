package dev.weir.gateway;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes true in another thread, up to a deadline that only a failure reaches. */
final class Eventually {

    static final Duration DEADLINE = Duration.ofSeconds(60);

    private Eventually() {}

    static void holds(String what, Callable<Boolean> condition) {
        long start = System.nanoTime();
        while (!isTrue(condition)) {
            if (System.nanoTime() - start > DEADLINE.toNanos()) {
                throw new AssertionError("still not so after " + DEADLINE.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isTrue(Callable<Boolean> condition) {
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
