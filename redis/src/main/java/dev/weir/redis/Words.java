package dev.weir.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The keys and arguments of one script, while they are gathered. */
final class Words {

    private final List<byte[]> words;

    Words(int expected) {
        words = new ArrayList<>(expected);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
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

    byte[][] toArray() {
        return words.toArray(new byte[0][]);
    }
}
