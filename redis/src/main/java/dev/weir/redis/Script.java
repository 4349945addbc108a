package dev.weir.redis;

import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The scripts, each behind the arithmetic that all share. */
enum Script {
    CHARGE("charge", ScriptOutputType.MULTI),
    SETTLE("settle", ScriptOutputType.INTEGER),
    HOLD("hold", ScriptOutputType.INTEGER),
    INSTANCES("instances", ScriptOutputType.INTEGER),
    SETTINGS("settings", ScriptOutputType.MULTI);

    private final String body;
    private final String digest;
    private final ScriptOutputType output;

    Script(String name, ScriptOutputType output) {
        this.body = text("meters") + text(name);
        this.digest = sha1(body.getBytes(StandardCharsets.UTF_8));
        this.output = output;
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
        return body.getBytes(StandardCharsets.UTF_8);
    }

    String digest() {
        return digest;
    }

    ScriptOutputType output() {
        return output;
    }
}
