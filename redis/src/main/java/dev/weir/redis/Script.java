package dev.weir.redis;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The scripts, each put together of the arithmetic that all share, the kinds of limits that it meets, and what is done with them. The server
 * makes every function of a script anew each time, so that what a bill does not need is left out.
 */
final class Script {

    static final Script HOLD = new Script(ScriptOutputType.INTEGER, kinds(Kind.HELD.bit()) + text("hold"));
    static final Script INSTANCES = new Script(ScriptOutputType.INTEGER, kinds(0) + text("instances"));
    static final Script SETTINGS = new Script(ScriptOutputType.MULTI, kinds(0) + text("settings"));

    private static final AtomicReferenceArray<@Nullable Script> CHARGES =
            new AtomicReferenceArray<>(1 << Kind.values().length);
    private static final AtomicReferenceArray<@Nullable Script> SETTLES =
            new AtomicReferenceArray<>(1 << Kind.values().length);

    /** What the arithmetic of a limit is written down in. */
    enum Kind {
        BUCKET("bucket", 1),
        WINDOW("window", 2),
        SLIDING("sliding", 4),
        LOG("log", 8),
        HELD("held", 16);

        private final String file;
        private final int bit;

        Kind(String file, int bit) {
            this.file = file;
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
        return composed(CHARGES, kinds, ScriptOutputType.MULTI, "charge");
    }

    /** The script that corrects counts of these kinds. */
    static Script settle(int kinds) {
        return composed(SETTLES, kinds, ScriptOutputType.INTEGER, "settle");
    }

    private static Script composed(
            AtomicReferenceArray<@Nullable Script> made, int kinds, ScriptOutputType output, String what) {
        Script script = made.get(kinds);
        if (script == null) {
            script = new Script(output, kinds(kinds) + text(what));
            made.set(kinds, script);
        }
        return script;
    }

    private static String kinds(int kinds) {
        StringBuilder text = new StringBuilder(text("arithmetic"));
        for (Kind kind : Kind.values()) {
            if ((kinds & kind.bit()) != 0) {
                text.append(text(kind.file));
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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Script script && digest.equals(script.digest);
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }
}
