package dev.weir.rate;

/**
 * SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF") over UTF-16 text: under a secret that callers do not know
 * they cannot aim at a slot, a stripe or another key. Words are four characters, the last one with the length on top.
 */
final class SipHash {

    private SipHash() {}

    static long of(CharSequence text, long secret0, long secret1) {
        long v0 = secret0 ^ 0x736f6d6570736575L;
        long v1 = secret1 ^ 0x646f72616e646f6dL;
        long v2 = secret0 ^ 0x6c7967656e657261L;
        long v3 = secret1 ^ 0x7465646279746573L;
        int length = text.length();
        int i = 0;
        boolean last = false;
        while (!last) {
            long word;
            if (length - i >= 4) {
                word = (long) text.charAt(i)
                        | ((long) text.charAt(i + 1) << 16)
                        | ((long) text.charAt(i + 2) << 32)
                        | ((long) text.charAt(i + 3) << 48);
                i += 4;
            } else {
                word = 0;
                for (int shift = 0; i < length; i++, shift += 16) {
                    word |= (long) text.charAt(i) << shift;
                }
                word |= (long) length << 48;
                last = true;
            }
            v3 ^= word;
            // One round.
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        v2 ^= 0xff;
        for (int round = 0; round < 3; round++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
