/**
 * Can this process carry it now? State that is held and let go. Start at {@link dev.weir.load.InFlightTable}; {@link
 * dev.weir.load.Outcome} is how held work ends, {@link dev.weir.load.Criticality} how much it matters. What a caller has used up over time
 * is not here but in {@code dev.weir.rate}.
 */
@NullMarked
package dev.weir.load;

import org.jspecify.annotations.NullMarked;
