package dev.weir.cli.log;

import java.nio.charset.StandardCharsets;

/** Why a line is no call, in words for a person. Without a stack trace: a log may hold millions of such lines. */
final class Malformed extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN_BYTES = 40;

    private final String reason;

    Malformed(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Something else stood where the expected should. */
    static Malformed expected(String expected, byte[] bytes, int from, int to) {
        return new Malformed(expected + " was expected, found " + shown(bytes, from, to));
    }

    /** The same, with the place where it was found. */
    Malformed at(String place) {
        return new Malformed(place + ": " + reason);
    }

    String reason() {
        return reason;
    }

    /** A piece of a line in quotes, short, with every byte that is not printable replaced by a question mark. */
    static String shown(byte[] bytes, int from, int to) {
        if (from >= to) {
            return "nothing";
        }
        int end = Math.min(to, from + SHOWN_BYTES);
        byte[] printable = new byte[end - from];
        for (int i = from; i < end; i++) {
            printable[i - from] = bytes[i] >= ' ' && bytes[i] < 0x7f ? bytes[i] : (byte) '?';
        }
        return "'" + new String(printable, StandardCharsets.ISO_8859_1) + (end < to ? "...'" : "'");
    }
}
