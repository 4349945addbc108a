/**
 * A fleet under load in virtual time: the production gate, rivals and no gate at all in front of the same servers and the same calls. Start
 * at {@link dev.weir.sim.Scenario}, which is read from a file; {@link dev.weir.sim.Simulation} plays it once for each contender; {@link
 * dev.weir.sim.Report} says what came of it. Decides nothing about load itself: that is {@code dev.weir.load}.
 */
@NullMarked
package dev.weir.sim;

import org.jspecify.annotations.NullMarked;
