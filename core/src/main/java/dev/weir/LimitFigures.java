package dev.weir;

import dev.weir.policy.Limit;

/**
 * One limit of the policy in force and what its counters hold.
 *
 * @param limit what the policy says
 * @param keys how many keys are held, those included whose budget is whole again and that have not left yet
 * @param evictions how many keys had to leave with something used, so far
 * @param stricter how many newcomers were judged more strictly than in an unbounded table, so far
 */
public record LimitFigures(Limit limit, int keys, long evictions, long stricter) {}
