package dev.weir.sim;

import dev.weir.client.Backoff;
import java.util.Optional;

/**
 * Sending again.
 *
 * @param tries sends of one call, the first included
 * @param backoff how long before each
 * @param budgetBasisPoints retries allowed for each first send of the last ten seconds, in hundredths of a percent; empty for any number
 */
record RetrySettings(int tries, Backoff backoff, Optional<Integer> budgetBasisPoints) {}
