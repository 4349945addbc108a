package dev.weir.client;

import java.util.Locale;

/** Why a call was not sent. */
public enum OutboundReason {
    /** What we allow ourselves over time is used up, and its turn would come later than a call may wait. */
    RATE,
    /** As much is in flight as we allow ourselves, and there is no place to wait. */
    IN_FLIGHT,
    /** The dependency said when it can be asked again, and that is later than a call may wait. */
    PAUSED,
    /** The dependency has been turning away most of what it was sent: it is asked less. */
    THROTTLED,
    /** The answer would come too late for the call. */
    DEADLINE;

    /** The word of metrics and documents: {@code in-flight}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
