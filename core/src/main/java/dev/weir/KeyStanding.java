package dev.weir;

import dev.weir.policy.Bill;
import dev.weir.rate.Standing;
import java.util.Optional;

/**
 * What one limit has left for one key.
 *
 * @param line the limit, the key expression under which the key is counted, and what the policy grants it
 * @param standing what is left; empty when the key is unlimited or denied, and so not counted
 */
public record KeyStanding(Bill.Line line, Optional<Standing> standing) {}
