package dev.weir.bench;

import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/**
 * The heap that a table of keys takes as it fills: used heap after a collection, less what was used without the table, for each key held.
 * Prints a Markdown table for each cap given, one million and ten million if none is.
 *
 * <p>Keys are made of a counter, so that nothing but the table is counted. All are charged once and stay, since nothing comes back while it
 * runs.
 */
public final class BytesPerKey {
    private static final int[] PERCENTS = {50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 150};

    private BytesPerKey() {}

    public static void main(String... caps) {
        for (String cap : caps.length == 0 ? new String[] {"1000000", "10000000"} : caps) {
            measure(Integer.parseInt(cap), System.out);
        }
    }

    /** Fills a table of that cap, to half as much again, and tells of it. Answers the most bytes a key that were seen. */
    static double measure(int cap, PrintStream out) {
        RateLimit rate = RateLimit.of(10, Duration.ofHours(1));
        long before = usedHeap();
        RateTable table = RateTable.of(Algorithm.TOKEN_BUCKET, cap);
        int tier = table.tier(rate, 0);
        out.printf("| offered of %,d | keys held | evictions | heap MB | bytes a key | ns a newcomer |%n", cap);
        out.println("| --- | --- | --- | --- | --- | --- |");
        double most = 0;
        long offered = 0;
        for (int percent : PERCENTS) {
            long started = System.nanoTime();
            long from = offered;
            for (; offered < (long) cap * percent / 100; offered++) {
                table.charge(mixed(offered), tier, 0, 1, null);
            }
            long took = System.nanoTime() - started;
            long bytes = usedHeap() - before;
            double perKey = (double) bytes / table.keys();
            most = Math.max(most, perKey);
            out.printf(
                    Locale.ROOT,
                    "| %d %% | %,d | %,d | %.1f | %.1f | %.0f |%n",
                    percent,
                    table.keys(),
                    table.evictions(),
                    bytes / 1e6,
                    perKey,
                    (double) took / Math.max(1, offered - from));
        }
        return most;
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Stafford's mix 13: a different, well spread number for each counter. */
    private static long mixed(long counter) {
        long z = counter + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
