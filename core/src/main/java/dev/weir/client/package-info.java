/**
 * Be a good caller: what this process asks of others, and what it learns from their answers. Start at {@link dev.weir.client.Outbound},
 * one for each dependency; then {@link dev.weir.client.OutboundSettings}, what it is told, and {@link dev.weir.client.PeerAnswer}, what it
 * learns. {@link dev.weir.client.RetryBudget}, {@link dev.weir.client.AdaptiveThrottle} and {@link dev.weir.client.Backoff} are useful
 * alone. Not here: how HTTP says it ({@link dev.weir.http.PeerAnswers}), and the clients that it stands in front of ({@code
 * dev.weir.httpclient} and modules of their own).
 */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
