package dev.weir.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes. Text is UTF-8, whatever the locale.
 *
 * @param in standard input
 * @param out what was asked for; flushed when the command ends
 * @param err what went wrong; flushed line by line
 */
record Streams(InputStream in, PrintWriter out, PrintWriter err) {

    /** Those of the process. A failure to write standard output is thrown, so that a command whose reader has gone stops early. */
    static Streams ofProcess() {
        return of(
                System.in,
                new FailingLoudly(new FileOutputStream(FileDescriptor.out)),
                new FileOutputStream(FileDescriptor.err));
    }

    /** Any others, for tests. */
    static Streams of(InputStream in, OutputStream out, OutputStream err) {
        return new Streams(
                in,
                new PrintWriter(new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))),
                new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
    }

    /** A {@link PrintWriter} swallows an {@link IOException}; it does not swallow this. */
    static final class WriteFailed extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        WriteFailed(IOException cause) {
            super(cause.getMessage(), cause);
        }

        /** Whether the reader closed the pipe, as {@code head} does once it has seen enough. */
        boolean readerHasGone() {
            return String.valueOf(getMessage()).contains("pipe");
        }
    }

    static final class FailingLoudly extends FilterOutputStream {
        FailingLoudly(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                throw new WriteFailed(e);
            }
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }
    }
}
