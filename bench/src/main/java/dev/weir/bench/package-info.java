/**
 * What a decision costs, measured beside a hand-written loop and the libraries that one would otherwise take.
 *
 * <p>Start at {@code bench/run}, which builds and hands over to {@link dev.weir.bench.Measure}. Each group is a class of benchmarks,
 * {@link dev.weir.bench.HotLimiter} is the simplest; rivals stand beside Weir in the same class, so that they are measured in one run.
 *
 * <p>Not here: whether decisions are right. A benchmark asserts nothing.
 */
package dev.weir.bench;
