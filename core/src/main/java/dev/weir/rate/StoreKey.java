package dev.weir.rate;

import java.util.HexFormat;

/**
 * Who is counted, as a store sees it: 128 bits made of the key's parts by {@link StoreKeyHash}, never the key itself. Charges under one
 * store key are made together or not at all, also where a store spreads its keys over several nodes.
 *
 * @param high the first 64 bits
 * @param low the other 64 bits
 */
public record StoreKey(long high, long low) {

    /** The key of that text of 32 hexadecimal digits; refuses any other text. */
    public static StoreKey parse(String text) {
        if (text.length() != 32) {
            throw new IllegalArgumentException("'" + text + "' is no store key: 32 hexadecimal digits are");
        }
        try {
            return new StoreKey(
                    HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is no store key: 32 hexadecimal digits are", e);
        }
    }

    /** 32 lower-case hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
