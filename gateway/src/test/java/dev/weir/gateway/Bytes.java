package dev.weir.gateway;

import java.util.zip.CRC32;

/** Bytes of which each tells where it stands, and by what they are known again. */
final class Bytes {

    private Bytes() {}

    static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at++) {
            bytes[at] = (byte) (at * 31 + (at >> 8) + (at >> 16));
        }
        return bytes;
    }

    static long checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return sum.getValue();
    }
}
