package dev.weir.redis;

import dev.weir.Ticker;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that a test moves, in microseconds since the epoch for scripts and in nanoseconds for the store in memory. */
final class FakeMicros implements LongSupplier, Ticker {

    private final AtomicLong micros;

    FakeMicros(long micros) {
        this.micros = new AtomicLong(micros);
    }

    @Override
    public long getAsLong() {
        return micros.get();
    }

    @Override
    public long nanos() {
        return micros.get() * 1_000;
    }

    void advance(long byMicros) {
        micros.addAndGet(byMicros);
    }
}
