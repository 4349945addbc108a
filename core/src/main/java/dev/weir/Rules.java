package dev.weir;

import dev.weir.client.Outbound;
import dev.weir.load.Gate;
import dev.weir.policy.Policy;
import dev.weir.rate.StoreKeyHash;
import java.util.Map;
import java.util.Optional;

/** A policy with the counters of its limits, its gates, its dependencies and the names of keys in its store: swapped as one. */
record Rules(
        Policy policy,
        Map<String, LimitState> states,
        Map<String, Gate> gates,
        Map<String, Outbound> outbounds,
        Optional<PartitionKeys> partitionKeys,
        StoreKeyHash storeKeys) {

    Rules(Policy policy, Map<String, LimitState> states, Map<String, Gate> gates, Map<String, Outbound> outbounds) {
        this(
                policy,
                states,
                gates,
                outbounds,
                policy.identity().secret().map(PartitionKeys::new),
                policy.identity().secret().map(StoreKeyHash::withSecret).orElseGet(StoreKeyHash::unkeyed));
    }

    /** The keyed hash of who is counted, for pk; empty without a secret. */
    Optional<String> partitionKeyOf(String key) {
        return partitionKeys.isEmpty()
                ? Optional.empty()
                : Optional.of(partitionKeys.get().of(key));
    }
}
