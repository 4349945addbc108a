package dev.weir.redis;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts, each put together of the arithmetic that all share, the kinds of limits that it meets, and what is done with them. The server
 * makes every function of a script anew each time, so that what a bill does not need is left out.
 */
final class Script {

    static final Script HOLD = new Script(ScriptOutputType.INTEGER, kinds(Kind.HELD.bit()) + text("hold"));
    static final Script INSTANCES = new Script(ScriptOutputType.INTEGER, kinds(0) + text("instances"));
    static final Script SETTINGS = new Script(ScriptOutputType.MULTI, kinds(0) + text("settings"));

    private static final Map<Integer, Script> CHARGES = new ConcurrentHashMap<>();
    private static final Map<Integer, Script> SETTLES = new ConcurrentHashMap<>();

    /** What the arithmetic of a limit is written down in. */
    enum Kind {
        BUCKET(1),
        WINDOW(2),
        SLIDING(4),
        LOG(8),
        HELD(16);

        private final int bit;

        Kind(int bit) {
            this.bit = bit;
        }

        /** Its place in a set of kinds. */
        int bit() {
            return bit;
        }
    }

    private final byte[] body;
    private final String digest;
    private final ScriptOutputType output;

    private Script(ScriptOutputType output, String text) {
        this.body = text.getBytes(StandardCharsets.UTF_8);
        this.digest = sha1(body);
        this.output = output;
    }

    /** The script that charges limits of these kinds, a set of {@link Kind#bit}s. */
    static Script charge(int kinds) {
        return CHARGES.computeIfAbsent(kinds, set -> new Script(ScriptOutputType.MULTI, kinds(set) + text("charge")));
    }

    /** The script that corrects counts of these kinds. */
    static Script settle(int kinds) {
        return SETTLES.computeIfAbsent(kinds, set -> new Script(ScriptOutputType.INTEGER, kinds(set) + text("settle")));
    }

    private static String kinds(int kinds) {
        StringBuilder text = new StringBuilder(text("arithmetic"));
        for (Kind kind : Kind.values()) {
            if ((kinds & kind.bit()) != 0) {
                text.append(text(kind.name().toLowerCase(Locale.ROOT)));
            }
        }
        return text.toString();
    }

    private static String text(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException(name + ".lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What EVALSHA calls it: the protocol's choice, not a safeguard. */
    private static String sha1(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    byte[] body() {
        return body.clone();
    }

    String digest() {
        return digest;
    }

    ScriptOutputType output() {
        return output;
    }
}
