package dev.weir.gateway;

import dev.weir.policy.KeyDigest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who may read and who may change what the admin port shows. A write token reads as well. Comparing takes the same time whatever is wrong. */
final class Tokens {

    private static final String SCHEME = "bearer ";

    private final Optional<byte[]> read;
    private final Optional<byte[]> write;

    Tokens(Optional<String> read, Optional<String> write) {
        this.read = read.map(Tokens::digest);
        this.write = write.map(Tokens::digest);
    }

    /** Whether changes are possible at all. */
    boolean anybodyMayWrite() {
        return write.isPresent();
    }

    /** Whether who sent that Authorization field may read. */
    boolean mayRead(@Nullable String authorization) {
        // Both are compared, so that the time does not tell which of them was close.
        boolean reads = matches(read, authorization);
        boolean writes = matches(write, authorization);
        return read.isEmpty() || reads || writes;
    }

    /** Whether who sent that Authorization field may change something. */
    boolean mayWrite(@Nullable String authorization) {
        return matches(write, authorization);
    }

    private static boolean matches(Optional<byte[]> token, @Nullable String authorization) {
        if (token.isEmpty()
                || authorization == null
                || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        return MessageDigest.isEqual(
                token.get(), digest(authorization.substring(SCHEME.length()).trim()));
    }

    /** Of one length whatever the token's, so that comparing does not tell how long it is. */
    private static byte[] digest(String token) {
        return KeyDigest.sha256(token).getBytes(StandardCharsets.US_ASCII);
    }
}
