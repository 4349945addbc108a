package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Does something later, without a thread that waits for it. Thread safe. */
@FunctionalInterface
public interface Delay {

    /** Runs the task once, not before that many nanoseconds have passed. The task is quick and does not throw. */
    void after(long nanos, Runnable task);

    /** The JDK's own: one daemon thread for all. */
    static Delay system() {
        return (nanos, task) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(task);
    }
}
