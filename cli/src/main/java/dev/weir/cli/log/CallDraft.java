package dev.weir.cli.log;

import dev.weir.cli.log.Column.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The call that a line is read into, value by value. Reused for every line of a log. */
final class CallDraft {

    private static final int NO_RANK = Integer.MAX_VALUE;
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private final TimeParts time = new TimeParts();
    private boolean timeKnown;

    private final List<NamedColumn> named;
    private final int forwardedForSlot;
    private final int[] namedRanks;
    private @Nullable String[] namedValues;

    /** Where each part came from, so far. */
    private final Map<Field, Column> taken = new EnumMap<>(Field.class);

    private @Nullable String peer;
    private @Nullable String method;
    private @Nullable String target;
    private @Nullable String path;
    private @Nullable String query;
    private @Nullable String host;
    private @Nullable String user;
    private OptionalInt status = OptionalInt.empty();
    private OptionalLong bytes = OptionalLong.empty();
    private OptionalLong durationNanos = OptionalLong.empty();

    /** A draft for a format with these named columns. */
    CallDraft(List<NamedColumn> named) {
        this.named = named;
        this.namedRanks = new int[named.size()];
        this.namedValues = new @Nullable String[named.size()];
        int slot = -1;
        for (int i = 0; i < named.size(); i++) {
            slot = named.get(i).is(NamedColumn.Kind.HEADER, FORWARDED_FOR) ? i : slot;
        }
        this.forwardedForSlot = slot;
    }

    void clear() {
        time.clear();
        timeKnown = false;
        namedValues = new @Nullable String[named.size()];
        Arrays.fill(namedRanks, NO_RANK);
        taken.clear();
        peer = null;
        method = null;
        target = null;
        path = null;
        query = null;
        host = null;
        user = null;
        status = OptionalInt.empty();
        bytes = OptionalLong.empty();
        durationNanos = OptionalLong.empty();
    }

    /** Where a format that knows the place of its time reads it into. */
    TimeParts time() {
        timeKnown = true;
        return time;
    }

    /**
     * Takes one value. A dash and nothing are the same: a log cannot tell them apart.
     *
     * @param escaped whether a backslash begins an escape
     */
    void take(Column column, byte[] line, int from, int to, boolean escaped) throws Malformed {
        if (column.field() == Field.SKIPPED || column.field() == Field.QUESTION_MARK) {
            return;
        }
        if (from == to || (to - from == 1 && line[from] == '-')) {
            return;
        }
        if (column.field() == Field.NAMED) {
            if (column.rank() < namedRanks[column.slot()]) {
                namedRanks[column.slot()] = column.rank();
                namedValues[column.slot()] = text(line, from, to, escaped);
            }
            return;
        }
        Column before = taken.get(column.field());
        if (before != null && before.rank() <= column.rank()) {
            return;
        }
        taken.put(column.field(), column);
        switch (column.field()) {
            case TIME -> {
                time.clear();
                if (TimePattern.ANY.parse(line, from, to, time) != to) {
                    throw Malformed.expected("a time and nothing behind it", line, from, to);
                }
            }
            case PEER -> peer = address(line, from, to);
            case REQUEST -> request(text(line, from, to, escaped));
            case METHOD -> method = text(line, from, to, escaped);
            case TARGET -> target = text(line, from, to, escaped);
            case PATH -> path = text(line, from, to, escaped);
            case QUERY -> query = text(line, from, to, escaped);
            case HOST -> host = text(line, from, to, escaped);
            case USER -> user = text(line, from, to, escaped);
            case STATUS -> status = status(line, from, to);
            case BYTES -> bytes = OptionalLong.of(count(line, from, to));
            case DURATION -> durationNanos = OptionalLong.of(durationNanos(line, from, to, column.nanosPerUnit()));
            case NAMED, SKIPPED, QUESTION_MARK -> throw new AssertionError(column);
        }
    }

