/**
 * What HTTP says about a decision, and what it may say back: pure functions from values to header fields and bodies and from fields to
 * values, for any server or client library. Start at {@link dev.weir.http.HttpAnswer}, which turns a decision into status, fields and
 * body; {@link dev.weir.http.RateLimitFields} writes, merges and reads the fields that tell callers what is left, in all their
 * generations; {@link dev.weir.http.RetryAfter} holds the rules of waiting. Not here: who the caller is and which path was meant ({@link
 * dev.weir.policy.ClientAddress}, {@link dev.weir.policy.NormalPath}), deciding ({@link dev.weir.Decision}), and any input or output.
 */
package dev.weir.http;
