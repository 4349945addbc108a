package dev.weir.sim;

import dev.weir.client.OutboundSettings;
import java.util.OptionalInt;

/**
 * A service that some calls need, behind the outbound half of admission control.
 *
 * @param share of the calls that need it, spread evenly
 * @param latencyNanos how long its answer takes
 * @param refusalNanos how long its refusal takes
 * @param contract sends in a rolling second that it takes, refused ones counted; absent: any number
 * @param outbound how each instance asks it
 */
record DependencySettings(
        double share,
        Steps<ServiceTime> latencyNanos,
        long refusalNanos,
        OptionalInt contract,
        OutboundSettings outbound) {}
