/**
 * How full a HikariCP connection pool is, for gates to look at: start at {@link dev.weir.hikaricp.HikariSignal}. Other pools need no adapter:
 * {@link dev.weir.load.LoadSignals#gauge} takes any number.
 */
@NullMarked
package dev.weir.hikaricp;

import org.jspecify.annotations.NullMarked;
