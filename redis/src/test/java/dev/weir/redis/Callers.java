package dev.weir.redis;

import dev.weir.rate.Charged;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/** Many callers, each of whom asks again as soon as it was answered, and what they were told. */
final class Callers implements AutoCloseable {

    static final int MANY = 64;

    private final IntFunction<Charged> call;
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore answers = new Semaphore(0);
    private final Semaphore grants = new Semaphore(0);
    private final Map<Charged.Cause, Long> causes = new EnumMap<>(Charged.Cause.class);
    private final LongStream.Builder nanos = LongStream.builder();
    private long granted;
    private long refused;
    private long unsure;
    private volatile boolean stopped;

    /**
     * What all were told.
     *
     * @param granted how many calls were granted
     * @param refused how many were refused
     * @param unsure how many were not answered by the store and may have been charged all the same
     * @param causes why the store did not answer
     * @param halfMillis how long half of the answers took at most
     * @param lateMillis how long 99 in a hundred took at most
     * @param lastMillis how long the longest took
     */
    record Told(
            long granted,
            long refused,
            long unsure,
            Map<Charged.Cause, Long> causes,
            double halfMillis,
            double lateMillis,
            double lastMillis) {

        @Override
        public String toString() {
            return String.format(
                    "%d granted, %d refused, %d unsure, %s; p50 %.2f ms, p99 %.2f ms, longest %.1f ms",
                    granted, refused, unsure, causes, halfMillis, lateMillis, lastMillis);
        }
    }

    /** Starts them; a call is made by the number of its caller. */
    Callers(IntFunction<Charged> call) {
        this.call = call;
        for (int i = 0; i < MANY; i++) {
            int number = i;
            Thread thread = new Thread(() -> ask(number));
            threads.add(thread);
            thread.start();
        }
    }

    private void ask(int number) {
        while (!stopped) {
            long before = System.nanoTime();
            Charged charged = call.apply(number);
            told(charged, System.nanoTime() - before);
            if (charged instanceof Charged.Unavailable) {
                Thread.onSpinWait();
            }
        }
    }

    private synchronized void told(Charged charged, long took) {
        nanos.add(took);
        if (charged instanceof Charged.Granted) {
            granted++;
            grants.release();
        } else if (charged instanceof Charged.Refused) {
            refused++;
        } else if (charged instanceof Charged.Unavailable none) {
            unsure += none.mayHaveCharged() ? 1 : 0;
            causes.merge(none.cause(), 1L, Long::sum);
        }
        answers.release();
    }

    /** Returns once each has been answered so often again, on average. */
    void untilAnswered(int each) {
        answers.drainPermits();
        answers.acquireUninterruptibly(each * MANY);
    }

    /** Returns once each has been granted so often again, on average. */
    void untilGranted(int each) {
        grants.drainPermits();
        grants.acquireUninterruptibly(each * MANY);
    }

    /** Has them end, and answers what they were told. */
    Told stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
        synchronized (this) {
            long[] sorted = nanos.build().sorted().toArray();
            return new Told(
                    granted,
                    refused,
                    unsure,
                    Map.copyOf(causes),
                    millis(sorted, 0.5),
                    millis(sorted, 0.99),
                    millis(sorted, 1));
        }
    }

    private static double millis(long[] sortedNanos, double share) {
        return sortedNanos[(int) (share * (sortedNanos.length - 1))] / 1e6;
    }

    @Override
    public void close() {
        stopped = true;
    }
}
