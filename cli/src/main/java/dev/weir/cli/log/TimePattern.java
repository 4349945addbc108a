package dev.weir.cli.log;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * How a log writes a time: the conversions of {@code strftime} that make sense in a log, and some of our own. A pattern knows where it ends,
 * so nothing needs to stand behind it. Immutable.
 */
final class TimePattern {

    /** {@code 10/Oct/2000:13:55:36 -0700} */
    static final TimePattern COMMON = new TimePattern("%d/%b/%Y:%H:%M:%S %z", "10/Oct/2000:13:55:36 -0700");
    /** ISO 8601, with or without a fraction; UTC when it has no zone. */
    static final TimePattern ISO = new TimePattern("%(iso)", "2000-10-10T13:55:36+02:00");
    /** Seconds since 1970, with or without a fraction. */
    static final TimePattern SECONDS = new TimePattern("%(seconds)", "971211336.000");
    /** Whole seconds since 1970; a fraction is not theirs. */
    static final TimePattern WHOLE_SECONDS = new TimePattern("%(whole)", "971211336");
    /** Milliseconds since 1970. */
    static final TimePattern MILLIS = new TimePattern("%(millis)", "971211336000");
    /** Microseconds since 1970. */
    static final TimePattern MICROS = new TimePattern("%(micros)", "971211336000000");
    /** Three digits of a second. */
    static final TimePattern MILLI_FRACTION = new TimePattern("%(frac3)", "042");
    /** Six digits of a second. */
    static final TimePattern MICRO_FRACTION = new TimePattern("%(frac6)", "042000");
    /** Any of the above whole times; a bare number is seconds, milliseconds, microseconds or nanoseconds by its size. */
    static final TimePattern ANY =
            new TimePattern("%(any)", "2000-10-10T13:55:36Z, 10/Oct/2000:13:55:36 -0700 or 971211336.000");

    /** What {@link #strftime} understands. */
    static final String CONVERSIONS = "%Y %m %d %e %b %h %H %M %S %z %s %F %T %R %%";

    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    private final String program;
    private final String example;

    private TimePattern(String program, String example) {
        this.program = program;
        this.example = example;
    }

    /** A pattern in conversions of {@code strftime}. Throws IllegalArgumentException that names the first one it does not know. */
    static TimePattern strftime(String text) {
        String program =
                text.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S").replace("%R", "%H:%M");
        for (int i = program.indexOf('%'); i >= 0; i = program.indexOf('%', i + 2)) {
            String conversion = program.substring(i, Math.min(program.length(), i + 2));
            if (conversion.length() < 2 || "YmdebhHMSzs%".indexOf(conversion.charAt(1)) < 0) {
                throw new IllegalArgumentException(
                        "'" + conversion + "' in the time format '" + text + "' is not one of " + CONVERSIONS);
            }
        }
        return new TimePattern(program, text);
    }

    /** The parts of a time that the pattern gives: {@code Y m d H M S} each, {@code s} for a whole instant. */
    String parts() {
        if (program.startsWith("%(")) {
            return program.startsWith("%(frac") ? "" : "s";
        }
        StringBuilder parts = new StringBuilder();
        for (int i = program.indexOf('%'); i >= 0; i = program.indexOf('%', i + 2)) {
            char code = program.charAt(i + 1);
            parts.append(code == 'b' || code == 'h' ? 'm' : code == 'e' ? 'd' : code);
        }
        return parts.toString();
    }

    /** Reads a time and says where it ended. */
    int parse(byte[] bytes, int from, int to, TimeParts parts) throws Malformed {
        int at = switch (program) {
            case "%(iso)" -> iso(bytes, from, to, parts);
            case "%(seconds)" -> number(bytes, from, to, 9, true, parts);
            case "%(whole)" -> number(bytes, from, to, 9, false, parts);
            case "%(millis)" -> number(bytes, from, to, 6, false, parts);
            case "%(micros)" -> number(bytes, from, to, 3, false, parts);
            case "%(frac3)" -> fraction(bytes, from, to, 3, parts);
            case "%(frac6)" -> fraction(bytes, from, to, 6, parts);
            case "%(any)" -> any(bytes, from, to, parts);
            default -> run(bytes, from, to, parts);
        };
        if (at < 0) {
            throw Malformed.expected("a time such as " + example, bytes, from, to);
        }
        return at;
    }

