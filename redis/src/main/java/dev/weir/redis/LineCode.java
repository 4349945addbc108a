package dev.weir.redis;

import dev.weir.rate.Algorithm;
import dev.weir.rate.CalendarPeriod;
import dev.weir.rate.RateLimit;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;

/** How a limit is said to the scripts, and how what they answer is read. */
sealed interface LineCode {

    /** The code of a limit over time. */
    static LineCode of(RateLimit limit) {
        OptionalLong seconds = windowSeconds(limit);
        long micros = limit.periodNanos() / 1_000;
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET, LEAKY_QUEUE -> Bucket.of(limit, seconds);
            case FIXED_WINDOW -> new Fixed(limit.count(), micros, seconds, words("fixed", limit.count(), micros));
            case QUOTA ->
                new Quota(
                        limit.count(),
                        limit.calendarPeriod().orElseThrow(),
                        limit.zone(),
                        words("quota", limit.count()));
            case SLIDING_WINDOW -> new Sliding(limit.count(), micros, seconds, words("sliding", limit.count(), micros));
            case SLIDING_LOG -> new Log(limit.count(), micros, seconds, words("log", limit.count(), micros));
        };
    }

    /** In how many seconds, rounded up, as much comes as the limit holds; empty under one second. */
    private static OptionalLong windowSeconds(RateLimit limit) {
        if (limit.calendarPeriod().isPresent()) {
            return OptionalLong.empty();
        }
        boolean bucket = limit.count() > 0;
        BigInteger nanos =
                BigInteger.valueOf(limit.periodNanos()).multiply(BigInteger.valueOf(bucket ? limit.capacity() : 1));
        BigInteger count = BigInteger.valueOf(bucket ? limit.count() : 1);
        BigInteger whole = nanos.add(count).subtract(BigInteger.ONE).divide(count);
        long windowNanos = whole.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
        return windowNanos < 1_000_000_000L
                ? OptionalLong.empty()
                : OptionalLong.of((windowNanos - 1) / 1_000_000_000L + 1);
    }

    private static List<byte[]> words(String kind, long... numbers) {
        byte[][] words = new byte[numbers.length + 1][];
        words[0] = Words.bytes(kind);
        for (int i = 0; i < numbers.length; i++) {
            words[i + 1] = Words.bytes(numbers[i]);
        }
        return List.of(words);
    }

    /** Says kind and numbers; {@code storeMicros} is what the server's clock is believed to show. */
    default void say(Words to, long storeMicros) {
        to.addAll(words());
    }

    /** Which part of the scripts it needs. */
    Script.Kind kind();

    /** What is said of it whatever the time. */
    List<byte[]> words();

    /** For how long a count can matter at most, in microseconds. */
    long lifeMicros();

    /** What the four integers mean. */
    Reading read(long now, long first, long second, long third, long fourth);

    /** Token bucket and leaky queue. */
    record Bucket(
            long burst,
            long perUnit,
            long perMicro,
            long ahead,
            boolean turns,
            OptionalLong windowSeconds,
            List<byte[]> words)
            implements LineCode {

        static Bucket of(RateLimit limit, OptionalLong windowSeconds) {
            MicroTicks ticks = MicroTicks.of(limit);
            boolean turns = limit.maxWaitNanos() != Long.MAX_VALUE;
            long ahead = turns ? ticks(limit.maxWaitNanos() / 1_000, ticks.perMicro()) : 2 * MicroTicks.MAX_CAPACITY;
            return new Bucket(
                    limit.capacity(),
                    ticks.perUnit(),
                    ticks.perMicro(),
                    ahead,
                    limit.algorithm() == Algorithm.LEAKY_QUEUE,
                    windowSeconds,
                    LineCode.words("bucket", ticks.perUnit(), ticks.perMicro(), limit.capacity(), ahead));
        }

        private static long ticks(long micros, long perMicro) {
            return micros > 2 * MicroTicks.MAX_CAPACITY / perMicro ? 2 * MicroTicks.MAX_CAPACITY : micros * perMicro;
        }

        @Override
        public Script.Kind kind() {
            return Script.Kind.BUCKET;
        }

        @Override
        public long lifeMicros() {
            return burst * perUnit / perMicro + 1;
        }

        @Override
        public Reading read(long now, long backlog, long drift, long third, long fourth) {
            return new Reading.Bucket(this, now, backlog, drift);
        }
    }

    /** Aligned windows of one length. */
    record Fixed(long count, long window, OptionalLong windowSeconds, List<byte[]> words) implements LineCode {
        @Override
        public Script.Kind kind() {
            return Script.Kind.WINDOW;
        }

        @Override
        public long lifeMicros() {
            return 2 * window;
        }

        @Override
        public Reading read(long now, long start, long end, long used, long fourth) {
            return new Reading.Window(count, windowSeconds, now, start, end, used);
        }
    }

    /** Windows of a calendar: the server is told where they lie, since it knows no zones. */
    record Quota(long count, CalendarPeriod period, ZoneId zone, List<byte[]> words) implements LineCode {
        private static final long HOUR_MICROS = 3_600_000_000L;

        @Override
        public void say(Words to, long storeMicros) {
            to.addAll(words);
            Instant now = Instant.ofEpochSecond(
                    Math.floorDiv(storeMicros, 1_000_000L), Math.floorMod(storeMicros, 1_000_000L) * 1_000);
            Instant present = period.start(now, zone);
            Instant next = period.end(now, zone);
            to.add(micros(period.start(present.minusNanos(1), zone)))
                    .add(micros(present))
                    .add(micros(next))
                    .add(micros(period.end(next, zone)));
        }

        private static long micros(Instant instant) {
            return instant.getEpochSecond() * 1_000_000L + instant.getNano() / 1_000;
        }

        @Override
        public Script.Kind kind() {
            return Script.Kind.WINDOW;
        }

        @Override
        public long lifeMicros() {
            return switch (period) {
                case HOUR -> HOUR_MICROS;
                case DAY -> 25 * HOUR_MICROS;
                case WEEK -> (7 * 24 + 1) * HOUR_MICROS;
                case MONTH -> (31 * 24 + 1) * HOUR_MICROS;
                case YEAR -> (366 * 24 + 1) * HOUR_MICROS;
            };
        }

        @Override
        public Reading read(long now, long start, long end, long used, long fourth) {
            return new Reading.Window(count, OptionalLong.empty(), now, start, end, used);
        }
    }

    /** The previous window weighed. */
    record Sliding(long count, long window, OptionalLong windowSeconds, List<byte[]> words) implements LineCode {
        @Override
        public Script.Kind kind() {
            return Script.Kind.SLIDING;
        }

        @Override
        public long lifeMicros() {
            return 2 * window;
        }

        @Override
        public Reading read(long now, long start, long previous, long current, long fourth) {
            return new Reading.Sliding(count, window, windowSeconds, now, start, previous, current);
        }
    }

    /** Every grant's time. */
    record Log(long count, long window, OptionalLong windowSeconds, List<byte[]> words) implements LineCode {
        @Override
        public Script.Kind kind() {
            return Script.Kind.LOG;
        }

        @Override
        public long lifeMicros() {
            return window;
        }

        @Override
        public Reading read(long now, long used, long more, long due, long stamp) {
            return new Reading.Log(count, window, windowSeconds, now, used, more, due, stamp);
        }
    }
}
