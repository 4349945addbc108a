package dev.weir.policyfile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The form in which single keys are kept: never the key itself. */
final class KeyDigest {

    private static final String PREFIX = "sha256:";

    private KeyDigest() {}

    /** The lower-case hexadecimal SHA-256 of a key, which is given as it is or as {@code sha256:HEX}. */
    static String of(String key) {
        if (!key.startsWith(PREFIX)) {
            return sha256(key);
        }
        String hex = key.substring(PREFIX.length());
        if (!hex.matches("[0-9A-Fa-f]{64}")) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(key) + "' is not sha256: with 64 hexadecimal digits behind it, but has "
                            + hex.length() + " characters there");
        }
        return hex.toLowerCase(Locale.ROOT);
    }

    private static String sha256(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
