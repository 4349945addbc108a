package dev.weir.cli.log;

import java.util.ArrayList;
import java.util.List;

/** What is counted while logs are read. */
final class ReadTotals {

    final List<String> fileNames;
    final List<MalformedLine> malformed = new ArrayList<>();
    long malformedCount;
    long events;
    long eventsWithDuration;
    long firstNanos = Long.MAX_VALUE;
    long lastNanos;

    ReadTotals(List<String> fileNames) {
        this.fileNames = List.copyOf(fileNames);
    }

    void event(LoggedCall call) {
        events++;
        eventsWithDuration += call.durationNanos().isPresent() ? 1 : 0;
        firstNanos = Math.min(firstNanos, call.epochNanos());
        lastNanos = Math.max(lastNanos, call.epochNanos());
    }

    void malformed(int fileIndex, long line, String reason) {
        malformedCount++;
        if (malformed.size() < AccessLogs.MALFORMED_NAMED) {
            malformed.add(new MalformedLine(fileNames.get(fileIndex), line, reason));
        }
    }
}
