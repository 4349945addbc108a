/** Scenarios against their committed reports, what they must show, and whether they would notice. */
@NullMarked
package dev.weir.sim;

import org.jspecify.annotations.NullMarked;
