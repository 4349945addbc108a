package dev.weir.rate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns a key's parts into a {@link StoreKey}, the same on every instance: HMAC-SHA-256 under the fleet's secret, of which the first 128
 * bits are kept. Without a secret it is SHA-256, and whoever can read the store can find out a key by trying. Thread safe.
 *
 * <p>Parts keep their borders: {@code ("a:b", "c")} is not {@code ("a", "b:c")}.
 */
public final class StoreKeyHash {

    private static final String HMAC = "HmacSHA256";

    private final boolean keyed;
    private final Mac mac;
    private final MessageDigest digest;

    private StoreKeyHash(boolean keyed, byte[] secret) {
        try {
            this.keyed = keyed;
            mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has HMAC and SHA-256", e);
        }
    }

    /**
     * Hashes under a secret that all instances of the fleet share.
     *
     * @throws IllegalArgumentException when the secret is empty
     */
    public static StoreKeyHash withSecret(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("the secret is empty: give one, or hash without a secret");
        }
        return new StoreKeyHash(true, secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Hashes without a secret. */
    public static StoreKeyHash unkeyed() {
        return new StoreKeyHash(false, new byte[1]);
    }

    /** The store key of these parts, in this order. */
    public StoreKey of(List<String> parts) {
        ByteBuffer bits = ByteBuffer.wrap(
                keyed ? copy(mac).doFinal(framed(parts)) : copy(digest).digest(framed(parts)));
        return new StoreKey(bits.getLong(), bits.getLong());
    }

    /** Each part behind its length. */
    private static byte[] framed(List<String> parts) {
        byte[][] texts = new byte[parts.size()][];
        int size = 0;
        for (int i = 0; i < texts.length; i++) {
            texts[i] = parts.get(i).getBytes(StandardCharsets.UTF_8);
            size += Integer.BYTES + texts[i].length;
        }
        ByteBuffer framed = ByteBuffer.allocate(size);
        for (byte[] text : texts) {
            framed.putInt(text.length).put(text);
        }
        return framed.array();
    }

    private static Mac copy(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's HMAC can be copied", e);
        }
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's SHA-256 can be copied", e);
        }
    }
}
