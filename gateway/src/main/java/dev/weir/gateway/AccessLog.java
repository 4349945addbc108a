package dev.weir.gateway;

import dev.weir.policyfile.GatewaySettings;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * One line for each request. Lines are written by a thread of its own, so that whoever reads them slowly holds up no call; when more than
 * {@value #MAX_WAITING} wait, new ones are dropped and counted. Thread safe.
 */
final class AccessLog implements AutoCloseable {

    static final int MAX_WAITING = 65_536;

    private static final DateTimeFormatter COMBINED_TIME = DateTimeFormatter.ofPattern(
                    "dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final PrintStream out;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final LongAdder dropped = new LongAdder();
    private final Thread writer;
    private volatile boolean closed;

    AccessLog(PrintStream out) {
        this.out = out;
        writer = new Thread(this::write, "weir-access-log");
        writer.setDaemon(true);
        writer.start();
    }

    void add(GatewaySettings.AccessLog form, CallRecord call) {
        boolean kept = switch (form) {
            case OFF -> true;
            case JSON -> waiting.offer(json(call));
            case COMBINED -> waiting.offer(combined(call));
        };
        if (!kept) {
            dropped.increment();
        }
    }

    /** How many lines were dropped so far, since nobody took them. */
    long dropped() {
        return dropped.sum();
    }

    private void write() {
        List<String> lines = new ArrayList<>();
        try {
            while (!closed || !waiting.isEmpty()) {
                String first = waiting.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    lines.add(first);
                    waiting.drainTo(lines, 1_000);
                    out.print(String.join("\n", lines) + "\n");
                    out.flush();
                    lines.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static String json(CallRecord call) {
        StringBuilder line = new StringBuilder(320);
        text(
                line.append('{'),
                "time",
                Instant.ofEpochMilli(call.startEpochMillis).toString());
        text(line.append(','), "id", call.requestId);
        text(line.append(','), "client", call.client);
        text(line.append(','), "peer", call.peer);
        text(line.append(','), "method", call.method);
        text(line.append(','), "target", call.target);
        text(line.append(','), "protocol", call.version);
        text(line.append(','), "host", call.host());
        text(line.append(','), "route", call.route);
        text(line.append(','), "upstream", call.upstream);
        number(line.append(','), "status", call.status);
        number(line.append(','), "bytes", call.bodyBytes);
        number(line.append(','), "duration_us", call.durationNanos / 1_000);
        number(line.append(','), "waited_us", call.waitedNanos / 1_000);
        text(line.append(','), "ended", word(call.ended));
        text(line.append(','), "degrade", call.degrade);
        line.append(",\"without_store\":").append(call.withoutStore);
        text(line.append(','), "reason", call.reason);
        text(line.append(','), "limit", call.limit);
        text(line.append(','), "referer", call.referer());
        text(line.append(','), "user_agent", call.userAgent());
        return line.append('}').toString();
    }

    private static String word(CallRecord.Ended ended) {
        return ended.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void text(StringBuilder line, String name, @Nullable String value) {
        line.append('"').append(name).append("\":");
        if (value == null) {
            line.append("null");
        } else {
            line.append('"')
                    .append(JsonStringEncoder.getInstance().quoteAsCharArray(value))
                    .append('"');
        }
    }

    private static void number(StringBuilder line, String name, long value) {
        line.append('"').append(name).append("\":").append(value);
    }

    /** The combined format of web servers; what could end a field or a line is escaped. */
    static String combined(CallRecord call) {
        return call.client + " - - [" + COMBINED_TIME.format(Instant.ofEpochMilli(call.startEpochMillis)) + "] \""
                + firstLine(call) + "\" " + call.status
                + " "
                + call.bodyBytes + " \"" + escaped(call.referer()) + "\" \"" + escaped(call.userAgent()) + "\"";
    }

    private static String firstLine(CallRecord call) {
        String version = call.version;
        if (version == null) {
            return "-";
        }
        String protocol = version.equals("h2") ? "HTTP/2.0" : version.toUpperCase(Locale.ROOT);
        return escaped(call.method) + " " + escaped(call.target) + " " + escaped(protocol);
    }

    private static String escaped(@Nullable String value) {
        if (value == null || value.isEmpty()) {
            return "-";
        }
        StringBuilder out = new StringBuilder(value.length());
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f) {
                out.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Writes what waits, for a moment at most. */
    @Override
    public void close() {
        closed = true;
        try {
            writer.join(2_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
