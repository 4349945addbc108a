package dev.weir.cli.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Values one after the other in an array that grows: the form in which calls wait, in memory and on disk. Numbers take as many bytes as they
 * need, seven bits each; what may be absent is written as one more, and 0 for absent. Reading and writing go on from one position.
 */
final class PackedBytes {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int position;

    PackedBytes(int capacity) {
        this.bytes = new byte[capacity];
    }

    byte[] array() {
        return bytes;
    }

    int position() {
        return position;
    }

    /** Where the next value is read or written. */
    void position(int newPosition) {
        position = newPosition;
    }

    /** Reads from another array from now on. */
    void wrap(byte[] array, int newPosition) {
        bytes = array;
        position = newPosition;
    }

    void putLong(long value) {
        reserve(Long.BYTES);
        LONG.set(bytes, position, value);
        position += Long.BYTES;
    }

    long getLong() {
        long value = longAt(bytes, position);
        position += Long.BYTES;
        return value;
    }

    static long longAt(byte[] array, int index) {
        return (long) LONG.get(array, index);
    }

    /** Writes a number of 0 or more. */
    void putVarint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[position++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[position++] = (byte) rest;
    }

    long getVarint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = bytes[position++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    void putOptional(OptionalLong value) {
        putVarint(value.isPresent() ? value.getAsLong() + 1 : 0);
    }

    OptionalLong getOptional() {
        long value = getVarint();
        return value == 0 ? OptionalLong.empty() : OptionalLong.of(value - 1);
    }

    void putString(@Nullable String value) {
        if (value == null) {
            putVarint(0);
            return;
        }
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        putVarint(encoded.length + 1L);
        reserve(encoded.length);
        System.arraycopy(encoded, 0, bytes, position, encoded.length);
        position += encoded.length;
    }

    @Nullable
    String getString() {
        int length = (int) getVarint() - 1;
        if (length < 0) {
            return null;
        }
        String value = new String(bytes, position, length, StandardCharsets.UTF_8);
        position += length;
        return value;
    }

    private void reserve(int count) {
        if (bytes.length - position < count) {
            bytes = Arrays.copyOf(bytes, Math.max(position + count, bytes.length + bytes.length / 2));
        }
    }
}