    /** The call, once every value was taken. */
    LoggedCall toCall(int fileIndex, long line, TimeIs timeIs) throws Malformed {
        String knownPeer = peer == null ? lastForwarded() : peer;
        if (knownPeer == null) {
            throw new Malformed("there is no client address");
        }
        if (!timeKnown && !taken.containsKey(Field.TIME)) {
            throw new Malformed("there is no time");
        }
        long epochNanos = time.epochNanos();
        if (timeIs == TimeIs.END && durationNanos.isPresent()) {
            epochNanos = Math.max(0, epochNanos - durationNanos.getAsLong());
        }
        if (target == null && path != null) {
            String mark = query == null || query.startsWith("?") ? "" : "?";
            target = query == null ? path : path + mark + query;
        }
        LoggedCall.Known known = new LoggedCall.Known(method, target, host, user, status, bytes, durationNanos);
        return new LoggedCall(epochNanos, fileIndex, line, knownPeer, known, named, namedValues);
    }

    /** A format without the peer's address but with X-Forwarded-For: the last of the chain is the nearest that is known. */
    private @Nullable String lastForwarded() throws Malformed {
        String chain = forwardedForSlot < 0 ? null : namedValues[forwardedForSlot];
        if (chain == null) {
            return null;
        }
        byte[] last = chain.substring(chain.lastIndexOf(',') + 1).strip().getBytes(StandardCharsets.UTF_8);
        return address(last, 0, last.length);
    }

