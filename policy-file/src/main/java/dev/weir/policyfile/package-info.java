/**
 * The policy file: YAML read whole into a {@link dev.weir.policy.Policy}, or refused with every error at its place.
 *
 * <p>Start at {@link dev.weir.policyfile.PolicyFile}; its answer is a {@link dev.weir.policyfile.Loaded}, made of a policy and
 * {@link dev.weir.policyfile.Warning}s or of {@link dev.weir.policyfile.Problem}s. Inside, read {@code Definitions} (every field, once:
 * parser, schema and reference page come from it), {@code Value} (one value at its place) and {@code LimitReader}.
 *
 * <p>Not here: what a policy does, which is {@code dev.weir.policy}; and mapping onto objects by name, which would drop what it does
 * not know.
 */
@NullMarked
package dev.weir.policyfile;

import org.jspecify.annotations.NullMarked;
