package dev.weir.policyfile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that must be UTF-8 and not too large. */
final class TextFile {

    /** Why a file is not such a text, and where. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Place place;
        private final String reason;

        Unreadable(Place place, String reason) {
            super(reason);
            this.place = place;
            this.reason = reason;
        }

        Place place() {
            return place;
        }

        String reason() {
            return reason;
        }
    }

    private TextFile() {}

    static String read(Path file, int maxBytes) throws IOException, Unreadable {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (!Files.isRegularFile(file)) {
            throw new Unreadable(Place.START, "this is not a file but a directory or a device");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(maxBytes + 1);
        }
        if (bytes.length > maxBytes) {
            throw new Unreadable(Place.START, tooLarge(maxBytes));
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            throw new Unreadable(
                    Characters.end(text.toString()), "the bytes here are not UTF-8: save the file as UTF-8");
        }
        return text.toString();
    }

    static String tooLarge(int maxBytes) {
        return "the file is larger than " + (maxBytes >> 20) + " MiB, the most that is read";
    }

    /** What a person can do something about. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "reading it is not permitted";
        }
        return String.valueOf(e.getMessage());
    }
}
