package dev.weir.cli;

import dev.weir.policy.KeyDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir hash KEY}: how a key is named in overrides and plan files without writing it down. */
@Command(
        name = "hash",
        description = "Print the sha256: form of a key, for overrides and plan files.",
        footer = {
            "",
            "Example:",
            "  weir hash - < key.txt    (the key shows in no shell history and in no process list)"
        })
final class HashCommand implements Callable<Integer> {

    @Parameters(paramLabel = "KEY", description = "The key as callers send it; - reads one line from standard input.")
    private String key = "";

    @Option(names = "--json", description = "Print {\"hash\":\"sha256:...\"}.")
    private boolean json;

    private final Streams streams;

    HashCommand(Streams streams) {
        this.streams = streams;
    }

    /** What {@code --json} prints. */
    record Report(String hash) {}

    @Override
    public Integer call() {
        String hash = sha256(key.equals("-") ? oneLine() : key);
        if (json) {
            Json.print(streams.out(), new Report(hash));
        } else {
            streams.out().println(hash);
        }
        return 0;
    }

    private static String sha256(String key) {
        if (key.isEmpty()) {
            throw new BadInput("KEY is empty, but a key has at least one character: give the key as callers send it.");
        }
        if (key.indexOf('\uFFFD') >= 0) {
            throw new BadInput(
                    "KEY '" + key
                            + "' holds bytes that are no UTF-8 text: give a key in UTF-8, or in a file with 'weir hash - < FILE'.");
        }
        return "sha256:" + KeyDigest.sha256(key);
    }

    private String oneLine() {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(streams.in().readAllBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadInput("Standard input holds bytes that are no UTF-8 text: save the key as UTF-8.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String line = text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        if (line.indexOf('\n') >= 0) {
            throw new BadInput("Standard input holds " + text.lines().count()
                    + " lines, but a key is one line: give one key at a time.");
        }
        return line;
    }
}
