package dev.weir.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads HTTP/1.1 by the letter of RFC 9112 and forgives nothing, so that whatever it reads is framed in one way only. */
final class StrictReader {

    /** A message that a strict reader does not take. */
    static final class Violation extends IOException {
        private static final long serialVersionUID = 1;

        Violation(String what) {
            super(what);
        }
    }

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

    private final InputStream in;

    StrictReader(InputStream in) {
        this.in = in;
    }

    /** The next head; null when the peer has closed before it began. */
    Head head() throws IOException {
        String line = line();
        return line == null ? null : new Head(line, fields());
    }

    private List<Map.Entry<String, String>> fields() throws IOException {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String line = line(); ; line = line()) {
            if (line == null) {
                throw new EOFException("closed within a head");
            }
            if (line.isEmpty()) {
                return fields;
            }
            int colon = line.indexOf(':');
            if (colon < 1 || !line.substring(0, colon).matches(TOKEN)) {
                throw new Violation("not a field: " + line);
            }
            fields.add(Map.entry(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
    }

    /** A line without its end; null when the peer has closed before it began. */
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int octet = in.read(); octet != '\r'; octet = in.read()) {
            if (octet < 0 && line.size() == 0) {
                return null;
            }
            if (octet < 0) {
                throw new EOFException("closed within a line: " + line.toString(ISO_8859_1));
            }
            if (octet == '\n' || octet == 0) {
                throw new Violation("a bare LF or a NUL after: " + line.toString(ISO_8859_1));
            }
            line.write(octet);
        }
        if (in.read() != '\n') {
            throw new Violation("a bare CR after: " + line.toString(ISO_8859_1));
        }
        return line.toString(ISO_8859_1);
    }

    /** The body of a request with this head. */
    Message request(Head head) throws IOException {
        if (head.all("host").size() != 1) {
            throw new Violation("not exactly one Host: " + head);
        }
        return message(head, false);
    }

    /** The body of an answer with this head to a request with this method. */
    Message answer(Head head, String method) throws IOException {
        int status = head.status();
        boolean bodiless = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
        return bodiless ? new Message(head, "", List.of()) : message(head, true);
    }

    private Message message(Head head, boolean untilClose) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<Map.Entry<String, String>> trailers = copyBody(head, untilClose, body);
        return new Message(head, body.toString(ISO_8859_1), trailers);
    }

    /** Copies the body piece by piece; the trailers behind it. */
    List<Map.Entry<String, String>> copyBody(Head head, boolean untilClose, OutputStream to) throws IOException {
        boolean chunked = head.has("transfer-encoding");
        if (chunked && head.has("content-length")) {
            throw new Violation("both lengths: " + head);
        }
        if (chunked) {
            if (!head.field("transfer-encoding").orElseThrow().equals("chunked")) {
                throw new Violation("an unknown coding: " + head);
            }
            return copyChunks(to);
        }
        if (head.has("content-length")) {
            String length = head.field("content-length").orElseThrow();
            if (!length.matches("[0-9]+")) {
                throw new Violation("not a length: " + length);
            }
            copy(Long.parseLong(length), to);
        } else if (untilClose) {
            in.transferTo(to);
        }
        return List.of();
    }

    private List<Map.Entry<String, String>> copyChunks(OutputStream to) throws IOException {
        while (true) {
            String line = line();
            if (line == null || !line.matches("[0-9a-fA-F]+")) {
                throw new Violation("not the size of a chunk: " + line);
            }
            long size = Long.parseLong(line, 16);
            if (size == 0) {
                return fields();
            }
            copy(size, to);
            if (!"".equals(line())) {
                throw new Violation("a chunk that is longer than its size");
            }
        }
    }

    private void copy(long length, OutputStream to) throws IOException {
        byte[] piece = new byte[(int) Math.min(Math.max(length, 1), 65_536)];
        for (long left = length; left > 0; ) {
            int count = in.read(piece, 0, (int) Math.min(left, piece.length));
            if (count < 0) {
                throw new EOFException("closed with " + left + " bytes of a body to come");
            }
            to.write(piece, 0, count);
            left -= count;
        }
    }
}
