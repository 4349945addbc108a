package dev.weir.cli.log;

import java.io.Closeable;
import java.io.IOException;

/** Packed calls in order of time, one at a time. Before the first {@link #advance} it stands before the first call. */
interface PackedCursor extends Closeable {

    /** Goes to the next call; false when there is none. */
    boolean advance() throws IOException;

    /** The time of this call, which its packed form begins with. */
    default long epochNanos() {
        return PackedBytes.longAt(bytes(), start());
    }

    /** The array that holds this call from {@link #start} to {@link #end}, until the next call is asked for. */
    byte[] bytes();

    int start();

    int end();

    @Override
    void close() throws IOException;
}
