package dev.weir.policy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How overrides and plan rows name a key without holding it: the SHA-256 of its UTF-8 text. */
public final class KeyDigest {

    private KeyDigest() {}

    /** 64 lower-case hexadecimal digits. */
    public static String sha256(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
