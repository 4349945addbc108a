package dev.weir.policy;

import java.util.Optional;

/**
 * Headers of trusted proxies that carry what they know of a call.
 *
 * @param deadline the header with the time the caller will still wait; empty: none is read
 * @param criticality the header with the call's criticality; empty: none is read
 */
public record CallHeaders(Optional<String> deadline, Optional<String> criticality) {
    /** None is read. */
    public static final CallHeaders NONE = new CallHeaders(Optional.empty(), Optional.empty());
}
