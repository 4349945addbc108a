/**
 * Has this caller used its share? Counters over time, in one process. Start at {@link dev.weir.rate.RateLimiter} for one budget, {@link
 * dev.weir.rate.KeyedRateLimiter} for one a key; {@link dev.weir.rate.RateLimit} says how much that is. Inside, each algorithm is a pure
 * {@code Meter} over one long (a {@code SlidingLog} over a ring), and the shells make it atomic. {@link dev.weir.rate.RateStore} is where a
 * fleet counts together. Knows no call and no policy; time is an argument or a {@link dev.weir.Ticker}.
 */
@NullMarked
package dev.weir.rate;

import org.jspecify.annotations.NullMarked;
