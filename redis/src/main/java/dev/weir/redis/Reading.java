package dev.weir.redis;

import dev.weir.rate.RateTable;
import dev.weir.rate.Standing;
import java.math.BigInteger;
import java.util.OptionalLong;

/**
 * A count as a script found it, and what it means to a caller: pure functions. The scripts only decide; waits and standings are computed
 * here, so that the server, which all instances share, has less to do. Times are in microseconds by the server's clock.
 */
sealed interface Reading {

    /** {@link RateTable#NOW}, {@link RateTable#NEVER}, or the exact wait in microseconds. */
    long waitMicros(long cost);

    /** The reading after a cost that passed. */
    Reading charged(long cost);

    /** How long a call charged on this reading waits for its turn. */
    default long turnMicros() {
        return 0;
    }

    Standing standing();

    /** What a receipt must remember of a charge on this reading: two numbers that the script understands. */
    long mark();

    /** The other number. */
    default long secondMark() {
        return 0;
    }

    private static long nanos(long micros) {
        return micros == RateTable.NEVER ? RateTable.NEVER : micros * 1_000;
    }

    private static OptionalLong nanosOf(long micros) {
        return micros == RateTable.NEVER ? OptionalLong.empty() : OptionalLong.of(nanos(micros));
    }

    private static long ceilDiv(long dividend, long divisor) {
        return dividend <= 0 ? 0 : (dividend - 1) / divisor + 1;
    }

    /**
     * A token bucket or a leaky queue.
     *
     * @param code its numbers
     * @param now when it was read
     * @param backlog ticks until it is full
     * @param drift how far the bucket's own time is ahead of the server's
     */
    record Bucket(LineCode.Bucket code, long now, long backlog, long drift) implements Reading {

        private long capacity() {
            return code.burst() * code.perUnit();
        }

        @Override
        public long waitMicros(long cost) {
            if (cost == 0) {
                return RateTable.NOW;
            }
            if (cost > code.burst()) {
                return RateTable.NEVER;
            }
            long over = backlog + cost * code.perUnit() - capacity();
            long tooFar = backlog - code.ahead();
            return ceilDiv(Math.max(over, tooFar), code.perMicro());
        }

        @Override
        public Reading charged(long cost) {
            return new Bucket(code, now, backlog + cost * code.perUnit(), drift);
        }

        @Override
        public long turnMicros() {
            return code.turns() ? ceilDiv(backlog, code.perMicro()) : 0;
        }

        @Override
        public Standing standing() {
            long left = Math.max(0, capacity() - backlog) / code.perUnit();
            long short1 = backlog == 0 ? 0 : backlog - (capacity() - (left + 1) * code.perUnit());
            long untilOneMore = ceilDiv(short1, code.perMicro());
            return new Standing(code.burst(), code.windowSeconds(), left, nanosOf(untilOneMore), false, false);
        }

        @Override
        public long mark() {
            return now + drift;
        }

        @Override
        public long secondMark() {
            return backlog;
        }
    }

    /**
     * A fixed window or a quota.
     *
     * @param count what the window grants
     * @param windowSeconds its length, where it has one
     * @param now when it was read
     * @param start when the window that counts started
     * @param end when it ends
     * @param used what was used of it
     */
    record Window(long count, OptionalLong windowSeconds, long now, long start, long end, long used)
            implements Reading {

        @Override
        public long waitMicros(long cost) {
            if (cost > count) {
                return RateTable.NEVER;
            }
            return cost == 0 || cost <= count - used ? RateTable.NOW : end - now;
        }

        @Override
        public Reading charged(long cost) {
            return new Window(count, windowSeconds, now, start, end, used + cost);
        }

        @Override
        public Standing standing() {
            return new Standing(count, windowSeconds, Math.max(0, count - used), nanosOf(end - now), true, false);
        }

        @Override
        public long mark() {
            return start;
        }
    }

    /**
     * A sliding window.
     *
     * @param count what it grants
     * @param window its length
     * @param windowSeconds its length in seconds, when it is a second or more
     * @param now when it was read
     * @param start when the present window started
     * @param previous what was used of the one before
     * @param current what was used of this one
     */
    record Sliding(
            long count, long window, OptionalLong windowSeconds, long now, long start, long previous, long current)
            implements Reading {

        @Override
        public long waitMicros(long cost) {
            if (cost > count) {
                return RateTable.NEVER;
            }
            if (cost == 0) {
                return RateTable.NOW;
            }
            long room = count - current - cost;
            if (room >= 0) {
                long share = room >= previous ? window : share(room, previous);
                return room >= previous || window - (now - start) <= share
                        ? RateTable.NOW
                        : start + window - share - now;
            }
            long later = count - cost;
            long share = later >= current ? window : share(later, current);
            return start + 2 * window - share - now;
        }

        /** floor(part x window / whole) for part below whole below 2^21. */
        private long share(long part, long whole) {
            return part * (window / whole) + part * (window % whole) / whole;
        }

        @Override
        public Reading charged(long cost) {
            return new Sliding(count, window, windowSeconds, now, start, previous, current + cost);
        }

        @Override
        public Standing standing() {
            long left = Math.max(0, count - current - weighed());
            long untilOneMore = left == count ? 0 : waitMicros(left + 1);
            return new Standing(count, windowSeconds, left, nanosOf(untilOneMore), false, false);
        }

        private long weighed() {
            long elapsed = now - start;
            return elapsed <= 0
                    ? previous
                    : previous
                            - BigInteger.valueOf(previous)
                                    .multiply(BigInteger.valueOf(elapsed))
                                    .divide(BigInteger.valueOf(window))
                                    .longValue();
        }

        @Override
        public long mark() {
            return start;
        }
    }

    /**
     * A sliding log.
     *
     * @param count what it grants in a window
     * @param window its length
     * @param windowSeconds its length in seconds, when it is a second or more
     * @param now when it was read
     * @param used how many entries lie in the window
     * @param more the time of the entry that must leave before there is one unit more
     * @param due the time of the entry that must leave before the cost that was asked for passes
     * @param stamp the time that a charge enters
     */
    record Log(
            long count, long window, OptionalLong windowSeconds, long now, long used, long more, long due, long stamp)
            implements Reading {

        @Override
        public long waitMicros(long cost) {
            if (cost > count) {
                return RateTable.NEVER;
            }
            return cost == 0 || cost <= count - used ? RateTable.NOW : due + window - now;
        }

        @Override
        public Reading charged(long cost) {
            return new Log(count, window, windowSeconds, now, used + cost, more, due, stamp);
        }

        @Override
        public Standing standing() {
            long left = Math.max(0, count - used);
            long untilOneMore = left == count ? 0 : more + window - now;
            return new Standing(count, windowSeconds, left, nanosOf(untilOneMore), false, false);
        }

        @Override
        public long mark() {
            return stamp;
        }
    }

    /**
     * Calls in flight.
     *
     * @param calls how many may be
     * @param held how many are
     */
    record Held(long calls, long held) implements Reading {

        @Override
        public long waitMicros(long cost) {
            return held < calls ? RateTable.NOW : RateTable.IN_FLIGHT_WAIT_NANOS / 1_000;
        }

        @Override
        public Reading charged(long cost) {
            return new Held(calls, held + 1);
        }

        @Override
        public Standing standing() {
            return Standing.inFlight(calls, held);
        }

        @Override
        public long mark() {
            return 0;
        }
    }
}
