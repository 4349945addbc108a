package dev.weir.rate;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The algorithms as their definitions say, slow and plain: exact fractions, lists of events, and time that never wraps. Shares no code
 * with the meters. Calls come in the order of time.
 */
interface Oracle {

    /** The wait in nanoseconds, rounded up, 0 when the cost passes; empty when it never can. */
    OptionalLong waitFor(BigInteger now, long cost);

    void charge(BigInteger now, long cost);

    /** Whole units that would pass. */
    long remaining(BigInteger now);

    static Oracle of(RateLimit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> new Tokens(limit.count(), limit.periodNanos(), limit.capacity());
            case FIXED_WINDOW -> new Fixed(limit.count(), limit.periodNanos());
            case SLIDING_WINDOW -> new Weighed(limit.count(), limit.periodNanos());
            case SLIDING_LOG -> new Log(limit.count(), limit.periodNanos());
            case LEAKY_QUEUE -> new Turns(limit.count(), limit.periodNanos(), limit.capacity() - 1);
            case QUOTA -> throw new IllegalArgumentException("calendars have their own tests");
        };
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static long ceil(BigInteger dividend, BigInteger divisor) {
        return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor).longValueExact();
    }

    /** Tokens as a fraction: a numerator over the period, since in each nanosecond count/period of a token arrives. */
    final class Tokens implements Oracle {
        private final BigInteger count;
        private final BigInteger period;
        private final long burst;
        private BigInteger tokens;
        private BigInteger at;

        Tokens(long count, long periodNanos, long burst) {
            this.count = big(count);
            this.period = big(periodNanos);
            this.burst = burst;
            this.tokens = big(burst).multiply(period);
        }

        private BigInteger tokens(BigInteger now) {
            if (at == null) {
                return tokens;
            }
            return tokens.add(now.subtract(at).multiply(count)).min(big(burst).multiply(period));
        }

        @Override
        public OptionalLong waitFor(BigInteger now, long cost) {
            if (cost > burst) {
                return OptionalLong.empty();
            }
            BigInteger missing = big(cost).multiply(period).subtract(tokens(now));
            return OptionalLong.of(missing.signum() <= 0 || cost == 0 ? 0 : ceil(missing, count));
        }

        @Override
        public void charge(BigInteger now, long cost) {
            tokens = tokens(now)
                    .subtract(big(cost).multiply(period))
                    .max(big(-burst).multiply(period));
            at = now;
        }

        @Override
        public long remaining(BigInteger now) {
            return tokens(now).max(BigInteger.ZERO).divide(period).longValueExact();
        }

        /** Tokens that are missing until the bucket is full, as a numerator over the period. */
        BigInteger missing(BigInteger now) {
            return big(burst).multiply(period).subtract(tokens(now));
        }
    }

    /** How many units each aligned window granted. */
    final class Fixed implements Oracle {
        private final long count;
        private final BigInteger period;
        private final TreeMap<BigInteger, Long> grants = new TreeMap<>();

        Fixed(long count, long periodNanos) {
            this.count = count;
            this.period = big(periodNanos);
        }

        private BigInteger start(BigInteger now) {
            return now.subtract(now.mod(period));
        }

        @Override
        public OptionalLong waitFor(BigInteger now, long cost) {
            if (cost > count) {
                return OptionalLong.empty();
            }
            boolean passes = cost == 0 || cost <= remaining(now);
            return OptionalLong.of(
                    passes ? 0 : start(now).add(period).subtract(now).longValueExact());
        }

        @Override
        public void charge(BigInteger now, long cost) {
            grants.headMap(start(now)).clear();
            grants.merge(start(now), cost, Long::sum);
        }

        @Override
        public long remaining(BigInteger now) {
            return Math.max(0, count - grants.getOrDefault(start(now), 0L));
        }
    }

    /** The same, with the window before weighed by its overlap. The wait is searched for, not computed. */
    final class Weighed implements Oracle {
        private final long count;
        private final BigInteger period;
        private final TreeMap<BigInteger, Long> grants = new TreeMap<>();

        Weighed(long count, long periodNanos) {
            this.count = count;
            this.period = big(periodNanos);
        }

        private boolean passes(BigInteger now, long cost) {
            BigInteger elapsed = now.mod(period);
            BigInteger start = now.subtract(elapsed);
            BigInteger before = big(grants.getOrDefault(start.subtract(period), 0L));
            BigInteger here = big(grants.getOrDefault(start, 0L));
            BigInteger left = before.multiply(period.subtract(elapsed))
                    .add(here.add(big(cost)).multiply(period));
            return left.compareTo(big(count).multiply(period)) <= 0;
        }

        @Override
        public OptionalLong waitFor(BigInteger now, long cost) {
            if (cost > count) {
                return OptionalLong.empty();
            }
            if (cost == 0 || passes(now, cost)) {
                return OptionalLong.of(0);
            }
            // Without further grants the estimate only falls.
            BigInteger refused = BigInteger.ZERO;
            BigInteger passed = period.shiftLeft(1);
            while (passed.subtract(refused).compareTo(BigInteger.ONE) > 0) {
                BigInteger middle = refused.add(passed).shiftRight(1);
                if (passes(now.add(middle), cost)) {
                    passed = middle;
                } else {
                    refused = middle;
                }
            }
            return OptionalLong.of(passed.longValueExact());
        }

        @Override
        public void charge(BigInteger now, long cost) {
            BigInteger start = now.subtract(now.mod(period));
            grants.headMap(start.subtract(period)).clear();
            grants.merge(start, cost, Long::sum);
        }

        @Override
        public long remaining(BigInteger now) {
            long left = count;
            while (left > 0 && !passes(now, left)) {
                left--;
            }
            return left;
        }
    }

    /** Every grant with its time. */
    final class Log implements Oracle {
        private final long count;
        private final BigInteger window;
        private final List<BigInteger> grants = new ArrayList<>();

        Log(long count, long windowNanos) {
            this.count = count;
            this.window = big(windowNanos);
        }

        @Override
        public OptionalLong waitFor(BigInteger now, long cost) {
            if (cost > count) {
                return OptionalLong.empty();
            }
            if (cost == 0 || cost <= remaining(now)) {
                return OptionalLong.of(0);
            }
            for (BigInteger grant : grants) {
                BigInteger expiry = grant.add(window);
                if (expiry.compareTo(now) > 0 && cost <= remaining(expiry)) {
                    return OptionalLong.of(expiry.subtract(now).longValueExact());
                }
            }
            throw new AssertionError("every grant expires");
        }

        @Override
        public void charge(BigInteger now, long cost) {
            grants.removeIf(grant -> grant.add(window).compareTo(now) <= 0);
            for (long i = 0; i < cost; i++) {
                grants.add(now);
            }
        }

        @Override
        public long remaining(BigInteger now) {
            long inside = grants.stream()
                    .filter(grant -> grant.add(window).compareTo(now) > 0)
                    .count();
            return Math.max(0, count - inside);
        }
    }

    /** Starts at even distance, kept as numerators over the count; depth is how many may be ahead. Costs more than 1 take more turns. */
    final class Turns implements Oracle {
        private final BigInteger count;
        private final BigInteger period;
        private final long depth;
        private BigInteger free;

        Turns(long count, long periodNanos, long depth) {
            this.count = big(count);
            this.period = big(periodNanos);
            this.depth = depth;
        }

        private BigInteger ahead(BigInteger now) {
            return free == null
                    ? BigInteger.ZERO
                    : free.subtract(now.multiply(count)).max(BigInteger.ZERO);
        }

        /** For a call that takes a turn: the last of its turns is at most depth intervals ahead. */
        @Override
        public OptionalLong waitFor(BigInteger now, long cost) {
            if (cost > depth + 1) {
                return OptionalLong.empty();
            }
            BigInteger over = ahead(now).subtract(big(depth + 1 - cost).multiply(period));
            return OptionalLong.of(cost == 0 || over.signum() <= 0 ? 0 : ceil(over, count));
        }

        /** How long until its turn. */
        long turn(BigInteger now) {
            return ceil(ahead(now), count);
        }

        @Override
        public void charge(BigInteger now, long cost) {
            free = now.multiply(count).add(ahead(now)).add(big(cost).multiply(period));
        }

        @Override
        public long remaining(BigInteger now) {
            return big(depth + 1)
                    .multiply(period)
                    .subtract(ahead(now))
                    .max(BigInteger.ZERO)
                    .divide(period)
                    .longValueExact();
        }
    }
}
