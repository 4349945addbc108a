/**
 * What a policy would have refused of traffic that a log recorded. Start at {@link dev.weir.cli.replay.Replay}: it lets the production
 * classes decide about each logged call at its own time. {@link dev.weir.cli.replay.LimitReport} is what it tells of one limit. Nothing
 * here counts or decides by itself, and nothing reads lines: that is {@code dev.weir.cli.log}.
 */
@NullMarked
package dev.weir.cli.replay;

import org.jspecify.annotations.NullMarked;
