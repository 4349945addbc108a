package dev.weir.cli.replay;

import dev.weir.Ticker;

/** A clock that stands at the call being judged, in nanoseconds since the epoch. */
final class LogClock implements Ticker {

    long nanos;

    @Override
    public long nanos() {
        return nanos;
    }
}