    // Each of the following answers where it stopped, or NO when it did not find what it should.

    private static final int NO = -1;

    private int run(byte[] bytes, int from, int to, TimeParts parts) {
        int at = from;
        for (int i = 0; i < program.length() && at >= 0; i++) {
            char c = program.charAt(i);
            if (c == '%' && program.charAt(i + 1) != '%') {
                i++;
                at = convert(program.charAt(i), bytes, at, to, parts);
            } else {
                i += c == '%' ? 1 : 0;
                at = at < to && bytes[at] == (byte) c ? at + 1 : NO;
            }
        }
        return at;
    }

    private static int convert(char code, byte[] bytes, int at, int to, TimeParts parts) {
        switch (code) {
            case 'Y' -> {
                parts.year = digits(bytes, at, to, 4);
                return parts.year < 0 ? NO : at + 4;
            }
            case 'm' -> {
                parts.month = digits(bytes, at, to, 2);
                return parts.month < 0 ? NO : at + 2;
            }
            case 'd' -> {
                parts.day = digits(bytes, at, to, 2);
                return parts.day < 0 ? NO : at + 2;
            }
            case 'e' -> {
                boolean padded = at < to && bytes[at] == ' ';
                parts.day = padded ? digits(bytes, at + 1, to, 1) : digits(bytes, at, to, 2);
                return parts.day < 0 ? NO : at + 2;
            }
            case 'H' -> {
                parts.hour = digits(bytes, at, to, 2);
                return parts.hour < 0 ? NO : at + 2;
            }
            case 'M' -> {
                parts.minute = digits(bytes, at, to, 2);
                return parts.minute < 0 ? NO : at + 2;
            }
            case 'S' -> {
                parts.second = digits(bytes, at, to, 2);
                return parts.second < 0 ? NO : at + 2;
            }
            case 'b', 'h' -> {
                return monthName(bytes, at, to, parts);
            }
            case 's' -> {
                return number(bytes, at, to, 9, false, parts);
            }
            default -> {
                return zone(bytes, at, to, parts);
            }
        }
    }

    private static int monthName(byte[] bytes, int at, int to, TimeParts parts) {
        if (at + 3 > to) {
            return NO;
        }
        String name = new String(bytes, at, 3, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int index = MONTHS.indexOf(name);
        if (index < 0 || index % 3 != 0) {
            return NO;
        }
        parts.month = index / 3 + 1;
        return at + 3;
    }

    private static int zone(byte[] bytes, int at, int to, TimeParts parts) {
        if (at < to && (bytes[at] == 'Z' || bytes[at] == 'z')) {
            return at + 1;
        }
        if (at >= to || (bytes[at] != '+' && bytes[at] != '-')) {
            return NO;
        }
        int hours = digits(bytes, at + 1, to, 2);
        int minutesAt = at + 3 < to && bytes[at + 3] == ':' ? at + 4 : at + 3;
        int minutes = digits(bytes, minutesAt, to, 2);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return NO;
        }
        parts.offsetSeconds = (bytes[at] == '-' ? -1 : 1) * (3_600 * hours + 60 * minutes);
        return minutesAt + 2;
    }

