package dev.weir;

import dev.weir.load.GateFigures;
import dev.weir.policy.GateRule;

/**
 * A gate of the policy in force.
 *
 * @param rule what the policy says of it
 * @param figures the gate at this moment
 */
public record GateState(GateRule rule, GateFigures figures) {}
