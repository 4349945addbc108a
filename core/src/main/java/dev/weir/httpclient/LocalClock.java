package dev.weir.httpclient;

import java.time.InstantSource;

/** The machine's clock since the epoch. */
final class LocalClock {

    static final InstantSource SYSTEM = InstantSource.system();

    private LocalClock() {}
}
