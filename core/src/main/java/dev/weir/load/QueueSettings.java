package dev.weir.load;

import java.time.Duration;

/**
 * Where calls wait for a slot.
 *
 * @param size how many may wait; 0 for none
 * @param maxWaitNanos how long each may
 * @param fairByTenant whether the tenant with the fewest calls in flight comes first
 */
public record QueueSettings(int size, long maxWaitNanos, boolean fairByTenant) {

    /** Nobody waits. */
    public static final QueueSettings NONE = new QueueSettings(0, 0, false);

    public QueueSettings {
        if (size < 0 || maxWaitNanos < 0) {
            throw new IllegalArgumentException(
                    "a queue of " + size + " for " + maxWaitNanos + " ns: neither can be below 0");
        }
    }

    /** A queue in which all tenants are one. */
    public static QueueSettings of(int size, Duration maxWait) {
        return new QueueSettings(size, maxWait.toNanos(), false);
    }
}
