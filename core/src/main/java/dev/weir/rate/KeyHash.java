package dev.weir.rate;

/**
 * Turns a key into 64 bits under a secret: equal keys give equal bits, and who does not know the secret cannot aim at another's. Must be
 * thread safe, and must not throw for any key that callers can send.
 */
@FunctionalInterface
public interface KeyHash<K> {

    /** The hash of {@code key} under the secret. */
    long hash(K key, long secret0, long secret1);

    /** For text of any kind: the same characters are the same key. Allocates nothing. */
    static KeyHash<CharSequence> text() {
        return SipHash::of;
    }

    /** For keys of several parts, in order: {@code ("a:b", "c")} is not {@code ("a", "b:c")}. */
    static KeyHash<CharSequence[]> parts() {
        return (parts, secret0, secret1) -> {
            long hash = parts.length;
            for (CharSequence part : parts) {
                hash = SipHash.of(part, secret0 ^ hash, secret1);
            }
            return hash;
        };
    }
}
