/**
 * Access logs as calls, in the order they were made. Start at {@link dev.weir.cli.log.AccessLogs}, which reads files of one
 * {@link dev.weir.cli.log.LogFormat} and answers with {@link dev.weir.cli.log.SortedCalls}, an iterator over
 * {@link dev.weir.cli.log.LoggedCall}.
 *
 * <p>Memory does not grow with the log: calls are packed into one array and, when that is full, sorted and written to a temporary
 * directory as a run; the runs are merged while the calls are taken.
 *
 * <p>Not here: what a policy says about a call, and reports.
 */
@NullMarked
package dev.weir.cli.log;

import org.jspecify.annotations.NullMarked;
