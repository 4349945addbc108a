package dev.weir.cli.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads access logs of one format as calls in the order they were made. A line that does not fit the format is counted and named, and never
 * stops the reading; an empty line is nothing. Immutable.
 */
public final class AccessLogs {

    /** How many malformed lines are named; more are only counted. */
    public static final int MALFORMED_NAMED = 1_000;

    private static final int MOST_CALLS_IN_MEMORY = 500_000;
    private static final int MOST_BYTES_IN_MEMORY = 64 << 20;
    private static final int RUNS_AT_ONCE = 128;

    private final LogFormat format;
    private final TimeIs timeIs;
    private final Progress progress;
    private final Path temporary;
    private final int maxBytes;
    private final int maxCalls;
    private final int fanIn;

    /**
     * Logs of a format.
     *
     * @param format how their lines are written
     * @param timeIs which moment of a request their times are
     * @param progress told how many bytes were read
     */
    public AccessLogs(LogFormat format, TimeIs timeIs, Progress progress) {
        this(
                format,
                timeIs,
                progress,
                Path.of(System.getProperty("java.io.tmpdir", ".")),
                (int) Math.min(MOST_BYTES_IN_MEMORY, Runtime.getRuntime().maxMemory() / 8),
                MOST_CALLS_IN_MEMORY,
                RUNS_AT_ONCE);
    }

    AccessLogs(
            LogFormat format, TimeIs timeIs, Progress progress, Path temporary, int maxBytes, int maxCalls, int fanIn) {
        this.format = format;
        this.timeIs = timeIs;
        this.progress = progress;
        this.temporary = temporary;
        this.maxBytes = maxBytes;
        this.maxCalls = maxCalls;
        this.fanIn = fanIn;
    }

    /**
     * Reads all of these logs. The answer must be closed.
     *
     * @param files names of files, plain or compressed by gzip; {@code -} is the standard input
     * @param standardInput what {@code -} stands for
     * @throws IOException with a message for the user when a file is missing or cannot be read; nothing of the others is used then
     */
    public SortedCalls read(List<String> files, InputStream standardInput) throws IOException {
        progress.begin("reading", LogSource.check(files));
        EventSorter sorter = new EventSorter(temporary, maxBytes, maxCalls, fanIn);
        try {
            ReadTotals totals = new ReadTotals(files);
            for (int index = 0; index < files.size(); index++) {
                try (InputStream in = LogSource.open(files.get(index), standardInput, progress)) {
                    readLines(index, in, totals, sorter);
                }
            }
            return new SortedCalls(totals, format.parser().named(), sorter);
        } catch (IOException | RuntimeException | Error e) {
            sorter.close();
            throw e;
        } finally {
            progress.end();
        }
    }

    private void readLines(int fileIndex, InputStream in, ReadTotals totals, EventSorter sorter) throws IOException {
        LineParser parser = format.parser();
        LineReader lines = new LineReader(in);
        CallDraft draft = new CallDraft(parser.named());
        while (advance(lines, totals.fileNames.get(fileIndex))) {
            if (lines.tooLong()) {
                totals.malformed(
                        fileIndex, lines.line(), "the line is longer than " + LineReader.LONGEST_BYTES + " bytes");
                continue;
            }
            if (lines.from() == lines.to()) {
                continue;
            }
            draft.clear();
            LoggedCall call;
            try {
                parser.parse(lines.bytes(), lines.from(), lines.to(), draft);
                call = draft.toCall(fileIndex, lines.line(), timeIs);
            } catch (Malformed e) {
                totals.malformed(fileIndex, lines.line(), e.reason());
                continue;
            }
            totals.event(call);
            sorter.add(call);
        }
    }

    private static boolean advance(LineReader lines, String file) throws IOException {
        try {
            return lines.advance();
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be read behind line " + lines.line() + ": " + e.getMessage()
                            + "; is the file whole?",
                    e);
        }
    }
}
