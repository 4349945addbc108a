package dev.weir.cli.log;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory with sorted runs of packed calls. It comes with the first run and goes when it is closed, also when the process is
 * interrupted.
 */
final class RunDirectory implements Closeable {

    private static final int WRITE_BUFFER_BYTES = 1 << 18;
    private static final int READ_BUFFER_BYTES = 1 << 15;

    private final Path parent;
    private @Nullable Path directory;
    private @Nullable Thread atExit;
    private int runs;

    RunDirectory(Path parent) {
        this.parent = parent;
    }

    /** Writes what is left of the cursor as a new run: each call behind its length. */
    Path write(PackedCursor calls) throws IOException {
        Path run = directory().resolve("run-" + runs++);
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run), WRITE_BUFFER_BYTES))) {
            while (calls.advance()) {
                out.writeInt(calls.end() - calls.start());
                out.write(calls.bytes(), calls.start(), calls.end() - calls.start());
            }
        } catch (IOException e) {
            throw new IOException(
                    "cannot write to " + parent + ": " + e.getMessage()
                            + "; sorting a large log needs about as much room there as the log, or another place by"
                            + " -Djava.io.tmpdir",
                    e);
        }
        return run;
    }

    private Path directory() throws IOException {
        if (directory == null) {
            Path made;
            try {
                made = Files.createTempDirectory(parent, "weir-replay-");
            } catch (IOException e) {
                throw new IOException(
                        "cannot make a temporary directory in " + parent + ": " + e
                                + "; name another place by -Djava.io.tmpdir",
                        e);
            }
            directory = made;
            Thread thread = new Thread(() -> deleteQuietly(made), "weir-replay-cleanup");
            Runtime.getRuntime().addShutdownHook(thread);
            atExit = thread;
        }
        return directory;
    }

    /** Reads a run and deletes it when it is closed. */
    PackedCursor read(Path run) throws IOException {
        return new RunCursor(run);
    }

    private static final class RunCursor implements PackedCursor {
        private final Path run;
        private final InputStream in;
        private byte[] bytes = new byte[READ_BUFFER_BYTES];
        private int filled;
        private int start;
        private int end;

        RunCursor(Path run) throws IOException {
            this.run = run;
            this.in = Files.newInputStream(run);
        }

        @Override
        public boolean advance() throws IOException {
            start = end;
            if (!fill(Integer.BYTES)) {
                if (filled == start) {
                    return false;
                }
                throw cut();
            }
            int length = ((bytes[start] & 0xff) << 24)
                    | ((bytes[start + 1] & 0xff) << 16)
                    | ((bytes[start + 2] & 0xff) << 8)
                    | (bytes[start + 3] & 0xff);
            start += Integer.BYTES;
            if (!fill(length)) {
                throw cut();
            }
            end = start + length;
            return true;
        }

        private IOException cut() {
            return new IOException("the temporary file " + run + " was cut off by someone else");
        }

        /** Makes so many bytes stand from the start on; false when the file ends before. */
        private boolean fill(int count) throws IOException {
            if (filled - start < count) {
                int kept = filled - start;
                byte[] target = count > bytes.length ? new byte[count + READ_BUFFER_BYTES] : bytes;
                System.arraycopy(bytes, start, target, 0, kept);
                bytes = target;
                start = 0;
                filled = kept;
                end = 0;
                int read = in.readNBytes(bytes, filled, bytes.length - filled);
                filled += read;
            }
            return filled - start >= count;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public int start() {
            return start;
        }

        @Override
        public int end() {
            return end;
        }

        @Override
        public void close() throws IOException {
            bytes = Arrays.copyOf(bytes, 0);
            in.close();
            Files.deleteIfExists(run);
        }
    }

    @Override
    public void close() {
        if (directory != null) {
            deleteQuietly(directory);
            directory = null;
        }
        if (atExit != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                // The process is ending, and the hook does its work.
            }
            atExit = null;
        }
    }

    /** What cannot be deleted stays: the report is not worth less for it. */
    private static void deleteQuietly(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // It lies where the system clears up.
        }
    }
}
