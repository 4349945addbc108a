package dev.weir;

import dev.weir.load.Gate;
import dev.weir.policy.Policy;
import java.util.Map;
import java.util.Optional;

/** A policy with the counters of its limits and its gates: swapped as one. */
record Rules(
        Policy policy, Map<String, LimitState> states, Map<String, Gate> gates, Optional<PartitionKeys> partitionKeys) {

    Rules(Policy policy, Map<String, LimitState> states, Map<String, Gate> gates) {
        this(policy, states, gates, policy.identity().secret().map(PartitionKeys::new));
    }
}
