package dev.weir;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What callers are told of who was counted: a keyed hash, by which nobody can find the key again. Thread safe. */
final class PartitionKeys {

    private static final int BYTES = 12;

    /** Has taken in what is the same for all keys; every answer continues a copy of it. */
    private final Mac begun;

    PartitionKeys(String secret) {
        try {
            begun = Mac.getInstance("HmacSHA256");
            begun.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            begun.update("pk:".getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** The first 96 bits of an HMAC-SHA-256, under a label of its own, in base64. */
    String of(String key) {
        try {
            byte[] hash = ((Mac) begun.clone()).doFinal(key.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(hash, BYTES));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's HmacSHA256 can be copied", e);
        }
    }
}
