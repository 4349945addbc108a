package dev.weir.rate;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Single races, two threads each. The last number is what is left of ten. */
final class ChargeStress {

    private static final RateLimit TEN = RateLimit.parse("10/h");

    private ChargeStress() {}

    private static long key(long n) {
        return (n + 1) << 42;
    }

    /** A key is charged while another one takes its place. */
    @JCStressTest
    @Outcome(id = "0, 0, 8", expect = Expect.ACCEPTABLE, desc = "both charges of the key are known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost")
    @State
    public static class AgainstEviction {
        private final KeyTable table = new KeyTable(1);
        private final int tier = table.tier(TEN, 0);

        public AgainstEviction() {
            table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void charge(JJJ_Result r) {
            r.r1 = table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void evict(JJJ_Result r) {
            r.r2 = table.charge(key(2), tier, 0, 1, null);
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = table.standing(key(1), tier, 0).remaining();
        }
    }

    /** The same among windows, where two keys' states are equal as often as not. */
    @JCStressTest
    @Outcome(id = "0, 0, 8", expect = Expect.ACCEPTABLE, desc = "both charges of the key are known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost")
    @State
    public static class AgainstEvictionOfAWindow {
        private final KeyTable table = new KeyTable(1);
        private final int tier = table.tier(TEN.algorithm(Algorithm.FIXED_WINDOW), 0);

        public AgainstEvictionOfAWindow() {
            table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void charge(JJJ_Result r) {
            r.r1 = table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void evict(JJJ_Result r) {
            r.r2 = table.charge(key(2), tier, 0, 1, null);
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = table.standing(key(1), tier, 0).remaining();
        }
    }

    /** A key is charged while the thirteenth key makes the sixteen slots move. */
    @JCStressTest
    @Outcome(id = "0, 0, 8", expect = Expect.ACCEPTABLE, desc = "both charges of the key are known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost")
    @State
    public static class AgainstRebuild {
        private final KeyTable table = new KeyTable(100);
        private final int tier = table.tier(TEN, 0);

        public AgainstRebuild() {
            for (int n = 1; n <= 12; n++) {
                table.charge(key(n), tier, 0, 1, null);
            }
        }

        @Actor
        public void charge(JJJ_Result r) {
            r.r1 = table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void rebuild(JJJ_Result r) {
            r.r2 = table.charge(key(13), tier, 0, 1, null);
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = table.standing(key(1), tier, 0).remaining();
        }
    }

    /** A key that is whole again is charged while it is forgotten. */
    @JCStressTest
    @Outcome(id = "0, 0, 9", expect = Expect.ACCEPTABLE, desc = "the new charge is known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it was lost")
    @State
    public static class AgainstForgetting {
        private static final long LATER = Duration.ofHours(2).toNanos();
        private final KeyTable table = new KeyTable(1);
        private final int tier = table.tier(TEN, 0);

        public AgainstForgetting() {
            table.charge(key(1), tier, 0, 1, null);
        }

        @Actor
        public void charge(JJJ_Result r) {
            r.r1 = table.charge(key(1), tier, LATER, 1, null);
        }

        @Actor
        public void takeItsPlace(JJJ_Result r) {
            r.r2 = table.charge(key(2), tier, LATER, 1, null);
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = table.standing(key(1), tier, LATER).remaining();
        }
    }

    /** A charge by compare and set while another moves the state into the line and back. */
    @JCStressTest
    @Outcome(id = "0, 0, 8", expect = Expect.ACCEPTABLE, desc = "both are known")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one was lost")
    @State
    public static class AgainstTheLine {
        private final RateLimiter limiter = RateLimiter.of(TEN, () -> 0);

        @Actor
        public void charge(JJJ_Result r) {
            r.r1 = limiter.charge(1);
        }

        @Actor
        public void reserve(JJJ_Result r) {
            r.r2 = limiter.reserve(1, Duration.ZERO).waitNanos();
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = limiter.standing().remaining();
        }
    }

    /** Two threads settle one reservation of five. */
    @JCStressTest
    @Outcome(id = "1, 0, 10", expect = Expect.ACCEPTABLE, desc = "the first gave all back")
    @Outcome(id = "0, 1, 8", expect = Expect.ACCEPTABLE, desc = "the second settled at two")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it was settled twice or never")
    @State
    public static class SettledOnce {
        private final RateLimiter limiter = RateLimiter.of(TEN, () -> 0);
        private final Reservation reservation = limiter.reserve(5);

        @Actor
        public void cancel(JJJ_Result r) {
            r.r1 = reservation.cancel() ? 1 : 0;
        }

        @Actor
        public void settle(JJJ_Result r) {
            r.r2 = reservation.settle(2) ? 1 : 0;
        }

        @Arbiter
        public void left(JJJ_Result r) {
            r.r3 = limiter.standing().remaining();
        }
    }
}
