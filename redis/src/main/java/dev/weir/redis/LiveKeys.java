package dev.weir.redis;

import dev.weir.rate.StoreKey;
import java.util.Arrays;

/**
 * The distinct keys of one limit that this instance has written and that have not expired, so that nobody can fill the store with keys. A set of
 * 64-bit fingerprints with the second in which each expires, in flat arrays that grow up to the cap. Thread safe behind one lock.
 */
final class LiveKeys {

    /** How many keys newcomers share once the cap is reached. */
    static final int OVERFLOW = 4_096;

    private static final long OVERFLOW_HIGH = 0x6f766572666c6f77L;

    private long[] prints = new long[64];
    private int[] expirySeconds = new int[64];
    private int used;
    private int maxKeys;
    private long sweptSecond = Long.MIN_VALUE;

    LiveKeys(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    synchronized void maxKeys(int maxKeys) {
        this.maxKeys = maxKeys;
    }

    synchronized int size() {
        return used;
    }

    /** The key itself while there is room for it, or one of the shared ones. A key that is there stays itself. */
    synchronized StoreKey place(StoreKey key, long nowSecond, long lifeSeconds) {
        long print = (key.high() ^ key.low()) | 1;
        int expiry = (int) Math.min(Integer.MAX_VALUE, nowSecond + lifeSeconds + 1);
        int at = find(print);
        if (prints[at] == 0) {
            if (used >= maxKeys) {
                sweep(nowSecond);
                if (used >= maxKeys) {
                    return new StoreKey(OVERFLOW_HIGH, key.low() & (OVERFLOW - 1));
                }
            }
            if (2 * (used + 1) > prints.length) {
                sweep(nowSecond);
                resize(Math.max(64, Integer.highestOneBit(Math.max(1, used)) * 4));
            }
            at = find(print);
            prints[at] = print;
            used++;
        }
        expirySeconds[at] = Math.max(expirySeconds[at], expiry);
        return key;
    }

    /** Drops what has expired, at most once a second. */
    private void sweep(long nowSecond) {
        if (sweptSecond != nowSecond) {
            sweptSecond = nowSecond;
            for (int i = 0; i < prints.length; i++) {
                if (prints[i] != 0 && expirySeconds[i] < nowSecond) {
                    prints[i] = 0;
                }
            }
            resize(prints.length);
        }
    }

    private void resize(int size) {
        long[] oldPrints = prints;
        int[] oldExpiry = expirySeconds;
        prints = new long[size];
        expirySeconds = new int[size];
        Arrays.fill(expirySeconds, 0);
        used = 0;
        for (int i = 0; i < oldPrints.length; i++) {
            if (oldPrints[i] != 0) {
                int at = find(oldPrints[i]);
                prints[at] = oldPrints[i];
                expirySeconds[at] = oldExpiry[i];
                used++;
            }
        }
    }

    private int find(long print) {
        int mask = prints.length - 1;
        int at = (int) ((print * 0x9E3779B97F4A7C15L) >>> 33) & mask;
        while (prints[at] != 0 && prints[at] != print) {
            at = (at + 1) & mask;
        }
        return at;
    }
}
