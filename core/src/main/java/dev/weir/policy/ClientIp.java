package dev.weir.policy;

import java.util.Locale;

/** Where the address of a client is read. */
public enum ClientIp {
    /** The peer of the connection. */
    PEER,
    /** {@code X-Forwarded-For}, from the right, as far as the peers are trusted. */
    X_FORWARDED_FOR,
    /** {@code Forwarded} (RFC 7239), from the right, as far as the peers are trusted. */
    FORWARDED;

    /** The word of the policy file. */
    public String policyName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
