package dev.weir.client;

import dev.weir.load.ConcurrencyLimit;
import dev.weir.rate.RateLimit;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How a dependency is asked. Immutable; a method that changes something answers a new value. What is not said does not bound.
 *
 * @param name what the dependency is called
 * @param pace how much is sent over time
 * @param maxWaitNanos how long one call may wait for its turn, for a slot and for a pause to end, altogether; empty for as long as one turn
 *     takes, from 50 ms to 1 s
 * @param inFlight how much may be under way at once
 * @param queue how many calls may wait for a slot
 * @param retry how often a call is sent again
 * @param throttleK K of the adaptive throttle
 * @param hedgeNanos after how long without an answer a second send joins the first
 * @param timeoutNanos how long a call may take with all its waits and retries
 * @param maxPauseNanos the longest pause that an answer can make us keep
 * @param milliseconds whether an answer's Retry-After-Ms is believed
 * @param sharedPause whether a pause that one instance of a fleet is asked for is kept by all
 */
public record OutboundSettings(
        String name,
        Optional<Pace> pace,
        OptionalLong maxWaitNanos,
        Optional<ConcurrencyLimit> inFlight,
        int queue,
        Optional<Retry> retry,
        OptionalDouble throttleK,
        OptionalLong hedgeNanos,
        OptionalLong timeoutNanos,
        long maxPauseNanos,
        boolean milliseconds,
        boolean sharedPause) {

    private static final long LEAST_OWN_WAIT_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MOST_OWN_WAIT_NANOS = Duration.ofSeconds(1).toNanos();

    /** The longest pause unless told otherwise. */
    public static final Duration DEFAULT_MAX_PAUSE = Duration.ofMinutes(5);

    /**
     * How much is sent over time.
     *
     * @param rate how much; its own burst is not used
     * @param burst how many sends an idle time earns; empty for a tenth of what an instance may send in a period, and at least 1
     * @param fleet whether the rate is that of all instances together
     */
    public record Pace(RateLimit rate, OptionalInt burst, boolean fleet) {

        private static final int SMALL = 10;

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException when the burst is below 1
         */
        public Pace {
            if (burst.orElse(1) < 1) {
                throw new IllegalArgumentException(
                        "a burst of " + burst.getAsInt() + ": it must be at least 1, which is smooth pacing");
            }
        }

        /** This rate, with a small burst. */
        public static Pace of(RateLimit rate) {
            return new Pace(rate, OptionalInt.empty(), false);
        }

        /**
         * What one of so many instances may send: exactly its share, over a longer period where the count does not divide.
         *
         * @throws IllegalArgumentException when there is no instance, or the share is less than one send in 36 years
         */
        public RateLimit of(int instances) {
            if (instances < 1) {
                throw new IllegalArgumentException(instances + " instances: there is at least one");
            }
            int parts = fleet ? instances : 1;
            long share = Math.max(1, rate.count() / parts / SMALL);
            long burstUnits = burst.isPresent() ? burst.getAsInt() : share;
            return RateLimit.of(
                            rate.count(), Duration.ofNanos(rate.periodNanos()).multipliedBy(parts))
                    .burst(burstUnits);
        }
    }

    /**
     * How often a call is sent again.
     *
     * @param tries the most sends of one call, the first included
     * @param budgetBasisPoints the share that retries may be of first sends, in hundredths of a percent; empty for any
     * @param backoff how long to wait before each
     * @param alsoSafe methods of HTTP in capitals that this dependency may be asked twice, beside those that are safe by themselves
     */
    public record Retry(int tries, OptionalInt budgetBasisPoints, Backoff backoff, Set<String> alsoSafe) {

        /** The most sends there can be. */
        public static final int MOST_TRIES = 10;

        /** Three sends, a tenth more at most. */
        public static final Retry DEFAULT =
                new Retry(3, OptionalInt.of(RetryBudget.DEFAULT_BASIS_POINTS), Backoff.DEFAULT, Set.of());

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException unless there are 1 to 10 tries
         */
        public Retry {
            if (tries < 1 || tries > MOST_TRIES) {
                throw new IllegalArgumentException(tries + " tries: it must be from 1 to " + MOST_TRIES);
            }
            Set<String> capitals = new TreeSet<>();
            alsoSafe.forEach(method -> capitals.add(method.toUpperCase(Locale.ROOT)));
            alsoSafe = Set.copyOf(capitals);
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException with the one that is outside what is allowed
     */
    public OutboundSettings {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a dependency has a name");
        }
        requireNotBelow(name, "max-wait", maxWaitNanos.orElse(0), 0);
        requireNotBelow(name, "queue", queue, 0);
        requireNotBelow(name, "max-pause", maxPauseNanos, 1);
        requireNotBelow(name, "hedge", hedgeNanos.orElse(1), 1);
        requireNotBelow(name, "timeout", timeoutNanos.orElse(1), 1);
    }

    private static void requireNotBelow(String name, String field, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    field + " of " + name + " is " + value + ": it must be at least " + least);
        }
    }

    /** A dependency that is asked without any bound, but heard. */
    public static OutboundSettings of(String name) {
        return new OutboundSettings(
                name,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                0,
                Optional.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                DEFAULT_MAX_PAUSE.toNanos(),
                false,
                false);
    }

    /** The same, sent no faster than this, with a small burst. */
    public OutboundSettings rate(RateLimit rate) {
        return pace(Pace.of(rate));
    }

    /** The same at this pace. */
    public OutboundSettings pace(Pace pace) {
        return with(draft -> draft.pace = Optional.of(pace));
    }

    /** The same, where a call may wait for so long. */
    public OutboundSettings maxWait(Duration maxWait) {
        return with(draft -> draft.maxWaitNanos = OptionalLong.of(maxWait.toNanos()));
    }

    /** The same with at most so much under way. */
    public OutboundSettings inFlight(ConcurrencyLimit limit) {
        return with(draft -> draft.inFlight = Optional.of(limit));
    }

    /** The same, where so many calls may wait for a slot. */
    public OutboundSettings queue(int waiting) {
        return with(draft -> draft.queue = waiting);
    }

    /** The same with retries. */
    public OutboundSettings retry(Retry again) {
        return with(draft -> draft.retry = Optional.of(again));
    }

    /** The same with an adaptive throttle. */
    public OutboundSettings throttle(double k) {
        return with(draft -> draft.throttleK = OptionalDouble.of(k));
    }

    /** The same, where a second send joins one without an answer after so long. */
    public OutboundSettings hedge(Duration after) {
        return with(draft -> draft.hedgeNanos = OptionalLong.of(after.toNanos()));
    }

    /** The same, where a call takes at most so long. */
    public OutboundSettings timeout(Duration timeout) {
        return with(draft -> draft.timeoutNanos = OptionalLong.of(timeout.toNanos()));
    }

    /** The same with another longest pause. */
    public OutboundSettings maxPause(Duration maxPause) {
        return with(draft -> draft.maxPauseNanos = maxPause.toNanos());
    }

    /** The same, where an answer's Retry-After-Ms is believed or not. */
    public OutboundSettings milliseconds(boolean believed) {
        return with(draft -> draft.milliseconds = believed);
    }

    /** The same, where a pause that one instance of a fleet is asked for is kept by all or not. Takes effect where there is a store. */
    public OutboundSettings sharedPause(boolean shared) {
        return with(draft -> draft.sharedPause = shared);
    }

    private OutboundSettings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /** Settings while one of them is being changed. */
    private static final class Draft {
        private final String name;
        private Optional<Pace> pace;
        private OptionalLong maxWaitNanos;
        private Optional<ConcurrencyLimit> inFlight;
        private int queue;
        private Optional<Retry> retry;
        private OptionalDouble throttleK;
        private OptionalLong hedgeNanos;
        private OptionalLong timeoutNanos;
        private long maxPauseNanos;
        private boolean milliseconds;
        private boolean sharedPause;

        Draft(OutboundSettings from) {
            name = from.name;
            pace = from.pace;
            maxWaitNanos = from.maxWaitNanos;
            inFlight = from.inFlight;
            queue = from.queue;
            retry = from.retry;
            throttleK = from.throttleK;
            hedgeNanos = from.hedgeNanos;
            timeoutNanos = from.timeoutNanos;
            maxPauseNanos = from.maxPauseNanos;
            milliseconds = from.milliseconds;
            sharedPause = from.sharedPause;
        }

        OutboundSettings settings() {
            return new OutboundSettings(
                    name,
                    pace,
                    maxWaitNanos,
                    inFlight,
                    queue,
                    retry,
                    throttleK,
                    hedgeNanos,
                    timeoutNanos,
                    maxPauseNanos,
                    milliseconds,
                    sharedPause);
        }
    }

    /**
     * How long one call may wait when so many instances share the rate. Where nothing else is said it is one turn, so that calls which come
     * at uneven times use the whole rate.
     */
    public long maxWaitNanos(int instances) {
        long turn = pace.map(own -> own.of(instances))
                .filter(limit -> limit.count() > 0)
                .map(limit -> limit.periodNanos() / limit.count() + 1)
                .orElse(0L);
        return maxWaitNanos.orElse(Math.min(Math.max(turn, LEAST_OWN_WAIT_NANOS), MOST_OWN_WAIT_NANOS));
    }

    /** Whether a request may be sent twice here. */
    public Repeat repeat(String method, boolean keyed, boolean bodyRepeatable) {
        return Repeat.of(
                method, keyed, bodyRepeatable, retry.map(Retry::alsoSafe).orElse(Set.of()));
    }
}
