package dev.weir.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.weir.load.LoadSignal;

/**
 * How full a connection pool is: connections in use and threads that wait for one, over the most connections there can be. 1 is full, above
 * that threads wait. Thread safe and quick; what is asked are counters.
 *
 * <pre>{@code
 * Weir weir = Weir.builder(policy)
 *         .signal(HikariSignal.of("orders-db", dataSource))   // signals: { "pool:orders-db": 95% }
 *         .build();
 * }</pre>
 */
public final class HikariSignal implements LoadSignal {

    private final String name;
    private final HikariDataSource source;

    private HikariSignal(String name, HikariDataSource source) {
        this.name = name;
        this.source = source;
    }

    /** The signal {@code pool:NAME} of a data source. Until the pool has been used for the first time its value is 0. */
    public static HikariSignal of(String name, HikariDataSource source) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a pool's name is empty: policies refer to it as pool:NAME");
        }
        return new HikariSignal("pool:" + name, source);
    }

    @Override
    public String name() {
        return name;
    }

    /** Not a number once the data source is closed. */
    @Override
    public double value() {
        if (source.isClosed()) {
            return Double.NaN;
        }
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        return pool == null
                ? 0
                : (double) (pool.getActiveConnections() + pool.getThreadsAwaitingConnection())
                        / source.getMaximumPoolSize();
    }
}
