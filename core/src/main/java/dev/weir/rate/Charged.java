package dev.weir.rate;

import java.util.List;
import java.util.Locale;

/** What a {@link RateStore} answers to a bill. Trouble is an answer too, never an exception. */
public sealed interface Charged {

    /**
     * Every enforced line passed and was charged.
     *
     * @param lines a line for each charge of the bill, in its order
     * @param receipt what gives the charge back
     */
    record Granted(List<Line> lines, Receipt receipt) implements Charged {}

    /**
     * At least one enforced line refused; nothing was charged, no shadow either. What another node had charged meanwhile is given back.
     *
     * @param lines a line for each charge of the bill, in its order
     */
    record Refused(List<Line> lines) implements Charged {}

    /**
     * The store gave no answer.
     *
     * @param cause why
     * @param mayHaveCharged whether the question may have reached the store. It then counts as charged, and is neither repeated nor given back
     */
    record Unavailable(Cause cause, boolean mayHaveCharged) implements Charged {}

    /**
     * What the store says about one charge of the bill.
     *
     * @param waitNanos {@link RateTable#NOW} when the line passes; else how long until it alone would, or {@link RateTable#NEVER}. Exact in
     *     the store's unit of time, a microsecond. Of calls in flight, whose end nobody knows, a second
     * @param standing what the key has left after this bill, and when more comes
     * @param charged whether the line was charged: an enforced one with the bill, a shadow when it would have let the call pass as well
     * @param turnNanos how long a charged call of a leaky queue waits for its turn; else 0
     */
    record Line(long waitNanos, Standing standing, boolean charged, long turnNanos) {}

    /** Why a store gave no answer. */
    enum Cause {
        /** No answer within the store's time budget. */
        TIMEOUT,
        /** Nobody listens where the store should be. */
        CONNECTION_REFUSED,
        /** The connection broke while the question was under way. */
        CONNECTION_LOST,
        /** The store has no memory left for another count. */
        OUT_OF_MEMORY,
        /** The store failed so often that it is left alone for a moment; nothing was sent. */
        BREAKER_OPEN,
        /** The store answered, with an error. */
        ERROR,
        /** This side has closed the store. */
        CLOSED;

        /** The word of metrics and logs: {@code out-of-memory}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
