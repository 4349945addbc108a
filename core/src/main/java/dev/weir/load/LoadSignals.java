package dev.weir.load;

import dev.weir.Ticker;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.function.DoubleSupplier;

/** Signals that need nothing but the JDK. */
public final class LoadSignals {

    private static final long FRESH_NANOS = 100_000_000;

    private LoadSignals() {}

    /**
     * {@code cpu}: the share of the processors that is busy, 0 to 1. In a container it is the share of the container's quota, by either
     * version of control groups. Not a number on a JVM that cannot tell.
     */
    public static LoadSignal cpu() {
        return new Kept("cpu", Ticker.system(), LoadSignals::cpuShare);
    }

    private static double cpuShare() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? known(system.getCpuLoad())
                : Double.NaN;
    }

    private static double known(double share) {
        return share < 0 ? Double.NaN : share;
    }

    /** {@code heap}: the share of the heap's maximum that was still in use after each part was last collected, 0 to 1. */
    public static LoadSignal heap() {
        return new Kept("heap", Ticker.system(), LoadSignals::heapShare);
    }

    private static double heapShare() {
        long usedBytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage afterCollection = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            usedBytes += afterCollection == null ? 0 : afterCollection.getUsed();
        }
        return (double) usedBytes / Runtime.getRuntime().maxMemory();
    }

    /** {@code collector}: the share of time that garbage collectors stopped the process for, since it was last asked for. */
    public static LoadSignal collectorTime() {
        return collectorTime(Ticker.system());
    }

    static LoadSignal collectorTime(Ticker ticker) {
        CollectorShare share = new CollectorShare(ticker);
        return new Kept("collector", ticker, share::since);
    }

    /** Anything that can be asked, such as how full a connection pool is. */
    public static LoadSignal gauge(String name, DoubleSupplier value) {
        return new Gauge(name, value);
    }

    /** Anything that is told, such as how late an event loop is. */
    public static Told told(String name) {
        return new Told(name);
    }

    /** A signal whose value somebody sets. Thread safe. */
    public static final class Told implements LoadSignal {
        private final String name;
        private volatile double value;

        private Told(String name) {
            this.name = name;
        }

        /** The value from now on. */
        public void set(double to) {
            value = to;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public double value() {
            return value;
        }
    }

    private record Gauge(String name, DoubleSupplier supplier) implements LoadSignal {
        @Override
        public double value() {
            return supplier.getAsDouble();
        }
    }

    /** Asks again only after a tenth of a second: several gates get the same answer. */
    private static final class Kept implements LoadSignal {
        private final String name;
        private final Ticker ticker;
        private final DoubleSupplier source;
        private long askedNanos;
        private boolean asked;
        private double kept;

        Kept(String name, Ticker ticker, DoubleSupplier source) {
            this.name = name;
            this.ticker = ticker;
            this.source = source;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public synchronized double value() {
            long now = ticker.nanos();
            if (!asked || now - askedNanos >= FRESH_NANOS) {
                asked = true;
                askedNanos = now;
                kept = source.getAsDouble();
            }
            return kept;
        }
    }

    /** How much of the time since it was last asked the collectors took. */
    private static final class CollectorShare {
        private final Ticker ticker;
        private long askedNanos;
        private long tookMillis = tookMillis();

        CollectorShare(Ticker ticker) {
            this.ticker = ticker;
            askedNanos = ticker.nanos();
        }

        double since() {
            long now = ticker.nanos();
            long took = tookMillis();
            double share = now == askedNanos ? 0 : Math.min(1, (took - tookMillis) * 1e6 / (now - askedNanos));
            askedNanos = now;
            tookMillis = took;
            return share;
        }

        /** Collectors that run beside the program report their cycles too; those stop nobody. */
        private static long tookMillis() {
            long took = 0;
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                String name = collector.getName();
                took += name.contains("Cycles") || name.contains("Concurrent")
                        ? 0
                        : Math.max(0, collector.getCollectionTime());
            }
            return took;
        }
    }
}
