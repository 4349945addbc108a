/**
 * Can this process carry it now? State that is held and let go. Start at {@link dev.weir.load.Gate}; then {@link
 * dev.weir.load.GateSettings}, what a gate can be told, and {@link dev.weir.load.ConcurrencyLimit}, how it finds its limit. {@link
 * dev.weir.load.InFlightTable} counts calls in flight for each key. What a caller has used up over time is not here but in {@code
 * dev.weir.rate}.
 */
@NullMarked
package dev.weir.load;

import org.jspecify.annotations.NullMarked;