    private static int iso(byte[] bytes, int from, int to, TimeParts parts) {
        parts.year = digits(bytes, from, to, 4);
        parts.month = digits(bytes, from + 5, to, 2);
        parts.day = digits(bytes, from + 8, to, 2);
        parts.hour = digits(bytes, from + 11, to, 2);
        parts.minute = digits(bytes, from + 14, to, 2);
        parts.second = digits(bytes, from + 17, to, 2);
        boolean whole = parts.second >= 0
                && parts.minute >= 0
                && parts.hour >= 0
                && parts.day >= 0
                && parts.month >= 0
                && parts.year >= 0
                && bytes[from + 4] == '-'
                && bytes[from + 7] == '-'
                && (bytes[from + 10] == 'T' || bytes[from + 10] == 't' || bytes[from + 10] == ' ')
                && bytes[from + 13] == ':'
                && bytes[from + 16] == ':';
        if (!whole) {
            return NO;
        }
        int at = from + 19;
        if (at < to && (bytes[at] == '.' || bytes[at] == ',')) {
            int end = fraction(bytes, at + 1, to, 0, parts);
            if (end >= 0) {
                at = end;
            }
        }
        int end = zone(bytes, at, to, parts);
        return end < 0 ? at : end;
    }

    /** A number of units of 10^nanosExponent nanoseconds since 1970, with a fraction where one may stand. */
    private static int number(byte[] bytes, int from, int to, int nanosExponent, boolean fraction, TimeParts parts) {
        int at = from;
        long whole = 0;
        while (at < to && digit(bytes[at]) && at - from < 18) {
            whole = 10 * whole + bytes[at] - '0';
            at++;
        }
        if (at == from || (at < to && digit(bytes[at]))) {
            return NO;
        }
        long perSecond = pow10(9 - nanosExponent);
        parts.secondsKnown = true;
        parts.seconds = whole / perSecond;
        int nanos = (int) (whole % perSecond * pow10(nanosExponent));
        if (fraction && at + 1 < to && bytes[at] == '.' && digit(bytes[at + 1])) {
            parts.nanos = 0;
            at = fraction(bytes, at + 1, to, 0, parts);
            nanos += (int) (parts.nanos / perSecond);
        }
        if (nanos != 0) {
            parts.nanos = nanos;
        }
        return at;
    }

    /** Digits behind the point; as many as there are when the width is 0. */
    private static int fraction(byte[] bytes, int from, int to, int width, TimeParts parts) {
        int at = from;
        int nanos = 0;
        int unit = 100_000_000;
        while (at < to && digit(bytes[at]) && (width == 0 || at - from < width)) {
            nanos += (bytes[at] - '0') * unit;
            unit /= 10;
            at++;
        }
        if (at == from || (width != 0 && at - from < width)) {
            return NO;
        }
        parts.nanos = nanos;
        return at;
    }

    private static int any(byte[] bytes, int from, int to, TimeParts parts) {
        boolean bracketed = from < to && bytes[from] == '[';
        int at = bracketed ? from + 1 : from;
        int end = at;
        while (end < to && digit(bytes[end])) {
            end++;
        }
        int digits = end - at;
        if (digits == 2 && end < to && bytes[end] == '/') {
            at = COMMON.run(bytes, at, to, parts);
        } else if (digits == 4 && end < to && bytes[end] == '-') {
            at = iso(bytes, at, to, parts);
        } else if (digits <= 11) {
            at = number(bytes, at, to, 9, true, parts);
        } else if (digits <= 14) {
            at = number(bytes, at, to, 6, true, parts);
        } else if (digits <= 17) {
            at = number(bytes, at, to, 3, true, parts);
        } else {
            // Nanoseconds have one digit more than number() takes: the last nine are the fraction.
            at = digits == 19 ? number(bytes, at, at + 10, 9, false, parts) : NO;
            at = at < 0 ? NO : fraction(bytes, at, to, 9, parts);
        }
        return bracketed && at >= 0 ? (at < to && bytes[at] == ']' ? at + 1 : NO) : at;
    }

    private static long pow10(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }

    /** A number of exactly so many digits, or NO. */
    private static int digits(byte[] bytes, int from, int to, int count) {
        if (from + count > to) {
            return NO;
        }
        int value = 0;
        for (int i = from; i < from + count; i++) {
            if (!digit(bytes[i])) {
                return NO;
            }
            value = 10 * value + bytes[i] - '0';
        }
        return value;
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }
}
