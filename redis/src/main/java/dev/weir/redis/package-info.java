/**
 * One budget for a fleet, on Redis or Valkey. Start at {@link dev.weir.redis.RedisStore}; {@link dev.weir.redis.RedisSettings} says where the
 * server is. Inside, scripts decide ({@code charge.lua} first, and {@code arithmetic.lua} and the kinds of limits before it), {@code Reading} says what a decision means to
 * the caller, {@code Flights} sends equal calls together, and a {@code Node} is the connection to one server. Knows no call and no policy.
 */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
