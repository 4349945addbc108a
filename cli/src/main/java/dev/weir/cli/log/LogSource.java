package dev.weir.cli.log;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The bytes of one log: a file, or the standard input by the name {@code -}, plain or compressed by gzip. */
final class LogSource {

    private static final String STANDARD_INPUT = "-";
    private static final int BUFFER_BYTES = 1 << 16;

    private LogSource() {}

    /** Refuses names that cannot be read before anything is, and says how many bytes there are; 0 when nobody knows. */
    static long check(List<String> names) throws IOException {
        if (names.isEmpty()) {
            throw new IOException("there is no log to read; give one or more files, or - for the standard input");
        }
        if (names.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw new IOException("-: the standard input can be read once only");
        }
        long bytes = 0;
        for (String name : names) {
            if (!name.equals(STANDARD_INPUT)) {
                Path path = path(name);
                bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
            }
        }
        return names.contains(STANDARD_INPUT) ? 0 : bytes;
    }

    private static Path path(String name) throws IOException {
        Path path;
        try {
            path = Path.of(name);
        } catch (InvalidPathException e) {
            throw new IOException(name + ": this is no file name: " + e.getReason(), e);
        }
        String problem = !Files.exists(path)
                ? "there is no such file"
                : Files.isDirectory(path)
                        ? "this is a directory; name the logs in it"
                        : !Files.isReadable(path) ? "this file may not be read by you" : "";
        if (!problem.isEmpty()) {
            throw new IOException(name + ": " + problem);
        }
        return path;
    }

    /** Opens a log. What is compressed is known by its first bytes, whatever its name. */
    static InputStream open(String name, InputStream standardInput, Progress progress) throws IOException {
        InputStream raw = name.equals(STANDARD_INPUT) ? new Unclosed(standardInput) : Files.newInputStream(path(name));
        try {
            BufferedInputStream in = new BufferedInputStream(new Counted(raw, progress), BUFFER_BYTES);
            in.mark(2);
            byte[] magic = in.readNBytes(2);
            in.reset();
            boolean gzip = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
            return gzip ? new GZIPInputStream(new NeverDry(in), BUFFER_BYTES) : in;
        } catch (IOException e) {
            raw.close();
            throw new IOException(name + ": cannot be read: " + e.getMessage() + "; is the file whole?", e);
        }
    }

    /** Tells how many bytes went by. */
    private static final class Counted extends FilterInputStream {
        private final Progress progress;

        Counted(InputStream in, Progress progress) {
            super(in);
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            progress.advance(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            progress.advance(Math.max(0, count));
            return count;
        }
    }

    /** The standard input is not ours to close. */
    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {
            // Left open.
        }
    }

    /**
     * A stream that always seems to have more. The reader of gzip looks for another compressed part, as rotated logs that were put together
     * have, only when bytes are available; a pipe that is slow just then would end the log too early.
     */
    private static final class NeverDry extends FilterInputStream {
        NeverDry(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 1;
        }
    }
}
