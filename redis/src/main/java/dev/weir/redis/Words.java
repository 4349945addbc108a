package dev.weir.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The keys and arguments of one script, while they are gathered. */
final class Words {

    private static final byte[][] SMALL = new byte[1_024][];

    static {
        for (int i = 0; i < SMALL.length; i++) {
            SMALL[i] = Integer.toString(i).getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private final List<byte[]> words;

    Words(int expected) {
        words = new ArrayList<>(expected);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return number >= 0 && number < SMALL.length
                ? SMALL[(int) number]
                : Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }

    Words add(byte[] word) {
        words.add(word);
        return this;
    }

    Words add(String word) {
        return add(bytes(word));
    }

    Words add(long number) {
        return add(bytes(number));
    }

    Words addAll(List<byte[]> all) {
        words.addAll(all);
        return this;
    }

    int size() {
        return words.size();
    }

    Words addAll(Words others) {
        return addAll(others.words);
    }

    byte[][] toArray() {
        return words.toArray(new byte[0][]);
    }
}
