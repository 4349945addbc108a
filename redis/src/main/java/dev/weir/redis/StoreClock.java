package dev.weir.redis;

import dev.weir.Ticker;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What the server's clock is believed to show: this machine's, corrected by every answer. Nothing is decided by it; it only helps to send the
 * right windows of a calendar. A test may give the time instead, which is then sent to the scripts.
 */
final class StoreClock {

    private static final byte[] SERVERS = new byte[0];

    private final Ticker wall;
    private final Optional<LongSupplier> given;
    private volatile long aheadMicros;

    StoreClock(Ticker wall, Optional<LongSupplier> given) {
        this.wall = wall;
        this.given = given;
    }

    /** What scripts get as their time. */
    byte[] word() {
        return given.map(clock -> Words.bytes(clock.getAsLong())).orElse(SERVERS);
    }

    long micros() {
        return given.isPresent() ? given.get().getAsLong() : wall.nanos() / 1_000 + aheadMicros;
    }

    /** An answer says what the server's clock showed. */
    void heard(long storeMicros) {
        aheadMicros = storeMicros - wall.nanos() / 1_000;
    }
}
