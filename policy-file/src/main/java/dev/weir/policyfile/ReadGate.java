package dev.weir.policyfile;

import dev.weir.policy.GateRule;

/**
 * A gate and the values that warnings may be about.
 *
 * @param name where its name stands
 * @param fields all it was read from
 */
record ReadGate(GateRule rule, Place name, Fields fields) {}
