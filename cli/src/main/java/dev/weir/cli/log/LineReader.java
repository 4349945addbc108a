package dev.weir.cli.log;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a stream into lines without copying them: a line is a piece of {@link #bytes}, until the next one is asked for. A line ends at a line
 * feed, with or without a carriage return, or at the end of the stream. Lines longer than {@link #LONGEST_BYTES} are passed over.
 */
final class LineReader {

    /** Longer lines are not read: 1 MiB. */
    static final int LONGEST_BYTES = 1 << 20;

    private final InputStream in;
    private final byte[] bytes = new byte[LONGEST_BYTES + (1 << 16)];
    private int filled;
    private int next;
    private int from;
    private int to;
    private long line;
    private boolean tooLong;

    LineReader(InputStream in) {
        this.in = in;
    }

    byte[] bytes() {
        return bytes;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** The number of this line, from 1. */
    long line() {
        return line;
    }

    /** Whether this line was too long; it then has no bytes. */
    boolean tooLong() {
        return tooLong;
    }

    /** Goes to the next line; false when there is none. */
    boolean advance() throws IOException {
        tooLong = false;
        int scanned = next;
        boolean complete = false;
        while (!complete) {
            while (scanned < filled && bytes[scanned] != '\n') {
                scanned++;
            }
            if (scanned - next > LONGEST_BYTES) {
                tooLong = true;
                next = scanned;
            }
            complete = scanned < filled;
            if (!complete) {
                int kept = filled - next;
                boolean more = fill();
                scanned = kept;
                if (!more) {
                    if (kept == 0 && !tooLong) {
                        return false;
                    }
                    break;
                }
            }
        }
        line++;
        from = tooLong ? scanned : next;
        to = scanned;
        next = complete ? scanned + 1 : scanned;
        if (to > from && bytes[to - 1] == '\r') {
            to--;
        }
        if (line == 1 && to - from >= 3 && startsWithByteOrderMark()) {
            from += 3;
        }
        return true;
    }

    private boolean startsWithByteOrderMark() {
        return bytes[from] == (byte) 0xef && bytes[from + 1] == (byte) 0xbb && bytes[from + 2] == (byte) 0xbf;
    }

    /** Moves the line that has begun to the front and reads on; false at the end of the stream. */
    private boolean fill() throws IOException {
        int kept = filled - next;
        System.arraycopy(bytes, next, bytes, 0, kept);
        next = 0;
        filled = kept;
        int count = in.read(bytes, filled, bytes.length - filled);
        filled += Math.max(0, count);
        return count >= 0;
    }
}
