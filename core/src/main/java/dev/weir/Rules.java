package dev.weir;

import dev.weir.load.Gate;
import dev.weir.policy.Policy;
import dev.weir.rate.StoreKeyHash;
import java.util.Map;
import java.util.Optional;

/** A policy with the counters of its limits, its gates and the names of keys in its store: swapped as one. */
record Rules(
        Policy policy,
        Map<String, LimitState> states,
        Map<String, Gate> gates,
        Optional<PartitionKeys> partitionKeys,
        StoreKeyHash storeKeys) {

    Rules(Policy policy, Map<String, LimitState> states, Map<String, Gate> gates) {
        this(
                policy,
                states,
                gates,
                policy.identity().secret().map(PartitionKeys::new),
                policy.identity().secret().map(StoreKeyHash::withSecret).orElseGet(StoreKeyHash::unkeyed));
    }
}
