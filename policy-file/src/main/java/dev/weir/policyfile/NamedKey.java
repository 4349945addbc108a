package dev.weir.policyfile;

import dev.weir.policy.KeyDigest;
import java.util.Locale;

/** A single key as files name it: as it is, or as {@code sha256:HEX}. */
final class NamedKey {

    private static final String PREFIX = "sha256:";

    private NamedKey() {}

    /** The lower-case hexadecimal SHA-256 of the key. */
    static String digest(String key) {
        if (!key.startsWith(PREFIX)) {
            if (key.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                throw new IllegalArgumentException("'" + Value.shown(key) + "' begins with "
                        + key.substring(0, PREFIX.length()) + ": say " + PREFIX
                        + " in lower case; a key that itself begins so is named by its hash");
            }
            return KeyDigest.sha256(key);
        }
        String hex = key.substring(PREFIX.length());
        if (!hex.matches("[0-9A-Fa-f]{64}")) {
            throw new IllegalArgumentException(
                    "'" + Value.shown(key) + "' is not sha256: with 64 hexadecimal digits behind it, but has "
                            + hex.length() + " characters there");
        }
        return hex.toLowerCase(Locale.ROOT);
    }
}
