/**
 * One budget for many instances, as one of them decides by it. Start at {@link dev.weir.fleet.Fleet}: what it knows of each key ({@code
 * KnownKey}: leases and remembered refusals), what it asks its {@link dev.weir.rate.RateStore}, and how it decides while that is away ({@code
 * Outage}). {@code LeaseTerms} says how much is taken in advance and for how long. How a store counts is not here, nor what a call is.
 */
@NullMarked
package dev.weir.fleet;

import org.jspecify.annotations.NullMarked;
