package dev.weir.bench;

import dev.weir.rate.Algorithm;
import dev.weir.rate.RateLimit;
import dev.weir.rate.RateTable;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/**
 * The heap that a table of keys takes: used heap after a collection, less what was used without the table, for each key held. Looks at every
 * hundredth of the cap and prints the worst since the row before, so that no growth is missed. Prints a Markdown table for each cap given,
 * one million and ten million if none is.
 *
 * <p>Keys come and stay until the cap is reached; then half of them are whole again, and newcomers take their room; then there is no room
 * left and more come. Keys are made of a counter, so that nothing but the table is counted.
 */
public final class BytesPerKey {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final RateTable table;
    private final int tier;
    private final int cap;
    private final PrintStream out;
    private final long heapBefore;
    private long offered;

    private BytesPerKey(int cap, PrintStream out) {
        heapBefore = usedHeap();
        table = RateTable.of(Algorithm.TOKEN_BUCKET, cap);
        tier = table.tier(RateLimit.of(1, Duration.ofHours(1)).burst(100), 0);
        this.cap = cap;
        this.out = out;
    }

    public static void main(String... caps) {
        for (String cap : caps.length == 0 ? new String[] {"1000000", "10000000"} : caps) {
            new BytesPerKey(Integer.parseInt(cap), System.out).measure();
        }
    }

    /** Fills a table of that cap and tells of it. */
    static void measure(int cap, PrintStream out) {
        new BytesPerKey(cap, out).measure();
    }

    private void measure() {
        out.printf(
                "| offered, of a cap of %,d | keys held | evictions | heap MB | worst bytes a key | CPU ns a newcomer |%n",
                cap);
        out.println("| --- | --- | --- | --- | --- | --- |");
        for (int i = 0; i < cap / 2; i++) {
            offer(0, i % 2 == 0 ? 1 : 50);
        }
        for (int n = 0; n < 5; n++) {
            row("filling", 0, true);
        }
        for (int n = 0; n < 10; n++) {
            row(n < 5 ? "half forgotten" : "overflowing", 2 * HOUR, false);
        }
    }

    /** Another tenth of the cap, measured at every hundredth. */
    private void row(String phase, long now, boolean mixed) {
        double worst = 0;
        long took = 0;
        long bytes = 0;
        for (int hundredth = 0; hundredth < 10; hundredth++) {
            long started = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < cap / 100; i++) {
                offer(now, mixed && i % 2 == 0 ? 1 : 50);
            }
            took += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - started;
            bytes = usedHeap() - heapBefore;
            worst = Math.max(worst, (double) bytes / table.keys());
        }
        out.printf(
                Locale.ROOT,
                "| %d %%, %s | %,d | %,d | %.1f | %.1f | %.0f |%n",
                offered * 100 / cap,
                phase,
                table.keys(),
                table.evictions(),
                bytes / 1e6,
                worst,
                (double) took / Math.max(1, cap / 10));
    }

    private void offer(long now, long cost) {
        table.charge(mixed(offered), tier, now, cost, null);
        offered++;
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 2; i++) {
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
