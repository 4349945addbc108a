package dev.weir.cli.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The calls of logs that were read, in order of time, then of file and line, each once; and what was seen while reading. What it says about the
 * whole is known before the first call is taken. Closing it deletes temporary files. Not for several threads at once.
 */
public final class SortedCalls implements Iterator<LoggedCall>, Closeable {

    private final ReadTotals totals;
    private final List<NamedColumn> named;
    private final EventSorter sorter;
    private final PackedCursor cursor;
    private final PackedBytes packed = new PackedBytes(0);
    private boolean hasNext;

    SortedCalls(ReadTotals totals, List<NamedColumn> named, EventSorter sorter) throws IOException {
        this.totals = totals;
        this.named = named;
        this.sorter = sorter;
        this.cursor = sorter.sorted();
        this.hasNext = cursor.advance();
    }

    @Override
    public boolean hasNext() {
        return hasNext;
    }

    /** The next call. Throws {@link UncheckedIOException} when a temporary file cannot be read. */
    @Override
    public LoggedCall next() {
        if (!hasNext) {
            throw new NoSuchElementException("all calls were taken");
        }
        packed.wrap(cursor.bytes(), cursor.start());
        LoggedCall call = LoggedCall.unpack(packed, named);
        try {
            hasNext = cursor.advance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return call;
    }

    /** How many calls there are. */
    public long events() {
        return totals.events;
    }

    /** How many of them say how long they took. Calls in flight can be judged only when all do. */
    public long eventsWithDuration() {
        return totals.eventsWithDuration;
    }

    /** Whether the log's format has a place for that request header. */
    public boolean carriesHeader(String name) {
        return name.equalsIgnoreCase("Host")
                || named.stream().anyMatch(column -> column.is(NamedColumn.Kind.HEADER, name));
    }

    /** Whether the log's format has a place for that cookie. */
    public boolean carriesCookie(String name) {
        return carriesHeader("Cookie") || named.stream().anyMatch(column -> column.is(NamedColumn.Kind.COOKIE, name));
    }

    /** The time of the first call; empty when there is none. */
    public Optional<Instant> from() {
        return totals.events == 0 ? Optional.empty() : Optional.of(LoggedCall.instant(totals.firstNanos));
    }

    /** The time of the last call; empty when there is none. */
    public Optional<Instant> to() {
        return totals.events == 0 ? Optional.empty() : Optional.of(LoggedCall.instant(totals.lastNanos));
    }

    /** How many lines were no call. */
    public long malformedCount() {
        return totals.malformedCount;
    }

    /** The lines that were no call, in the order they were read; no more than the first {@link AccessLogs#MALFORMED_NAMED}. */
    public List<MalformedLine> malformed() {
        return List.copyOf(totals.malformed);
    }

    /** The names of the logs, as they were given. */
    public List<String> fileNames() {
        return totals.fileNames;
    }

    @Override
    public void close() throws IOException {
        try {
            cursor.close();
        } finally {
            sorter.close();
        }
    }
}
