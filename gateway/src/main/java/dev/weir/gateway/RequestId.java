package dev.weir.gateway;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** By what a call is found again in logs. */
final class RequestId {

    private static final int MAX_CHARS = 128;
    private static final int DIGITS = 32;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private RequestId() {}

    /** A trusted proxy's id when it is short and printable, else a new one of 128 random bits. */
    static String of(@Nullable String theirs) {
        if (theirs != null && isFit(theirs)) {
            return theirs;
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] id = new byte[DIGITS];
        write(random.nextLong(), id, 0);
        write(random.nextLong(), id, DIGITS / 2);
        return new String(id, StandardCharsets.ISO_8859_1);
    }

    private static boolean isFit(String id) {
        return !id.isEmpty()
                && id.length() <= MAX_CHARS
                && id.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
    }

    private static void write(long bits, byte[] id, int from) {
        for (int at = 0; at < DIGITS / 2; at++) {
            id[from + at] = HEX[(int) (bits >>> (4 * at)) & 0xf];
        }
    }
}
