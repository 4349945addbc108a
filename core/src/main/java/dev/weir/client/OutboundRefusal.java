package dev.weir.client;

import java.util.OptionalLong;

/**
 * A call that was not sent. Nothing of it reached the dependency, and nothing is held for it.
 *
 * @param dependency what was to be called
 * @param reason why not
 * @param retryAfterNanos in how long the same call would be sent, as far as that is known
 * @param explanation one sentence for people
 */
public record OutboundRefusal(
        String dependency, OutboundReason reason, OptionalLong retryAfterNanos, String explanation) implements Leave {}
