package dev.weir.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * Another budget for one key, for a while.
 *
 * @param budget what the key gets instead of its plan's or the limit's budget
 * @param until the first instant at which the override no longer holds; empty: it holds for ever
 * @param why the reason, for people; empty when none was given
 */
public record KeyOverride(Budget budget, Optional<Instant> until, Optional<String> why) {}
