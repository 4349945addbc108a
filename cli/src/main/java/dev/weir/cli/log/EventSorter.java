package dev.weir.cli.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Puts calls in order of time; calls of one instant stay in the order they were added, which is that of file and line. Not for several threads.
 *
 * <p><b>How it is designed, and why.</b> Sorting a list is simplest, but a log of ten million lines is gigabytes as objects. So calls wait in
 * their packed form in one array; when it is full they are sorted and written as a run, and in the end the runs are merged. A merge reads at
 * most {@code fanIn} runs at once; when there are more, neighbours are merged into longer runs first. Only neighbours are merged and the earlier
 * run goes first at equal times, so the order stays stable. Memory is bounded by one buffer and {@code fanIn} read buffers whatever the log.
 */
final class EventSorter implements Closeable {

    private final int fanIn;
    private final CallBuffer buffer;
    private final RunDirectory directory;
    private final List<Path> runs = new ArrayList<>();

    /**
     * A sorter.
     *
     * @param temporary where the directory for runs is made if one is needed
     * @param maxBytes how many bytes of packed calls stay in memory, about
     * @param maxCalls how many calls stay in memory
     * @param fanIn how many runs are merged at once, 2 or more
     */
    EventSorter(Path temporary, int maxBytes, int maxCalls, int fanIn) {
        if (fanIn < 2) {
            throw new IllegalArgumentException("a merge takes 2 runs or more, not " + fanIn);
        }
        this.fanIn = fanIn;
        this.buffer = new CallBuffer(maxBytes, maxCalls);
        this.directory = new RunDirectory(temporary);
    }

    void add(LoggedCall call) throws IOException {
        if (buffer.isFull()) {
            spill();
        }
        buffer.add(call);
    }

    private void spill() throws IOException {
        try (PackedCursor calls = buffer.sorted()) {
            runs.add(directory.write(calls));
        }
        buffer.clear();
    }

    /** All that was added, in order. To be asked for once, when nothing more is added; it is valid until the sorter is closed. */
    PackedCursor sorted() throws IOException {
        if (runs.isEmpty()) {
            return buffer.sorted();
        }
        if (!buffer.isEmpty()) {
            spill();
        }
        while (runs.size() > fanIn) {
            mergeNeighbours();
        }
        return open(runs);
    }

    private void mergeNeighbours() throws IOException {
        List<Path> longer = new ArrayList<>();
        for (int from = 0; from < runs.size(); from += fanIn) {
            List<Path> group = runs.subList(from, Math.min(runs.size(), from + fanIn));
            if (group.size() == 1) {
                longer.add(group.get(0));
            } else {
                try (PackedCursor calls = open(group)) {
                    longer.add(directory.write(calls));
                }
            }
        }
        runs.clear();
        runs.addAll(longer);
    }

    private PackedCursor open(List<Path> group) throws IOException {
        List<PackedCursor> cursors = new ArrayList<>();
        try {
            for (Path run : group) {
                cursors.add(directory.read(run));
            }
            return new Merge(cursors);
        } catch (IOException | RuntimeException e) {
            for (PackedCursor cursor : cursors) {
                cursor.close();
            }
            throw e;
        }
    }

    /** Several cursors as one; at equal times the earlier of them goes first. */
    private static final class Merge implements PackedCursor {

        private record Head(PackedCursor cursor, int index) {
            long epochNanos() {
                return cursor.epochNanos();
            }
        }

        private final List<PackedCursor> cursors;
        private final PriorityQueue<Head> heads =
                new PriorityQueue<>(Comparator.comparingLong(Head::epochNanos).thenComparingInt(Head::index));
        private Head current;

        Merge(List<PackedCursor> cursors) throws IOException {
            this.cursors = List.copyOf(cursors);
            for (int i = this.cursors.size() - 1; i > 0; i--) {
                Head head = new Head(this.cursors.get(i), i);
                if (head.cursor().advance()) {
                    heads.add(head);
                }
            }
            current = new Head(this.cursors.get(0), 0);
        }

        @Override
        public boolean advance() throws IOException {
            if (current.cursor().advance()) {
                Head first = heads.peek();
                if (first == null || order(current, first) <= 0) {
                    return true;
                }
                heads.add(current);
            } else {
                current.cursor().close();
            }
            Head first = heads.poll();
            if (first == null) {
                return false;
            }
            current = first;
            return true;
        }

        private static int order(Head one, Head other) {
            int byTime = Long.compare(one.epochNanos(), other.epochNanos());
            return byTime != 0 ? byTime : Integer.compare(one.index(), other.index());
        }

        @Override
        public byte[] bytes() {
            return current.cursor().bytes();
        }

        @Override
        public int start() {
            return current.cursor().start();
        }

        @Override
        public int end() {
            return current.cursor().end();
        }

        @Override
        public void close() throws IOException {
            for (PackedCursor cursor : cursors) {
                cursor.close();
            }
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
