package dev.weir.load;

/**
 * A gate's no.
 *
 * @param reason why
 * @param retryAfterNanos R: a second for each call that was asked for while one was served over the last ten seconds, within 1 to 30
 *     seconds. Who tells a caller says a time drawn evenly from R to 2R, so that callers return about as fast as they are served.
 */
public record GateRefusal(GateReason reason, long retryAfterNanos) {}
