package dev.weir.cli.size;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The points of one curve, from one or several files. Immutable.
 *
 * @param points what was measured, in the order of the files
 * @param formats how the files were written
 */
public record LoadResults(List<LoadPoint> points, List<ResultFormat> formats) {

    /** More is no list of runs. */
    private static final int MOST_BYTES = 16 << 20;

    private static final String STANDARD_INPUT = "-";
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** Copies the lists. */
    public LoadResults {
        points = List.copyOf(points);
        formats = List.copyOf(formats);
    }

    /**
     * Reads all of these files.
     *
     * @param files names of files; {@code -} is the standard input
     * @param standardInput what {@code -} stands for
     * @param format how they are written; each is looked at when it is empty
     * @throws IOException with a message for the user when a file is missing, cannot be read or holds no results
     */
    public static LoadResults read(List<String> files, InputStream standardInput, Optional<ResultFormat> format)
            throws IOException {
        if (files.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw new IOException("-: the standard input can be read once only");
        }
        List<LoadPoint> points = new ArrayList<>();
        TreeSet<ResultFormat> formats = new TreeSet<>();
        for (String file : files) {
            String text = text(file, standardInput);
            ResultFormat written = format.orElseGet(() -> ResultFormat.of(text));
            try {
                points.addAll(written.read(text));
            } catch (BadResults e) {
                throw new IOException(file + ":" + e.line() + ": " + e.getMessage(), e);
            }
            formats.add(written);
        }
        return new LoadResults(points, List.copyOf(formats));
    }

    private static String text(String file, InputStream standardInput) throws IOException {
        byte[] bytes = bytes(file, standardInput);
        if (bytes.length > MOST_BYTES) {
            throw new IOException(file + ": is longer than " + (MOST_BYTES >> 20)
                    + " MiB: give the summaries of the runs, not each call");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private static byte[] bytes(String file, InputStream standardInput) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return standardInput.readNBytes(MOST_BYTES + 1);
        }
        try (InputStream in = Files.newInputStream(path(file))) {
            return in.readNBytes(MOST_BYTES + 1);
        }
    }

    private static Path path(String file) throws IOException {
        Path path;
        try {
            path = Path.of(file);
        } catch (InvalidPathException e) {
            throw new IOException(file + ": this is no file name: " + e.getReason(), e);
        }
        String problem = !Files.exists(path)
                ? "there is no such file"
                : Files.isDirectory(path)
                        ? "this is a directory; name the files in it"
                        : !Files.isReadable(path) ? "this file may not be read by you" : "";
        if (!problem.isEmpty()) {
            throw new IOException(file + ": " + problem);
        }
        return path;
    }
}
