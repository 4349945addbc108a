package dev.weir.rate;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Whatever threads do at once has the result of doing it one after another by the pure functions. Time stands still. */
final class LinearizabilityTest {

    private static final int DEPTH = Boolean.getBoolean("weir.deep") ? 10 : 1;

    static void check(Class<?> calls, Class<?> specification) {
        run(new StressOptions().iterations(3 * DEPTH).invocationsPerIteration(150 * DEPTH), calls, specification);
        run(new ModelCheckingOptions().iterations(2 * DEPTH).invocationsPerIteration(50 * DEPTH), calls, specification);
    }

    private static void run(Options<?, ?> options, Class<?> calls, Class<?> specification) {
        options.threads(2).actorsPerThread(3).actorsBefore(1).actorsAfter(2);
        options.sequentialSpecification(specification);
        options.check(calls);
    }

    /** What two threads do to one limiter. A reservation moves the state into the line and back. */
    @Param(name = "cost", gen = IntGen.class, conf = "1:3")
    abstract static class LimiterCalls {
        private final RateLimiter limiter;
        private final Duration maxWait;

        LimiterCalls(Algorithm algorithm) {
            this(algorithm, Duration.ZERO);
        }

        LimiterCalls(Algorithm algorithm, Duration maxWait) {
            limiter = RateLimiter.of(limit(algorithm), () -> 7);
            this.maxWait = maxWait;
        }

        static RateLimit limit(Algorithm algorithm) {
            return RateLimit.parse("6/s").algorithm(algorithm);
        }

        @Operation
        public long charge(@Param(name = "cost") int cost) {
            return limiter.charge(cost);
        }

        @Operation
        public long peek(@Param(name = "cost") int cost) {
            return limiter.peek(cost);
        }

        @Operation
        public long reserve(@Param(name = "cost") int cost) {
            return limiter.reserve(cost, maxWait).waitNanos();
        }
    }

    /** The same calls by the pure functions. */
    abstract static class PureCalls {
        private final Ledger ledger;

        PureCalls(Algorithm algorithm) {
            RateLimit limit = LimiterCalls.limit(algorithm);
            if (algorithm == Algorithm.SLIDING_LOG) {
                ledger = new Ledger.Logged(new SlidingLog(limit), new LogRing());
            } else {
                Meter meter = Meter.of(limit);
                ledger = new Ledger.Metered(meter, meter.fresh(7));
            }
        }

        public long charge(int cost) {
            long wait = ledger.waitFor(7, cost);
            if (wait == Meter.NOW) {
                ledger.charge(7, cost);
            }
            return wait;
        }

        public long peek(int cost) {
            return ledger.waitFor(7, cost);
        }

        public long reserve(int cost) {
            return charge(cost);
        }
    }

    public static class BucketCalls extends LimiterCalls {
        public BucketCalls() {
            super(Algorithm.TOKEN_BUCKET);
        }
    }

    public static class PureBucket extends PureCalls {
        public PureBucket() {
            super(Algorithm.TOKEN_BUCKET);
        }
    }

    public static class FixedCalls extends LimiterCalls {
        public FixedCalls() {
            super(Algorithm.FIXED_WINDOW);
        }
    }

    public static class PureFixed extends PureCalls {
        public PureFixed() {
            super(Algorithm.FIXED_WINDOW);
        }
    }

    public static class SlidingCalls extends LimiterCalls {
        public SlidingCalls() {
            super(Algorithm.SLIDING_WINDOW);
        }
    }

    public static class PureSliding extends PureCalls {
        public PureSliding() {
            super(Algorithm.SLIDING_WINDOW);
        }
    }

    public static class LogCalls extends LimiterCalls {
        public LogCalls() {
            super(Algorithm.SLIDING_LOG);
        }
    }

    public static class PureLog extends PureCalls {
        public PureLog() {
            super(Algorithm.SLIDING_LOG);
        }
    }

    /** A queue, whose reservations have turns that lie ahead. */
    public static class QueueCalls extends LimiterCalls {
        public QueueCalls() {
            super(Algorithm.LEAKY_QUEUE, Duration.ofHours(1));
        }
    }

    /** A charge starts at once or not at all; a reservation takes the next turn while there is a place. */
    public static class PureQueue {
        private final LeakyQueue queue = new LeakyQueue(LimiterCalls.limit(Algorithm.LEAKY_QUEUE));
        private long state = queue.fresh(7);

        public long charge(int cost) {
            long wait = peek(cost);
            if (wait == Meter.NOW) {
                state = queue.charged(state, 7, cost);
            }
            return wait;
        }

        public long peek(int cost) {
            return queue.withoutWaiting().waitFor(state, 7, cost);
        }

        public long reserve(int cost) {
            long wait = queue.waitFor(state, 7, cost);
            if (wait != Meter.NOW) {
                return wait;
            }
            long turn = queue.turnNanos(state, 7);
            state = queue.charged(state, 7, cost);
            return turn;
        }
    }

    /** Three keys whose chains start at one slot, in a table that is about to be rebuilt. What leaves at the cap is EvictionRaceTest's. */
    @Param(name = "key", gen = IntGen.class, conf = "0:2")
    @Param(name = "cost", gen = IntGen.class, conf = "1:2")
    abstract static class TableCalls {
        private final KeyTable table = new KeyTable(16);
        private final int tier;

        TableCalls(RateLimit budget) {
            tier = table.tier(budget, 0);
            // Few slots are left until the next rebuild.
            for (int n = 3; n < 13; n++) {
                table.charge(key(n), tier, 0, 1, null);
            }
        }

        private static long key(int n) {
            return (n + 1L) << 42;
        }

        @Operation
        public long charge(@Param(name = "key") int key, @Param(name = "cost") int cost) {
            return table.charge(key(key), tier, 0, cost, null);
        }

        @Operation
        public long remaining(@Param(name = "key") int key) {
            return table.standing(key(key), tier, 0).remaining();
        }

        @Operation
        public void force(@Param(name = "key") int key, @Param(name = "cost") int cost) {
            table.force(key(key), tier, 0, cost);
        }

        @Operation
        public void giveBack(@Param(name = "key") int key, @Param(name = "cost") int cost) {
            table.giveBack(key(key), tier, 0, cost, 0);
        }
    }

    public static class BucketTable extends TableCalls {
        public BucketTable() {
            super(RateLimit.parse("6/s"));
        }
    }

    public static class WindowTable extends TableCalls {
        public WindowTable() {
            super(RateLimit.parse("6/s").algorithm(Algorithm.FIXED_WINDOW));
        }
    }

    @Test
    void tokenBucket() {
        check(BucketCalls.class, PureBucket.class);
    }

    @Test
    void fixedWindow() {
        check(FixedCalls.class, PureFixed.class);
    }

    @Test
    void slidingWindow() {
        check(SlidingCalls.class, PureSliding.class);
    }

    @Test
    void slidingLog() {
        check(LogCalls.class, PureLog.class);
    }

    @Test
    void leakyQueue() {
        check(QueueCalls.class, PureQueue.class);
    }

    /** Against itself, one call after another: no twins, and no charge is lost to a rebuild. */
    @Test
    void tableOfBuckets() {
        check(BucketTable.class, BucketTable.class);
    }

    @Test
    void tableOfWindows() {
        check(WindowTable.class, WindowTable.class);
    }
}