    /** An address or a host's name; without the port where there is one. */
    private static String address(byte[] line, int from, int to) throws Malformed {
        int start = from;
        int end = to;
        int colons = 0;
        int lastColon = -1;
        if (line[from] == '[') {
            start = from + 1;
            while (end > start && line[end - 1] != ']') {
                end--;
            }
            end--;
        }
        boolean readable = end > start;
        for (int i = start; i < end; i++) {
            byte b = line[i];
            if (b == ':') {
                colons++;
                lastColon = i;
            } else if (!letterOrDigit(b) && b != '.' && b != '-' && b != '_' && b != '%') {
                readable = false;
            }
        }
        if (!readable) {
            throw Malformed.expected("a client address", line, from, to);
        }
        if (colons == 1 && lastColon > start && lastColon + 1 < end && digits(line, lastColon + 1, end)) {
            end = lastColon;
        }
        return new String(line, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /**
     * A request line. Spaces within the target are kept, and the version may be missing, as in HTTP/0.9. Anything else, such as the first bytes
     * of a TLS handshake on a plain port, leaves method and target unknown: the call was made and answered all the same.
     */
    private void request(String line) {
        int space = line.indexOf(' ');
        if (space <= 0 || !token(line, space)) {
            return;
        }
        int end = line.length();
        int last = line.lastIndexOf(' ');
        if (last > space && line.startsWith("HTTP/", last + 1)) {
            end = last;
        }
        String asked = line.substring(space + 1, end).strip();
        String verb = line.substring(0, space);
        boolean understood = asked.startsWith("/")
                || asked.equals("*")
                || asked.contains("://")
                || (verb.equals("CONNECT") && !asked.isEmpty());
        if (understood) {
            method = verb;
            target = asked;
        }
    }

    private static boolean token(String text, int end) {
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (!(c < 0x80 && (letterOrDigit((byte) c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0))) {
                return false;
            }
        }
        return true;
    }

    /** A status; 000, which some servers log when the client went away, is none. */
    private static OptionalInt status(byte[] line, int from, int to) throws Malformed {
        int value = 0;
        if (to - from <= 3 && digits(line, from, to)) {
            for (int i = from; i < to; i++) {
                value = 10 * value + line[i] - '0';
            }
            if (value == 0 || (to - from == 3 && value >= 100)) {
                return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
            }
        }
        throw Malformed.expected("a status of three digits", line, from, to);
    }

    private static long count(byte[] line, int from, int to) throws Malformed {
        if (to - from > 18 || !digits(line, from, to)) {
            throw Malformed.expected("a number of bytes", line, from, to);
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            value = 10 * value + line[i] - '0';
        }
        return value;
    }

    /** A duration in the column's unit or in the one behind it; of several, as nginx logs one for each upstream it tried, the sum. */
    private static long durationNanos(byte[] line, int from, int to, long nanosPerUnit) throws Malformed {
        long sum = 0;
        int at = from;
        while (at < to) {
            int end = at;
            while (end < to && line[end] != ',' && line[end] != ' ') {
                end++;
            }
            boolean unreached = end - at == 1 && (line[at] == '-' || line[at] == ':');
            if (end > at && !unreached) {
                sum += oneDurationNanos(line, at, end, nanosPerUnit);
            }
            if (sum > LONGEST_NANOS) {
                throw Malformed.expected("a duration of at most a year", line, from, to);
            }
            at = end + 1;
        }
        return sum;
    }

    /** At most this much before the unit, which keeps sums and a whole second's nanoseconds within a long. */
    private static final long LONGEST_NANOS = 366L * 86_400 * 1_000_000_000;

    private static long oneDurationNanos(byte[] line, int from, int to, long columnUnit) throws Malformed {
        int end = to;
        while (end > from && line[end - 1] > '9') {
            end--;
        }
        long unit =
                end == to ? columnUnit : unit(new String(line, end, to - end, StandardCharsets.ISO_8859_1), columnUnit);
        int point = from;
        while (point < end && line[point] != '.') {
            point++;
        }
        boolean readable = end > from
                && point - from <= 17
                && (point == from || digits(line, from, point))
                && (point >= end - 1 || digits(line, point + 1, end))
                && end - from > (point < end ? 1 : 0);
        long whole = 0;
        for (int i = from; readable && i < point; i++) {
            whole = 10 * whole + line[i] - '0';
        }
        if (!readable || unit == 0 || whole > LONGEST_NANOS / unit) {
            throw Malformed.expected("a duration of at most a year", line, from, to);
        }
        long nanos = whole * unit;
        long digitUnit = unit / 10;
        for (int i = point + 1; i < end && digitUnit > 0; i++) {
            nanos += (line[i] - '0') * digitUnit;
            digitUnit /= 10;
        }
        return nanos;
    }

    private static long unit(String word, long columnUnit) {
        return switch (word) {
            case "" -> columnUnit;
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            default -> 0;
        };
    }

    private static boolean digits(byte[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (line[i] < '0' || line[i] > '9') {
                return false;
            }
        }
        return from < to;
    }

    private static boolean letterOrDigit(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }

    /** UTF-8, or ISO 8859-1 where it is not that: different bytes stay different text. */
    private static String text(byte[] line, int from, int to, boolean escaped) {
        int backslash = from;
        while (escaped && backslash < to && line[backslash] != '\\') {
            backslash++;
        }
        if (escaped && backslash < to) {
            byte[] plain = unescaped(line, from, to);
            return decoded(plain, 0, plain.length);
        }
        return decoded(line, from, to);
    }

    private static String decoded(byte[] line, int from, int to) {
        String text = new String(line, from, to - from, StandardCharsets.UTF_8);
        boolean broken = text.indexOf('\ufffd') >= 0;
        return broken ? new String(line, from, to - from, StandardCharsets.ISO_8859_1) : text;
    }

    private static byte[] unescaped(byte[] line, int from, int to) {
        byte[] plain = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            byte b = line[i];
            if (b == '\\' && i + 1 < to) {
                byte next = line[i + 1];
                int hex = next == 'x' && i + 3 < to ? (hex(line[i + 2]) << 4) | hex(line[i + 3]) : -1;
                int single = "\"\\bnrtv".indexOf(next);
                if (hex >= 0) {
                    b = (byte) hex;
                    i += 3;
                } else if (single >= 0) {
                    b = (byte) "\"\\\b\n\r\t\013".charAt(single);
                    i++;
                }
            }
            plain[length++] = b;
        }
        return Arrays.copyOf(plain, length);
    }

    private static int hex(byte b) {
        return Character.digit(b, 16);
    }
}
