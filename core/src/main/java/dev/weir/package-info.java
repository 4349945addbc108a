/**
 * Admission control for one process. Start at {@link dev.weir.Weir}: it decides about calls by a policy. Then {@link dev.weir.Decision},
 * what it answers, and {@link dev.weir.Permit}, what an admitted call holds. The counters are in {@code rate}, the meaning of a policy in
 * {@code policy}, what HTTP says about a decision in {@code http}.
 */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
