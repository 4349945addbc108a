package dev.weir.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Keys as they come in the wild: the n-th most frequent one comes in proportion to 1 / n^0.99. A repeatable sequence, drawn beforehand so
 * that drawing is not measured; frequent keys do not lie beside each other in memory.
 */
final class ZipfKeys {
    private static final double EXPONENT = 0.99;
    private static final int DRAWN = 1 << 22;

    private final String[] keys;
    private final byte[][] bytes;
    private final int[] drawn = new int[DRAWN];
    private int at;

    ZipfKeys(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        keys = new String[count];
        bytes = new byte[count][];
        for (int i = 0; i < count; i++) {
            keys[i] = String.format("customer-%016x", random.nextLong());
            bytes[i] = keys[i].getBytes(StandardCharsets.ISO_8859_1);
        }
        double[] upTo = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1, -EXPONENT);
            upTo[i] = sum;
        }
        // Keys are made in random order already, but lie in memory in the order of their making.
        int[] ranked = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            ranked[i] = ranked[j];
            ranked[j] = i;
        }
        for (int i = 0; i < DRAWN; i++) {
            drawn[i] = ranked[firstAtLeast(upTo, random.nextDouble() * sum)];
        }
    }

    private static int firstAtLeast(double[] ascending, double value) {
        int low = 0;
        int high = ascending.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] < value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Every key once. */
    String[] all() {
        return keys;
    }

    /** The next key of the sequence, which starts over at its end. Not thread safe. */
    String next() {
        at = (at + 1) & (DRAWN - 1);
        return keys[drawn[at]];
    }

    /** As {@link #next}, but as a call brings it: a String made from bytes just now. */
    String nextAsItComes() {
        at = (at + 1) & (DRAWN - 1);
        return new String(bytes[drawn[at]], StandardCharsets.ISO_8859_1);
    }
}
