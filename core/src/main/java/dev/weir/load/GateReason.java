package dev.weir.load;

import java.util.Locale;

/** Why a gate refused a call. */
public enum GateReason {
    /** Refused early, so that more critical calls are served. */
    SHED,
    /** No slot, and no place to wait for one. */
    FULL,
    /** Slots are scarce and the call's tenant has its share of them. */
    TENANT_SHARE,
    /** The call's deadline comes before its turn would. */
    DEADLINE,
    /** It waited, or would have to wait, longer than waiting is allowed. */
    WAIT_EXCEEDED;

    /** The word of metrics and documents: {@code tenant-share}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
