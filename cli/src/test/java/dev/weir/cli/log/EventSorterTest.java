package dev.weir.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventSorterTest {

    private static final LogFormat COMBINED = LogFormat.of("combined");

    @TempDir
    private Path logs;

    @TempDir
    private Path temporary;

    private AccessLogs bounded(int maxBytes, int maxCalls, int fanIn) {
        return new AccessLogs(COMBINED, TimeIs.START, Progress.none(), temporary, maxBytes, maxCalls, fanIn);
    }

    private static List<String> read(AccessLogs logs, Path file) throws IOException {
        List<String> seen = new ArrayList<>();
        try (SortedCalls calls = logs.read(List.of(file.toString()), InputStream.nullInputStream())) {
            calls.forEachRemaining(
                    call -> seen.add(call.epochNanos() + " " + call.line() + " " + call + call.headers("User-Agent")));
        }
        return seen;
    }

    /** Neighbours of which the first should not go first. Times have equally many digits, so only lines are compared as numbers. */
    private static List<String> disorder(List<String> seen) {
        List<String> wrong = new ArrayList<>();
        for (int i = 1; i < seen.size(); i++) {
            String[] before = seen.get(i - 1).split(" ", 3);
            String[] here = seen.get(i).split(" ", 3);
            int byTime = before[0].compareTo(here[0]);
            if (byTime > 0 || (byTime == 0 && Long.parseLong(before[1]) >= Long.parseLong(here[1]))) {
                wrong.add(seen.get(i - 1) + " goes before " + seen.get(i));
            }
        }
        return wrong;
    }

    private long leftBehind() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary)) {
            long count = 0;
            for (Path ignored : files) {
                count++;
            }
            return count;
        }
    }

    /** 200,000 lines in a memory of 5,000 calls and 256 KiB: 80 runs or more, merged four at once in several levels. */
    @Test
    void sortsOnDiskAsInMemory() throws IOException {
        Path file = logs.resolve("large.log");
        GeneratedLog.write(file, 200_000);

        List<String> inMemory = read(bounded(1 << 30, 1_000_000, 2), file);
        assertThat(leftBehind()).isZero();
        assertThat(inMemory).hasSize(200_000);
        assertThat(disorder(inMemory)).isEmpty();

        List<String> onDisk = read(bounded(256 << 10, 5_000, 4), file);
        assertThat(onDisk).isEqualTo(inMemory);
        assertThat(leftBehind()).isZero();
    }

    @Test
    void anyBoundGivesTheSameOrder() throws IOException {
        Path file = logs.resolve("small.log");
        GeneratedLog.write(file, 150);
        List<String> expected = read(bounded(1 << 20, 150, 2), file);

        for (int maxCalls : new int[] {1, 2, 3, 7, 64, 149, 150, 151}) {
            for (int fanIn : new int[] {2, 3, 128}) {
                assertThat(read(bounded(1 << 20, maxCalls, fanIn), file))
                        .as("%d calls in memory, %d runs at once", maxCalls, fanIn)
                        .isEqualTo(expected);
            }
        }
        assertThat(read(bounded(1, 150, 2), file)).isEqualTo(expected);
        assertThat(leftBehind()).isZero();
    }

    @Test
    void callsLargerThanTheBuffersAreSortedToo() throws IOException {
        Path file = logs.resolve("wide.log");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append("10.0.0.%d - - [02/Mar/2026:08:15:%02d +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"%s\"\n"
                    .formatted(i, i * 7 % 40, "x".repeat(i * 5_000)));
        }
        Files.writeString(file, text);

        assertThat(read(bounded(1 << 16, 10, 2), file)).isEqualTo(read(bounded(1 << 30, 100, 2), file));
    }

    @Test
    void temporaryFilesGoAlsoWhenNotAllIsTakenOrReadingFails() throws IOException {
        Path file = logs.resolve("some.log");
        GeneratedLog.write(file, 500);
        AccessLogs bounded = bounded(1 << 20, 10, 4);
        try (SortedCalls calls = bounded.read(List.of(file.toString()), InputStream.nullInputStream())) {
            calls.next();
            assertThat(leftBehind()).isOne();
        }
        assertThat(leftBehind()).isZero();

        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the line went dead");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }
        };
        assertThatThrownBy(() -> bounded.read(List.of(file.toString(), "-"), failing))
                .hasMessageContaining("the line went dead");
        assertThat(leftBehind()).isZero();
    }

    @Test
    void aPlaceThatCannotBeWrittenIsNamedWithTheRemedy() throws IOException {
        Path file = logs.resolve("some.log");
        GeneratedLog.write(file, 20);
        Path nowhere = temporary.resolve("nowhere");
        AccessLogs bounded = new AccessLogs(COMBINED, TimeIs.START, Progress.none(), nowhere, 1 << 20, 10, 4);

        assertThatThrownBy(() -> bounded.read(List.of(file.toString()), InputStream.nullInputStream()))
                .hasMessageStartingWith("cannot make a temporary directory in " + nowhere)
                .hasMessageEndingWith("name another place by -Djava.io.tmpdir");
    }

    @Test
    void aMergeTakesTwoRunsOrMore() {
        assertThatThrownBy(() -> new EventSorter(temporary, 10, 10, 1))
                .hasMessage("a merge takes 2 runs or more, not 1");
    }

    @Test
    void everyPartOfACallSurvivesPacking() throws Malformed {
        String format = "%v %a %u %t \"%r\" %>s %b %D \"%{X-Api-Key}i\" \"%{sid}C\" \"%{X-Cost}o\"";
        String date = "[02/Mar/2026:08:15:30 +0100]";
        for (String line : List.of(
                "h.example ::1 rosa " + date + " \"GET /a?b HTTP/1.1\" 200 0 3 \"p\u00eache\" \"s\" \"9\"",
                "- ::1 - " + date + " \"-\" - - - \"-\" \"-\" \"-\"",
                "h ::1 u " + date + " \"GET /a HTTP/1.1\" 999 999999999999999999 0 \"" + "k".repeat(70_000)
                        + "\" \"-\" \"1\"")) {
            LoggedCall call = ReadLine.call(format, line);
            PackedBytes packed = new PackedBytes(1);
            call.pack(packed);
            int end = packed.position();
            packed.position(0);
            LoggedCall same =
                    LoggedCall.unpack(packed, LogFormat.of(format).parser().named());

            assertThat(packed.position()).isEqualTo(end);
            assertThat(same).usingRecursiveComparison().isEqualTo(call);
        }
    }
}
