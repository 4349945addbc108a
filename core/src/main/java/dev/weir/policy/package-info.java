/**
 * What a policy file says, as values, and what it means for one call. Start at {@link dev.weir.policy.Policy}: {@code bill(call)} is the
 * pure function from a {@link dev.weir.policy.Call} to its {@link dev.weir.policy.Bill}, one line for each {@link dev.weir.policy.Limit}
 * that applies. Nothing here counts or waits: that is {@code dev.weir.Weir}.
 */
@NullMarked
package dev.weir.policy;

import org.jspecify.annotations.NullMarked;
