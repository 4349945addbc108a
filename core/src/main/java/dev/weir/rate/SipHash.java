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
        int whole = length & ~3;
        // One round a word.
        for (int i = 0; i < whole; i += 4) {
            long word = (long) text.charAt(i)
                    | ((long) text.charAt(i + 1) << 16)
                    | ((long) text.charAt(i + 2) << 32)
                    | ((long) text.charAt(i + 3) << 48);
            v3 ^= word;
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
        long last = (long) length << 48;
        for (int i = whole; i < length; i++) {
            last |= (long) text.charAt(i) << (16 * (i - whole));
        }
        // One round for the last word, and three to finish.
        v3 ^= last;
        for (int round = 0; round < 4; round++) {
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
            if (round == 0) {
                v0 ^= last;
                v2 ^= 0xff;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }
}
