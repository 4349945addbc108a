/**
 * How much a service can usefully do at once, by the results of a load test. Start at {@link dev.weir.cli.size.Knee}: where the curve of
 * latency against rate turns. {@link dev.weir.cli.size.LoadResults} reads the points of the curve from files, and
 * {@link dev.weir.cli.size.Sizing} makes a limit of what was found. Nothing here runs a load test.
 */
@NullMarked
package dev.weir.cli.size;

import org.jspecify.annotations.NullMarked;
